"""The whole of a pass's decision: from a snapshot and an observation to a plan.

Acceptance first, then the hosted zone, then what is in it; each stage that cannot go on says so on the zone and on
every record set.
"""

from libdnsapi.api.conditions import ConditionStatus, ConditionType
from libdnsapi.api.reasons import Reason
from route53_controller.aws.api import HostedZone
from route53_controller.failures import consequence, failure_message
from route53_controller.zoneunit.plan import unmanaged
from route53_controller.zoneunit.plan.acceptance import Acceptance, Service, accept, own_account
from route53_controller.zoneunit.plan.actions import CreateHostedZone, Notice, Plan, ZoneOutcome
from route53_controller.zoneunit.plan.assembly import (
    assemble,
    with_held,
    zone_fact,
    zone_failed,
    zone_programmed,
    zone_unprogrammed,
)
from route53_controller.zoneunit.plan.cleanup import clean_up, deletes_zones, waits_for_claims
from route53_controller.zoneunit.plan.hosted_zone import (
    CreateZone,
    ForgetZone,
    GetZone,
    ListZones,
    Managed,
    Refused,
    StoreReference,
    TakeZone,
    Write,
    zone_step,
)
from route53_controller.zoneunit.plan.managed import work_on_records, work_on_tags
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.plan.work import ZoneWork, override_live, paused, zone_notice
from route53_controller.zoneunit.snapshot import Fact, Observation, Snapshot
from route53_controller.zoneunit.state import PendingZoneChange


def make_plan(snapshot: Snapshot, observation: Observation) -> Plan:
    """Return what this round does."""
    acceptance = accept(snapshot)
    work = ZoneWork(snapshot.state, {}, [], [])
    if snapshot.unit.metadata.deleting and not waits_for_claims(snapshot):
        return clean_up(snapshot, observation, acceptance, work)
    accepted = zone_fact(snapshot, acceptance.accepted)
    if acceptance.service is Service.NOTHING:
        work.items.update(unmanaged.without_service(snapshot, acceptance))
        programmed = zone_fact(snapshot, acceptance.programmed) if acceptance.programmed else None
        return assemble(snapshot, observation, ZoneOutcome(accepted, programmed), work)
    if acceptance.service is Service.CLEANUP and not snapshot.state.hosted_zone_id:
        work.items.update(unmanaged.without_zone(snapshot, acceptance.accepted, nothing_there=True))
        return assemble(snapshot, observation, ZoneOutcome(accepted), work)
    return _with_zone(snapshot, observation, acceptance, work)


def _with_zone(snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork) -> Plan:
    accepted = zone_fact(snapshot, acceptance.accepted)
    match zone_step(snapshot, observation.zone):
        case Managed(zone=zone):
            return _in_zone(snapshot, observation, acceptance, work, zone)
        case Refused() as refused:
            return _refused(snapshot, observation, accepted, work, refused)
        case GetZone() | ListZones():
            hold = observation.reading
            work.items.update(unmanaged.unread(snapshot, hold))
            programmed = zone_failed(snapshot, hold) if hold else _known_or_unknown(snapshot)
            return assemble(snapshot, observation, ZoneOutcome(accepted, programmed), work)
        case (TakeZone() | StoreReference() | CreateZone() | ForgetZone()) as write:
            return _towards_zone(snapshot, observation, accepted, work, write)


def _refused(snapshot: Snapshot, observation: Observation, accepted: Fact, work: ZoneWork, refused: Refused) -> Plan:
    nothing_there = refused.vanished or not snapshot.state.hosted_zone_id
    work.items.update(unmanaged.without_zone(snapshot, refused.verdict, nothing_there=nothing_there))
    if refused.verdict.type == ConditionType.ACCEPTED:
        return assemble(snapshot, observation, ZoneOutcome(zone_fact(snapshot, refused.verdict)), work)
    programmed = zone_fact(snapshot, refused.verdict)
    return assemble(snapshot, observation, ZoneOutcome(accepted, programmed), work)


def _towards_zone(snapshot: Snapshot, observation: Observation, accepted: Fact, work: ZoneWork, write: Write) -> Plan:
    """Plan a step on the way to a hosted zone of our own; records wait for it."""
    if observation.writing is not None or (paused(snapshot) and not isinstance(write, TakeZone)):
        return _held_up(snapshot, observation, accepted, work)
    work.items.update(unmanaged.unread(snapshot, None))
    match write:
        case StoreReference(reference=reference):
            stored = {"caller_reference": reference, "account": own_account(snapshot)}
            work.state = work.state.model_copy(update=stored)
        case ForgetZone(token=token, reference=reference):
            forgotten = {"hosted_zone_id": "", "caller_reference": reference, "recreated_from": token, "tag_keys": ()}
            changes = {"pending_record_set_changes": (), "pending_hosted_zone_change": None}
            work.state = work.state.model_copy(update={**forgotten, **changes})
        case TakeZone(zone=zone, adopted=True):
            work.state = work.state.model_copy(update={"hosted_zone_id": zone.id})
            work.notices.append(_adopted(snapshot, zone))
        case TakeZone(zone=zone):
            creation = PendingZoneChange(operation="CREATE", submitted_at=snapshot.now)
            found = {"hosted_zone_id": zone.id, "pending_hosted_zone_change": creation}
            work.state = work.state.model_copy(update=found)
        case CreateZone(domain=domain, reference=reference):
            work.actions.append(CreateHostedZone(domain, reference))
    outcome = ZoneOutcome(accepted, _known_or_unknown(snapshot))
    return assemble(snapshot, observation, outcome, work, again=not work.actions)


def _held_up(snapshot: Snapshot, observation: Observation, accepted: Fact, work: ZoneWork) -> Plan:
    hold = observation.writing
    work.items.update(unmanaged.unread(snapshot, hold))
    if hold is not None:
        programmed: Fact | None = zone_failed(snapshot, hold)
    else:
        message = "The zone is paused: its hosted zone is not created."
        programmed = zone_unprogrammed(snapshot, Reason.PROVIDER_CHANGE_PENDING, message)
    return assemble(snapshot, observation, ZoneOutcome(accepted, programmed), work)


def _adopted(snapshot: Snapshot, zone: HostedZone) -> Notice:
    note = f"Hosted zone {zone.id} of {zone.name} is managed from now on."
    return zone_notice(snapshot, "ExternalResourceAdopted", note, "Adopt")


def _known_or_unknown(snapshot: Snapshot) -> Fact:
    message = "The hosted zone is being looked up or created."
    return Fact(ConditionStatus.UNKNOWN, Reason.RECONCILING, message, snapshot.zone_generation)


def _in_zone(
    snapshot: Snapshot, observation: Observation, acceptance: Acceptance, work: ZoneWork, zone: HostedZone
) -> Plan:
    """Plan tags and record sets of the hosted zone that is ours."""
    serving = acceptance.service is Service.FULL
    if not work.state.account:
        work.state = work.state.model_copy(update={"account": own_account(snapshot)})
    untagged = work_on_tags(snapshot, observation, work) if serving else None
    exempt = snapshot.zone_deleting and deletes_zones(snapshot)
    work_on_records(snapshot, observation, work, serving=serving, exempt=exempt)
    if not serving:
        override_live(snapshot, work, unmanaged.without_service(snapshot, acceptance))
    programmed = _zone_programmed(snapshot, observation, work, zone, untagged)
    outcome = ZoneOutcome(
        accepted=zone_fact(snapshot, acceptance.accepted),
        programmed=None if programmed is None else with_held(programmed, work.held),
        name_servers=zone.name_servers or None,
        hosted_zone_id=zone.id,
    )
    return assemble(snapshot, observation, outcome, work)


def _zone_programmed(
    snapshot: Snapshot, observation: Observation, work: ZoneWork, zone: HostedZone, untagged: Fact | None
) -> Fact | None:
    if snapshot.unit.metadata.deleting:
        message = "Deletion waits until the RecordSets of this zone are deleted."
        return zone_unprogrammed(snapshot, Reason.PROVIDER_CHANGE_PENDING, message)
    change = work.state.pending_hosted_zone_change
    if change is not None and (observation.zone_change_settled or _is_there(change, snapshot, observation, work)):
        work.state = work.state.model_copy(update={"pending_hosted_zone_change": None})
        which = f"Change {change.id} ({change.operation})" if change.id else "The creation"
        note = f"{which} of hosted zone {zone.id} is in sync."
        work.notices.append(zone_notice(snapshot, "Route53HostedZoneChangeInSync", note, "AwaitChange"))
    elif change is not None:
        message = f"Route 53 is propagating hosted zone {zone.id}."
        return zone_unprogrammed(snapshot, Reason.PROVIDER_CHANGE_PENDING, message)
    if untagged is not None:
        return untagged
    if observation.tagging is not None:
        message = f"The tags of hosted zone {zone.id} could not be set: {failure_message(observation.tagging.error)}"
        return zone_unprogrammed(snapshot, consequence(observation.tagging.error).reason, message)
    if observation.reading is not None:
        return zone_failed(snapshot, observation.reading)
    return zone_programmed(snapshot, zone)


def _is_there(change: PendingZoneChange, snapshot: Snapshot, observation: Observation, work: ZoneWork) -> bool:
    """Whether a hosted zone that was found again must have been propagated: its change cannot be asked about.

    A change within it that is in sync proves it; else the time that Route 53 takes has passed.
    """
    if change.id:
        return False
    within = snapshot.state.pending_record_set_changes
    if any(inner.id and inner.ref in observation.settled for inner in within):
        return True
    over_at = change.submitted_at + snapshot.settings.propagation
    if snapshot.now < over_at:
        work.wake_at = earliest(over_at, work.wake_at)
    return snapshot.now >= over_at
