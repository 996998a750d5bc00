"""DNSProvider and ClusterDNSProvider: what one pipeline's object decides, and that its owner id is its own.

Source: sources page, "DNSProvider and ClusterDNSProvider"; seed 000, Ownership Isolation. Whether Zones, Secrets and
identities are there is the sources controller's business.
"""

from collections.abc import Iterable, Iterator

from libdnsapi.api.conditions import ConditionStatus, ConditionType
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.externaldns.dnsprovider import (
    ClusterDNSProvider,
    ClusterDNSProviderSpec,
    DNSProvider,
    DNSProviderSpec,
    PipelineSpec,
    PublishedRecords,
    Registry,
    ZoneSelection,
)
from libdnsapi.api.reasons import ReasonTable
from libdnsapi.dns.patterns import pattern_problem
from libdnsapi.dns.problems import Problem
from webhook.answer import Answer
from webhook.documents import text_at
from webhook.review import Operation, Review
from webhook.validators import shape, statuses
from webhook.validators.items import enough
from webhook.validators.pipelineconfig import config_problems, idle_settings
from webhook.validators.pipelines import PipelineObject, filter_problems
from webhook.validators.references import reference_problems
from webhook.validators.selectors import selector_problems
from webhook.validators.snapshot import KnownPipeline, Snapshot

REASONS: ReasonTable = {
    ConditionType.READY: {
        ConditionStatus.TRUE: frozenset({"ProviderInitialized"}),
        ConditionStatus.FALSE: frozenset({"ZoneNotFound", "AuthFailed", "InvalidSpec"}),
        ConditionStatus.UNKNOWN: frozenset(),
    }
}
_MOVING = "to take over records of another deployment set spec.adoption to Matching and see the migration page"
_OWNER = "spec.registry.txtOwnerId"


def validate_namespaced(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited DNSProvider."""
    source = shape.read(DNSProvider, review.object, bulky=review.bulky)
    if isinstance(source, tuple):
        return Answer(source)
    problems = enough(
        _common_problems(review, source.spec, snapshot),
        _namespaced_problems(source.spec),
        _prefix_problems(review, source.spec.registry),
    )
    return Answer(problems, tuple(idle_settings(source.spec)))


def validate_cluster(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited ClusterDNSProvider."""
    source = shape.read(ClusterDNSProvider, review.object, bulky=review.bulky)
    if isinstance(source, tuple):
        return Answer(source)
    problems = enough(_common_problems(review, source.spec, snapshot), _cluster_problems(source.spec))
    return Answer(problems, (*idle_settings(source.spec), *_idle_grants(source.spec)))


def validate_namespaced_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check a DNSProvider's status."""
    del snapshot
    return _status_answer(shape.read(DNSProvider, review.object, bulky=review.bulky))


def validate_cluster_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check a ClusterDNSProvider's status."""
    del snapshot
    return _status_answer(shape.read(ClusterDNSProvider, review.object, bulky=review.bulky))


def _status_answer(source: PipelineObject | tuple[Problem, ...]) -> Answer:
    if isinstance(source, tuple):
        return Answer(source)
    status, generation = source.status, source.metadata.generation
    return Answer(
        (
            *statuses.generation_problems("status", status.observed_generation, generation),
            *statuses.condition_problems("status", status.conditions, REASONS, generation),
        )
    )


def _common_problems(review: Review, spec: PipelineSpec, snapshot: Snapshot) -> Iterator[Problem]:
    if spec.type == "dns-api" and spec.is_managed:
        yield Problem("spec.zones", "is required when type is dns-api: only aws finds the zones of an account itself")
    yield from _selection_problems(spec.zones, cluster=not review.namespace)
    yield from filter_problems(spec.domain_filter)
    yield from config_problems(spec)
    if spec.credentials_ref is not None:
        yield from reference_problems("spec.credentialsRef", spec.credentials_ref)
    yield from _registry_problems(spec.registry)
    yield from _owner_problems(review, spec, snapshot.pipelines)


def _selection_problems(zones: ZoneSelection | None, *, cluster: bool) -> Iterator[Problem]:
    if zones is None:
        return
    if zones.selector is None and not zones.refs:
        yield Problem("spec.zones", "must name Zones by selector, by refs, or by both")
    if zones.selector is not None:
        yield from selector_problems("spec.zones.selector", zones.selector)
    for position, reference in enumerate(zones.refs or ()):
        path = f"spec.zones.refs[{position}]"
        yield from reference_problems(path, reference)
        if cluster and reference.namespace is None:
            yield Problem(f"{path}.namespace", "is required: a ClusterDNSProvider has no namespace of its own")


def _namespaced_problems(spec: DNSProviderSpec) -> Iterator[Problem]:
    if spec.type == "aws" and spec.is_managed and spec.credentials_ref is None:
        text = "is required without spec.zones: a namespace never acts with the controller's own role"
        yield Problem("spec.credentialsRef", text)


def _cluster_problems(spec: ClusterDNSProviderSpec) -> Iterator[Problem]:
    if spec.type == "aws" and spec.is_managed:
        grants = {"allowedNamespaces": spec.allowed_namespaces, "allowedRecords": spec.allowed_records}
        for name, grant in grants.items():
            if grant is None:
                yield Problem(f"spec.{name}", "is required without spec.zones: it is what the managed Zones admit")
    if spec.allowed_namespaces is not None:
        path, selector = "spec.allowedNamespaces.selector", spec.allowed_namespaces.selector
        if selector.is_empty:
            yield Problem(path, "must not be empty: zones cannot be opened to all namespaces, select them by a label")
        yield from selector_problems(path, selector)
    if spec.allowed_records is not None:
        yield from _record_problems("spec.allowedRecords", spec.allowed_records)


def _record_problems(path: str, records: PublishedRecords) -> Iterator[Problem]:
    if records.name is not None and (wrong := pattern_problem(records.name.pattern)):
        yield Problem(f"{path}.name.pattern", wrong)
    for position, name in enumerate(records.types or ()):
        if name not in list(RecordType):
            text = f'"{name}" is no record type; write one of {", ".join(RecordType)}'
            yield Problem(f"{path}.types[{position}]", text)


def _idle_grants(spec: ClusterDNSProviderSpec) -> Iterator[str]:
    if spec.is_managed:
        return
    for name, grant in {"allowedNamespaces": spec.allowed_namespaces, "allowedRecords": spec.allowed_records}.items():
        if grant is not None:
            yield f"spec.{name} has no effect beside spec.zones: those Zones say themselves what they admit"


def _registry_problems(registry: Registry | None) -> Iterator[Problem]:
    if registry is None:
        return
    if registry.type not in {None, "ledger"}:
        text = f"must be ledger: ownership is kept in the Kubernetes API, not in TXT records; {_MOVING}"
        yield Problem("spec.registry.type", text)
    if registry.txt_prefix is not None:
        yield Problem("spec.registry.txtPrefix", f"has no meaning here: no TXT records are written; {_MOVING}")


def _prefix_problems(review: Review, registry: Registry | None) -> Iterator[Problem]:
    named = None if registry is None else registry.txt_owner_id
    if named is not None and not named.startswith(f"{review.namespace}/"):
        yield Problem(_OWNER, f"must start with {review.namespace}/ in a DNSProvider")


def _owner_problems(review: Review, spec: PipelineSpec, known: Iterable[KnownPipeline]) -> Iterator[Problem]:
    """Refuse an owner id that is new to this pipeline and that another one has.

    Who it is, is told only within one scope: nobody learns the names of other namespaces' objects.
    """
    own = spec.owner_id(review.key)
    if review.operation is Operation.UPDATE and own == _stored_owner_id(review):
        return
    rival = next((other for other in known if other.owner_id == own and other.key != review.key), None)
    if rival is not None:
        told = review.namespace in {"", rival.key.namespace}
        whose = f"{rival.kind} {rival.key}" if told else "another pipeline"
        yield Problem(_OWNER, f'"{own}" is already the owner id of {whose}; choose another one')


def _stored_owner_id(review: Review) -> str:
    return text_at(review.old, "spec", "registry", "txtOwnerId") or str(review.key)
