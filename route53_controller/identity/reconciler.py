"""The Route53Identity controller: gather, check if due, plan, write (provider seed, Route53Identity)."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.reconciler import Result
from route53_controller.identity.apply import Applier
from route53_controller.identity.gather import Gatherer
from route53_controller.identity.observe import Observer
from route53_controller.identity.plan.readiness import check_is_due
from route53_controller.identity.plan.status import needs_credentials, plan
from route53_controller.identity.snapshot import Snapshot

WAIT = timedelta(seconds=1)


class Registry(Protocol):
    """What is told when an identity is gone (`accounts.Accounts`)."""

    def release(self, identity: ObjectKey) -> None:
        """Forget an identity."""
        ...


@dataclass(frozen=True, slots=True)
class IdentityReconciler:
    """Keeps the status of identities true."""

    gatherer: Gatherer
    observer: Observer
    applier: Applier
    registry: Registry
    clock: Clock

    async def reconcile(self, key: ObjectKey) -> Result:
        """Check one identity if it is due, and write what is known; an unchanged identity costs no call, no write."""
        snapshot = self.gatherer.snapshot(key)
        if snapshot is None:
            self.registry.release(key)
            return Result()
        if self.gatherer.must_wait(snapshot):
            return Result(requeue_after=WAIT)
        decided = plan(await self._checked(snapshot))
        await self.applier.apply(snapshot.identity, decided)
        return Result(requeue_after=decided.requeue_after)

    async def _checked(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with a current live check, as far as the spec is worth one."""
        if not needs_credentials(snapshot):
            return replace(snapshot, last=None)
        if not check_is_due(snapshot):
            return snapshot
        check = await self.observer.check(snapshot)
        self.gatherer.remember(snapshot.identity, check)
        return replace(snapshot, last=check, now=self.clock.now())
