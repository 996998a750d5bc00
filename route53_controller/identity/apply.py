"""Carries out the plan for an identity: at most one status write, then the Events."""

from dataclasses import dataclass

from libdnsapi.api.meta import reference_to
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store
from route53_controller.identity.plan.status import Plan
from route53_controller.status import Recorder, replace_status, tell


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes status and Events of identities."""

    kubernetes: Kubernetes
    store: Store[Route53Identity]
    recorder: Recorder

    async def apply(self, identity: Route53Identity, plan: Plan) -> None:
        """Write what the plan says; raises ConflictError where the identity has changed meanwhile."""
        if plan.status is None:
            return
        try:
            written = await replace_status(self.kubernetes, ROUTE53_IDENTITIES, identity, plan.status)
        except NotFoundError:
            return
        self.store.observe(written)
        tell(self.recorder, reference_to(ROUTE53_IDENTITIES, identity), plan.told, action="CheckCredentials")
