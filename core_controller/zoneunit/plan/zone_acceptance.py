"""Whether core accepts a Zone: an ordered chain of small checks, the first finding decides (core seed, Zone)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core_controller.zoneunit.plan.conversions import conversion_verdict
from core_controller.zoneunit.snapshot import UnitSnapshot
from libdnsapi.api.conditions import ConditionType, Verdict, find_condition
from libdnsapi.api.dns.references import FullRef, LocalRef
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneTarget, ZoneUnit
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import accepted, refused, undecided
from libdnsapi.contract.conversion import Converted
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract
from libdnsapi.dns.names import domain_name_problem, is_subdomain
from libdnsapi.dns.problems import Problem


@dataclass(frozen=True, slots=True)
class ZoneCheck:
    """What the checks look at; `zone_class` and `contract` are resolved once the first checks have passed."""

    snapshot: UnitSnapshot
    zone: Zone

    @property
    def zone_class(self) -> ZoneClass:
        """The resolved class."""
        assert self.snapshot.zone_class is not None  # noqa: S101 - the chain checks it first
        return self.snapshot.zone_class


def accept_zone(snapshot: UnitSnapshot, zone: Zone) -> Verdict:
    """Return core's own verdict on the Zone; the provider's is composed with it later."""
    check = ZoneCheck(snapshot, zone)
    for step in ZONE_CHECKS:
        finding = step(check)
        if finding is not None:
            return finding
    return accepted(f"Zone {zone.spec.domain_name} was accepted by ZoneClass {check.zone_class.key}.")


def zone_target(snapshot: UnitSnapshot, zone: Zone) -> ZoneTarget:
    """Return the desired state of an accepted Zone; its payload must have been converted."""
    payload = snapshot.zone_conversion.payload if isinstance(snapshot.zone_conversion, Converted) else {}
    adoption = payload.get("adoption")
    class_key = zone.class_key
    return ZoneTarget(
        ref=FullRef(namespace=zone.metadata.namespace, name=zone.metadata.name),
        observed_generation=zone.metadata.generation,
        domain_name=zone.spec.domain_name,
        zone_class_ref=FullRef(namespace=class_key.namespace, name=class_key.name),
        adoption=adoption if isinstance(adoption, dict) else None,
    )


def _reference_is_legal(check: ZoneCheck) -> Verdict | None:
    if check.zone.spec.zone_class_ref.is_legal:
        return None
    return refused(Reason.INVALID_ZONE_CLASS_REF, "spec.zoneClassRef is not a legal object name.")


def _domain_is_canonical(check: ZoneCheck) -> Verdict | None:
    """Refuse what the definition refuses too: past both, two spellings of one zone would be two zones."""
    problem = domain_name_problem(check.zone.spec.domain_name)
    return refused(Reason.DENIED_BY_POLICY, f"spec.domainName: {problem}") if problem else None


def _class_exists(check: ZoneCheck) -> Verdict | None:
    if check.snapshot.zone_class is not None:
        return None
    hint = default_hint(check.zone.spec.zone_class_ref, "spec.zoneClassRef")
    return undecided(Reason.ZONE_CLASS_NOT_RESOLVED, f"ZoneClass {check.zone.class_key} is not found.{hint}")


def default_hint(reference: LocalRef, path: str) -> str:
    """Return where a reference without a namespace is looked up: whoever leaves it out may not know."""
    return "" if reference.namespace is not None else f" ({path}.namespace is omitted, so it is looked for here.)"


def _class_stays(check: ZoneCheck) -> Verdict | None:
    """Let no new Zone hold on to a class that only stays for the cleanup of others."""
    zone_class = check.zone_class
    if not zone_class.metadata.deleting or check.snapshot.unit is not None:
        return None
    return refused(Reason.ZONE_CLASS_NOT_ACCEPTED, f"ZoneClass {zone_class.key} is being deleted.")


def _provider_matches(check: ZoneCheck) -> Verdict | None:
    mine, theirs = check.zone.spec.provider.name, check.zone_class.spec.provider.name
    if mine == theirs:
        return None
    return refused(
        Reason.PROVIDER_MISMATCH,
        f"spec.provider.name is {mine}, but ZoneClass {check.zone_class.key} is of Provider {theirs}.",
    )


def _class_allows_namespace(check: ZoneCheck) -> Verdict | None:
    labels, namespace = check.snapshot.zone_namespace_labels, check.zone.metadata.namespace
    if check.zone_class.allows_namespace(namespace, labels):
        return None
    if labels is None and check.zone_class.spec.allowed_zones.namespaces.from_ == "Selector":
        return undecided(Reason.RECONCILING, f"Namespace {namespace} is not seen yet.")
    return refused(
        Reason.NOT_ALLOWED_BY_ZONE_CLASS,
        f"ZoneClass {check.zone_class.key} does not allow Zones of namespace {namespace}.",
    )


def _class_allows_domain(check: ZoneCheck) -> Verdict | None:
    suffixes = check.zone_class.spec.allowed_zones.domain_names
    domain = check.zone.spec.domain_name
    if suffixes is None or any(is_subdomain(domain, suffix) for suffix in suffixes):
        return None
    return refused(
        Reason.NOT_ALLOWED_BY_ZONE_CLASS, f"ZoneClass {check.zone_class.key} does not serve the domain {domain}."
    )


def _class_is_accepted(check: ZoneCheck) -> Verdict | None:
    zone_class = check.zone_class
    condition = find_condition(zone_class.status.conditions, ConditionType.ACCEPTED)
    if condition is not None and condition.is_true:
        return None  # also while a newer generation is being looked at: the provider checks again before it acts
    if condition is None or (condition.observed_generation or 0) < zone_class.metadata.generation:
        name = zone_class.spec.controller_name
        return undecided(
            Reason.RECONCILING, f"ZoneClass {zone_class.key} has not been looked at by its controller {name} yet."
        )
    if condition.is_false:
        return refused(
            Reason.ZONE_CLASS_NOT_ACCEPTED, f"ZoneClass {zone_class.key} is not usable ({condition.reason})."
        )
    return _undecided_class(zone_class, condition.reason)


def _undecided_class(zone_class: ZoneClass, reason: str) -> Verdict:
    known = {Reason.IDENTITY_NOT_RESOLVED, Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED}
    return undecided(
        Reason(reason) if reason in known else Reason.RECONCILING,
        f"ZoneClass {zone_class.key} is not decided yet ({reason}).",
    )


def _version_is_usable(check: ZoneCheck) -> Verdict | None:
    return version_verdict(check.snapshot.contract, check.zone.spec.provider.version, "Zone")


def _storage_is_the_units(check: ZoneCheck) -> Verdict | None:
    unit, contract = check.snapshot.unit, check.snapshot.contract
    if unit is None or contract is None or contract.storage is None:
        return None
    if unit.spec.provider.name == contract.provider.metadata.name and (
        unit.spec.provider.version == contract.storage.name
    ):
        return None
    return undecided(
        Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED,
        f"The ZoneUnit is kept in {unit.spec.provider}, which is not the Provider's storage version.",
    )


def keeps(unit: ZoneUnit, zone: Zone) -> bool:
    """Whether a ledger is kept for this very Zone: its domain, in its class, both of which never change.

    Another Zone of that name may have left it behind, or it was applied for one that has not come back yet.
    """
    target = unit.spec.zone
    return target.zone_class_ref.key == zone.class_key and target.domain_name == zone.spec.domain_name


def _ledger_is_of_this_zone(check: ZoneCheck) -> Verdict | None:
    """Refuse to turn over a ledger that is kept for another Zone."""
    unit, zone = check.snapshot.unit, check.zone
    if unit is None or keeps(unit, zone):
        return None
    target = unit.spec.zone
    theirs, mine = f"ZoneClass {target.zone_class_ref.key}", f"{check.zone_class.key}"
    if target.domain_name != zone.spec.domain_name:
        theirs, mine = f"the domain {target.domain_name}", zone.spec.domain_name
    return undecided(
        Reason.OWNER_STATE_NOT_RESOLVED,
        f"ZoneUnit {unit.key} is kept for {theirs}, not {mine}. Delete this Zone, which leaves the ledger and what it "
        "stands for as they are; then create the Zone that it is kept for, or delete that ZoneUnit.",
    )


def _rules_hold(check: ZoneCheck) -> Verdict | None:
    """Admission checks the rules too; here they hold for what was stored while the webhook was away.

    What stands in the ledger was checked before; rules that a Provider has got since do not evict it.
    """
    snapshot, zone, contract = check.snapshot, check.zone, check.snapshot.contract
    if snapshot.unit is not None and snapshot.unit.spec.zone == zone_target(snapshot, zone):
        return None
    version = contract.version(zone.spec.provider.version) if contract is not None else None
    problems = version.rule_problems(Target.ZONE, zone.to_json()) if version is not None else ()
    return refused(Reason.DENIED_BY_POLICY, first_problems(problems)) if problems else None


def first_problems(problems: Sequence[Problem]) -> str:
    """Return the first findings as one message."""
    return "; ".join(str(problem) if problem.path else problem.message for problem in problems[:5])


def _payload_is_converted(check: ZoneCheck) -> Verdict | None:
    return conversion_verdict(check.snapshot.zone_conversion)


def version_verdict(contract: Contract | None, name: str, target: str) -> Verdict | None:
    """Return why a Provider version cannot be used for a target kind, or None when it can."""
    not_resolved = Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED
    if contract is None:
        return undecided(not_resolved, "The Provider is not found; it may still be installed.")
    provider = contract.provider.metadata.name
    version = contract.version(name)
    if version is None or not version.served:
        return undecided(not_resolved, f"Version {name} of Provider {provider} is not served.")
    if contract.storage is None:
        return undecided(not_resolved, f"Provider {provider} has no storage version.")
    supported = version.has_zone if target == "Zone" else version.has_record_set
    if not supported:
        return refused(Reason.INVALID_PROVIDER, f"Version {name} of Provider {provider} does not support {target}s.")
    return None


ZONE_CHECKS: tuple[Callable[[ZoneCheck], Verdict | None], ...] = (
    _reference_is_legal,
    _class_exists,
    _provider_matches,
    _class_allows_namespace,
    _class_stays,
    _domain_is_canonical,
    _class_allows_domain,
    _version_is_usable,
    _class_is_accepted,
    _storage_is_the_units,
    _ledger_is_of_this_zone,
    _payload_is_converted,
    _rules_hold,
)
