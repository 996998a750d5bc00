"""Zone (core seed, Zone: domainName, allowedRecordSets, Zone Status)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zone import AllowedRecords, AllowedRecordSetsRule, Zone, ZoneSpec
from libdnsapi.api.reasons import ZONE_REASONS
from libdnsapi.contract.cel.engine import Deadline
from libdnsapi.contract.targets import Target
from libdnsapi.dns.names import domain_name_problem
from libdnsapi.dns.patterns import pattern_problem
from libdnsapi.dns.problems import Problem
from webhook.answer import Answer
from webhook.review import Review
from webhook.validators import payload, shape, statuses
from webhook.validators.immutability import immutable_problems
from webhook.validators.providers import declared_version
from webhook.validators.references import reference_problems
from webhook.validators.selectors import selector_problems
from webhook.validators.snapshot import Snapshot

_KNOWN_TYPES = frozenset(t.value for t in RecordType)
"""No Provider can add to these: its supportedTypes are a subset (provider-contract, Provider)."""
MAX_ENTRIES = 1000
"""Entries of records in all rules of one Zone: each is an expression that every foreign claim is held against."""


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited Zone by itself; its ZoneClass is core's business."""
    zone = shape.read(Zone, review.object, bulky=review.bulky)
    if isinstance(zone, tuple):
        return Answer(zone)
    declared = declared_version(zone.spec.provider, Target.ZONE, snapshot)
    problems = (
        *immutable_problems(review, "domainName", "zoneClassRef", "provider"),
        *_domain_name_problems(zone.spec.domain_name),
        *reference_problems("spec.zoneClassRef", zone.spec.zone_class_ref),
        *declared.problems,
        *_allowed_record_sets_problems(zone.spec.allowed_record_sets or (), snapshot.deadline),
        *payload.payload_problems(declared.version, Target.ZONE, review.object, snapshot.deadline),
    )
    return Answer(problems, (*declared.warnings, *_warnings(zone.spec)))


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check a Zone's status."""
    zone = shape.read(Zone, review.object, bulky=review.bulky)
    if isinstance(zone, tuple):
        return Answer(zone)
    status, generation, reference = zone.status, zone.metadata.generation, zone.spec.provider
    contract = snapshot.contracts.get(reference.name)
    adds = statuses.additional_reasons(contract, Target.ZONE, reference.version)
    return Answer(
        (
            *statuses.generation_problems("status", status.observed_generation, generation),
            *statuses.condition_problems("status", status.conditions, ZONE_REASONS, generation, adds),
            *statuses.name_server_problems("status", status.name_servers),
            *statuses.data_problems("status", status.provider, Target.ZONE, contract),
        )
    )


def _warnings(spec: ZoneSpec) -> Iterator[str]:
    """Yield what is allowed and hardly meant: patterns of full names."""
    for position, rule in enumerate(spec.allowed_record_sets or ()):
        for number, records in enumerate(rule.records):
            if records.name.pattern.replace("\\", "").rstrip("$").endswith(f".{spec.domain_name}"):
                full = f"www.{spec.domain_name}"
                path = f"spec.allowedRecordSets[{position}].records[{number}].name.pattern"
                yield f"{path} ends with the Zone's domain; patterns see relative names: www, not {full}"


def _domain_name_problems(domain: str) -> Iterator[Problem]:
    if wrong := domain_name_problem(domain):
        yield Problem("spec.domainName", wrong)


def _allowed_record_sets_problems(rules: tuple[AllowedRecordSetsRule, ...], deadline: Deadline) -> Iterator[Problem]:
    entries = sum(len(rule.records) for rule in rules)
    if entries > MAX_ENTRIES:
        yield Problem(
            "spec.allowedRecordSets", f"must have at most {MAX_ENTRIES} records entries in all, has {entries}"
        )
        return
    for position, rule in enumerate(rules):
        path = f"spec.allowedRecordSets[{position}]"
        selector = rule.namespaces.selector
        if selector.is_empty:
            text = "must not be empty: a zone cannot be opened to all namespaces, select them by a label"
            yield Problem(f"{path}.namespaces.selector", text)
        yield from selector_problems(f"{path}.namespaces.selector", selector)
        for number, records in enumerate(rule.records):
            yield from _records_problems(f"{path}.records[{number}]", records, deadline)


def _records_problems(path: str, records: AllowedRecords, deadline: Deadline) -> Iterator[Problem]:
    if deadline():
        yield Problem(f"{path}.name.pattern", "cannot be checked in time: the patterns of this Zone are too costly")
    elif wrong := pattern_problem(records.name.pattern):
        yield Problem(f"{path}.name.pattern", wrong)
    for position, name in enumerate(records.types):
        if name not in _KNOWN_TYPES:
            known = ", ".join(RecordType)
            yield Problem(f"{path}.types[{position}]", f'"{name}" is no record type; write one of {known}')
