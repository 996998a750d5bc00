"""Which hosted zone belongs to the unit, and how it comes to be: one step at a time.

A hosted zone is created at most once: the CallerReference (uid of the unit and an attempt number) is stored before the
call, and a zone that has the stored reference is ours, whatever crashed. A zone that vanished is reported and never
created again silently, for it would have other name servers.
Source: provider seed (Controller Responsibility), beyond-the-seeds 4 and 7.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from libdnsapi.api.conditions import Verdict
from libdnsapi.api.names import RECREATE_ZONE_ANNOTATION
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneClassParameters
from libdnsapi.api.verdicts import refused, unprogrammed
from route53_controller.aws.api import HostedZone
from route53_controller.zoneunit.plan.acceptance import adopted_zone_id
from route53_controller.zoneunit.snapshot import Snapshot, ZoneSight


@dataclass(frozen=True, slots=True)
class GetZone:
    """Read this hosted zone."""

    zone_id: str


@dataclass(frozen=True, slots=True)
class ListZones:
    """List the hosted zones of the unit's name."""


@dataclass(frozen=True, slots=True)
class Managed:
    """The hosted zone is the unit's."""

    zone: HostedZone


@dataclass(frozen=True, slots=True)
class TakeZone:
    """Record this hosted zone as the unit's; `adopted` as the Zone asks for, or else found by our reference."""

    zone: HostedZone
    adopted: bool


@dataclass(frozen=True, slots=True)
class StoreReference:
    """Store the reference, and the account, before anything is created."""

    reference: str


@dataclass(frozen=True, slots=True)
class CreateZone:
    """Create the hosted zone with the stored reference."""

    domain: str
    reference: str


@dataclass(frozen=True, slots=True)
class ForgetZone:
    """Forget the vanished hosted zone, as its owner confirmed; a new one is created next."""

    token: str
    reference: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no hosted zone to work with. `again`: time may mend it, so look again from time to time."""

    verdict: Verdict
    again: bool = False
    vanished: bool = False


Read = GetZone | ListZones
Write = TakeZone | StoreReference | CreateZone | ForgetZone
Step = Read | Write | Managed | Refused


def zone_step(snapshot: Snapshot, sight: ZoneSight) -> Step:
    """Return what is to be done next about the hosted zone."""
    target = adopted_zone_id(snapshot.unit.spec.zone.adoption)
    recorded = snapshot.state.hosted_zone_id
    if recorded and target and target != recorded and not snapshot.unit.metadata.deleting:
        return Refused(refused(Reason.MANAGED_RESOURCE_MISMATCH, _other_adoption(recorded, target)))
    if recorded or target:
        return _known(snapshot, sight, recorded or target)
    if snapshot.state.caller_reference:
        return _referenced(snapshot, sight, snapshot.state.caller_reference)
    return _new(snapshot, sight)


def _known(snapshot: Snapshot, sight: ZoneSight, zone_id: str) -> Step:
    if snapshot.holder is not None:
        message = f"Hosted zone {zone_id} is already managed for Zone {snapshot.holder}."
        return Refused(unprogrammed(Reason.PROVIDER_CONFLICT, message), again=True)
    if sight.missing == zone_id:
        return _missing(snapshot, zone_id)
    zone = sight.zone
    if zone is None or zone.id != zone_id:
        return GetZone(zone_id)
    if zone.private or zone.name != snapshot.unit.spec.zone.domain_name:
        what = "is private" if zone.private else f"is for {zone.name}"
        message = f"Hosted zone {zone_id} {what}, not the public zone {snapshot.unit.spec.zone.domain_name}."
        return Refused(unprogrammed(Reason.EXTERNAL_RESOURCE_MISMATCH, message), again=True)
    return Managed(zone) if snapshot.state.hosted_zone_id else TakeZone(zone, adopted=True)


def _missing(snapshot: Snapshot, zone_id: str) -> Step:
    """Report a hosted zone that does not exist; create another one only with its owner's confirmation."""
    if not snapshot.state.hosted_zone_id:
        message = f"Hosted zone {zone_id} does not exist in this account."
        return Refused(unprogrammed(Reason.EXTERNAL_RESOURCE_NOT_FOUND, message), again=True)
    token = recreation_token(snapshot.unit.metadata.uid, zone_id)
    confirmed = snapshot.unit.metadata.annotations.get(RECREATE_ZONE_ANNOTATION) == token
    if confirmed and _may_create(snapshot) and not snapshot.unit.metadata.deleting:
        return ForgetZone(token, next_reference(snapshot))
    message = f"Hosted zone {zone_id} no longer exists in this account. It is not created again by itself"
    if _may_create(snapshot):
        message += (
            ", for a new one has other name servers. Recreate the Zone, or annotate it with "
            f"{RECREATE_ZONE_ANNOTATION}={token} and delegate to the new name servers"
        )
    verdict = unprogrammed(Reason.EXTERNAL_RESOURCE_NOT_FOUND, f"{message}.")
    return Refused(verdict, again=True, vanished=True)


def _may_create(snapshot: Snapshot) -> bool:
    parameters = snapshot.parameters
    creates = isinstance(parameters, ZoneClassParameters) and parameters.zone_creation_policy == "Create"
    return creates and snapshot.unit.spec.zone.adoption is None


def _referenced(snapshot: Snapshot, sight: ZoneSight, reference: str) -> Step:
    """Find the hosted zone with the stored reference, or create it."""
    if sight.same_name is None:
        return ListZones()
    ours = next((zone for zone in sight.same_name if zone.caller_reference == reference), None)
    if ours is not None:
        return TakeZone(ours, adopted=False)
    refusal = _creation_refused(snapshot, sight)
    if refusal is not None:
        return refusal
    burned_at = sight.burned.get(reference)
    return _used_up(snapshot, burned_at) if burned_at is not None else _unused(snapshot, reference)


def _unused(snapshot: Snapshot, reference: str) -> StoreReference | CreateZone:
    """Create the hosted zone, once the state says in which account."""
    if not snapshot.state.account:
        return StoreReference(reference)
    return CreateZone(snapshot.unit.spec.zone.domain_name, reference)


def _used_up(snapshot: Snapshot, burned_at: datetime) -> Refused | StoreReference:
    """Wait for the zone of a reference that was used already to be listed; none found, take the next reference."""
    if snapshot.now - burned_at >= snapshot.settings.unconfirmed_wait:
        return StoreReference(next_reference(snapshot))
    message = "A hosted zone was created for this Zone and is not listed by Route 53 yet."
    return Refused(unprogrammed(Reason.PROVIDER_CHANGE_PENDING, message), again=True)


def _new(snapshot: Snapshot, sight: ZoneSight) -> Step:
    if not _may_create(snapshot):
        return Refused(refused(Reason.DENIED_BY_POLICY, _CREATION_DENIED))
    if sight.same_name is None:
        return ListZones()
    return _creation_refused(snapshot, sight) or StoreReference(next_reference(snapshot))


def _creation_refused(snapshot: Snapshot, sight: ZoneSight) -> Refused | None:
    if not _may_create(snapshot):
        return Refused(refused(Reason.DENIED_BY_POLICY, _CREATION_DENIED))
    parameters = snapshot.parameters
    if isinstance(parameters, ZoneClassParameters) and parameters.same_name_zone_policy == "Allow":
        return None
    twins = [zone for zone in sight.same_name or () if not zone.private]
    if not twins and snapshot.rival is None:
        return None
    if not twins:
        message = f"Zone {snapshot.rival} is about to create a hosted zone of the same name in this account."
        return Refused(unprogrammed(Reason.PROVIDER_CONFLICT, message), again=True)
    message = (
        f"Public hosted zone {twins[0].id} of the same name exists already; adopt it with "
        f"spec.adoption.hostedZoneId, or allow another one with sameNameZonePolicy Allow."
    )
    return Refused(unprogrammed(Reason.PROVIDER_CONFLICT, message), again=True)


def next_reference(snapshot: Snapshot) -> str:
    """Return the next CallerReference: references can never be used again, not even after a deletion."""
    attempt = snapshot.state.caller_reference.rpartition("-")[2]
    number = int(attempt) + 1 if snapshot.state.caller_reference and attempt.isdigit() else 1
    return f"{snapshot.unit.metadata.uid}-{number}"


def recreation_token(uid: str, zone_id: str) -> str:
    """Return the one-time token that confirms the recreation of this very hosted zone."""
    return sha256(f"recreate {uid} {zone_id}".encode()).hexdigest()[:12]


_CREATION_DENIED = "The ZoneClass does not allow hosted zones to be created; adopt one with spec.adoption.hostedZoneId."


def _other_adoption(recorded: str, target: str) -> str:
    return f"adoption names hosted zone {target}, but {recorded} is managed for this Zone; it stays as it is."
