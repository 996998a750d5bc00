"""Claims in the life of a cluster, as bug reports on controllers describe it; each names its report."""

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import NAMESPACES, ObjectKey
from libdnsapi.runtime.errors import NamespaceTerminatingError
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, words
from tests.core_controller.zoneunit.world import World

KEEP = "example.org/keep"
SECOND = ObjectKey("platform", "second")


@pytest.mark.spec("CORE-DL-011")
async def test_a_finalizer_of_others_keeps_a_claim_and_neither_its_record_set_nor_its_name(served: World) -> None:
    """aws-controllers-k8s/community#1004; argoproj/argo-cd#8813."""
    served.put(record_set("www"))
    await served.settle()
    kept = [*served.record_set(WWW).metadata.finalizers, KEEP]
    await served.edit(RECORD_SETS, WWW, {"metadata": {"finalizers": kept}})
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert served.record_set(WWW).metadata.finalizers == (KEEP,)
    assert "www" not in items(served)

    served.put(renamed(record_set("www"), SECOND.name))
    await served.settle()

    assert words(served, SECOND) == PROGRAMMED
    assert served.record_set(WWW).metadata.finalizers == (KEEP,)


@pytest.mark.spec("CORE-DL-003", "CORE-DL-010")
async def test_a_zone_that_is_deleted_in_the_foreground_goes_by_the_protocol(served: World) -> None:
    """Kuadrant/dns-operator#162, argoproj/argo-cd#9296: the server's own finalizers are not ours to remove."""
    served.put(record_set("www"))
    await served.settle()
    kept = [*served.zone(ZONE).metadata.finalizers, "foregroundDeletion"]
    await served.edit(ZONES, ZONE, {"metadata": {"finalizers": kept}})
    await served.delete(ZONES, ZONE)
    await served.settle()
    assert "foregroundDeletion" in served.zone(ZONE).metadata.finalizers
    assert len(served.zone(ZONE).metadata.finalizers) == 2

    await served.delete(RECORD_SETS, WWW)
    await served.settle()

    assert served.zone(ZONE).metadata.finalizers == ("foregroundDeletion",)
    assert served.api.read(RECORD_SETS, WWW) is None


async def test_what_a_namespace_that_is_being_deleted_refuses_is_told_apart_from_faults() -> None:
    """kubernetes/kubernetes#19317: what cannot be made there any more is ordinary life, and no error in the log."""
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    await world.edit(NAMESPACES, ObjectKey("", "platform"), {"metadata": {"finalizers": ["kubernetes"]}})
    await world.delete(NAMESPACES, ObjectKey("", "platform"))
    world.put(record_set("second"))
    await world.sync()
    await world.reconcile()
    await world.sync()

    with pytest.raises(NamespaceTerminatingError):
        await world.reconciler.reconcile(ZONE)
    assert words(world) == PROGRAMMED
