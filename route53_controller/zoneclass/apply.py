"""Carries out the plan for a class: at most one status write, then the Events."""

from dataclasses import dataclass

from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store
from route53_controller.status import Recorder, reference_to, replace_status, tell
from route53_controller.zoneclass.plan import Plan


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes status and Events of classes."""

    kubernetes: Kubernetes
    store: Store[ZoneClass]
    recorder: Recorder

    async def apply(self, zone_class: ZoneClass, plan: Plan) -> None:
        """Write what the plan says; raises ConflictError where the class has changed meanwhile."""
        if plan.status is None:
            return
        try:
            written = await replace_status(self.kubernetes, ZONE_CLASSES, zone_class, plan.status)
        except NotFoundError:
            return
        self.store.observe(written)
        tell(self.recorder, reference_to(ZONE_CLASSES, zone_class), plan.told, action="Accept")
