"""What a plan is made from: the ledger as facts, what it refers to, and what was observed. Frozen and pure.

The facts of a record set are small on purpose: a unit may have ten thousand of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from libdnsapi.api.conditions import ConditionStatus, Verdict
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import RECONCILE_REQUEST_ANNOTATION
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.api.route53.payloads import ZoneClassParameters
from route53_controller.aws.api import HostedZone, ResourceRecordSet
from route53_controller.aws.errors import AwsError
from route53_controller.zoneunit.state import UnitState

_TRUE = ConditionStatus.TRUE.value


class Fact(NamedTuple):
    """A condition without its time: what decides whether it must be written."""

    status: str
    reason: str
    message: str
    generation: int


@dataclass(frozen=True, slots=True)
class Mark:
    """The ownership mark: the record set that was programmed for an item. `record_name` is canonical, no final dot.

    It stands in the item's `status.provider.state` and alone proves that the record set is ours.
    """

    hosted_zone_id: str
    record_name: str
    record_type: str


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What stands in an item's status."""

    observed_generation: int = 0
    accepted: Fact | None = None
    programmed: Fact | None = None
    mark: Mark | None = None
    rejected: str = ""
    """The digest of the content that Route 53 refused for good."""
    deletion_completed: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One accepted record set. `name` is the full canonical name, `places` the ledger objects that hold the item.

    `digest` is of `desired`, "" without one. `adopts` and `creates_missing` are the adoption's `enabled` and
    `whenMissing: Create`; `invalid_adoption` says why it does not fit the schema, "" where it does. `facts` are what
    the item's status says.
    """

    key: ObjectKey
    generation: int
    name: str
    type: str
    desired: ResourceRecordSet | None
    """None: Route 53 cannot hold it; `problem` says why."""
    digest: str
    places: tuple[ObjectKey, ...]
    problem: str = ""
    invalid_adoption: str = ""
    adopts: bool = False
    creates_missing: bool = False
    allowed: bool = True
    leaving: bool = False
    zones_own: bool = False
    """The name servers of the zone itself: whatever is stored of them, they are never ours to delete."""
    facts: ItemFacts = ItemFacts()

    @property
    def calm(self) -> bool:
        """Whether its status shows a record set that is ours and programmed, and nothing else is to be said of it."""
        facts = self.facts
        if facts.mark is None or facts.rejected or facts.deletion_completed or self.leaving or not self.allowed:
            return False
        accepted, programmed = facts.accepted, facts.programmed
        if accepted is None or programmed is None or len(self.places) != 1:
            return False
        return programmed.status == accepted.status == _TRUE


@dataclass(frozen=True)
class LedgerObject:
    """The ZoneUnit or one of its slices. `stale` says that status has entries of items that have gone.

    `foreign`: a slice that holds something and is owned by another ZoneUnit of the same name, of a former life of the
    zone or of a backup. Nothing in it counts, and it is not written, until core has made it this unit's.

    What is derived is made once for each version of the object: a pass over a zone asks for it again and again.
    """

    key: ObjectKey
    generation: int
    observed_generation: int
    items: tuple[Item, ...]
    held: bool
    deleting: bool
    stale: bool
    foreign: bool = False

    @cached_property
    def by_key(self) -> Mapping[ObjectKey, Item]:
        """The items by the keys of their claims."""
        return {item.key: item for item in self.items}

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Item, ...]]:
        """The items by owner name."""
        found: dict[str, tuple[Item, ...]] = {}
        for item in self.items:
            found[item.name] = (*found.get(item.name, ()), item)
        return found

    @cached_property
    def restless(self) -> tuple[ObjectKey, ...]:
        """The keys of items that are not calm."""
        return tuple(item.key for item in self.items if not item.calm)


@dataclass(frozen=True, slots=True)
class ZoneUnitSettings:
    """Start-up settings; the limits are Route 53's own and those of beyond-the-seeds 2 and 6."""

    controller_name: str
    """ZoneClasses with this controllerName are ours."""
    provider_name: str
    """The Provider that this controller implements."""
    drift_interval: timedelta = timedelta(minutes=10)
    """Between two whole lists of a hosted zone; also the longest pause after failures that others have to mend."""
    drift_jitter: float = 0.2
    """The largest share by which `drift_interval` is lengthened, so that zones are not all listed at once."""
    change_poll_first: timedelta = timedelta(seconds=2)
    """From a submitted change to the first question whether it is INSYNC; the wait then grows."""
    change_poll_limit: timedelta = timedelta(seconds=15)
    """The longest wait between two such questions."""
    pending_quiet: timedelta = timedelta(seconds=3)
    """How long a change is in flight before slices are written for that alone: most often it is over by then."""
    unconfirmed_wait: timedelta = timedelta(seconds=30)
    """How long a call whose answer was lost may still take effect."""
    restore_lull: timedelta = timedelta(seconds=10)
    """Without anything new for so long, a ledger that is being restored is complete."""
    propagation: timedelta = timedelta(seconds=60)
    """How long Route 53 takes at most to propagate a hosted zone, where there is no change to ask about."""
    retry_first: timedelta = timedelta(seconds=2)
    """The first pause after a failure that passes by itself (`Mends.SOON`); it doubles with each in a row."""
    retry_limit: timedelta = timedelta(minutes=1)
    """The longest such pause."""
    later_first: timedelta = timedelta(minutes=1)
    """The first pause after a failure that others have to mend (`Mends.LATER`); it doubles up to `drift_interval`."""
    bulk_window: timedelta = timedelta(seconds=20)
    """How far back batches count as part of a bulk under way."""
    bulk_size: int = 50
    """As many record sets, waiting or sent within `bulk_window`, are a bulk, whose changes are collected."""
    bulk_pause: timedelta = timedelta(seconds=1)
    """The first pause in which a bulk is collected; each further one is this much longer than the one before."""
    bulk_pause_limit: timedelta = timedelta(seconds=4)
    """The longest such pause while Route 53 takes its time; half of it otherwise."""
    bulk_pause_plain: timedelta = timedelta(seconds=8)
    """The longest such pause where all that waits is new and of one namespace, so that nobody else waits behind it."""
    bulk_batch: int = 200
    """Record sets that are worth a batch of their own: a bulk that brings them sooner is collected for less long."""
    bulk_soon: timedelta = timedelta(seconds=2)
    """A batch that goes so soon is waited for with what there is to write."""
    bulk_lull: timedelta = timedelta(seconds=1.5)
    """Without anything new for so long, a bulk has come to its end."""
    deletion_window: timedelta = timedelta(minutes=10)
    """How far back the guard against mass deletion counts."""
    max_delete_count: int = 100
    """Deletions within the window above which further ones may be held; 0 turns the guard off."""
    max_delete_percent: int = 50
    """Percentage of the managed record sets that must be exceeded, too, before deletions are held; 0: guard off."""
    max_changes_in_flight: int = 10
    """Changes of one hosted zone that may be submitted and not yet INSYNC."""
    max_record_sets_in_flight: int = 1000
    """Record sets in all of these changes together: the ZoneUnit's state names each of them."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One unit and all that it refers to, from the caches, at one moment."""

    now: datetime
    settings: ZoneUnitSettings
    unit: ZoneUnit
    state: UnitState
    objects: Mapping[ObjectKey, LedgerObject]
    """The ZoneUnit and its slices."""
    items: Mapping[ObjectKey, Item]
    """The items of all of them by the keys of their claims; one that is on the move between two objects once."""
    restless: Mapping[ObjectKey, Item]
    """Those of `items` that are not calm."""
    zone_class: ZoneClass | None
    parameters: ZoneClassParameters | Verdict
    """The class's parameters in the storage version, or why there are none: a verdict on the zone's Accepted."""
    parameters_retry: bool = field(default=False, kw_only=True)
    """Whether no event will tell when the parameters can be read."""
    namespace_labels: Mapping[str, str]
    """Labels of the unit's namespace; none where it is not known."""
    identity: Route53Identity | None
    holder: ObjectKey | None = None
    """Another, older unit that holds the hosted zone that this one wants."""
    rival: ObjectKey | None = None
    """Another unit that has, or was first to be about to create, a hosted zone of this name in this account."""
    namesakes: frozenset[ObjectKey] = frozenset()
    """The other units of this domain; only looked up for a unit that has no hosted zone yet."""
    holder_marks: frozenset[Mark] = frozenset()
    """What `holder` has in the hosted zone."""
    zone_deleting: bool = False
    """Whether the Zone itself is being deleted, while its ledger need not be yet."""
    live_claims: frozenset[ObjectKey] = frozenset()
    """Items whose claim exists and is not being deleted; only looked up for a unit that is being deleted."""
    arrived_at: datetime | None = None
    """When the ledger was last seen to ask for something new."""
    open_names: frozenset[str] | None = None
    """Owner names that needed a decision the last time, or whose items have changed since. None: any may need one."""

    @property
    def zone_key(self) -> ObjectKey:
        """The key of the Zone whose ledger the unit is."""
        return self.unit.spec.zone.ref.key

    @property
    def zone_generation(self) -> int:
        """The Zone's generation that the unit was built from: that of the zone's conditions. 0 where it is not said."""
        return self.unit.spec.zone.observed_generation or 0

    def unsteady(self, said: Iterable[ObjectKey]) -> Mapping[ObjectKey, Item]:
        """Return the items that are not calm, and those of which something was just said: all others are programmed."""
        return {**self.restless, **{key: self.items[key] for key in said if key not in self.restless}}

    @property
    def foreign(self) -> tuple[ObjectKey, ...]:
        """Slices that may hold items of this unit and do not count yet: what is not in `items` may stand there."""
        return tuple(sorted(key for key, held in self.objects.items() if held.foreign))

    @property
    def reconcile_request(self) -> str:
        """The value by which the owner asks for a fresh observation."""
        return self.unit.metadata.annotations.get(RECONCILE_REQUEST_ANNOTATION, "")


@dataclass(frozen=True, slots=True)
class ZoneSight:
    """What is known of the hosted zone. `same_name` is None while it was not listed."""

    zone: HostedZone | None = None
    missing: str = ""
    """The id of a hosted zone that does not exist."""
    same_name: tuple[HostedZone, ...] | None = None
    burned: Mapping[str, datetime] = field(default_factory=dict)
    """Caller references that were used before, and since when we know."""
    tried_at: datetime | None = None
    """When a hosted zone may have been created without our knowing, at the latest."""
    tags: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A record set that left its batch. `retry_at` None: only an edit can mend it."""

    digest: str
    reason: str
    message: str
    retry_at: datetime | None
    failures: int = 1


@dataclass(frozen=True, slots=True)
class Hold:
    """A failed call, and when its like may be tried again."""

    error: AwsError
    until: datetime


@dataclass(frozen=True, slots=True)
class Observation:
    """What is known of Route 53. `records` is None until a complete list was read; by name, all types.

    `doubtful` names must be read again before anything is decided about them. `settled` are the refs of changes in
    flight that are over, and whose names were read since.
    """

    zone: ZoneSight = ZoneSight()
    records: Mapping[str, tuple[ResourceRecordSet, ...]] | None = None
    doubtful: frozenset[str] = frozenset()
    fresh: frozenset[str] | None = None
    """Names that were read since record sets were last decided about. None: all."""
    settled: frozenset[str] = frozenset()
    zone_change_settled: bool = False
    rejections: Mapping[ObjectKey, Rejection] | None = None
    reading: Hold | None = None
    """Why reading stopped."""
    writing: Hold | None = None
    """Why nothing is written now."""
    tagging: Hold | None = None
    sent_lately: tuple[tuple[datetime, int], ...] = ()
    """When batches were sent, and how many record sets they had."""
    next_read: datetime | None = None
