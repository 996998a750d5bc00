"""ZoneUnitSlice (beyond-the-seeds 1 and 12)."""

from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from webhook.answer import ALLOWED, Answer
from webhook.review import Review
from webhook.validators import shape, statuses
from webhook.validators.immutability import immutable_problems
from webhook.validators.items import enough, item_problems, item_status_problems
from webhook.validators.references import reference_problems
from webhook.validators.snapshot import Snapshot
from webhook.validators.writers import ledger_deletion, writer_refusal


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited slice: first the writer, then the content."""
    refusal = writer_refusal(review, snapshot)
    if refusal is not None or not review.changes("spec"):
        return refusal or ALLOWED
    slice_ = shape.read(ZoneUnitSlice, review.object, bulky=review.bulky)
    if isinstance(slice_, tuple):
        return Answer(slice_)
    problems = enough(
        immutable_problems(review, "zoneUnitRef"),
        reference_problems("spec.zoneUnitRef", slice_.spec.zone_unit_ref),
        item_problems(slice_.spec.record_sets, review.old),
    )
    return Answer(problems)


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check the status that a provider controller wrote; the ZoneUnit says which Provider that is."""
    refusal = writer_refusal(review, snapshot)
    if refusal is not None:
        return refusal
    slice_ = shape.read(ZoneUnitSlice, review.object, bulky=review.bulky)
    if isinstance(slice_, tuple):
        return Answer(slice_)
    status, generation = slice_.status, slice_.metadata.generation
    reference = None if snapshot.unit is None else snapshot.unit.spec.provider
    contract = None if reference is None else snapshot.contracts.get(reference.name)
    declared = "" if reference is None else reference.version
    problems = enough(
        statuses.generation_problems("status", status.observed_generation, generation),
        item_status_problems(status.record_sets, contract, declared),
    )
    return Answer(problems)


def validate_delete(review: Review, snapshot: Snapshot) -> Answer:
    """Refuse deletion by hand while the ZoneUnit lives and is not being deleted."""
    instead = "its record sets leave with their RecordSets"
    return ledger_deletion(review, snapshot, "ZoneUnitSlice", "ZoneUnit", instead)
