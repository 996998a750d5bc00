"""Everything the emulator remembers, and the clock it reads. One event loop, no locks."""

import itertools
import secrets
import string
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from e2e.route53.counters import Counters
from e2e.route53.edits import RecordEdits
from e2e.route53.errors import AwsError, no_such_hosted_zone
from e2e.route53.faults import FaultPlan
from e2e.route53.health_checks import HealthCheck
from e2e.route53.identities import Identities
from e2e.route53.journal import Journal
from e2e.route53.limits import TokenBucket
from e2e.route53.model import Change
from e2e.route53.settings import Settings
from e2e.route53.zone import HostedZone

LOG_LENGTH: Final = 10_000
_ALPHABET: Final = string.ascii_uppercase + string.digits


def new_id(prefix: str, length: int = 20) -> str:
    """Return a fresh id of capital letters and digits, as AWS makes them."""
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(length))


@dataclass
class ChangeInfo:
    """A submitted change. INSYNC once the monotonic clock passes `insync_at`."""

    id: str
    account_id: str
    submitted_at: datetime
    submitted: float
    insync_at: float
    comment: str = ""

    def status(self, now: float) -> str:
        """Return PENDING or INSYNC."""
        return "INSYNC" if now >= self.insync_at else "PENDING"


@dataclass(frozen=True, slots=True)
class AppliedBatch:
    """A batch that was applied, for tests that check order."""

    sequence: int
    time: float
    account_id: str
    zone_id: str
    zone_name: str
    change_id: str
    changes: tuple[Change, ...]


@dataclass
class State:
    """The world of one emulator process between two resets."""

    default_account_id: str
    settings: Settings = field(default_factory=Settings)
    zones: dict[str, HostedZone] = field(default_factory=dict)
    retired: dict[str, int] = field(default_factory=dict)
    """Sequence of deleted zones, so that a page marker stays good."""
    references: set[tuple[str, str]] = field(default_factory=set)
    """Caller references ever used, with their account."""
    changes: dict[str, ChangeInfo] = field(default_factory=dict)
    health_checks: dict[str, HealthCheck] = field(default_factory=dict)
    log: deque[AppliedBatch] = field(default_factory=lambda: deque(maxlen=LOG_LENGTH))
    faults: FaultPlan = field(default_factory=FaultPlan)
    counters: Counters = field(default_factory=Counters)
    journal: Journal = field(default_factory=Journal)
    identities: Identities = field(default_factory=Identities)
    busy_zones: set[str] = field(default_factory=set)
    buckets: dict[str, TokenBucket] = field(default_factory=dict)
    _sequence: "itertools.count[int]" = field(default_factory=itertools.count)
    _batches: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @staticmethod
    def monotonic() -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    @staticmethod
    def now() -> datetime:
        """Return the time of day, aware."""
        return datetime.now(UTC)

    def configure(self, settings: Settings) -> None:
        """Put new settings in force; pending changes become INSYNC earlier if the delay shrank, buckets start full."""
        self.settings = settings
        self.buckets.clear()
        for change in self.changes.values():
            change.insync_at = min(change.insync_at, change.submitted + settings.insync_delay_seconds)

    def admit(self, account_id: str) -> bool:
        """Take a token of the account's rate limit."""
        limit = self.settings.rate_limit
        if limit is None:
            return True
        now = self.monotonic()
        return self.buckets.setdefault(account_id, TokenBucket.full(limit, now)).take(now)

    def zone(self, zone_id: str, account_id: str) -> HostedZone:
        """Return a zone of the account. Raises AwsError NoSuchHostedZone, or AccessDenied for another account's."""
        found = self.zones.get(zone_id.removeprefix("/hostedzone/"))
        if found is None:
            raise no_such_hosted_zone(zone_id)
        if found.account_id != account_id:
            raise AwsError("AccessDenied", "User is not authorized to access this resource", 403)
        return found

    def zones_of(self, account_id: str) -> list[HostedZone]:
        """Return the account's zones in creation order."""
        return [zone for zone in self.zones.values() if zone.account_id == account_id]

    def add_zone(self, zone: HostedZone) -> None:
        """Keep a new zone, with its apex records."""
        zone.seed()
        self.zones[zone.id] = zone
        self.references.add((zone.account_id, zone.caller_reference))

    def next_sequence(self) -> int:
        """Return the place of the next zone in creation order."""
        return next(self._sequence)

    def remove_zone(self, zone_id: str) -> None:
        """Forget a zone."""
        self.retired[zone_id] = self.zones.pop(zone_id).sequence

    def submit(self, account_id: str, comment: str = "") -> ChangeInfo:
        """Record a change that becomes INSYNC after the delay."""
        now = self.monotonic()
        insync_at = now + self.settings.insync_delay_seconds
        change = ChangeInfo(new_id("C"), account_id, self.now(), now, insync_at, comment)
        self.changes[change.id] = change
        return change

    def record(self, zone: HostedZone, change: ChangeInfo, changes: tuple[Change, ...]) -> None:
        """Log an applied batch."""
        sequence, at = next(self._batches), change.submitted_at.timestamp()
        self.log.append(AppliedBatch(sequence, at, zone.account_id, zone.id, zone.name, change.id, changes))

    def edit(self, edits: RecordEdits) -> None:
        """Write record sets behind the API's back. Raises AwsError NoSuchHostedZone, SyntaxProblemError."""
        zone_id = edits.hosted_zone_id.removeprefix("/hostedzone/")
        if zone_id not in self.zones:
            raise no_such_hosted_zone(zone_id)
        table = self.zones[zone_id].table
        for key in edits.delete:
            node = dict(table.at(key.canonical_name))
            node.pop((key.type, key.set_identifier), None)
            table.replace(key.canonical_name, node)
        for document in edits.put:
            record = document.record_set()
            table.replace(record.name, {**table.at(record.name), record.identity: record})
