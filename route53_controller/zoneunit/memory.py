"""What is remembered of one zone between passes, in this process only: the last observation and what failed.

Nothing here is needed for safety: it is lost with the process, and read again at the next start.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.backoff import Random, doubled
from route53_controller.aws.api import HostedZone
from route53_controller.aws.errors import AwsError
from route53_controller.failures import Mends, consequence
from route53_controller.zoneunit.attention import Attention
from route53_controller.zoneunit.listing import Listing, Records
from route53_controller.zoneunit.snapshot import (
    Hold,
    LedgerObject,
    Observation,
    Rejection,
    Snapshot,
    ZoneSight,
    ZoneUnitSettings,
)

POLL_GROWTH = 3
"""How many times longer each wait for a change is than the one before."""
ZONE_CHANGE = "zone"
"""The poll of the hosted zone's own change."""
AT_ONCE = datetime.min.replace(tzinfo=UTC)
"""A time that has come, whatever the clock says."""


@dataclass(slots=True)
class Poll:
    """When a change is asked about next, and how long after the time before."""

    next_at: datetime
    wait: timedelta

    def postpone(self, now: datetime, limit: timedelta) -> None:
        """Ask again later and later."""
        self.wait = min(self.wait * POLL_GROWTH, limit)
        self.next_at = now + self.wait

    def hasten(self, wait: timedelta) -> None:
        """Ask so long after the time before, unless that is so already."""
        if wait < self.wait:
            self.next_at, self.wait = self.next_at - self.wait + wait, wait


@dataclass(slots=True)
class Trouble:
    """A kind of call that fails: until when it rests, and how often it failed in a row."""

    hold: Hold | None = None
    failures: int = 0

    def note(self, error: AwsError, now: datetime, settings: ZoneUnitSettings) -> None:
        """Count a failure; the rest doubles, from seconds where time mends it soon, from a minute otherwise."""
        self.failures += 1
        soon = consequence(error).mends is Mends.SOON
        first, limit = (
            (settings.retry_first, settings.retry_limit) if soon else (settings.later_first, settings.drift_interval)
        )
        self.hold = Hold(error, now + doubled(first, self.failures, limit))

    def clear(self) -> None:
        """Note a success."""
        self.hold, self.failures = None, 0

    def rests(self, now: datetime) -> bool:
        """Whether it is too early to try again."""
        return self.hold is not None and now < self.hold.until


@dataclass(slots=True)
class ZoneMemory:
    """What is remembered of one unit; its fields belong to the steps of a pass, which read and write them."""

    uid: str
    """The ZoneUnit's: what was remembered of an earlier one of the same name is of no use."""
    zone_id: str = ""
    """The hosted zone that tags, records and changes are remembered of; "" before there is one."""
    within: bool = False
    """Whether the last look came as far as what is in the hosted zone: else nothing in it falls due."""

    zone: HostedZone | None = None
    """The hosted zone as it was read last; None where it is to be read (again)."""
    missing: str = ""
    """The id of a hosted zone that was found not to exist."""
    same_name: tuple[HostedZone, ...] | None = None
    """All hosted zones of the unit's domain; None where they are to be listed (again)."""
    listed_at: datetime | None = None
    """When `same_name` was listed."""
    burned: dict[str, datetime] = field(default_factory=dict)
    """Caller references that Route 53 says were used before, and since when we know."""
    tried_at: datetime | None = None
    """When a hosted zone may last have been created without our knowing: the answer was lost, or we began after it."""

    tags: dict[str, str] | None = None
    """The hosted zone's tags; None before they were read."""
    records: Records | None = None
    """Its record sets by name; None before a whole list was read."""
    doubtful: set[str] = field(default_factory=set)
    """Names whose record sets may have changed since they were read."""
    attention: Attention = field(default_factory=Attention)
    """Which names need a decision."""
    listing: Listing | None = None
    """The whole list that is being read, across passes that changes of the ledger cut short."""
    settled: dict[str, frozenset[str]] = field(default_factory=dict)
    """Changes in flight that are over at Route 53, with the names that must be read before they are over for us."""
    zone_change_settled: bool = False
    """Whether the hosted zone's own change in flight, its creation or deletion, is over at Route 53."""
    polls: dict[str, Poll] = field(default_factory=dict)
    """When each change in flight is asked about next, by its ref; the hosted zone's own under ZONE_CHANGE."""

    rejections: dict[ObjectKey, Rejection] = field(default_factory=dict)
    """Items that Route 53 refused, and when they may be sent again."""
    stale: dict[ObjectKey, int] = field(default_factory=dict)
    """How often in a row a write met something else than what had been read."""
    reading: Trouble = field(default_factory=Trouble)
    """Calls that read, and getting credentials."""
    writing: Trouble = field(default_factory=Trouble)
    """Calls that create and delete the hosted zone, and batches of record sets."""
    tagging: Trouble = field(default_factory=Trouble)
    """Calls that change tags."""

    refresh_at: datetime | None = None
    """When the whole hosted zone is listed again."""
    look_again_at: datetime | None = None
    """When a hosted zone that cannot be worked on is looked at again."""
    looks: int = 0
    """How often in a row that was put off."""
    request: str | None = None
    """The owner's wish for a fresh observation that was answered last (annotation reconcile-request)."""

    ledger: dict[ObjectKey, tuple[int, LedgerObject]] = field(default_factory=dict)
    """Ledger objects as facts, each with the resource version that it was read at."""
    witnessed: set[ObjectKey] = field(default_factory=set)
    """Ledger objects that were looked up since this process began."""
    arrived_at: datetime | None = None
    """When the ledger was last seen to ask for something new."""
    circumstances: tuple[object, ...] = ()
    """What failed calls depended on: when it changes, they are worth another try at once."""
    sent_lately: deque[tuple[datetime, int]] = field(default_factory=deque)
    """When batches were sent, and how many record sets they had."""

    def drop_old_list(self, now: datetime, settings: ZoneUnitSettings) -> None:
        """Forget a list of the hosted zones of this name that is too old to conclude from it that one does not exist.

        One that was created without an answer may have turned up since.
        """
        if self.listed_at is None:
            return
        sure_at = None if self.tried_at is None else self.tried_at + settings.unconfirmed_wait
        missed = sure_at is not None and self.listed_at < sure_at <= now
        if missed or now - self.listed_at >= settings.unconfirmed_wait:
            self.same_name, self.listed_at = None, None

    def note_sent(self, now: datetime, counts: Iterable[int], settings: ZoneUnitSettings) -> None:
        """Note batches that were sent, by how many record sets they had; those of long ago are forgotten."""
        self.sent_lately.extend((now, count) for count in counts)
        while self.sent_lately and now - self.sent_lately[0][0] >= settings.bulk_window:
            self.sent_lately.popleft()

    def turn_to(self, zone_id: str) -> None:
        """Forget what was read of another hosted zone."""
        if zone_id == self.zone_id:
            return
        self.zone_id = zone_id
        self.tags, self.records, self.listing, self.refresh_at = None, None, None, None
        self.attention.forget()
        self.doubtful.clear()
        self.settled.clear()
        self.rejections.clear()
        self.polls.clear()
        self.zone_change_settled = False

    def give_new_chance(self, circumstances: tuple[object, ...]) -> None:
        """End the rest of what failed, and may be mended, when identity, class or a request of the owner changed.

        So it is where a Zone of the same domain came or went: what stood in the way may be gone.
        """
        if circumstances != self.circumstances:
            if self.look_again_at is not None:
                self.look_again_at, self.looks = AT_ONCE, 0
            for trouble in (self.reading, self.writing, self.tagging):
                trouble.clear()
            self.rejections = {key: held for key, held in self.rejections.items() if held.retry_at is None}
            self.circumstances = circumstances

    def take_created(self, zone: HostedZone, snapshot: Snapshot, random: Random) -> None:
        """Note a hosted zone that was just created: it has no tags and nothing but its own NS and SOA."""
        self.turn_to(zone.id)
        self.zone, self.missing, self.same_name = zone, "", None
        self.tags, self.records, self.request = {}, {}, snapshot.reconcile_request
        self.schedule(snapshot.now, snapshot.settings, random)

    def take_list(self, listing: Listing) -> None:
        """Know what a complete list shows."""
        self.records, self.listing, self.request = listing.found, None, listing.request
        self.attention.forget()
        self.doubtful = listing.left_in_doubt(self.doubtful)

    def schedule(self, now: datetime, settings: ZoneUnitSettings, random: Random) -> None:
        """Set the time of the next drift check: the interval and a random part (the setting) of it more."""
        self.refresh_at = now + settings.drift_interval * (1 + settings.drift_jitter * random())

    def sight(self) -> ZoneSight:
        """Return what is known of the hosted zone."""
        return ZoneSight(self.zone, self.missing, self.same_name, dict(self.burned), self.tried_at, self.tags)

    def unasked(self, now: datetime) -> Observation:
        """Return what is known where Route 53 cannot, or need not, be asked: then nothing falls due by itself."""
        self.within, self.look_again_at = False, None
        if not self.reading.rests(now):
            self.reading.clear()
        return self.observation(now)

    def observation(self, now: datetime) -> Observation:
        """Return what is known, as plans read it; the records are shared, not copied.

        No change in flight is over before its names were read again.
        """
        return Observation(
            zone=self.sight(),
            records=self.records,
            doubtful=frozenset(self.doubtful),
            fresh=self.attention.fresh,
            settled=frozenset(ref for ref, names in self.settled.items() if names.isdisjoint(self.doubtful)),
            zone_change_settled=self.zone_change_settled,
            rejections=dict(self.rejections),
            reading=self.reading.hold if self.reading.rests(now) else None,
            writing=self.writing.hold if self.writing.rests(now) else None,
            tagging=self.tagging.hold if self.tagging.rests(now) else None,
            sent_lately=tuple(self.sent_lately),
            next_read=self.next_read(now),
        )

    def next_read(self, now: datetime) -> datetime | None:
        """Return when something is to be read next; None while only an event can make it worth a look."""
        if self.reading.hold is not None:
            return self.reading.hold.until
        if not self.within:
            return self.look_again_at
        if self.doubtful or self.listing is not None:
            return now
        times = [self.refresh_at, *(poll.next_at for poll in self.polls.values())]
        return min((time for time in times if time is not None), default=None)
