"""Which change makes a unit be looked at as a whole: with ten thousand record sets that is seconds of work."""

import pytest

from core_controller.zoneunit.dirty import Dirt
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from tests.core_controller.zoneunit.objects import PROVIDER, ZONE, condition, record_set
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
