"""ZoneUnit (core seed, ZoneUnit; beyond-the-seeds 12)."""

from collections.abc import Iterator

from libdnsapi.api.dns.zoneunit import ZoneUnit, ZoneUnitStatus
from libdnsapi.api.reasons import ZONE_REASONS, ZONE_UNIT_REASONS
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract
from libdnsapi.dns.names import domain_name_problem
from libdnsapi.dns.problems import Problem
from webhook.answer import ALLOWED, Answer
from webhook.documents import text_at
from webhook.review import Review
from webhook.validators import shape, statuses
from webhook.validators.immutability import immutable_problems
from webhook.validators.items import enough, item_problems, item_status_problems
from webhook.validators.providers import stored_version
from webhook.validators.references import reference_problems
from webhook.validators.snapshot import Snapshot
from webhook.validators.writers import ledger_deletion, writer_refusal


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited ZoneUnit: first the writer, then the content."""
    refusal = writer_refusal(review, snapshot)
    if refusal is not None or not review.changes("spec"):
        return refusal or ALLOWED
    unit = shape.read(ZoneUnit, review.object, bulky=review.bulky)
    if isinstance(unit, tuple):
        return Answer(unit)
    problems = enough(
        immutable_problems(review, "provider"),
        stored_version(unit.spec.provider, snapshot).problems,
        _zone_problems(review, unit),
        item_problems(unit.spec.record_sets, review.old),
    )
    return Answer(problems)


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check the status that a provider controller wrote: of the unit, of the zone and of every record set."""
    refusal = writer_refusal(review, snapshot)
    if refusal is not None:
        return refusal
    unit = shape.read(ZoneUnit, review.object, bulky=review.bulky)
    if isinstance(unit, tuple):
        return Answer(unit)
    reference = unit.spec.provider
    contract = snapshot.contracts.get(reference.name)
    problems = enough(
        statuses.generation_problems("status", unit.status.observed_generation, unit.metadata.generation),
        statuses.condition_problems("status", unit.status.conditions, ZONE_UNIT_REASONS, unit.metadata.generation),
        _zone_status_problems(unit.status, contract, reference.version),
        item_status_problems(unit.status.record_sets, contract, reference.version),
    )
    return Answer(problems)


def validate_delete(review: Review, snapshot: Snapshot) -> Answer:
    """Refuse deletion by hand while the owning Zone lives: deletion is the provider's signal to clean up."""
    return ledger_deletion(review, snapshot, "ZoneUnit", "Zone", "delete the Zone instead")


def _zone_problems(review: Review, unit: ZoneUnit) -> Iterator[Problem]:
    zone, path = unit.spec.zone, "spec.zone"
    yield from reference_problems(f"{path}.ref", zone.ref)
    yield from reference_problems(f"{path}.zoneClassRef", zone.zone_class_ref)
    name = review.name or unit.metadata.name
    if zone.ref.namespace != review.namespace:
        yield Problem(f"{path}.ref.namespace", f'must be the ZoneUnit\'s own namespace "{review.namespace}"')
    if zone.ref.name != name:
        yield Problem(f"{path}.ref.name", f'must be the ZoneUnit\'s own name "{name}"')
    # What was let in by an earlier version stays editable: else nothing of it could ever leave.
    stored = text_at(review.old, "spec", "zone", "domainName") == zone.domain_name
    if not stored and (wrong := domain_name_problem(zone.domain_name)):
        yield Problem(f"{path}.domainName", wrong)


def _zone_status_problems(status: ZoneUnitStatus, contract: Contract | None, declared: str) -> Iterator[Problem]:
    if status.zone is None:
        return
    path = "status.zone"
    adds = statuses.additional_reasons(contract, Target.ZONE, declared)
    yield from statuses.condition_problems(path, status.zone.conditions, ZONE_REASONS, None, adds)
    yield from statuses.name_server_problems(path, status.zone.name_servers)
    yield from statuses.data_problems(path, status.zone.provider, Target.ZONE, contract)
