"""Claims that cannot be let in: the API server refuses their finalizer or the item of theirs again and again.

Each pass of their name tries again, but nobody waits for them: neither an owner that hands its name over, nor a younger
claim of that name. Lost with the process, after which each is found out anew.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from core_controller.zoneunit.refusals import is_passing, is_refusal
from libdnsapi.api.meta import ObjectKey, ResourceType
from libdnsapi.runtime.errors import DnsapiError

PATIENCE = 5
"""Failures in a row that make a claim stuck where each could pass by itself; a refusal does at once."""
REMEMBERED = 1024
"""Claims that are remembered; forgetting one costs others a pass."""


@dataclass(frozen=True, slots=True)
class _Failure:
    uid: str
    count: int
    words: str


class Stuck:
    """What failed for which claim, Zones and RecordSets apart; used from one event loop."""

    def __init__(self) -> None:
        """Start with none."""
        self._failures: OrderedDict[tuple[str, ObjectKey], _Failure] = OrderedDict()

    def note(self, resource: ResourceType, key: ObjectKey, error: DnsapiError, uid: str = "") -> None:
        """Remember that something of a claim could not be written; `uid` is empty where it is not known."""
        if is_passing(error):
            return
        where = resource.plural, key
        old = self._failures.pop(where, None)
        count = PATIENCE if is_refusal(error) else (old.count + 1 if old is not None and old.uid == uid else 1)
        reason = getattr(error, "reason", type(error).__name__)
        self._failures[where] = _Failure(uid, count, str(reason))
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
        if failure is None or failure.count < PATIENCE or failure.uid not in ("", uid):
            return None
        return failure.words
