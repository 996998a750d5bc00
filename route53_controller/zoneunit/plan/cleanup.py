"""What happens when the ZoneUnit is being deleted.

Record sets go first, then the hosted zone if its class says so, then the finalizers. Nothing is deleted that our
status does not show to be ours; with Retain the hosted zone stays.

Source: provider seed (zoneDeletionPolicy), core seed (deletion uses both finalizers), beyond-the-seeds 1 and 11,
wire reference (Decisions: deletion when class, Provider, version or policy is gone).
"""

from collections.abc import Iterator
from datetime import datetime

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneClassParameters
from route53_controller.aws.api import HostedZone
from route53_controller.zoneunit.plan import unmanaged
from route53_controller.zoneunit.plan.acceptance import Acceptance, Service
from route53_controller.zoneunit.plan.actions import DeleteHostedZone, Notice, Plan, Release, ZoneOutcome
from route53_controller.zoneunit.plan.assembly import assemble, with_held, zone_fact, zone_failed, zone_unprogrammed
from route53_controller.zoneunit.plan.hosted_zone import (
    CreateZone,
    GetZone,
    ListZones,
    Managed,
    Refused,
    StoreReference,
    TakeZone,
    zone_step,
)
from route53_controller.zoneunit.plan.managed import work_on_records
from route53_controller.zoneunit.plan.work import ZoneWork, paused, zone_notice
from route53_controller.zoneunit.snapshot import Fact, Observation, Snapshot

DELETE = "DELETE"
_BY_HAND = (
    "Mend that, or remove the finalizer of the Route 53 controller from the ZoneUnit to leave everything at Route 53 "
    "as it is."
)


def waits_for_claims(snapshot: Snapshot) -> bool:
    """Whether a claim that is not being deleted holds an item: then the unit is still served."""
    return any(key in snapshot.live_claims and not item.leaving for key, item in snapshot.items.items())


def deletes_zones(snapshot: Snapshot) -> bool:
    """Whether the class has hosted zones deleted with their Zones."""
    parameters = snapshot.parameters
    return isinstance(parameters, ZoneClassParameters) and parameters.zone_deletion_policy == "Delete"


def clean_up(snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork) -> Plan:
    """Plan the next step of a unit that is being deleted; none while parts of its ledger do not count yet."""
    if snapshot.foreign:
        message = f"Deletion waits until ZoneUnitSlice {snapshot.foreign[0]} counts as this ZoneUnit's own."
        return _waiting(snapshot, observation, acceptance, work, message)
    if not snapshot.state.has_external:
        return _release(snapshot, observation, acceptance, work)
    if retains_everything(snapshot):
        return _release(snapshot, observation, acceptance, work, _retained(snapshot))
    if acceptance.service is Service.NOTHING:
        return _blocked(snapshot, observation, acceptance, work)
    if _is_deleted(snapshot, observation):
        work.notices.extend(_deletion_in_sync(snapshot))
        return _release(snapshot, observation, acceptance, work, _deleted(snapshot))
    return _towards_end(snapshot, observation, acceptance, work)


def retains_everything(snapshot: Snapshot) -> bool:
    """Whether nothing at Route 53 has to be touched: the hosted zone stays, and no record set is leaving."""
    retains = isinstance(snapshot.parameters, ZoneClassParameters) and (
        snapshot.parameters.zone_deletion_policy == "Retain"
    )
    leaving = any(item.leaving and not item.facts.deletion_completed for item in snapshot.items.values())
    return retains and bool(snapshot.state.hosted_zone_id) and not leaving


def needs_route53(snapshot: Snapshot) -> bool:
    """Whether this unit's next step can ask anything of Route 53."""
    if not snapshot.unit.metadata.deleting or waits_for_claims(snapshot):
        return True
    return snapshot.state.has_external and not retains_everything(snapshot)


def _towards_end(snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork) -> Plan:
    match zone_step(snapshot, observation.zone):
        case GetZone() | ListZones():
            programmed = zone_failed(snapshot, observation.reading) if observation.reading else None
            return assemble(snapshot, observation, _outcome(snapshot, acceptance, programmed), work)
        case TakeZone(zone=zone):
            work.state = work.state.model_copy(update={"hosted_zone_id": zone.id})
            return assemble(snapshot, observation, _outcome(snapshot, acceptance, None), work, again=True)
        case CreateZone() | StoreReference() | Refused() if until := _may_appear_until(snapshot, observation):
            work.wake_at = until
            message = "Whether a hosted zone was created is not known yet; its deletion follows."
            return _waiting(snapshot, observation, acceptance, work, message)
        case Managed(zone=zone):
            return _clean_zone(snapshot, observation, acceptance, work, zone)
        case Refused(vanished=False) as refused if snapshot.state.hosted_zone_id:
            return _beyond_reach(snapshot, observation, acceptance, work, refused)
        case _:
            return _release(snapshot, observation, acceptance, work)


def _may_appear_until(snapshot: Snapshot, observation: Observation) -> datetime | None:
    """Return until when a hosted zone may turn up that was created without an answer; None when it is sure not to."""
    tried_at = observation.zone.tried_at
    if snapshot.state.hosted_zone_id or tried_at is None:
        return None
    until = tried_at + snapshot.settings.unconfirmed_wait
    return until if until > snapshot.now else None


def _left_behind(snapshot: Snapshot) -> frozenset[ObjectKey]:
    """Return the items whose record sets were to go, of a hosted zone that cannot be worked on."""
    going = deletes_zones(snapshot)
    return frozenset(key for key in unmanaged.external_keys(snapshot) if going or snapshot.items[key].leaving)


def _beyond_reach(
    snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork, refused: Refused
) -> Plan:
    """Let go of a hosted zone that is not this unit's to work on, unless something stands in it that was to go."""
    left = _left_behind(snapshot)
    if not left:
        return _release(snapshot, observation, acceptance, work, _retained(snapshot))
    work.items.update(unmanaged.without_zone(snapshot, refused.verdict, nothing_there=False))
    message = (
        f"{refused.verdict.message} {len(left)} record sets of this Zone stand in it and cannot be deleted from here. "
        f"{_BY_HAND}"
    )
    programmed = zone_unprogrammed(snapshot, refused.verdict.reason, message)
    return assemble(snapshot, observation, _outcome(snapshot, acceptance, programmed), work)


def _clean_zone(
    snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork, zone: HostedZone
) -> Plan:
    deletes = deletes_zones(snapshot)
    leaving = _ours(snapshot) if deletes else frozenset[ObjectKey]()
    if leaving or any(item.leaving for item in snapshot.items.values()):
        work_on_records(snapshot, observation, work, serving=False, leaving=leaving, exempt=deletes)
    if work.open_removals or work.actions:
        message = "The record sets are being deleted before the hosted zone."
        return _waiting(snapshot, observation, acceptance, work, message)
    if not deletes:
        return _release(snapshot, observation, acceptance, work, _retained(snapshot))
    if paused(snapshot):
        return _waiting(snapshot, observation, acceptance, work, "The zone is paused: its deletion waits.")
    if observation.writing is not None:
        programmed = zone_failed(snapshot, observation.writing)
        return assemble(snapshot, observation, _outcome(snapshot, acceptance, programmed), work)
    change = work.state.pending_hosted_zone_change
    if change is None or change.operation != DELETE:
        work.actions.append(DeleteHostedZone(zone.id))
    return _waiting(snapshot, observation, acceptance, work, f"Hosted zone {zone.id} is being deleted.")


def _ours(snapshot: Snapshot) -> frozenset[ObjectKey]:
    intended = {affected.key for _, affected in snapshot.state.intents()}
    return frozenset(key for key, item in snapshot.items.items() if item.facts.mark is not None or key in intended)


def _is_deleted(snapshot: Snapshot, observation: Observation) -> bool:
    """Whether a deletion that was accepted is over."""
    change = snapshot.state.pending_hosted_zone_change
    if change is None or change.operation != DELETE:
        return False
    return observation.zone_change_settled or observation.zone.missing == snapshot.state.hosted_zone_id


def _blocked(snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork) -> Plan:
    """Say what is missing; whatever exists at Route 53 stays until it is back, or until our finalizer is removed."""
    work.items.update(unmanaged.without_service(snapshot, acceptance))
    verdict = acceptance.programmed or acceptance.accepted
    zone = snapshot.state.hosted_zone_id or "that may have been created"
    message = f"Hosted zone {zone} cannot be cleaned up: {verdict.message} {_BY_HAND}"
    reason = acceptance.programmed.reason if acceptance.programmed else Reason.RECONCILE_ERROR
    outcome = _outcome(snapshot, acceptance, zone_unprogrammed(snapshot, reason, message))
    return assemble(snapshot, observation, outcome, work)


def _waiting(
    snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork, message: str
) -> Plan:
    programmed = zone_unprogrammed(snapshot, Reason.PROVIDER_CHANGE_PENDING, message)
    if observation.reading is not None:
        programmed = zone_failed(snapshot, observation.reading) or programmed
    told = with_held(programmed, work.held)
    return assemble(snapshot, observation, _outcome(snapshot, acceptance, told), work)


def _release(
    snapshot: Snapshot,
    observation: Observation,
    acceptance: Acceptance,
    work: ZoneWork,
    notice: Notice | None = None,
) -> Plan:
    work.items.update(unmanaged.without_zone(snapshot, acceptance.accepted, nothing_there=True))
    work.actions.append(Release())
    if notice is not None:
        work.notices.append(notice)
    return assemble(snapshot, observation, _outcome(snapshot, acceptance, None), work)


def _outcome(snapshot: Snapshot, acceptance: Acceptance, programmed: Fact | None) -> ZoneOutcome:
    return ZoneOutcome(zone_fact(snapshot, acceptance.accepted), programmed)


def _deletion_in_sync(snapshot: Snapshot) -> Iterator[Notice]:
    change = snapshot.state.pending_hosted_zone_change
    if change is not None:
        note = f"Change {change.id} (DELETE) of hosted zone {snapshot.state.hosted_zone_id} is in sync."
        yield zone_notice(snapshot, "Route53HostedZoneChangeInSync", note, "AwaitChange")


def _deleted(snapshot: Snapshot) -> Notice:
    note = f"Hosted zone {snapshot.state.hosted_zone_id} of {snapshot.unit.spec.zone.domain_name} was deleted."
    return zone_notice(snapshot, "ExternalResourceDeleted", note, "DeleteHostedZone")


def _retained(snapshot: Snapshot) -> Notice:
    note = f"Hosted zone {snapshot.state.hosted_zone_id} of {snapshot.unit.spec.zone.domain_name} was retained."
    return zone_notice(snapshot, "ExternalResourceRetained", note, "RetainHostedZone")
