"""Reading record sets with as few calls as it takes, and concluding nothing from less than a whole answer.

A page read from a name on shows all record sets of each name in it but perhaps of the last; a name that sorts between
two names of a sorted page and is not in it does not exist. So neighbouring names share a call, and reading many
names never costs more than a few calls over listing everything.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from route53_controller.aws import wire
from route53_controller.aws.api import Priority, RecordKey, RecordPage, ResourceRecordSet, Route53
from route53_controller.zoneunit.listing import Listing, Records, by_name

PAGE = 300
SINGLE = 20
"""Page size for one name: enough for all its types."""


async def read_page(route53: Route53, zone_id: str, listing: Listing, priority: Priority) -> None:
    """Read the next page of a list; raises AwsError, and then nothing was concluded from that page."""
    listing.take(await route53.list_record_sets(zone_id, start=listing.start, max_items=PAGE, priority=priority))


@dataclass(slots=True)
class NameReading:
    """The reading of some names: `unread` shrinks, `found` grows; an absent name is found with no record sets."""

    unread: set[str]
    found: Records = field(default_factory=dict)
    calls: int = 0

    def next_name(self) -> str:
        """Return the name to read from."""
        return min(self.unread, key=wire.sort_key)

    def resolve(self, name: str, record_sets: tuple[ResourceRecordSet, ...]) -> None:
        """Note all record sets of a name."""
        self.found[name] = record_sets
        self.unread.discard(name)

    def take(self, start: str, page: RecordPage) -> None:
        """Conclude what one page from `start` on allows."""
        runs = by_name(page.record_sets)
        complete = runs if page.next is None or not runs or page.next.name != runs[-1][0] else runs[:-1]
        if not runs or runs[0][0] != start:
            self.resolve(start, ())
        for name, record_sets in complete:
            self.resolve(name, record_sets)
        self._take_gaps([start, *(name for name, _ in runs)], last=page.next is None)

    def _take_gaps(self, names: list[str], *, last: bool) -> None:
        r"""Note that names between those of a page do not exist, if the page is sorted as we expect.

        Nothing says whether a wildcard is sorted as `*` or as it is written, `\052`: it is between nothing.
        """
        keys = [wire.sort_key(name) for name in names if wire.is_plain(name)]
        if not keys or any(one > two for one, two in pairwise(keys)):
            return
        for name in self.unread - set(names):
            key = wire.sort_key(name)
            if wire.is_plain(name) and (keys[0] < key < keys[-1] or (last and key > keys[-1])):
                self.resolve(name, ())


async def read_names(
    route53: Route53, zone_id: str, names: set[str], known_names: int, go_on: Callable[[], bool]
) -> Records:
    """Return the record sets of these names, an empty tuple for each that has none; may return more names.

    `known_names` is about how many the zone has; where a whole list is cheaper, all names are returned. `go_on` is
    asked before each call; where it says no, what was read until then is returned.
    """
    reading, whole = NameReading(set(names)), max(1, known_names // PAGE)
    while reading.unread and go_on():
        if reading.calls >= whole and len(reading.unread) > whole:
            return {**dict.fromkeys(names, ()), **await _read_all(route53, zone_id)}
        await _read_one(route53, zone_id, reading)
    return reading.found


async def _read_all(route53: Route53, zone_id: str) -> Records:
    listing = Listing()
    while not listing.complete:
        await read_page(route53, zone_id, listing, Priority.VERIFY)
    return listing.found


async def _read_one(route53: Route53, zone_id: str, reading: NameReading) -> None:
    start = reading.next_name()
    size = PAGE if len(reading.unread) > 1 else SINGLE
    page = await route53.list_record_sets(zone_id, start=RecordKey(start, ""), max_items=size, priority=Priority.VERIFY)
    reading.calls += 1
    while _is_cut(start, page):
        more = await route53.list_record_sets(zone_id, start=page.next, max_items=PAGE, priority=Priority.VERIFY)
        reading.calls += 1
        page = RecordPage((*page.record_sets, *more.record_sets), more.next)
    reading.take(start, page)


def _is_cut(start: str, page: RecordPage) -> bool:
    """Whether the page ends within the name it began with."""
    return page.next is not None and page.next.name == start
