"""Tells the echo of our own status write from a status that somebody else wrote over ours.

The first was decided about already; the second has to be put right.
"""

from collections import OrderedDict

from libdnsapi.api.dns.recordset import RecordSetStatus
from libdnsapi.api.meta import ObjectKey

REMEMBERED = 8192
"""Claims whose last written status is remembered; forgetting one costs a pass that finds nothing to do."""


class Echoes:
    """What we wrote last into each claim's status, as a hash."""

    def __init__(self) -> None:
        """Start with nothing written."""
        self._written: OrderedDict[ObjectKey, int] = OrderedDict()

    def expect(self, key: ObjectKey, status: RecordSetStatus) -> None:
        """Remember a status that is about to be written."""
        self._written.pop(key, None)
        self._written[key] = _fingerprint(status)
        if len(self._written) > REMEMBERED:
            self._written.popitem(last=False)

    def is_ours(self, key: ObjectKey, status: RecordSetStatus) -> bool:
        """Whether this is the status that we wrote last."""
        return self._written.get(key) == _fingerprint(status)


def _fingerprint(status: RecordSetStatus) -> int:
    return hash(status.model_dump_json(by_alias=True, exclude_none=True))
