"""Route 53 in memory: a `route53_controller.aws.api.Route53` for tests, with scripted faults.

It keeps: hosted zones and their caller references, apex NS and SOA, tags, record sets in Route 53's order, paging,
atomic batches (CREATE of what exists, DELETE of what differs, CNAME beside others, names outside, alias targets
that do not exist, batch limits) and PENDING changes. It leaves out: DNS values, which Route 53 checks itself;
`refuse` stands in for that.
`tests/route53_controller/aws/test_contract.py` runs the same scenarios against it and the adapter with the emulator.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from route53_controller.aws import wire
from route53_controller.aws.api import (
    ACCOUNT_WIDE,
    Change,
    ChangeInfo,
    ChangeStatus,
    CreatedHostedZone,
    HostedZone,
    Priority,
    RecordKey,
    RecordPage,
    ResourceRecordSet,
)
from route53_controller.aws.errors import AwsError, AwsFailure
from tests.fakes.route53_batches import Refusal, applied, nobody_refuses

ACCOUNT = "123456789012"
SUBMITTED_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Fault:
    """Calls of one action ("" stands for any) that fail; after `skip` good ones, `times` in a row.

    With `applied` the call is carried out first, as when its answer is lost.
    """

    action: str
    error: AwsError
    times: int = 1
    skip: int = 0
    applied: bool = False
    zone_id: str = ""

    def strikes(self, action: str, zone_id: str) -> bool:
        """Whether this call fails; counts it."""
        if self.action not in ("", action) or (self.zone_id and self.zone_id != zone_id) or self.times == 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


@dataclass
class FakeZone:
    """One hosted zone and all that is in it."""

    zone: HostedZone
    records: dict[RecordKey, ResourceRecordSet]
    tags: dict[str, str] = field(default_factory=dict)

    def ordered(self) -> list[ResourceRecordSet]:
        """Return the record sets in Route 53's order."""
        return sorted(self.records.values(), key=lambda found: place(found.key))


def place(key: RecordKey) -> tuple[str, str, str]:
    """Return what Route 53 sorts record sets by."""
    return wire.sort_key(key.name), key.type, key.set_identifier


@dataclass
class FakeRoute53:
    """One account. `calls` counts by action, `batches` has what was applied; `auto_insync` ends changes when asked."""

    auto_insync: bool = True
    refuse: Callable[[Change], str] = nobody_refuses
    """Returns Route 53's complaint about a change, or "" where there is none."""
    max_hosted_zones: int = 500
    zones: dict[str, FakeZone] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    batches: list[tuple[str, tuple[Change, ...]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    changes: dict[str, ChangeInfo] = field(default_factory=dict)
    account_id: str = ACCOUNT
    hurried: list[str] = field(default_factory=list)
    """The hosted zones whose waiting calls were hurried."""

    def __post_init__(self) -> None:
        """Start with nothing used."""
        self._numbers = count(1)
        self._references: set[str] = set()

    # What tests ask and say.

    def fail(self, action: str, failure: AwsFailure, message: str = "", **options: object) -> Fault:
        """Have calls of an action fail; the options are those of Fault, and `messages` and `code` of AwsError."""
        messages, code = options.pop("messages", ()), options.pop("code", "")
        error = AwsError(failure, message or failure.value, str(code), tuple(messages))  # type: ignore[arg-type]
        fault = Fault(action, error, **options)  # type: ignore[arg-type]
        self.faults.append(fault)
        return fault

    def add_zone(self, name: str, zone_id: str = "", *, private: bool = False, reference: str = "") -> HostedZone:
        """Put a hosted zone there without a call."""
        number = next(self._numbers)
        zone_id = zone_id or f"Z{number:012d}"
        servers = tuple(f"ns-{n}.awsdns-{number:02d}.example" for n in range(1, 5))
        zone = HostedZone(zone_id, name, reference or f"foreign-{number}", private, 2, servers)
        apex_ns = ResourceRecordSet(RecordKey(name, "NS"), 172800, tuple(f"{server}." for server in servers))
        soa = f"{servers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400"
        apex_soa = ResourceRecordSet(RecordKey(name, "SOA"), 900, (soa,))
        self.zones[zone_id] = FakeZone(zone, {})
        self.put(zone_id, apex_ns, apex_soa)
        return zone

    def put(self, zone_id: str, *record_sets: ResourceRecordSet) -> None:
        """Put record sets there, as somebody else would, without a call."""
        for record_set in record_sets:
            self.zones[zone_id].records[record_set.key] = replace(record_set, wire_name="")

    def remove(self, zone_id: str, key: RecordKey) -> None:
        """Remove a record set, as somebody else would, without a call."""
        del self.zones[zone_id].records[key]

    def records(self, zone_id: str) -> dict[RecordKey, ResourceRecordSet]:
        """Return a zone's record sets but for its apex NS and SOA."""
        apex = self.zones[zone_id].zone.name
        own = {RecordKey(apex, "NS"), RecordKey(apex, "SOA")}
        return {key: found for key, found in self.zones[zone_id].records.items() if key not in own}

    def make_insync(self, change_id: str = "") -> None:
        """Let one change, or all, become INSYNC."""
        for known in [change_id] if change_id else list(self.changes):
            self.changes[known] = replace(self.changes[known], status=ChangeStatus.INSYNC)

    # The Route53 protocol.

    async def caller_account(self) -> str:
        """Return the account."""
        self._begin("GetCallerIdentity")
        return self.account_id

    async def get_hosted_zone(self, zone_id: str, *, priority: Priority = Priority.USER) -> HostedZone:
        """Return one hosted zone."""
        self._begin("GetHostedZone", zone_id)
        return self._shown(self._zone(zone_id))

    async def list_hosted_zones_by_name(
        self, name: str, *, priority: Priority = Priority.USER
    ) -> tuple[HostedZone, ...]:
        """Return all hosted zones of this name."""
        self._begin("ListHostedZonesByName")
        return tuple(self._listed(found) for found in self.zones.values() if found.zone.name == name)

    async def list_hosted_zones(
        self,
        *,
        limit: int,
        priority: Priority = Priority.DRIFT,
        matching: Callable[[HostedZone], bool] | None = None,
    ) -> tuple[HostedZone, ...]:
        """Return hosted zones, at most `limit` + 1 that match."""
        self._begin("ListHostedZones")
        found = [self._listed(found) for found in self.zones.values()]
        return tuple(zone for zone in found if matching is None or matching(zone))[: limit + 1]

    async def create_hosted_zone(self, name: str, caller_reference: str) -> CreatedHostedZone:
        """Create a hosted zone."""
        lost = self._begin("CreateHostedZone")
        if caller_reference in self._references:
            raise AwsError(AwsFailure.HOSTED_ZONE_ALREADY_EXISTS, "already created", "HostedZoneAlreadyExists")
        if len(self.zones) >= self.max_hosted_zones:
            raise AwsError(AwsFailure.LIMIT_EXCEEDED, "a Route 53 quota is used up", "TooManyHostedZones")
        self._references.add(caller_reference)
        zone = self.add_zone(name, reference=caller_reference)
        change = self._submit()
        _lose(lost)
        return CreatedHostedZone(zone, change)

    async def delete_hosted_zone(self, zone_id: str) -> ChangeInfo:
        """Delete an empty hosted zone."""
        lost = self._begin("DeleteHostedZone", zone_id)
        self._zone(zone_id)
        if self.records(zone_id):
            raise AwsError(AwsFailure.HOSTED_ZONE_NOT_EMPTY, "not empty", "HostedZoneNotEmpty")
        del self.zones[zone_id]
        change = self._submit()
        _lose(lost)
        return change

    async def list_tags(self, zone_id: str, *, priority: Priority = Priority.USER) -> dict[str, str]:
        """Return a hosted zone's tags."""
        self._begin("ListTagsForResource", zone_id)
        return dict(self._zone(zone_id).tags)

    async def change_tags(self, zone_id: str, add: dict[str, str], remove: Sequence[str]) -> None:
        """Set and remove tags; counted once for each ten."""
        for _ in range(max(1, -(-max(len(add), len(remove)) // 10))):
            self._begin("ChangeTagsForResource", zone_id)
        tags = self._zone(zone_id).tags
        tags.update(add)
        for key in remove:
            tags.pop(key, None)

    async def list_record_sets(
        self, zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        """Return one page of record sets."""
        self._begin("ListResourceRecordSets", zone_id)
        ordered = self._zone(zone_id).ordered()
        found = [record for record in ordered if start is None or place(record.key) >= place(start)]
        page, rest = found[:max_items], found[max_items:]
        return RecordPage(tuple(page), rest[0].key if rest else None)

    async def change_record_sets(self, zone_id: str, changes: Sequence[Change]) -> ChangeInfo:
        """Apply one batch, wholly or not at all."""
        lost = self._begin("ChangeResourceRecordSets", zone_id)
        zone = self._zone(zone_id)
        try:
            after = applied(zone.zone, zone.records, changes, self.refuse)
        except Refusal as refusal:
            first = refusal.messages[0]
            error = AwsError(AwsFailure.INVALID_CHANGE_BATCH, first, "InvalidChangeBatch", refusal.messages)
            raise error from None
        zone.records = after
        self.batches.append((zone_id, tuple(changes)))
        change = self._submit()
        _lose(lost)
        return change

    def hurry(self, zone_id: str) -> None:
        """Note the wish; there is no budget to wait for."""
        self.hurried.append(zone_id)

    async def get_change(
        self, change_id: str, *, zone_id: str = ACCOUNT_WIDE, priority: Priority = Priority.USER
    ) -> ChangeInfo:
        """Return how far a change has got."""
        self._begin("GetChange")
        if change_id not in self.changes:
            raise AwsError(AwsFailure.NO_SUCH_CHANGE, "no such change", "NoSuchChange")
        if self.auto_insync:
            self.make_insync(change_id)
        return self.changes[change_id]

    def _begin(self, action: str, zone_id: str = "") -> AwsError | None:
        """Count a call; raise its fault, or return it where the call is carried out first."""
        self.calls[action] += 1
        fault = next((fault for fault in self.faults if fault.strikes(action, zone_id)), None)
        if fault is None:
            return None
        if fault.applied:
            return fault.error
        raise fault.error

    def _zone(self, zone_id: str) -> FakeZone:
        if zone_id not in self.zones:
            raise AwsError(AwsFailure.NO_SUCH_HOSTED_ZONE, "no such hosted zone", "NoSuchHostedZone")
        return self.zones[zone_id]

    def _shown(self, found: FakeZone) -> HostedZone:
        return replace(found.zone, record_set_count=len(found.records))

    def _listed(self, found: FakeZone) -> HostedZone:
        return replace(self._shown(found), name_servers=())

    def _submit(self) -> ChangeInfo:
        change = ChangeInfo(f"C{next(self._numbers):012d}", ChangeStatus.PENDING, SUBMITTED_AT)
        self.changes[change.id] = change
        return change


def _lose(error: AwsError | None) -> None:
    if error is not None:
        raise error


@dataclass
class FakeAccounts:
    """A stand-in for `accounts.Accounts`: every identity acts in `default` unless it is in `by_identity`."""

    default: FakeRoute53 = field(default_factory=FakeRoute53)
    by_identity: dict[ObjectKey, FakeRoute53] = field(default_factory=dict)
    unavailable: set[ObjectKey] = field(default_factory=set)
    """Identities whose credentials cannot be had."""
    remembered: set[ObjectKey] = field(default_factory=set)
    """Of these, those whose last good keys are still known: they do for cleanup."""

    def route53(self, identity: Route53Identity, *, cleanup: bool = False) -> FakeRoute53:
        """Return the identity's account."""
        if identity.key in self.unavailable and not (cleanup and identity.key in self.remembered):
            raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, "the Secret is gone: clean up by hand")
        return self.by_identity.get(identity.key, self.default)
