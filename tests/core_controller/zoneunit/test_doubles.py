"""Ledgers that were put together by hand: items that no acceptance would have let in beside each other."""

import pytest

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from tests.core_controller.zoneunit.objects import ALL_TYPES, PROVIDER, ZONE, Body, provider, record_set, renamed
from tests.core_controller.zoneunit.reading import PROGRAMMED, items, words
from tests.core_controller.zoneunit.world import World

CONFLICT = {"Accepted": ("False", "RecordSetConflict")}
CONTENT: dict[str, JsonObject] = {
    "A": {"a": {"addresses": ["192.0.2.1"]}},
    "TXT": {"txt": {"values": ["text"]}},
    "CNAME": {"cname": {"target": "target.example.net"}},
}


def claim(type_: str, second: int) -> Body:
    """Return a claim of the name www, named like its type and born at that second."""
    created = f"2026-01-01T00:00:{second:02}Z"
    body = record_set("www", created=created, type=type_, **({"a": None} | CONTENT[type_]))
    return renamed(body, type_.lower())


def item(type_: str) -> JsonObject:
    """Return the item of such a claim."""
    head: JsonObject = {"recordSetNamespace": "platform", "recordSetName": type_.lower(), "observedGeneration": 1}
    return head | {"name": "www", "type": type_, "ttl": 300} | CONTENT[type_]


async def put_together(world: World, types: list[str], *claims: str) -> None:
    """Write items of these types into the ledger past admission, then bring the claims, the first one the oldest."""
    await world.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [item(type_) for type_ in types]}})
    world.put(*(claim(type_, second) for second, type_ in enumerate(claims)))
    await world.sync()
    await world.reconcile()


@pytest.mark.spec("CORE-SL-014", "CORE-RS-012")
@pytest.mark.parametrize(
    ("by_age", "kept"),
    [
        (["CNAME", "A"], {"cname"}),
        (["A", "CNAME"], {"a"}),
        (["CNAME", "A", "TXT"], {"cname"}),
        (["A", "CNAME", "TXT"], {"a", "txt"}),
        (["A", "TXT"], {"a", "txt"}),
    ],
)
async def test_a_cname_stands_alone_in_a_ledger_put_together_by_hand_too(
    served: World, by_age: list[str], kept: set[str]
) -> None:
    await put_together(served, sorted(by_age), *by_age)
    assert {name for name, state in items(served).items() if state == "live"} == kept
    await served.settle()
    assert items(served) == dict.fromkeys(kept, "live")
    for type_ in by_age:
        key = ObjectKey("platform", type_.lower())
        assert words(served, key) == (PROGRAMMED if key.name in kept else CONFLICT)
    assert served.provider.deleted == []


async def test_what_the_provider_has_programmed_beside_a_cname_stays(served: World) -> None:
    """It may have rules of its own, and nothing at the provider goes because of a ledger's oddity."""
    await served.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [item("A"), item("CNAME")]}})
    await served.provide()
    served.put(claim("CNAME", 0), claim("A", 1))
    await served.settle()
    assert items(served) == {"a": "live", "cname": "live"}
    assert served.provider.deleted == []


async def test_a_marked_item_wins_whatever_its_age(served: World) -> None:
    served.put(claim("A", 9))
    await served.settle()
    await served.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [item("A"), item("CNAME")]}})
    served.put(claim("CNAME", 0))
    await served.sync()
    await served.reconcile()
    await served.settle()
    assert items(served) == {"a": "live"}
    assert words(served, ObjectKey("platform", "cname")) == CONFLICT


async def test_a_cname_that_the_provider_lets_stand_beside_others_stays(served: World) -> None:
    switch: JsonObject = {"name": "forbid-cname-coexistence", "when": "self.type == 'TXT' || other.type == 'TXT'"}
    served.put(provider({"recordSet": {"supportedTypes": ALL_TYPES}, "zoneUnit": {"disableValidations": [switch]}}))
    await served.sync()
    await put_together(served, ["CNAME", "TXT"], "CNAME", "TXT")
    await served.settle()
    assert items(served) == {"cname": "live", "txt": "live"}


@pytest.mark.parametrize("missing", [(PROVIDERS, ObjectKey("", PROVIDER)), (ZONES, ZONE)], ids=["provider", "zone"])
async def test_a_cname_that_waits_beside_others_stays_while_it_is_not_known_whether_it_may(
    served: World, missing: tuple[ResourceType, ObjectKey]
) -> None:
    """The switch stands in the Provider: its absence alone takes nothing out of the ledger."""
    switch: JsonObject = {"name": "forbid-cname-coexistence", "when": "self.type == 'TXT' || other.type == 'TXT'"}
    served.put(provider({"recordSet": {"supportedTypes": ALL_TYPES}, "zoneUnit": {"disableValidations": [switch]}}))
    await served.sync()
    served.provider.programs = False
    served.put(claim("CNAME", 0), claim("TXT", 1))
    await served.settle()
    await served.edit(*missing, {"metadata": {"finalizers": None}})
    await served.delete(*missing)
    await served.settle()
    assert served.api.read(*missing) is None
    assert items(served) == {"cname": "live", "txt": "live"}


async def test_an_item_whose_claim_is_not_back_is_left_alone_beside_a_cname(served: World) -> None:
    await put_together(served, ["A", "CNAME"], "CNAME")
    assert items(served) == {"a": "live", "cname": "live"}
