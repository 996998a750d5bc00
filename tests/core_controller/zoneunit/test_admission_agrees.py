"""Core and admission say the same: what was stored while no webhook ran is judged as it would have been."""

from collections.abc import Iterator

import pytest
from pydantic import JsonValue, ValidationError

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from tests.core_controller.zoneunit.objects import namespace, zone, zone_class
from tests.core_controller.zoneunit.world import World
from tests.webhook import objects as admission
from webhook.answer import Answer
from webhook.validators import recordset
from webhook.validators.snapshot import Snapshot

LONG = ".".join(["a" * 60] * 4)
NAMES = ["@", "*", "*.a", "_a", "_a.b", "xn--bcher-kva", "1.2.3.4", "a" * 63, LONG[:240]]
NAMES += ["WWW", "a.", ".a", "a..b", "a_b", "_", "_a_", "-a", "a-", "a" * 64, LONG + "a" * 5, "bücher", "a b", "a/b"]
NAMES += ["**", "*a", "a.*", "*.*", "@.a", "*.@", "a|b", "\\052.a", "*."]
TARGETS = [
    "a.b",
    "b",
    "_x.y",
    "A.b",
    "a.b.",
    "192.0.2.1",
    "::1",
    "https://a.b/",
    "x_y.z",
    "*.a",
    ".",
    "ü.b",
    "a" * 64 + ".b",
]
BODIES: dict[str, list[JsonObject]] = {
    "A": [{"addresses": ["192.0.2.1"]}, {"addresses": ["192.0.2.1"] * 2}, {"addresses": ["192.0.2.01"]}],
    "AAAA": [
        {"addresses": [text]} for text in ("2001:db8::1", "::", "fe80::1%eth0", "::ffff:192.0.2.1", "2001:db8::g")
    ],
    "TXT": [
        {"values": values}
        for values in (["x"], ['"x"'], ["x", "x"], ["x", "X"], ["a" * 4000], ["ü"], ["a\tb"], ["a\nb"], [" "])
    ],
    "CNAME": [{"target": target} for target in TARGETS],
    "MX": [
        *({"records": [{"preference": 0, "exchange": target}]} for target in TARGETS),
        {"records": [{"preference": 1, "exchange": "."}]},
        {"records": [{"preference": 0, "exchange": "."}, {"preference": 1, "exchange": "a.b"}]},
        {"records": [{"preference": 1, "exchange": "a.b"}] * 2},
        {"records": [{"preference": 1, "exchange": "a.b"}, {"preference": 1, "exchange": "b.b"}]},
    ],
    "NS": [*({"nameServers": [target]} for target in TARGETS), {"nameServers": ["a.b", "a.b"]}],
    "CAA": [{"records": [{"flags": 0, "tag": "issue", "value": "ca.example"}]}],
}
OTHERS: list[JsonObject] = [
    {"ttl": None},
    {"ttl": 59},
    {"ttl": None, "options": {"flat": True}},
    {"options": {}},
    {"options": {"flat": 1}},
    {"options": {"round": True}},
    {"adoption": {"enabled": True}},
    {"adoption": {"enabled": 1}},
    {"txt": {"values": ["x"]}},
    {"a": None},
    {"zoneRef": {"name": "UP"}},
    {"zoneRef": {"namespace": "a.b", "name": "example-com"}},
    {"provider": {"name": admission.PROVIDER, "version": "v0"}},
    {"provider": {"name": admission.PROVIDER, "version": "v9"}},
]


def _specs() -> Iterator[JsonObject]:
    """Yield one spec for each value, everything else being as it should."""
    plain: JsonObject = {"type": "A", "a": BODIES["A"][0]}
    for type_, bodies in BODIES.items():
        yield from ({"type": type_, type_.lower(): body} for body in bodies)
        yield from ({"type": type_, type_.lower(): bodies[0], "name": name} for name in NAMES)
    yield from (plain | other for other in OTHERS)


def _claims() -> Iterator[JsonObject]:
    """Yield each spec as a RecordSet; what the definition itself refuses is left out."""
    base: JsonObject = {
        "zoneRef": {"name": "example-com"},
        "provider": {"name": admission.PROVIDER, "version": "v1"},
        "ttl": 300,
    }
    for number, spec in enumerate(_specs()):
        wanted = base | {"name": f"n{number}"} | spec
        present = {field: value for field, value in wanted.items() if value is not None}
        metadata: JsonObject = {"namespace": "platform", "name": f"r{number}", "generation": 1}
        document: JsonObject = {"kind": "RecordSet", "metadata": metadata, "spec": present}
        try:
            RecordSet.model_validate(document)
        except ValidationError:
            continue
        yield document


async def _world(provider: JsonObject, claims: list[JsonObject]) -> World:
    world = World()
    reference: JsonValue = {"name": admission.PROVIDER, "version": "v1"}
    stored: JsonObject = {"metadata": {"name": admission.PROVIDER, "generation": 1}, "spec": provider["spec"]}
    world.put(namespace("platform"), (PROVIDERS, stored), zone_class(provider=reference), zone(provider=reference))
    world.put(*((RECORD_SETS, {"metadata": claim["metadata"], "spec": claim["spec"]}) for claim in claims))
    await world.settle()
    return world


def _judged(snapshot: Snapshot, claim: JsonObject) -> Answer:
    return recordset.validate_spec(admission.creation(claim), snapshot)


@pytest.mark.spec("CORE-RT-015")
async def test_what_admission_refuses_core_refuses_and_what_it_admits_core_accepts() -> None:
    """Cases 80 to 82 and all of their kind: each name, value and option stands alone under its name."""
    provider = admission.provider()
    contract = compile_contract(Provider.model_validate(provider), InterpretingEngine())
    snapshot = Snapshot(contracts={admission.PROVIDER: contract})
    claims = list(_claims())
    world = await _world(provider, claims)
    differing = {}
    for claim in claims:
        name = RecordSet.model_validate(claim).key.name
        found = world.condition(world.record_set(ObjectKey("platform", name)), "Accepted")
        answer = _judged(snapshot, claim)
        taken = found is not None and found.reason == "RecordSetConflict"
        if not taken and (found is not None and found.status == "True") is not answer.allowed:
            differing[str(claim["spec"])] = (found, answer.problems)
    assert differing == {}
    assert sum(_judged(snapshot, claim).allowed for claim in claims) > 40
    assert len(claims) > 250
