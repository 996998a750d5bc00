"""Carries out the plan for a class: at most one status write, then the Events."""

from dataclasses import dataclass
from functools import partial

from libdnsapi.api.conditions import Condition, stands
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.meta import reference_to
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store
from route53_controller.status import PatientRecorder, replace_status, tell_patiently
from route53_controller.zoneclass.plan import Plan


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes status and Events of classes."""

    kubernetes: Kubernetes
    store: Store[ZoneClass]
    recorder: PatientRecorder

    async def apply(self, zone_class: ZoneClass, plan: Plan) -> None:
        """Write what the plan says; raises ConflictError where the class has changed meanwhile."""
        if plan.status is None:
            return
        try:
            written = await replace_status(self.kubernetes, ZONE_CLASSES, zone_class, plan.status)
        except NotFoundError:
            return
        self.store.observe(written)
        regarding = reference_to(ZONE_CLASSES, zone_class)
        tell_patiently(self.recorder, regarding, plan.told, "Accept", partial(self._stands, zone_class))

    def _stands(self, zone_class: ZoneClass, told: Condition) -> bool:
        """Whether a class is still that very one and says what was told of it."""
        found = self.store.fitting(zone_class.key)
        same = found is not None and found.metadata.uid == zone_class.metadata.uid
        return found is not None and same and stands(found.status.conditions, told)
