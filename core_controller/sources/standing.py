"""How a pipeline stands: its Ready condition and the rest of its status (seed 000, Status and Observability). Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from core_controller.sources.managed import spec_problem
from core_controller.sources.outcomes import PASSING
from core_controller.sources.pipelines import Pipeline, PipelineObject
from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict, find_condition, with_verdict
from libdnsapi.api.dns.references import FullRef
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.externaldns.dnsprovider import DNSProvider, PipelineStatus, PipelineZone
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.identity import Route53Identity

PROVIDER_INITIALIZED = "ProviderInitialized"
ZONE_NOT_FOUND = "ZoneNotFound"
AUTH_FAILED = "AuthFailed"
INVALID_SPEC = "InvalidSpec"
MAX_ZONES = 500
_AUTHENTICATION = frozenset({Reason.PROVIDER_IDENTITY_NOT_READY, Reason.PROVIDER_ACCESS_DENIED})


@dataclass(frozen=True, slots=True)
class Standing:
    """All that decides about a pipeline's status at one moment.

    `rival` has taken its owner id before it; `refusal` says what the controller may not make for it; `zones` are the
    objects of the pipeline's Zones.
    """

    source: PipelineObject
    pipeline: Pipeline
    records: int
    now: datetime
    identity: Route53Identity | None = None
    rival: ObjectKey | None = None
    refusal: str | None = None
    zones: tuple[Zone, ...] = ()


def status_of(standing: Standing) -> PipelineStatus:
    """Return the status; the same input but for the time gives the same status."""
    source, pipeline, old = standing.source, standing.pipeline, standing.source.status
    zones = tuple(
        PipelineZone(ref=FullRef(namespace=zone.key.namespace, name=zone.key.name), domain_name=zone.domain)
        for zone in pipeline.zones[:MAX_ZONES]
    )
    generation = source.metadata.generation
    conditions = with_verdict(old.conditions, _verdict(standing), generation, standing.now)
    fresh = PipelineStatus(
        observed_generation=generation,
        last_sync_time=old.last_sync_time,
        records=standing.records,
        zones=zones,
        conditions=conditions,
    )
    if fresh == old and old.last_sync_time is not None:
        return fresh
    return fresh.model_copy(update={"last_sync_time": standing.now.replace(microsecond=0)})


def owner_problem(source: PipelineObject) -> str | None:
    """Say when a namespace's pipeline claims an owner id that is not its namespace's."""
    owner = source.spec.registry.txt_owner_id if source.spec.registry is not None else None
    prefix = f"{source.metadata.namespace}/"
    if isinstance(source, DNSProvider) and owner is not None and not owner.startswith(prefix):
        return f"registry.txtOwnerId must start with {prefix}"
    return None


def owner_rivals(sources: Iterable[PipelineObject], owners: Mapping[ObjectKey, str]) -> dict[ObjectKey, ObjectKey]:
    """Return, for each pipeline whose owner id an older one has, that older one."""
    first: dict[str, ObjectKey] = {}
    rivals: dict[ObjectKey, ObjectKey] = {}
    for source in sorted(sources, key=_age):
        holder = first.setdefault(owners[source.key], source.key)
        if holder != source.key:
            rivals[source.key] = holder
    return rivals


def _verdict(standing: Standing) -> Verdict:
    source = standing.source
    problem = owner_problem(source) or (spec_problem(source) if source.spec.is_managed else None)
    if standing.rival is not None:
        problem = (
            f"registry.txtOwnerId {standing.pipeline.owner_id} is the owner id of an older pipeline; choose another"
        )
    if problem is not None or standing.refusal is not None:
        return _ready(ConditionStatus.FALSE, INVALID_SPEC, problem or standing.refusal or "")
    return _identity_verdict(standing) or _zone_verdict(standing)


def _identity_verdict(standing: Standing) -> Verdict | None:
    """Return what a managed pipeline's identity says against it."""
    if not standing.source.spec.is_managed:
        return None
    conditions = standing.identity.status.conditions if standing.identity is not None else ()
    for type_, reason in ((ConditionType.ACCEPTED, INVALID_SPEC), (ConditionType.READY, AUTH_FAILED)):
        condition = find_condition(conditions, type_)
        if condition is not None and condition.is_false:
            return _ready(ConditionStatus.FALSE, reason, f"{condition.reason}: {condition.message}")
    return None


def _zone_verdict(standing: Standing) -> Verdict:
    zones = standing.pipeline.zones
    broken = next((found for zone in standing.zones if (found := _zone_problem(zone)) is not None), None)
    if broken is not None:
        return broken
    if zones:
        return _ready(ConditionStatus.TRUE, PROVIDER_INITIALIZED, f"publishes into {len(zones)} Zones")
    if standing.source.spec.is_managed:
        hint = "no hosted zone has been found under domainFilter yet"
    else:
        hint = "no Zone matches spec.zones, or none of them may be used by this object and type"
    return _ready(ConditionStatus.FALSE, ZONE_NOT_FOUND, hint)


def _zone_problem(zone: Zone) -> Verdict | None:
    """Return what a Zone that is not accepted, or that the provider could not make, says against its pipelines."""
    for type_ in (ConditionType.ACCEPTED, ConditionType.PROGRAMMED):
        condition = find_condition(zone.status.conditions, type_)
        if condition is not None and condition.is_false and condition.reason not in PASSING:
            reason = AUTH_FAILED if condition.reason in _AUTHENTICATION else ZONE_NOT_FOUND
            return _ready(ConditionStatus.FALSE, reason, f"Zone {zone.key}: {condition.reason}: {condition.message}")
    return None


def _ready(status: ConditionStatus, reason: str, message: str) -> Verdict:
    return Verdict(type=ConditionType.READY.value, status=status, reason=reason, message=message)


def _age(source: PipelineObject) -> tuple[bool, datetime | None, ObjectKey]:
    created = source.metadata.creation_timestamp
    return created is None, created, source.key
