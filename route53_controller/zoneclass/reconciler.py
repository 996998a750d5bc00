"""The ZoneClass controller of Route 53: gather, plan, write."""

from dataclasses import dataclass

from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.reconciler import Result
from route53_controller.zoneclass.apply import Applier
from route53_controller.zoneclass.gather import Gatherer
from route53_controller.zoneclass.plan import plan


@dataclass(frozen=True, slots=True)
class ZoneClassReconciler:
    """Keeps Accepted of our classes true; those of other controllers are never touched."""

    gatherer: Gatherer
    applier: Applier

    async def reconcile(self, key: ObjectKey) -> Result:
        """Decide about one class; an unchanged class costs no write."""
        snapshot = await self.gatherer.snapshot(key)
        if snapshot is None:
            return Result()
        decided = plan(snapshot)
        await self.applier.apply(snapshot.zone_class, decided)
        return Result(requeue_after=decided.requeue_after)
