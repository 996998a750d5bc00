"""What was read a while ago is no answer to a claim that is new: where it would refuse it, it is read again. Pure.

Who adopts has often made the record set, or made it equal, a moment before. A look at a name is one call; the next
drift check may be ten minutes away.
"""

from route53_controller.aws import wire
from route53_controller.zoneunit.listing import Records
from route53_controller.zoneunit.snapshot import Item, Snapshot


def doubtful_adoptions(snapshot: Snapshot, records: Records) -> set[str]:
    """Return the names of items that adopt what was not seen so, and of which nothing was said at their generation."""
    return {item.name for item in snapshot.restless.values() if _is_new(item) and not _is_served(item, records)}


def _is_new(item: Item) -> bool:
    facts = item.facts
    return item.adopts and not item.leaving and facts.mark is None and facts.observed_generation != item.generation


def _is_served(item: Item, records: Records) -> bool:
    """Whether what was seen lets the item be; what it may create where nothing is, its creation tells."""
    there = [found for found in records.get(item.name, ()) if found.key.type == item.type]
    if item.desired is None or (item.creates_missing and not there):
        return True
    return any(wire.matches(item.desired, found) for found in there)
