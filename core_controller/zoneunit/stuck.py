"""Claims that cannot be let in: the API server refuses their finalizer or the item of theirs again and again.

Each pass of their name tries again, but nobody waits for them: neither an owner that hands its name over, nor a younger
claim of that name. Lost with the process, after which each is found out anew.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from core_controller.zoneunit.refusals import is_passing, is_refusal
from libdnsapi.api.meta import ObjectKey, ResourceType
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import DnsapiError, KubernetesError

PATIENCE = timedelta(minutes=2)
"""How long a claim may fail by errors that could pass before it is stuck; a refusal makes it so at once."""
_AWAY = frozenset({0, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})
REMEMBERED = 1024
"""Claims that are remembered; forgetting one costs others a pass."""


@dataclass(frozen=True, slots=True)
class _Failure:
    uid: str
    since: float
    last: float
    refused: bool
    reason: str


class Stuck:
    """What failed for which claim, Zones and RecordSets apart; used from one event loop."""

    def __init__(self, clock: Clock) -> None:
        """Start with none."""
        self._clock = clock
        self._failures: OrderedDict[tuple[str, ObjectKey], _Failure] = OrderedDict()

    def note(self, resource: ResourceType, key: ObjectKey, error: DnsapiError, uid: str = "") -> None:
        """Remember that something of a claim could not be written; `uid` is empty where it is not known.

        While the API server is away nothing can be written, and that is about no claim.
        """
        if is_passing(error) or not isinstance(error, KubernetesError) or error.status in _AWAY:
            return
        where, now = (resource.plural, key), self._clock.monotonic()
        old = self._failures.pop(where, None)
        since = old.since if old is not None and old.uid == uid else now
        self._failures[where] = _Failure(uid, since, now, is_refusal(error), error.reason)
        if len(self._failures) > REMEMBERED:
            self._failures.popitem(last=False)

    def clear(self, resource: ResourceType, keys: Iterable[ObjectKey]) -> None:
        """Forget claims of which a write went well."""
        if self._failures:
            for key in keys:
                self._failures.pop((resource.plural, key), None)

    def reason(self, resource: ResourceType, key: ObjectKey, uid: str) -> str | None:
        """Return what the API server says where a claim is stuck, in one word; None where it is not."""
        failure = self._failures.get((resource.plural, key))
        if failure is None or failure.uid not in ("", uid):
            return None
        lasts = failure.last - failure.since >= PATIENCE.total_seconds()
        return failure.reason if failure.refused or lasts else None
