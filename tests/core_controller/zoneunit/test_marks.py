"""Which change makes a unit be looked at as a whole: with ten thousand record sets that is seconds of work."""

import pytest

from core_controller.zoneunit.dirty import Dirt
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from tests.core_controller.zoneunit.objects import PROVIDER, ZONE, condition, record_set
from tests.core_controller.zoneunit.reading import words
from tests.core_controller.zoneunit.world import World

CLASS = (ZONE_CLASSES, ObjectKey("platform", "public"))
CONTRACT = (PROVIDERS, ObjectKey("", PROVIDER))
ANNOTATED: JsonObject = {"metadata": {"annotations": {"example.org/note": "x"}}}


@pytest.mark.parametrize(
    ("changed", "patch", "everything"),
    [
        (CLASS, ANNOTATED, False),
        (CLASS, {"metadata": {"finalizers": ["route53.dns.appthrust.io/in-use"]}}, False),
        (CLASS, {"spec": {"allowedZones": {"namespaces": {"from": "All"}}}}, True),
        (CLASS, {"status": {"conditions": [condition("Accepted", "False", "InvalidParameters")]}}, True),
        (CLASS, {"status": {"conditions": [condition("Accepted", "True", "Accepted", generation=2)]}}, True),
        (CONTRACT, ANNOTATED, False),
        (CONTRACT, {"spec": {"display": {"name": "Another"}}}, True),
    ],
)
async def test_a_class_or_provider_marks_all_only_where_it_says_something_new(
    served: World, changed: tuple[ResourceType, ObjectKey], patch: JsonObject, everything: bool
) -> None:
    served.put(record_set("www"))
    await served.settle()
    subresource = "status" if "status" in patch else ""
    await served.api.merge_patch(*changed, patch, subresource=subresource)
    await served.sync()
    assert served.dirty.take(ZONE) == Dirt(everything=everything)
    assert (ZONE in served.queue.keys) == everything


@pytest.mark.spec("CORE-DL-003")
async def test_the_end_of_an_entry_whose_claim_cannot_be_read_hides_no_result_of_others(served: World) -> None:
    """One write of the provider tells of all of them; the claim is one of a later version."""
    served.put(record_set("www"), record_set("later"))
    await served.settle()
    kept = [item.to_json() for item in served.unit(ZONE).spec.record_sets if item.record_set_name == "www"]
    results = [entry.to_json() for entry in served.unit(ZONE).status.record_sets if entry.record_set_name == "www"]
    await served.edit(RECORD_SETS, ObjectKey("platform", "later"), {"spec": {"ttl": "of a later version"}})
    await served.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [*kept]}})
    served.provided = False
    await served.settle()
    conflict = condition("Programmed", "False", "ProviderConflict")
    told: JsonObject = {"status": {"recordSets": [entry | {"conditions": [conflict]} for entry in results]}}
    await served.api.merge_patch(ZONE_UNITS, ZONE, told, subresource="status")
    await served.settle()
    assert words(served)["Programmed"] == ("False", "ProviderConflict")
