"""A whole list of a hosted zone's record sets under way, page by page.

It may take many calls, so a change of the ledger cuts it short and it goes on afterwards. What we change meanwhile was
perhaps read before: such names are in doubt when it is complete.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from route53_controller.aws.api import RecordKey, RecordPage, ResourceRecordSet

Records = dict[str, tuple[ResourceRecordSet, ...]]


@dataclass(slots=True)
class Listing:
    """What was read so far, by name, and where it goes on.

    `request` is the owner's wish that it answers, `doubtful` the names in doubt when it began, `touched` the names that
    we changed since.
    """

    request: str = ""
    doubtful: frozenset[str] = frozenset()
    found: Records = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    start: RecordKey | None = None
    complete: bool = False

    def take(self, page: RecordPage) -> None:
        """Add the next page."""
        for name, record_sets in by_name(page.record_sets):
            self.found[name] = (*self.found.get(name, ()), *record_sets)
        self.start, self.complete = page.next, page.next is None

    def left_in_doubt(self, doubtful: Iterable[str]) -> set[str]:
        """Return which of the names in doubt this list, now complete, has not cleared up."""
        return (set(doubtful) - self.doubtful) | self.touched


def by_name(record_sets: Iterable[ResourceRecordSet]) -> list[tuple[str, tuple[ResourceRecordSet, ...]]]:
    """Return runs of record sets of one name."""
    return [(name, tuple(run)) for name, run in groupby(record_sets, key=lambda record_set: record_set.key.name)]
