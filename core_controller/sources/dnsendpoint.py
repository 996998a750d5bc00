"""DNSEndpoint objects of ExternalDNS: record sets in its own form, normalised. Pure."""

from dataclasses import dataclass, replace

from core_controller.sources.annotations import NOTE_MAX_LENGTH, TTL_MAX, Finding, choice_problem, yes_or_no
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import (
    ALIAS_TYPES,
    TARGET_TYPES,
    Endpoint,
    Evaluation,
    Options,
    alias_wish,
    endpoints_of,
    legal_hostnames,
    sort_targets,
    unpublished,
)
from core_controller.sources.hostnames import canonical
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.externaldns.dnsendpoint import DNSEndpoint, EndpointEntry

ADDRESS_TYPES = frozenset({"", "A", "AAAA", "CNAME"})
TYPES = frozenset(RecordType)
TYPES_OF_OTHERS = frozenset({"SRV", "PTR", "NAPTR"})
"""Types that ExternalDNS has beside ours; all others are mistakes."""
OPTIONS = {"alias": "alias", "aws/evaluate-target-health": "aws-evaluate-target-health"}
"""Properties that say what annotations of these names say."""
PROPERTIES = frozenset({*OPTIONS, "aws/target-hosted-zone"})
"""What of providerSpecific has a meaning here."""


@dataclass(frozen=True, slots=True)
class DNSEndpointView:
    """A DNSEndpoint."""

    claimant: Claimant
    endpoint: DNSEndpoint


def evaluate_dns_endpoint(view: DNSEndpointView, rules: Rules) -> Evaluation:
    """Return the endpoints of all entries; one that cannot be published is told, and stops no other."""
    claimant = view.claimant
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    options, findings = claimant.options()
    endpoints: list[Endpoint] = []
    for entry in view.endpoint.spec.endpoints:
        made, problems = _entry(entry, claimant, options, rules)
        endpoints += made
        findings += problems
    endpoints += _untold(view, endpoints, options)
    return claimant.evaluation(tuple(endpoints), findings=findings)


def _entry(
    entry: EndpointEntry, claimant: Claimant, options: Options, rules: Rules
) -> tuple[list[Endpoint], tuple[Finding, ...]]:
    names, findings = legal_hostnames((entry.dns_name,))
    own = _options(entry, options)
    refused = _refusal(entry)
    if refused is not None:
        kept = (one for name in names for one in unpublished(name, _types(entry), claimant.key, claimant.created, own))
        return list(kept), (*findings, refused)
    findings += _remarks(entry)
    made: list[Endpoint] = []
    for name in names:
        if entry.record_type not in ADDRESS_TYPES:
            type_ = RecordType(entry.record_type)
            made.append(Endpoint(name, type_, _texts(type_, entry.targets), claimant.key, claimant.created, own))
            continue
        targets, problems = sort_targets(entry.targets)
        fitting = endpoints_of(name, rules.nets.only(targets), claimant.key, claimant.created, own)
        problems += _misfits(entry, [one for one in fitting if not _fits(one, entry)])
        # One bad target refuses the entry, as with all other types: the good ones alone would withdraw what it was.
        made += unpublished(name, _types(entry), claimant.key, claimant.created, own) if problems else fitting
        findings += problems
    return made, findings


def _untold(view: DNSEndpointView, endpoints: list[Endpoint], options: Options) -> list[Endpoint]:
    """Return what keeps, under the names that are told, records of the types of entries whose names are mistyped."""
    nameless = [entry for entry in view.endpoint.spec.endpoints if not legal_hostnames((entry.dns_name,))[0]]
    lost = {type_ for entry in nameless for type_ in _types(entry)}
    told = {(one.name, one.type) for one in endpoints}
    key, created = view.claimant.key, view.claimant.created
    missing = ((name, type_) for name in {name for name, _ in told} for type_ in lost if (name, type_) not in told)
    return [one for name, type_ in sorted(missing) for one in unpublished(name, (type_,), key, created, options)]


def _types(entry: EndpointEntry) -> tuple[RecordType, ...]:
    """Return the types under which an entry may have been published; a mistyped one may have been of any."""
    if entry.record_type in ADDRESS_TYPES:
        return TARGET_TYPES
    if entry.record_type in TYPES:
        return (RecordType(entry.record_type),)
    return () if entry.record_type in TYPES_OF_OTHERS else tuple(RecordType)


def _fits(endpoint: Endpoint, entry: EndpointEntry) -> bool:
    """Whether targets are of the entry's type; an address record that is an alias has a host name for its target."""
    if endpoint.type is RecordType.CNAME and endpoint.options.alias_types:
        return True
    return entry.record_type in ("", endpoint.type)


def _refusal(entry: EndpointEntry) -> Finding | None:
    shown = entry.dns_name[:80]
    if entry.set_identifier:
        note = f"{shown}: setIdentifier is refused: routing policies are not supported"
        return Finding("RoutingPolicyNotSupported", note)
    if entry.record_type not in ADDRESS_TYPES and entry.record_type not in TYPES:
        return Finding("RecordTypeNotSupported", f"{shown}: record type {entry.record_type[:16]} is not supported")
    if not entry.targets:
        return Finding("InvalidTarget", f"{shown}: there is no target")
    return None


def _remarks(entry: EndpointEntry) -> tuple[Finding, ...]:
    """Name what of an entry has no effect: a TTL that is none, and properties that mean nothing here."""
    shown = entry.dns_name[:80]
    found = []
    if not 0 <= entry.record_ttl <= TTL_MAX:
        found.append(Finding("InvalidTTL", f"{shown}: recordTTL {entry.record_ttl} is not from 1 to {TTL_MAX} seconds"))
    unknown = sorted({one.name for one in entry.provider_specific} - PROPERTIES)
    if unknown:
        note = f"{shown}: without effect, because they are not supported: {', '.join(unknown)}"
        found.append(Finding("PropertyNotSupported", note[:NOTE_MAX_LENGTH]))
    options = (
        choice_problem(f"{shown}: {one.name}", OPTIONS[one.name], one.value)
        for one in entry.provider_specific
        if one.name in OPTIONS
    )
    return (*found, *(problem for problem in options if problem is not None))


def _misfits(entry: EndpointEntry, misfits: list[Endpoint]) -> tuple[Finding, ...]:
    return tuple(
        Finding("InvalidTarget", f"{entry.dns_name[:80]}: {one.values[0]} is no value of a {entry.record_type} record")
        for one in misfits
    )


def _options(entry: EndpointEntry, options: Options) -> Options:
    """Return the object's options with the entry's own above them."""
    properties = {one.name: one.value for one in entry.provider_specific}
    health = yes_or_no(properties.get("aws/evaluate-target-health"))
    alias, typed = alias_wish(properties.get("alias"))
    if alias is None:
        alias, typed = options.alias, options.alias_types
    if alias and entry.record_type in ALIAS_TYPES:
        typed = frozenset({RecordType(entry.record_type)})
    return replace(
        options,
        ttl=entry.record_ttl if 0 < entry.record_ttl <= TTL_MAX else options.ttl,
        alias=alias,
        alias_types=typed,
        alias_hosted_zone_id=properties.get("aws/target-hosted-zone", "").strip() or options.alias_hosted_zone_id,
        evaluate_target_health=health if health is not None else options.evaluate_target_health,
        asked=True,
    )


def _texts(type_: RecordType, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the record texts, each once; names of name servers in canonical form."""
    texts = (canonical(target) if type_ is RecordType.NS else target.strip() for target in targets)
    return tuple(dict.fromkeys(texts))
