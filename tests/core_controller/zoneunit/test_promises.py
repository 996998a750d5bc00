"""What core promises about its writes, its knowledge and its tie-breaks."""

from pathlib import Path

import pytest

import core_controller.zoneunit
import libdnsapi.dns
from core_controller.payloads import Payloads
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey
from libdnsapi.api.names import DESCRIPTION_ANNOTATION
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from tests.core_controller.zoneunit.objects import (
    ZONE,
    allow,
    namespace,
    platform,
    provider,
    record_set,
    renamed,
    zone,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, words
from tests.core_controller.zoneunit.world import NoConversions, World


@pytest.mark.spec("CORE-ZC-012", "CORE-ZU-023", "PC-WR-002")
async def test_core_writes_finalizers_and_status_of_claims_and_specs_of_ledgers_and_nothing_else() -> None:
    world = World()
    world.provider.programs = False
    world.put(*platform(), zone(), record_set("www"), renamed(record_set("www"), "loser"))
    for _ in range(8):
        await world.sync()
        await world.reconcile()
    await world.delete(RECORD_SETS, WWW)
    await world.sync()
    await world.reconcile()
    writes = set(world.api.writes()) - {("delete", "recordsets")}
    assert writes == {
        ("merge_patch", "zones"),
        ("merge_patch", "recordsets"),
        ("json_patch", "zones/status"),
        ("json_patch", "recordsets/status"),
        ("create", "zoneunits"),
        ("replace", "zoneunits"),
    }


@pytest.mark.spec("CORE-BY-006")
@pytest.mark.parametrize(("resource", "key"), [(ZONES, ZONE), (RECORD_SETS, WWW)], ids=["zone", "record set"])
async def test_core_writes_nothing_into_what_people_write(served: World, resource: object, key: ObjectKey) -> None:
    _, written = zone() if resource is ZONES else record_set("www")
    served.put(record_set("www"))
    await served.settle()
    document = served.api.read(resource, key)  # type: ignore[arg-type]
    assert document is not None
    metadata = document["metadata"]
    assert isinstance(metadata, dict)
    assert document["spec"] == written["spec"]
    assert not {"labels", "annotations"} & set(metadata)


@pytest.mark.spec("CORE-ZS-003", "CORE-ZU-021", "CORE-RT-007")
async def test_internal_state_of_a_provider_never_reaches_a_claim(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    for resource, key in ((ZONES, ZONE), (RECORD_SETS, WWW)):
        document = served.api.read(resource, key)
        assert document is not None
        status = document["status"]
        assert isinstance(status, dict)
        assert set(status["provider"]) == {"data"}  # type: ignore[arg-type]
        assert "internal" not in str(status)
        assert "mark" not in str(status)


@pytest.mark.spec("CORE-RB-034")
@pytest.mark.parametrize(
    "package", [core_controller.zoneunit, libdnsapi.dns], ids=["core_controller.zoneunit", "libdnsapi.dns"]
)
def test_core_knows_no_options_of_a_provider(package: object) -> None:
    folder = Path(str(package.__file__)).parent  # type: ignore[attr-defined]
    for file in folder.rglob("*.py"):
        text = file.read_text()
        for word in ("evaluateTargetHealth", "hostedZoneId", "zoneDeletionPolicy", "proxied", "aliasTarget"):
            assert word not in text, file


@pytest.mark.spec("CORE-ZU-015")
async def test_a_retained_owner_keeps_its_name_against_an_older_claim(served: World) -> None:
    served.put(namespace("team", dns="yes"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("www")]}})
    served.put(record_set("www", "team"))
    await served.settle()
    await served.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": "no"}}})
    served.put(record_set("www", created="2020-01-01T00:00:00Z"))
    await served.settle()
    assert words(served, ObjectKey("team", "www"))["Accepted"] == ("False", "NotAllowedByZone")
    assert words(served) == {"Accepted": ("False", "RecordSetConflict")}


@pytest.mark.spec("CORE-ZU-016")
async def test_equal_age_is_decided_by_namespace_and_name(world: World) -> None:
    age = "2026-01-01T00:00:00Z"
    world.put(namespace("aaa", dns="yes"), zone(allowedRecordSets=[allow()]))
    world.put(
        renamed(record_set("www", created=age), "b"),
        renamed(record_set("www", "aaa", created=age), "z"),
        renamed(record_set("www", created=age), "a"),
    )
    await world.settle()
    assert words(world, ObjectKey("aaa", "z")) == PROGRAMMED
    assert words(world, ObjectKey("platform", "a")) == {"Accepted": ("False", "RecordSetConflict")}


@pytest.mark.spec("PC-AD-013")
def test_a_contract_is_compiled_once_a_provider_generation() -> None:
    payloads = Payloads(InterpretingEngine(), NoConversions())
    found = Provider.model_validate(provider()[1])
    same = Provider.model_validate(provider()[1])
    newer = found.model_copy(update={"metadata": found.metadata.model_copy(update={"generation": 2})})
    assert payloads.contract(found) is payloads.contract(same)
    assert payloads.contract(newer) is not payloads.contract(same)


@pytest.mark.spec("PC-AN-004")
async def test_a_description_changes_nothing(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    text: JsonObject = {"metadata": {"annotations": {DESCRIPTION_ANNOTATION: "the front door"}}}
    await served.edit(ZONES, ZONE, text)
    await served.edit(RECORD_SETS, WWW, text)
    before = served.api.writes()
    await served.settle()
    assert served.api.writes() == before
    assert DESCRIPTION_ANNOTATION not in served.unit(ZONE).metadata.annotations
