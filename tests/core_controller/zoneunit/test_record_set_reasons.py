"""Every reason that a RecordSet's Accepted can have, how it comes about, and what it does to the ledger."""

import pytest

from core_controller.zoneunit.plan import record_acceptance
from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.reasons import RECORD_SET_REASONS
from libdnsapi.dns.problems import Problem
from tests.core_controller.zoneunit.contracts import NOTE, contract, platform_with
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    ZONE,
    Body,
    cname,
    platform,
    provider,
    record_set,
    renamed,
    two_versions,
    zone,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words, zone_message
from tests.core_controller.zoneunit.world import World

RULE: JsonObject = {"rule": "self.spec.ttl == 300", "message": "the TTL must be 300"}


ALL = platform_with(provider())
Row = tuple[str, list[Body], tuple[str, str]]
ROWS: list[Row] = [
    ("all is well", [*ALL, record_set("www")], ("True", "Accepted")),
    (
        "a reference that names no object",
        [*ALL, record_set("www", zoneRef={"name": "No"})],
        ("False", "InvalidZoneRef"),
    ),
    (
        "a reference into what can be no namespace",
        [*ALL, record_set("www", zoneRef={"namespace": "plat.form", "name": "example-com"})],
        ("False", "InvalidZoneRef"),
    ),
    ("no Zone", [*platform(), record_set("www")], ("Unknown", "ZoneNotResolved")),
    ("a Zone without class", [*ALL[:2], zone(), record_set("www")], ("Unknown", "ZoneClassNotResolved")),
    (
        "a Zone that core refuses",
        [*ALL[:3], zone(zoneClassRef={"name": "No Object"}), record_set("www")],
        ("False", "ZoneNotAccepted"),
    ),
    (
        "another Provider",
        [*ALL, record_set("www", provider={"name": "other.dns.appthrust.io", "version": "v1"})],
        ("False", "ProviderMismatch"),
    ),
    (
        "a version that the Provider does not have",
        [*ALL, record_set("www", provider={"name": PROVIDER, "version": "v9"})],
        ("Unknown", "ProviderStorageVersionNotResolved"),
    ),
    (
        "a version without record sets",
        [*platform_with(provider({"recordSet": None})), record_set("www")],
        ("False", "InvalidProvider"),
    ),
    (
        "a type that the version does not support",
        [*platform_with(contract(supportedTypes=["TXT"])), record_set("www")],
        ("False", "InvalidProvider"),
    ),
    (
        "options that the schema refuses",
        [*platform_with(contract(schemas={"options": {"openAPIV3Schema": NOTE}})), record_set("www", options={"x": 1})],
        ("False", "InvalidProviderPayload"),
    ),
    (
        "options that convert to what storage refuses",
        [
            *platform_with(two_versions({"cel": "has(self.options) ? {'options': {'strange': 'x'}} : {}"})),
            record_set("www", options={"note": "x"}),
        ],
        ("False", "ProviderConversionFailed"),
    ),
    (
        "content stored past admission",
        [*ALL, record_set("www", a={"addresses": ["999.0.2.1"]})],
        ("False", "DeniedByPolicy"),
    ),
    ("a name in upper case", [*ALL, renamed(record_set("WWW"), "www")], ("False", "DeniedByPolicy")),
    ("a name with a final dot", [*ALL, renamed(record_set("www."), "www")], ("False", "DeniedByPolicy")),
    ("an underscore in an A name", [*ALL, renamed(record_set("_www"), "www")], ("False", "DeniedByPolicy")),
    ("an escaped wildcard", [*ALL, renamed(record_set("\\052.www"), "www")], ("False", "DeniedByPolicy")),
    (
        "a rule of the Provider",
        [*platform_with(contract(validationRules=[RULE])), record_set("www", ttl=60)],
        ("False", "DeniedByPolicy"),
    ),
    (
        "a full name of 254 characters",
        [*ALL, renamed(record_set(".".join(["a" * 60] * 3 + ["b" * 59])), "www")],
        ("False", "DeniedByPolicy"),
    ),
    (
        "a full name of 253 characters",
        [*ALL, renamed(record_set(".".join(["a" * 60] * 3 + ["b" * 58])), "www")],
        ("True", "Accepted"),
    ),
    (
        "an older claim of the same name",
        [
            *ALL,
            record_set("www", created="2026-02-01T00:00:00Z"),
            renamed(record_set("www", created="2026-01-01T00:00:00Z"), "older"),
        ],
        ("False", "RecordSetConflict"),
    ),
]


@pytest.mark.spec(
    "CORE-RS-008",
    "CORE-RS-009",
    "CORE-RS-011",
    "CORE-RS-016",
    "CORE-RN-005",
    "CORE-RT-002",
    "CORE-RT-008",
    "CORE-RT-009",
    "CORE-RT-010",
    "CORE-RT-011",
    "CORE-RT-012",
    "CORE-RT-013",
    "CORE-RT-015",
    "CORE-RT-017",
    "CORE-RT-020",
    "PC-CV-001",
    "PC-CV-009",
    "PC-WR-005",
    "PC-AM-003",
)
@pytest.mark.parametrize(("what", "bodies", "expected"), ROWS, ids=[row[0] for row in ROWS])
async def test_the_chain_of_record_set_acceptance(what: str, bodies: list[Body], expected: tuple[str, str]) -> None:
    """Case 81 among others."""
    world = World()
    world.put(*bodies)
    await world.settle()
    found = world.condition(world.record_set(WWW), "Accepted")
    assert found is not None, what
    assert (found.status, found.reason) == expected
    assert found.observed_generation == world.record_set(WWW).status.observed_generation == 1
    assert found.message
    if expected[0] != "True":
        assert world.api.read(ZONE_UNITS, ZONE) is None or "www" not in items(world)
        assert "Programmed" not in words(world)
        assert world.record_set(WWW).metadata.finalizers == ()


async def test_two_spellings_of_one_name_never_have_two_owners(served: World) -> None:
    served.put(record_set("www"), renamed(record_set("WWW"), "loud"), renamed(record_set("www."), "dotted"))
    await served.settle()
    assert items(served) == {"www": "live"}
    assert "must be lower case: write www" in message(served, ObjectKey("platform", "loud"))
    assert "must not end with a dot" in message(served, ObjectKey("platform", "dotted"))


PROVIDER_ROWS = [
    ("False", "InvalidIdentityRef"),
    ("False", "InvalidAdoption"),
    ("False", "ManagedResourceMismatch"),
    ("False", "DeniedByPolicy"),
    ("Unknown", "IdentityNotResolved"),
    ("Unknown", "ReconcileError"),
]


@pytest.mark.spec("CORE-RT-008", "CORE-RT-016")
@pytest.mark.parametrize(("status", "reason"), PROVIDER_ROWS)
async def test_what_the_provider_says_becomes_the_claims_accepted(served: World, status: str, reason: str) -> None:
    served.provider.item_verdicts[WWW] = ((status, reason), ("False", "ReconcileError"))
    served.put(record_set("www"))
    await served.settle()
    assert words(served) == {"Accepted": (status, reason), "Programmed": ("False", "ReconcileError")}
    assert items(served) == {"www": "live"}


async def test_before_the_provider_has_spoken_a_claim_is_being_looked_at(served: World) -> None:
    served.provided = False
    served.put(record_set("www"))
    await served.settle()
    assert words(served) == {"Accepted": ("Unknown", "Reconciling"), "Programmed": ("Unknown", "Reconciling")}
    assert served.recorder.events[-1].reason != "Reconciling"


@pytest.mark.spec("CORE-RT-024")
def test_every_reason_of_the_table_is_reached_by_a_row() -> None:
    reached = (
        {expected for _, _, expected in ROWS}
        | set(PROVIDER_ROWS)
        | {
            ("False", "NotAllowedByZone"),
            ("Unknown", "ProviderConversionUnavailable"),
            ("Unknown", "OwnerStateNotResolved"),
            ("Unknown", "Reconciling"),
        }
    )
    table = {(status.value, str(r)) for status, reasons in RECORD_SET_REASONS["Accepted"].items() for r in reasons}
    assert reached == table


async def test_the_size_of_an_item_is_counted_in_bytes() -> None:
    world = World(Limits(object_bytes=4000))
    options = {"openAPIV3Schema": NOTE}
    world.put(*platform_with(contract(schemas={"options": options})), record_set("www", options={"note": "ü" * 2000}))
    await world.settle()
    assert words(world) == {"Accepted": ("False", "DeniedByPolicy")}
    assert "too large" in message(world)


@pytest.mark.spec("CORE-RT-015", "CORE-SL-003")
async def test_a_record_set_that_fits_into_no_object_is_refused_and_an_edit_like_that_changes_nothing() -> None:
    world = World(Limits(object_bytes=4000))
    world.put(*ALL, record_set("www"), record_set("big", a={"addresses": [f"192.0.2.{i}" for i in range(250)]}))
    await world.settle()
    big = ObjectKey("platform", "big")
    assert words(world, big) == {"Accepted": ("False", "DeniedByPolicy")}
    assert "too large" in message(world, big)
    await world.edit(RECORD_SETS, WWW, {"spec": {"a": {"addresses": [f"192.0.2.{i}" for i in range(250)]}}})
    await world.settle()
    assert words(world)["Accepted"] == ("False", "DeniedByPolicy")
    assert items(world) == {"www": "live"}
    assert world.provider.deleted == []


async def test_an_edit_that_breaks_a_rule_of_the_provider_leaves_the_item_as_it_was() -> None:
    world = World()
    world.put(*platform_with(contract(validationRules=[RULE])), record_set("www"))
    await world.settle()
    await world.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await world.settle()
    assert words(world)["Accepted"] == ("False", "DeniedByPolicy")
    assert "the TTL must be 300" in message(world)
    assert world.unit(ZONE).spec.record_sets[0].ttl == 300


@pytest.mark.spec("CORE-RS-013", "CORE-ZU-014")
async def test_a_provider_may_let_a_cname_stand_beside_txt_and_forbid_other_pairs() -> None:
    texts = "self.type == 'CNAME' && other.type == 'TXT'"
    pairs: JsonObject = {
        "disableValidations": [{"name": "forbid-cname-coexistence", "when": texts}],
        "validationRules": [{"rule": "self.type != 'NS' || other.type == 'NS'", "message": "NS stands alone"}],
    }
    world = World()
    world.put(
        *platform_with(provider({"zoneUnit": pairs})),
        cname("www"),
        renamed(record_set("www", type="TXT", a=None, txt={"values": ["x"]}), "text"),
        renamed(record_set("www"), "zaddress"),
        record_set("sub"),
        renamed(record_set("sub", type="NS", a=None, ns={"nameServers": ["ns.example.net"]}), "zdelegation"),
    )
    await world.settle()
    assert words(world) == words(world, ObjectKey("platform", "text")) == PROGRAMMED
    assert words(world, ObjectKey("platform", "zaddress")) == {"Accepted": ("False", "RecordSetConflict")}
    assert words(world, ObjectKey("platform", "zdelegation")) == {"Accepted": ("False", "RecordSetConflict")}
    assert "platform/sub: NS stands alone" in message(world, ObjectKey("platform", "zdelegation"))


@pytest.mark.spec("CORE-ZU-014")
async def test_an_edit_that_may_not_stand_beside_another_item_leaves_the_ledger_as_it_was() -> None:
    pairs: JsonObject = {"validationRules": [{"rule": "self.ttl == other.ttl", "message": "a name has one TTL"}]}
    text = ObjectKey("platform", "text")
    world = World()
    world.put(
        *platform_with(provider({"zoneUnit": pairs})),
        record_set("www"),
        renamed(record_set("www", type="TXT", a=None, txt={"values": ["x"]}), text.name),
    )
    await world.settle()
    assert words(world) == words(world, text) == PROGRAMMED
    await world.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await world.settle()
    assert words(world)["Accepted"] == ("False", "RecordSetConflict")
    assert "platform/text: a name has one TTL" in message(world)
    assert words(world, text) == PROGRAMMED
    assert {item.ttl for item in world.unit(ZONE).spec.record_sets} == {300}


@pytest.mark.parametrize(
    ("reference", "hinted"), [({"name": "gone"}, True), ({"name": "gone", "namespace": "x"}, False)]
)
async def test_a_reference_without_a_namespace_says_where_it_is_looked_up(reference: JsonObject, hinted: bool) -> None:
    world = World()
    world.put(*platform(), record_set("www", zoneRef=reference), zone(zoneClassRef=reference))
    await world.settle()
    told = [message(world), zone_message(world)]
    assert [("omitted" in text) for text in told] == [hinted, hinted]
    assert all("gone is not found." in text for text in told)


async def test_a_stricter_release_says_nothing_of_what_is_served(
    served: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.put(record_set("www"))
    await served.settle()

    def stricter(*_: object) -> tuple[Problem, ...]:
        return (Problem("ttl", "must be at least 600"),)

    monkeypatch.setattr(record_acceptance, "content_problems", stricter)
    served.put(renamed(record_set("api"), "new"))
    served.restart()
    await served.settle()
    assert words(served) == PROGRAMMED
    assert words(served, ObjectKey("platform", "new")) == {"Accepted": ("False", "DeniedByPolicy")}
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    assert words(served)["Accepted"] == ("False", "DeniedByPolicy")
    assert served.unit(ZONE).spec.record_sets[0].ttl == 300
