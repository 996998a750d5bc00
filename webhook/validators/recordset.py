"""RecordSet (core seed, RecordSet and RecordSet Status)."""

import re
from collections.abc import Iterator

from libdnsapi.api.dns.recordset import RecordSet, RecordSetSpec
from libdnsapi.api.reasons import RECORD_SET_REASONS
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import VersionContract
from libdnsapi.dns.names import fqdn_problem, record_name_problem
from libdnsapi.dns.problems import Problem, all_at
from libdnsapi.dns.records import content_problems
from libdnsapi.dns.validations import RecordSetValidation
from webhook.answer import Answer
from webhook.review import Operation, Review
from webhook.validators import payload, shape, statuses
from webhook.validators.immutability import immutable_problems
from webhook.validators.policy import zone_refusal
from webhook.validators.providers import declared_version
from webhook.validators.references import reference_problems
from webhook.validators.snapshot import KnownRecordSet, Snapshot

ALL_VALIDATIONS = frozenset(v.value for v in RecordSetValidation)
KNOWN_CAA_TAGS = frozenset({"issue", "issuewild", "issuemail", "issuevmc", "iodef", "contactemail", "contactphone"})
"""Registered properties (IANA, Certification Authority Restriction Properties)."""
ESCAPED = re.compile(r'\\[;"]')
"""What zone files and tools that are near to them want escaped."""


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited RecordSet by itself; its Zone is core's business, but for the length of a full name."""
    record_set = shape.read(RecordSet, review.object, bulky=review.bulky)
    if isinstance(record_set, tuple):
        return Answer(record_set)
    spec = record_set.spec
    declared = declared_version(spec.provider, Target.RECORD_SET, snapshot)
    problems = (
        *immutable_problems(review, "zoneRef", "provider", "type", "name"),
        *reference_problems("spec.zoneRef", spec.zone_ref),
        *declared.problems,
        *_type_problems(spec, declared.version),
        *_name_problems(spec),
        *_length_problems(review, record_set, snapshot),
        *all_at("spec", content_problems(spec.name, spec.type, spec, _disabled(declared.version, review, snapshot))),
        *payload.payload_problems(declared.version, Target.RECORD_SET, review.object, snapshot.deadline),
    )
    return Answer(problems, (*declared.warnings, *_warnings(spec)))


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check a RecordSet's status."""
    record_set = shape.read(RecordSet, review.object, bulky=review.bulky)
    if isinstance(record_set, tuple):
        return Answer(record_set)
    status, generation, reference = record_set.status, record_set.metadata.generation, record_set.spec.provider
    contract = snapshot.contracts.get(reference.name)
    adds = statuses.additional_reasons(contract, Target.RECORD_SET, reference.version)
    return Answer(
        (
            *statuses.generation_problems("status", status.observed_generation, generation),
            *statuses.condition_problems("status", status.conditions, RECORD_SET_REASONS, generation, adds),
            *_zone_problems(record_set),
            *statuses.data_problems("status", status.provider, Target.RECORD_SET, contract),
        )
    )


def _disabled(version: VersionContract | None, review: Review, snapshot: Snapshot) -> frozenset[str]:
    """Return the validations that are off; without a version all that may be, since nobody knows."""
    if version is None:
        return ALL_VALIDATIONS
    return version.disabled_validations(review.object, snapshot.deadline)


def _type_problems(spec: RecordSetSpec, version: VersionContract | None) -> Iterator[Problem]:
    if version is not None and spec.type not in version.supported_types:
        supported = ", ".join(sorted(t.value for t in version.supported_types))
        yield Problem("spec.type", f"{spec.type} is not supported by Provider {spec.provider}; supported: {supported}")


def _name_problems(spec: RecordSetSpec) -> Iterator[Problem]:
    if wrong := record_name_problem(spec.name, spec.type):
        yield Problem("spec.name", wrong)


def _length_problems(review: Review, record_set: RecordSet, snapshot: Snapshot) -> Iterator[Problem]:
    """Refuse a new name that is too long in a Zone that is there already; case 81.

    Only where the Zone takes the claim: to others it says nothing, and a Zone that comes later is core's to judge.
    """
    spec, zone = record_set.spec, snapshot.zone
    if zone is None or review.operation is not Operation.CREATE:
        return
    wrong = fqdn_problem(spec.name, zone.spec.domain_name)
    known = KnownRecordSet(review.key, record_set.zone_key, spec.name, spec.type)
    if wrong and zone_refusal(zone, known, snapshot) is None:
        yield Problem("spec.name", wrong)


def _zone_problems(record_set: RecordSet) -> Iterator[Problem]:
    resolved, expected = record_set.status.zone, record_set.zone_key
    if resolved is not None and resolved.ref.key != expected:
        yield Problem("status.zone.ref", f"must be {expected}, the Zone that spec.zoneRef names; is {resolved.ref.key}")


def _warnings(spec: RecordSetSpec) -> Iterator[str]:
    for position, record in enumerate(spec.caa.records if spec.caa else ()):
        if record.tag not in KNOWN_CAA_TAGS:
            yield f'spec.caa.records[{position}].tag: "{record.tag}" is no registered CAA property; is it misspelt?'
    for path, value in _texts(spec):
        if value.startswith('"') and value.endswith('"'):
            yield f"spec.{path}: the quotes are published too; values are written without quotes"
        if ESCAPED.search(value):
            yield f"spec.{path}: the backslashes are published too; values are written without escapes"
    for path, target in _targets(spec):
        if "." not in target:
            yield f'spec.{path}: "{target}" is a full name of one label, not relative to the Zone; is the rest missing?'


def _texts(spec: RecordSetSpec) -> Iterator[tuple[str, str]]:
    """Yield the texts that the provider quotes, with their paths."""
    for position, value in enumerate(spec.txt.values if spec.txt else ()):
        yield f"txt.values[{position}]", value
    for position, record in enumerate(spec.caa.records if spec.caa else ()):
        yield f"caa.records[{position}].value", record.value


def _targets(spec: RecordSetSpec) -> Iterator[tuple[str, str]]:
    """Yield the names that a record set points to, with their paths."""
    if spec.cname is not None:
        yield "cname.target", spec.cname.target
    for position, record in enumerate(spec.mx.records if spec.mx else ()):
        yield f"mx.records[{position}].exchange", record.exchange
    for position, server in enumerate(spec.ns.name_servers if spec.ns else ()):
        yield f"ns.nameServers[{position}]", server
