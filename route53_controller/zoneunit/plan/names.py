"""Everything that is decided about one owner name, where record sets get into each other's way.

All changes of a name make one group that goes into one batch: so a type change or a handover to another claim leaves
no moment without an answer (cases 22 and 64).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.aws import wire
from route53_controller.aws.api import Change, ChangeAction, RecordKey, ResourceRecordSet
from route53_controller.aws.errors import AwsError
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, unprogrammed
from route53_controller.zoneunit.snapshot import Fact, Item, Mark, Rejection
from route53_controller.zoneunit.state import Affected, PendingChange

CNAME = "CNAME"
Seen = tuple[ResourceRecordSet, ...]


@dataclass(frozen=True, slots=True)
class NameContext:
    """What decisions about all names of a hosted zone share. Items are named by the keys of their claims."""

    now: datetime
    zone_id: str
    records: Mapping[str, Seen]
    """What Route 53 holds, by name; a name that is not in it has nothing."""
    doubtful: frozenset[str] = frozenset()
    """Names that must be read again before anything is decided about them."""
    in_flight: Mapping[ObjectKey, tuple[PendingChange, str]] = field(default_factory=dict)
    """The change of an item that is not over, and the digest of what that leaves of it ("": nothing)."""
    intents: Mapping[ObjectKey, frozenset[str]] = field(default_factory=dict)
    """The digests of what stored changes leave of an item, whether they are over or not."""
    confirmed: frozenset[ObjectKey] = frozenset()
    """Items whose content Route 53 accepted in a change that is over."""
    rejections: Mapping[ObjectKey, Rejection] = field(default_factory=dict)
    covered: frozenset[str] = frozenset()
    """Items that a restore may adopt where they match, as short hashes (annotation restore: adopt-matching)."""
    leaving: frozenset[ObjectKey] = frozenset()
    """Items that go with their zone, though their claims may stay."""
    serving: bool = True
    """False: only removals are decided, nothing is created or changed."""
    partial: bool = False
    """Items of the ledger are out of sight: what leaves one item may be another's already, so nothing is removed."""
    denied: AwsError | None = None
    """Why changes in flight cannot be followed, where somebody has to grant it."""


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """All changes of one name: they go together. `removal`: nothing takes the place of what is deleted."""

    name: str
    changes: tuple[Change, ...]
    affected: tuple[Affected, ...]
    removal: bool

    @property
    def elements(self) -> int:
        """ResourceRecord elements."""
        return sum(wire.elements(change.record_set) for change in self.changes)

    @property
    def characters(self) -> int:
        """Characters of values."""
        return sum(wire.characters(change.record_set) for change in self.changes)

    @property
    def deletions(self) -> int:
        """Record sets that go with nothing in their place; one name may have several, beside others that stay."""
        return len(self.gone)

    @property
    def gone(self) -> tuple[Change, ...]:
        """Return the deletions with nothing in their place: no record set of the same type, no CNAME in or out."""
        if self.removal:
            return self.changes
        if any(change.record_set.key.type == CNAME for change in self.changes):
            return ()
        created = {change.record_set.key for change in self.changes if change.action is ChangeAction.CREATE}
        return tuple(change for change in self.changes if change.record_set.key not in created)

    @property
    def types(self) -> tuple[str, ...]:
        """Record types that are changed, in order."""
        return tuple(dict.fromkeys(change.record_set.key.type for change in self.changes))

    @property
    def parts(self) -> tuple["ChangeGroup", ...]:
        """Return the changes by record type, where these can go without each other: not where a CNAME comes or goes."""
        types = self.types
        return (self,) if len(types) == 1 or CNAME in types else tuple(map(self._part, types))

    @property
    def swaps_cname(self) -> bool:
        """Whether a CNAME takes the place of other types, or they its: then what comes needs what goes to be gone."""
        return CNAME in self.types

    @property
    def steps(self) -> tuple["ChangeGroup", ...]:
        """Return the changes by record type in an order in which they may go one after the other."""
        comes = any(
            change.action is ChangeAction.CREATE and change.record_set.key.type == CNAME for change in self.changes
        )
        return tuple(map(self._part, sorted(self.types, key=lambda type_: (type_ == CNAME) is comes)))

    def _part(self, type_: str) -> "ChangeGroup":
        changes = tuple(change for change in self.changes if change.record_set.key.type == type_)
        affected = tuple(each for each in self.affected if each.type == type_)
        creates = any(change.action is ChangeAction.CREATE for change in changes)
        return ChangeGroup(self.name, changes, affected, removal=not creates)


@dataclass(slots=True)
class NameDraft:
    """The decisions about one name while they are being made."""

    name: str
    seen: Seen
    outcomes: dict[ObjectKey, Outcome] = field(default_factory=dict)
    deletes: dict[RecordKey, ResourceRecordSet] = field(default_factory=dict)
    creates: dict[ObjectKey, ResourceRecordSet] = field(default_factory=dict)
    affected: dict[ObjectKey, Affected] = field(default_factory=dict)
    later: list[ChangeGroup] = field(default_factory=list)
    """What fits into no batch with the changes, and follows them."""
    retry_at: datetime | None = None

    def of_type(self, type_: str) -> Seen:
        """Return the observed record sets of a type."""
        return tuple(record_set for record_set in self.seen if record_set.key.type == type_)

    def say(self, item: Item, fact: Fact | None, mark: Mark | None = None) -> None:
        """Note an item's outcome."""
        self.outcomes[item.key] = outcome(item, fact, mark=mark)

    def create(self, item: Item, desired: ResourceRecordSet) -> None:
        """Note that an item's record set is to be created, after what is deleted at its name."""
        self.creates[item.key] = desired
        self.affected[item.key] = _affected(item, item.digest)

    def delete(self, item: Item, observed: ResourceRecordSet) -> None:
        """Note that an observed record set is to be deleted on behalf of an item."""
        self.deletes[observed.key] = observed
        self.affected.setdefault(item.key, _affected(item))

    def group(self) -> ChangeGroup | None:
        """Return the changes of the name, deletions first; None if there are none.

        An alias may point at another type of the same name: it is deleted before that and created after it.
        """
        deletes = sorted(self.deletes.values(), key=lambda record_set: record_set.alias is None)
        creates = sorted(self.creates.values(), key=lambda record_set: record_set.alias is not None)
        changes = (
            *(Change(ChangeAction.DELETE, record_set) for record_set in deletes),
            *(Change(ChangeAction.CREATE, record_set) for record_set in creates),
        )
        if not changes:
            return None
        return ChangeGroup(self.name, changes, tuple(self.affected.values()), removal=not self.creates)


def _affected(item: Item, digest: str = "") -> Affected:
    return Affected(namespace=item.key.namespace, name=item.key.name, digest=digest, type=item.type)


def is_settled(items: Sequence[Item], seen: Seen, context: NameContext) -> bool:
    """Whether a name needs no decision: programmed items of as many types, and Route 53 shows them.

    The common case, made cheap: it rests on nothing but the items, what was seen, and what is in flight or in doubt.
    """
    if not seen or (len(items) > 1 and len({item.type for item in items}) < len(items)):
        return False
    return all(_is_settled(item, seen, context) for item in items)


def _is_settled(item: Item, seen: Seen, context: NameContext) -> bool:
    desired = item.desired
    if desired is None or item.leaving or not item.allowed or not outcomes.says_programmed(item):
        return False
    if item.key in context.in_flight or item.key in context.leaving or item.name in context.doubtful:
        return False
    mark = item.facts.mark
    if mark is None or mark.hosted_zone_id != context.zone_id or mark.record_name != item.name:
        return False
    record_sets = seen if len(seen) == 1 else tuple(found for found in seen if found.key.type == item.type)
    return mark.record_type == item.type and len(record_sets) == 1 and wire.matches(desired, record_sets[0])


def own_mark(item: Item, context: NameContext) -> Mark:
    """Return the ownership mark that the item has in this hosted zone, once it is programmed."""
    return Mark(context.zone_id, item.name, item.type)


def owns(item: Item, observed: ResourceRecordSet | None, context: NameContext) -> bool:
    """Whether what stands at the item's name and type is the item's own.

    Its status says so; or Route 53 accepted its content in a change of ours; or what is observed equals a stored
    intent of a change whose outcome was not known. What belongs to the hosted zone itself is never an item's.
    """
    if item.zones_own:
        return False
    if item.facts.mark == own_mark(item, context) or item.key in context.confirmed:
        return True
    return observed is not None and wire.digest(observed) in context.intents.get(item.key, ())


def simple(record_sets: Iterable[ResourceRecordSet]) -> ResourceRecordSet | None:
    """Return the record set without a routing policy, which is the only kind that can be ours."""
    return next((r for r in record_sets if not r.key.set_identifier and not r.routing), None)


def busy(items: Sequence[Item], seen: Seen, context: NameContext) -> Sequence[Item]:
    """Return the items of a name that nothing can be done about now: a change of their record type is in flight.

    All of them where the name must be read again first, or where there is a CNAME, which excludes the other types. Else
    what is in flight touches other record sets, and nobody waits for its propagation (beyond-the-seeds 2).
    """
    if items[0].name in context.doubtful:
        return items
    types = {item.type for item in items if item.key in context.in_flight}
    about = {*(item.type for item in items), *(record_set.key.type for record_set in seen)} if types else ()
    return items if CNAME in about else [item for item in items if item.type in types]


def decide_busy(items: Sequence[Item], draft: NameDraft, context: NameContext) -> None:
    """Say what items wait for about which nothing can be done now: a change of the name, or that it is read again."""
    overtaken = any(item.key in context.in_flight for item in items)
    for item in items:
        entry = context.in_flight.get(item.key)
        if entry is not None:
            fact = _in_flight(item, *entry) if context.denied is None else outcomes.unseen(item, context.denied)
            draft.say(item, fact, item.facts.mark)
        elif not _says_of_present(item, draft, context):
            draft.say(item, _overtaken(item) if overtaken else _unread(item, context), item.facts.mark)


def _says_of_present(item: Item, draft: NameDraft, context: NameContext) -> bool:
    """Whether what is said of an item is of its present content; a payload may change at the same generation."""
    said, desired = item.facts.programmed, item.desired
    if said is None or said.generation != item.generation:
        return False
    served = context.serving and item.allowed and not item.leaving
    if desired is None or not served or not outcomes.claims_programmed(item):
        return True
    observed = simple(draft.of_type(item.type))
    return observed is not None and wire.matches(desired, observed)


def _in_flight(item: Item, change: PendingChange, digest: str) -> Fact:
    if not change.id:
        return outcomes.unconfirmed(item)
    return _overtaken(item) if not item.leaving and digest != item.digest else outcomes.pending(item)


def _overtaken(item: Item) -> Fact:
    return unprogrammed(item, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.OVERTAKEN_MESSAGE)


def _unread(item: Item, context: NameContext) -> Fact:
    if context.denied is not None:
        return outcomes.failed(item, context.denied)
    return unprogrammed(item, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.UNREAD_MESSAGE)


def blocked_by(desired: ResourceRecordSet, remaining: Iterable[ResourceRecordSet]) -> ResourceRecordSet | None:
    """Return what a CNAME stands beside, or the CNAME that another type would stand beside: Route 53 allows neither."""
    for other in remaining:
        if other.key.type != desired.key.type and CNAME in (other.key.type, desired.key.type):
            return other
    return None
