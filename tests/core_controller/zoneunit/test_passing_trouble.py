"""What may pass by itself leaves a claim's item as it was."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey, ResourceType
from tests.core_controller.zoneunit.contracts import platform_with
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    ZONE,
    allow,
    conversion_webhook,
    converted,
    namespace,
    provider,
    record_set,
    two_versions,
    unavailable,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, TEAM_WWW, WWW, items, words
from tests.core_controller.zoneunit.world import World

TROUBLE: list[tuple[str, ResourceType, ObjectKey, JsonObject | None, str]] = [
    ("the class is gone", ZONE_CLASSES, ObjectKey("platform", "public"), None, "ZoneClassNotResolved"),
    ("the Provider is gone", PROVIDERS, ObjectKey("", PROVIDER), None, "ProviderStorageVersionNotResolved"),
    (
        "the version is not served any more",
        PROVIDERS,
        ObjectKey("", PROVIDER),
        {"spec": provider({"served": False})[1]["spec"]},
        "ProviderStorageVersionNotResolved",
    ),
]


@pytest.mark.spec("CORE-RT-017")
@pytest.mark.parametrize(("what", "resource", "key", "patch", "reason"), TROUBLE, ids=[row[0] for row in TROUBLE])
async def test_trouble_that_may_pass_leaves_the_item_as_it_was(
    served: World, what: str, resource: ResourceType, key: ObjectKey, patch: JsonObject | None, reason: str
) -> None:
    """Cases 69 and 71."""
    served.put(record_set("www"))
    await served.settle()
    backup = served.api.read(resource, key)
    assert backup is not None
    if patch is None:
        await served.delete(resource, key)
    else:
        await served.edit(resource, key, patch)
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    assert words(served)["Accepted"] == ("Unknown", reason), what
    [item] = served.unit(ZONE).spec.record_sets
    assert (item.ttl, item.is_leaving, item.is_allowed) == (300, False, True)
    assert served.provider.deleted == []
    if patch is None:
        served.put((resource, {"metadata": _bare(backup), **{k: backup[k] for k in ("spec", "status") if k in backup}}))
    else:
        await served.edit(resource, key, {"spec": backup["spec"]})
    await served.settle()
    assert words(served) == PROGRAMMED
    assert served.unit(ZONE).spec.record_sets[0].ttl == 60


def _bare(document: JsonObject) -> JsonObject:
    metadata = document["metadata"]
    assert isinstance(metadata, dict)
    return {name: metadata[name] for name in ("name", "namespace", "labels") if name in metadata}


async def test_a_claim_can_be_deleted_while_class_and_provider_are_gone(served: World) -> None:
    """Case 71."""
    served.put(record_set("www"))
    await served.settle()
    await served.delete(ZONE_CLASSES, ObjectKey("platform", "public"))
    await served.delete(PROVIDERS, ObjectKey("", PROVIDER))
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {}


@pytest.mark.spec("CORE-RS-015", "CORE-ZU-010", "CORE-RT-018", "PC-CV-002")
async def test_a_conversion_outage_keeps_the_item_and_passes_by_itself() -> None:
    """Case 69."""
    world = World()
    world.conversions.answer = converted
    world.put(*platform_with(two_versions(conversion_webhook())), record_set("www", options={"note": "x"}))
    await world.settle()
    assert words(world) == PROGRAMMED
    world.conversions.answer = unavailable
    await world.edit(RECORD_SETS, WWW, {"spec": {"options": {"note": "y"}}})
    world.put(record_set("new", options={"note": "z"}))
    await world.settle()
    assert words(world)["Accepted"] == ("Unknown", "ProviderConversionUnavailable")
    assert words(world, ObjectKey("platform", "new")) == {"Accepted": ("Unknown", "ProviderConversionUnavailable")}
    assert items(world) == {"www": "live"}
    assert world.unit(ZONE).spec.record_sets[0].options == {"note": "x"}
    world.conversions.answer = converted
    await world.wait(timedelta(minutes=1))
    assert words(world) == words(world, ObjectKey("platform", "new")) == PROGRAMMED
    assert world.unit(ZONE).spec.record_sets[0].options == {"note": "y"}


async def test_a_namespace_that_is_not_seen_yet_is_no_reason_to_withhold_anything(served: World) -> None:
    served.put(namespace("team", dns="yes"), record_set("www", "team"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("www")]}})
    await served.settle()
    await served.delete(NAMESPACES, ObjectKey("", "team"))
    await served.settle()
    assert words(served, TEAM_WWW)["Accepted"] == ("Unknown", "Reconciling")
    assert items(served) == {"www": "live"}


async def test_a_moved_storage_version_leaves_the_ledger_as_it_is(served: World) -> None:
    """Case 69."""
    served.put(record_set("www"))
    await served.settle()
    moved = two_versions({"cel": "self"})[1]["spec"]
    await served.edit(PROVIDERS, ObjectKey("", PROVIDER), {"spec": moved})
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    assert words(served)["Accepted"] == ("Unknown", "ProviderStorageVersionNotResolved")
    assert served.unit(ZONE).spec.provider.version == "v1"
    assert served.unit(ZONE).spec.record_sets[0].ttl == 300
    assert served.provider.deleted == []
