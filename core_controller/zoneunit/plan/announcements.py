"""Events about claims: on a change of (status, reason) only (core seed, Zone Events and RecordSet Events)."""

import re
from collections.abc import Sequence

from core_controller.zoneunit.plan.actions import EmitEvent
from core_controller.zoneunit.snapshot import UnitSnapshot
from libdnsapi.api.conditions import Condition, changed_conditions
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.meta import ObjectReference, reference_to
from libdnsapi.api.reasons import Reason
from libdnsapi.dns.names import fqdn

NORMAL_REASONS = frozenset(
    {
        Reason.ACCEPTED,
        Reason.PROGRAMMED,
        Reason.PROVIDER_CHANGE_PENDING,
        Reason.PROVIDER_CHANGE_DEFERRED,
    }
)
SILENT_REASONS = frozenset({Reason.RECONCILING})
"""Not in the seed's tables: a claim that is being looked at is no news."""
PATIENT_REASONS = frozenset(
    {
        Reason.ZONE_NOT_RESOLVED,
        Reason.ZONE_CLASS_NOT_RESOLVED,
        Reason.IDENTITY_NOT_RESOLVED,
        Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED,
        Reason.PROVIDER_CONVERSION_UNAVAILABLE,
        Reason.OWNER_STATE_NOT_RESOLVED,
    }
)
"""Something is not there, or not looked at yet: no news while it may come with the same `kubectl apply`."""

RETAINED = "ExternalResourceRetained"

_CLASS_RELATED = frozenset(
    {
        Reason.ACCEPTED,
        Reason.INVALID_ZONE_CLASS_REF,
        Reason.NOT_ALLOWED_BY_ZONE_CLASS,
        Reason.ZONE_CLASS_NOT_ACCEPTED,
        Reason.PROVIDER_MISMATCH,
        Reason.DENIED_BY_POLICY,
    }
)
_ZONE_RELATED = frozenset(
    {
        Reason.ACCEPTED,
        Reason.INVALID_ZONE_REF,
        Reason.PROVIDER_MISMATCH,
        Reason.NOT_ALLOWED_BY_ZONE,
        Reason.ZONE_NOT_ACCEPTED,
        Reason.DENIED_BY_POLICY,
        Reason.PROVIDER_CHANGE_PENDING,
        Reason.PROVIDER_CHANGE_DEFERRED,
        Reason.PROGRAMMED,
        Reason.PROVIDER_CONFLICT,
        Reason.PROVIDER_INVALID_REQUEST,
        Reason.PROVIDER_UNAVAILABLE,
    }
)
_IDENTITY_RELATED = frozenset(
    {Reason.INVALID_IDENTITY_REF, Reason.PROVIDER_IDENTITY_NOT_READY, Reason.PROVIDER_ACCESS_DENIED}
)


def zone_events(snapshot: UnitSnapshot, zone: Zone, conditions: Sequence[Condition]) -> tuple[EmitEvent, ...]:
    """Return the Events for what changed in a Zone's conditions."""
    return tuple(
        EmitEvent(
            reference_to(ZONES, zone),
            condition.reason not in NORMAL_REASONS,
            condition.reason,
            _zone_words(snapshot, zone, condition),
            _zone_related(snapshot, zone, condition.reason),
            condition if condition.reason in PATIENT_REASONS else None,
        )
        for condition in news(zone.status.conditions, conditions)
    )


def record_set_events(
    snapshot: UnitSnapshot, claim: RecordSet, conditions: Sequence[Condition], winner: RecordSet | None
) -> tuple[EmitEvent, ...]:
    """Return the Events for what changed in a RecordSet's conditions; `winner` owns the name in a conflict."""
    domain = snapshot.zone.spec.domain_name if snapshot.zone is not None else None
    return tuple(
        EmitEvent(
            reference_to(RECORD_SETS, claim),
            condition.reason not in NORMAL_REASONS,
            condition.reason,
            _without_identity(snapshot, _words(claim, condition, domain)),
            _record_set_related(snapshot, condition.reason, winner),
            condition if condition.reason in PATIENT_REASONS else None,
        )
        for condition in news(claim.status.conditions, conditions)
    )


def retained(snapshot: UnitSnapshot, claim: RecordSet) -> EmitEvent:
    """Return the Event for a claim that goes and leaves its record set behind."""
    subject = f"RecordSet type={claim.spec.type.value} name={claim.spec.name}"
    told = f"{subject} was deleted from Zone {claim.zone_key}; its record set stays at the provider and is not managed."
    zone = reference_to(ZONES, snapshot.zone) if snapshot.zone is not None else None
    return EmitEvent(reference_to(RECORD_SETS, claim), warning=False, reason=RETAINED, message=told, related=zone)


def news(old: Sequence[Condition], new: Sequence[Condition]) -> list[Condition]:
    """Return the conditions whose status or reason changed, but for those that are no news."""
    return [condition for condition in changed_conditions(old, new) if condition.reason not in SILENT_REASONS]


def _zone_words(snapshot: UnitSnapshot, zone: Zone, condition: Condition) -> str:
    """Return what happened to which domain and, where that is where to look next, which identity it is about."""
    told = _domain_words(zone, condition)
    identity = _identity(snapshot) if condition.reason in _IDENTITY_RELATED else None
    if identity is None or _named(identity).search(told):
        return told
    return f"{told} ({identity.kind} {identity.namespace}/{identity.name})"


def _domain_words(zone: Zone, condition: Condition) -> str:
    """Return a sentence that names the domain; the provider's own message names it where it is of use."""
    domain = zone.spec.domain_name
    if condition.reason == Reason.PROGRAMMED:
        return f"Zone {domain} was programmed. {condition.message}".rstrip()
    if domain in condition.message:
        return condition.message
    return f"Zone {domain}: {condition.message}"


def _words(claim: RecordSet, condition: Condition, domain: str | None) -> str:
    """Return the seed's sentences where it has one, else the condition's message after what it is about."""
    subject = f"RecordSet type={claim.spec.type.value} name={claim.spec.name}"
    if condition.message.startswith(subject):
        return condition.message
    if condition.reason == Reason.PROGRAMMED:
        return f"{subject} was programmed in Zone {claim.zone_key}."
    if condition.reason == Reason.NOT_ALLOWED_BY_ZONE:
        return f"{subject} is not allowed by Zone {claim.zone_key}."
    full = f" ({fqdn(claim.spec.name, domain)})" if domain is not None else ""
    return f"{subject}{full} in Zone {claim.zone_key}: {condition.message}"


def _without_identity(snapshot: UnitSnapshot, told: str) -> str:
    """Leave the identity's name out of what other namespaces read (core seed, RecordSet Events)."""
    identity = _identity(snapshot)
    return told if identity is None else _named(identity).sub("", told)


def _named(identity: ObjectReference) -> re.Pattern[str]:
    """Return what finds the identity's name, and no object of another kind or of a longer name."""
    others = "".join(f"(?<!{kind})" for kind in ("Zone", "ZoneClass", "ZoneUnit", "RecordSet"))
    return re.compile(rf"{others} {re.escape(f'{identity.namespace}/{identity.name}')}(?![-\w]|\.\w)")


def _zone_related(snapshot: UnitSnapshot, zone: Zone, reason: str) -> ObjectReference | None:
    if reason == Reason.PROVIDER_INVALID_REQUEST:
        return reference_to(ZONES, zone)
    if reason in _CLASS_RELATED and snapshot.zone_class is not None:
        return reference_to(ZONE_CLASSES, snapshot.zone_class)
    if reason in _IDENTITY_RELATED:
        return _identity(snapshot)
    return _provider(snapshot) if reason == Reason.INVALID_PROVIDER else None


def _record_set_related(snapshot: UnitSnapshot, reason: str, winner: RecordSet | None) -> ObjectReference | None:
    if reason == Reason.RECORD_SET_CONFLICT:
        return reference_to(RECORD_SETS, winner) if winner is not None else None
    if reason in _ZONE_RELATED and snapshot.zone is not None:
        return reference_to(ZONES, snapshot.zone)
    if reason in _IDENTITY_RELATED:
        return _identity(snapshot)
    return _provider(snapshot) if reason == Reason.INVALID_PROVIDER else None


def _identity(snapshot: UnitSnapshot) -> ObjectReference | None:
    """Return the identity, known by name only: core does not read identities."""
    zone_class, contract = snapshot.zone_class, snapshot.contract
    version = contract.provider.version(zone_class.spec.provider.version) if zone_class and contract else None
    if zone_class is None or version is None or version.identity is None:
        return None
    resource = version.identity.resource
    key = zone_class.identity_key
    return ObjectReference(
        api_version=f"{resource.group}/{version.name}", kind=resource.kind, namespace=key.namespace, name=key.name
    )


def _provider(snapshot: UnitSnapshot) -> ObjectReference | None:
    return reference_to(PROVIDERS, snapshot.contract.provider) if snapshot.contract is not None else None
