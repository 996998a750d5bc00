"""Whether the class, its identity and the payloads let this zone be served at all. An ordered chain of small checks.

Source: provider seed (Controller Responsibility), wire reference (Route53Identity and the identity protocol),
beyond-the-seeds 7 and 12.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from pydantic import ValidationError

from libdnsapi.api.conditions import ConditionType, Verdict, find_condition, is_current
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import RESERVED_TAG_KEYS
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneAdoption, ZoneClassParameters
from libdnsapi.api.verdicts import accepted, refused, undecided, unprogrammed
from libdnsapi.dns.names import is_subdomain
from route53_controller.zoneunit.snapshot import Snapshot
from route53_controller.zoneunit.state import ACCOUNT_FORM


class Service(IntEnum):
    """How much may be done for a zone."""

    NOTHING = 0
    """Route 53 cannot be asked."""
    CLEANUP = 1
    """Only what is leaving is removed."""
    FULL = 2


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The zone's Accepted, how far it is served, and, where the identity is not ready, Programmed of all targets."""

    accepted: Verdict
    service: Service
    programmed: Verdict | None = None


ACCOUNT_DIGITS = 8
AcceptanceCheck = Callable[[Snapshot], Acceptance | None]


def accept(snapshot: Snapshot) -> Acceptance:
    """Return the first check's objection, or full service."""
    for check in _CHECKS:
        objection = check(snapshot)
        if objection is not None:
            return objection
    message = f"Accepted by ZoneClass {snapshot.unit.spec.zone.zone_class_ref.key}."
    return Acceptance(accepted(message), Service.FULL)


def in_scope(snapshot: Snapshot) -> bool:
    """Whether this unit is ours: by its class, or, when the class has gone, by what we left on the unit."""
    zone_class = snapshot.zone_class
    if zone_class is not None:
        named = zone_class.spec.controller_name == snapshot.settings.controller_name
        return named and zone_class.spec.provider.name == snapshot.settings.provider_name
    ours = snapshot.unit.spec.provider.name == snapshot.settings.provider_name
    return ours and (snapshot.state.has_external or any(held.held for held in snapshot.objects.values()))


def _unknown(reason: Reason, message: str) -> Acceptance:
    return Acceptance(undecided(reason, message), Service.NOTHING)


def _denied(reason: Reason, message: str, service: Service = Service.CLEANUP) -> Acceptance:
    return Acceptance(refused(reason, message), service)


def _class_exists(snapshot: Snapshot) -> Acceptance | None:
    if snapshot.zone_class is not None:
        return None
    message = f"ZoneClass {snapshot.unit.spec.zone.zone_class_ref.key} does not exist; create it again to go on."
    return _unknown(Reason.ZONE_CLASS_NOT_RESOLVED, message)


def _identity_resolves(snapshot: Snapshot) -> Acceptance | None:
    identity = snapshot.identity
    name = _identity_key(snapshot)
    if identity is None:
        return _unknown(Reason.IDENTITY_NOT_RESOLVED, f"Route53Identity {name} does not exist.")
    said = find_condition(identity.status.conditions, ConditionType.ACCEPTED)
    if said is None or not is_current(said, identity.metadata.generation):
        return _unknown(Reason.IDENTITY_NOT_RESOLVED, f"Route53Identity {name} was not checked yet.")
    if said.is_false:
        return _denied(
            Reason.INVALID_IDENTITY_REF, f"Route53Identity {name} is not accepted; see its status.", Service.NOTHING
        )
    if not said.is_true:
        return _unknown(Reason.IDENTITY_NOT_RESOLVED, f"Route53Identity {name} is not accepted yet; see its status.")
    return None


def _account_is_the_same(snapshot: Snapshot) -> Acceptance | None:
    """Object to an identity of another account than the one that the hosted zone is in.

    There it would look as if it had vanished, and what we made would be given up.
    """
    if not snapshot.state.account or snapshot.state.account == own_account(snapshot):
        return None
    message = (
        f"Route53Identity {_identity_key(snapshot)} is of another AWS account than the one that this zone was made in; "
        "what exists there is left as it is. Let the class name an identity of that account again, or move the domain "
        "to a new Zone."
    )
    return _denied(Reason.INVALID_IDENTITY_REF, message, Service.NOTHING)


def own_account(snapshot: Snapshot) -> str:
    """Return the digest of the identity's account for the unit's state, "" without an identity."""
    identity = snapshot.identity
    return account_digest(snapshot.unit.key, identity.spec.account_id) if identity is not None else ""


def account_digest(unit: ObjectKey, account_id: str) -> str:
    """Return what tells an account from others in the state of a unit; a unit that is restored has another uid.

    Whoever makes it in another way gives it another form: else every zone would seem to be of another account.
    """
    return ACCOUNT_FORM + sha256(f"account {unit} {account_id}".encode()).hexdigest()[:ACCOUNT_DIGITS]


def _identity_key(snapshot: Snapshot) -> ObjectKey:
    """Return the identity that the class names; only asked for once `_class_exists` has passed."""
    zone_class = snapshot.zone_class
    return zone_class.identity_key if zone_class is not None else ObjectKey("", "")


def _parameters_fit(snapshot: Snapshot) -> Acceptance | None:
    parameters = snapshot.parameters
    if not isinstance(parameters, Verdict):
        return None
    return Acceptance(parameters, Service.NOTHING)


def _identity_is_ready(snapshot: Snapshot) -> Acceptance | None:
    identity = snapshot.identity
    ready = find_condition(identity.status.conditions, ConditionType.READY) if identity else None
    if identity and ready and is_current(ready, identity.metadata.generation) and ready.is_true:
        return None
    waits = f"Waiting for Route53Identity {_identity_key(snapshot)} to become ready; see its status."
    programmed = unprogrammed(Reason.PROVIDER_IDENTITY_NOT_READY, waits)
    message = f"Accepted by ZoneClass {snapshot.unit.spec.zone.zone_class_ref.key}."
    service = Service.CLEANUP if _outlives_secret(snapshot) else Service.NOTHING
    return Acceptance(accepted(message), service, programmed)


def _outlives_secret(snapshot: Snapshot) -> bool:
    """Whether a unit that is being deleted may still be cleaned up with the last good keys of a Secret that is gone.

    In a namespace that is being deleted the Secret may go first (beyond-the-seeds 11); who lends clients knows the
    keys, or says what to do by hand.
    """
    identity = snapshot.identity
    if identity is None or identity.spec.credentials.secret_ref is None or not snapshot.unit.metadata.deleting:
        return False
    ready = find_condition(identity.status.conditions, ConditionType.READY)
    return ready is not None and ready.reason == Reason.CREDENTIAL_UNAVAILABLE


def _class_allows(snapshot: Snapshot) -> Acceptance | None:
    zone_class, unit = snapshot.zone_class, snapshot.unit
    if zone_class is None or (
        zone_class.allows_namespace(unit.metadata.namespace, snapshot.namespace_labels)
        and _serves_domain(zone_class, unit.spec.zone.domain_name)
    ):
        return None
    message = f"ZoneClass {zone_class.key} does not allow this zone; what exists is left as it is."
    return _denied(Reason.NOT_ALLOWED_BY_ZONE_CLASS, message)


def _serves_domain(zone_class: ZoneClass, domain: str) -> bool:
    """Whether a class may serve a domain: one of its domainNames or below one (omitted: any)."""
    suffixes = zone_class.spec.allowed_zones.domain_names
    return suffixes is None or any(is_subdomain(domain, suffix) for suffix in suffixes)


def _tags_are_free(snapshot: Snapshot) -> Acceptance | None:
    parameters = snapshot.parameters
    if not isinstance(parameters, ZoneClassParameters):
        return None
    reserved = sorted(RESERVED_TAG_KEYS & parameters.tags.keys())
    if not reserved:
        return None
    return _denied(Reason.DENIED_BY_POLICY, f"The ZoneClass uses reserved tag keys: {', '.join(reserved)}.")


def _adoption_fits(snapshot: Snapshot) -> Acceptance | None:
    payload = snapshot.unit.spec.zone.adoption
    if payload is None or adopted_zone_id(payload):
        return None
    message = "adoption does not fit the Provider's schema: hostedZoneId must be a hosted zone id such as Z123ABC."
    return _denied(Reason.INVALID_ADOPTION, message)


def adopted_zone_id(payload: JsonObject | None) -> str:
    """Return the id of the hosted zone to adopt; "" without adoption, and for a payload that does not fit."""
    if payload is None:
        return ""
    try:
        return ZoneAdoption.model_validate(payload).hosted_zone_id
    except ValidationError:
        return ""


_CHECKS: tuple[AcceptanceCheck, ...] = (
    _class_exists,
    _identity_resolves,
    _account_is_the_same,
    _parameters_fit,
    _identity_is_ready,
    _class_allows,
    _tags_are_free,
    _adoption_fits,
)
