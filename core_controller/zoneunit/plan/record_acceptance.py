"""Whether core accepts a RecordSet, ownership apart: an ordered chain, the first finding decides.

Source: core seed, allowedRecordSets and RecordSet. Policy is looked at before anything that could tell whose
name it is.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core_controller.zoneunit.plan.conversions import conversion_verdict
from core_controller.zoneunit.plan.zone_acceptance import default_hint, first_problems, keeps, version_verdict
from core_controller.zoneunit.snapshot import ClaimFacts, UnitSnapshot
from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.reasons import RECORD_SET_REASONS, Reason
from libdnsapi.api.verdicts import refused, undecided
from libdnsapi.contract.targets import Target
from libdnsapi.dns.names import fqdn_problem, record_name_problem
from libdnsapi.dns.policy import policy_refusal
from libdnsapi.dns.records import content_problems


@dataclass(frozen=True, slots=True)
class ZoneVerdicts:
    """The Zone's Accepted: what core says, and what comes of it with the provider's verdict."""

    core: Verdict
    composed: Verdict


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """What the checks look at."""

    snapshot: UnitSnapshot
    zone: ZoneVerdicts
    facts: ClaimFacts
    stands: bool = False
    """Whether the claim's item is in the ledger, just as the claim asks for it."""

    @property
    def claim(self) -> RecordSet:
        """The claim."""
        return self.facts.claim


def record_verdict(
    snapshot: UnitSnapshot, zone: ZoneVerdicts, facts: ClaimFacts, *, stands: bool = False
) -> Verdict | None:
    """Return why core does not accept a claim now, or None: then only ownership decides."""
    check = RecordCheck(snapshot, zone, facts, stands)
    for step in RECORD_CHECKS:
        finding = step(check)
        if finding is not None:
            return finding
    return None


def rules_verdict(snapshot: UnitSnapshot, facts: ClaimFacts) -> Verdict | None:
    """Return what the Provider's own rules say about a claim that is new or was edited, or None.

    Admission evaluates them too; here they hold for what was stored while the webhook was away. An item that stands in
    the ledger as it is was looked at before, which keeps rules out of the steady state.
    """
    contract, claim = snapshot.contract, facts.claim
    version = contract.version(claim.spec.provider.version) if contract is not None else None
    problems = version.rule_problems(Target.RECORD_SET, claim.to_json()) if version is not None else ()
    return refused(Reason.DENIED_BY_POLICY, first_problems(problems)) if problems else None


def zone_refuses(snapshot: UnitSnapshot, facts: ClaimFacts) -> bool:
    """Whether `allowedRecordSets` refuses a claim, whatever else is in its way; not while its namespace is unknown.

    What an owner withdraws is withdrawn at once, also while the Zone is in trouble; but a Zone withdraws nothing in a
    ledger that is kept for another one.
    """
    zone, unit, labels = snapshot.zone, snapshot.unit, facts.namespace_labels
    if zone is None or (unit is not None and not keeps(unit, zone)):
        return False
    return labels is not None and _policy_refusal(zone, facts) is not None


def _policy_refusal(zone: Zone, facts: ClaimFacts) -> str | None:
    """Return the seed's message if `allowedRecordSets` refuses a claim of another namespace than the Zone's."""
    claim = facts.claim
    if claim.metadata.namespace == zone.metadata.namespace:
        return None
    rules = zone.spec.allowed_record_sets or ()
    return policy_refusal(rules, facts.namespace_labels, claim.spec.name, claim.spec.type)


def _reference_is_legal(check: RecordCheck) -> Verdict | None:
    if check.claim.spec.zone_ref.is_legal:
        return None
    return refused(Reason.INVALID_ZONE_REF, "spec.zoneRef is not a legal object name.")


def _zone_exists(check: RecordCheck) -> Verdict | None:
    if check.snapshot.zone is not None:
        return None
    hint = default_hint(check.claim.spec.zone_ref, "spec.zoneRef")
    return undecided(Reason.ZONE_NOT_RESOLVED, f"Zone {check.claim.zone_key} is not found.{hint}")


def _zone_stays(check: RecordCheck) -> Verdict | None:
    zone = check.snapshot.zone
    if zone is None or not zone.metadata.deleting or check.facts.placed:
        return None
    return refused(Reason.ZONE_NOT_ACCEPTED, f"Zone {zone.key} is being deleted.")


def _zone_is_accepted(check: RecordCheck) -> Verdict | None:
    verdict, key = check.zone.composed, check.claim.zone_key
    if verdict.status is ConditionStatus.FALSE:
        return refused(Reason.ZONE_NOT_ACCEPTED, f"Zone {key} is not accepted ({verdict.reason}).")
    if check.zone.core.is_true and (verdict.is_true or verdict.reason == Reason.RECONCILING):
        return None  # where the provider has not spoken yet: the ledger is how it learns
    known = RECORD_SET_REASONS[ConditionType.ACCEPTED][ConditionStatus.UNKNOWN]
    reason = Reason(verdict.reason) if verdict.reason in known else Reason.RECONCILING
    return undecided(reason, f"Zone {key} is not decided yet ({verdict.reason}).")


def _provider_matches(check: RecordCheck) -> Verdict | None:
    zone_class, mine = check.snapshot.zone_class, check.claim.spec.provider.name
    if zone_class is None or mine == zone_class.spec.provider.name:
        return None
    return refused(
        Reason.PROVIDER_MISMATCH,
        f"spec.provider.name is {mine}, but the Zone's class is of Provider {zone_class.spec.provider.name}.",
    )


def _zone_allows(check: RecordCheck) -> Verdict | None:
    zone, namespace = check.snapshot.zone, check.claim.metadata.namespace
    if zone is None:
        return None
    if check.facts.namespace_labels is None and namespace != zone.metadata.namespace:
        return undecided(Reason.RECONCILING, f"Namespace {namespace} is not seen yet.")
    finding = _policy_refusal(zone, check.facts)
    return refused(Reason.NOT_ALLOWED_BY_ZONE, finding) if finding else None


def _version_is_usable(check: RecordCheck) -> Verdict | None:
    return version_verdict(check.snapshot.contract, check.claim.spec.provider.version, "RecordSet")


def _type_is_supported(check: RecordCheck) -> Verdict | None:
    contract, spec = check.snapshot.contract, check.claim.spec
    version = contract.version(spec.provider.version) if contract is not None else None
    if version is None or spec.type in version.supported_types:
        return None
    return refused(
        Reason.INVALID_PROVIDER, f"Version {spec.provider} does not support record sets of type {spec.type.value}."
    )


def _name_is_canonical(check: RecordCheck) -> Verdict | None:
    """Admission checks this too; past it, two spellings of one name would have two owners."""
    problem = record_name_problem(check.claim.spec.name, check.claim.spec.type)
    return refused(Reason.DENIED_BY_POLICY, f"spec.name: {problem}") if problem else None


def _content_is_valid(check: RecordCheck) -> Verdict | None:
    """Admission checks this too; here it holds for what was stored while the webhook was away.

    What stands in the ledger was checked before: a release that is stricter says nothing of what is served on.
    """
    spec = check.claim.spec
    if check.stands or not content_problems(spec.name, spec.type, spec):
        return None
    contract = check.snapshot.contract
    version = contract.version(spec.provider.version) if contract is not None else None
    disabled = version.disabled_validations(check.claim.to_json()) if version is not None else frozenset[str]()
    problems = content_problems(spec.name, spec.type, spec, disabled)
    if not problems:
        return None
    return refused(Reason.DENIED_BY_POLICY, first_problems([problem.at("spec") for problem in problems]))


def _payload_is_converted(check: RecordCheck) -> Verdict | None:
    return conversion_verdict(check.facts.conversion)


def _name_fits(check: RecordCheck) -> Verdict | None:
    zone = check.snapshot.zone
    problem = fqdn_problem(check.claim.spec.name, zone.spec.domain_name) if zone is not None else None
    return refused(Reason.DENIED_BY_POLICY, f"spec.name: {problem}") if problem else None


RECORD_CHECKS: tuple[Callable[[RecordCheck], Verdict | None], ...] = (
    _reference_is_legal,
    _zone_exists,
    _zone_stays,
    _zone_is_accepted,
    _provider_matches,
    _zone_allows,
    _version_is_usable,
    _type_is_supported,
    _name_is_canonical,
    _payload_is_converted,
    _content_is_valid,
    _name_fits,
)
