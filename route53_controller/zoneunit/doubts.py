"""What was read a while ago is no answer to a claim that is new: where it would refuse it, it is read again. Pure.

Who adopts has often made the record set, or made it equal, a moment before; who publishes a name has just removed what
stood there. A look at a name is one call; the next drift check may be ten minutes away.
"""

from collections.abc import Container

from route53_controller.aws import wire
from route53_controller.zoneunit.listing import Records
from route53_controller.zoneunit.plan.names import blocked_by
from route53_controller.zoneunit.snapshot import Item, Snapshot

Owned = Container[tuple[str, str]]


def doubtful_claims(snapshot: Snapshot, records: Records) -> set[str]:
    """Return the names of items that what was seen refuses, and of which nothing was said at their generation."""
    new = [item for item in snapshot.restless.values() if _is_new(item)]
    if not new:
        return set()
    marks = (item.facts.mark for item in snapshot.restless.values())
    owned = {(mark.record_name, mark.record_type) for mark in marks if mark is not None}
    changed = {affected.key for _, affected in snapshot.state.intents()}
    return {item.name for item in new if item.key not in changed and _is_refused(item, records, owned)}


def _is_new(item: Item) -> bool:
    facts = item.facts
    return not item.leaving and facts.mark is None and facts.observed_generation != item.generation


def _is_refused(item: Item, records: Records, owned: Owned) -> bool:
    """Whether what was seen keeps the item from being published.

    Not by what is another item's, which hands it over or makes way; nor what may be created where nothing is: its
    creation tells. A CNAME excludes other types, and they it.
    """
    if item.desired is None or (item.name, item.type) in owned:
        return False
    seen = records.get(item.name, ())
    if blocked_by(item.desired, (found for found in seen if (item.name, found.key.type) not in owned)) is not None:
        return True
    there = [found for found in seen if found.key.type == item.type]
    if not item.adopts:
        return bool(there)
    return not (item.creates_missing and not there) and not any(wire.matches(item.desired, found) for found in there)
