"""What stands in the record sets of one name: endpoints of one pipeline and Zone, merged (seed 000). Pure.

Targets of one type are united. A name has a CNAME or other records, never both: other records win, as ExternalDNS has
it. Of several host names that of the oldest object wins, and the others' objects are told.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core_controller.sources.aliases import AliasZone, alias_zone, hosted_zone_id
from core_controller.sources.annotations import Finding
from core_controller.sources.endpoints import TARGET_TYPES, Endpoint, Options, SourceKey
from core_controller.sources.pipelines import Pipeline
from core_controller.sources.record_texts import body_of
from core_controller.sources.routing import Placement
from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.api.meta import JsonObject
from libdnsapi.dns.names import APEX, fqdn, record_name_problem
from libdnsapi.dns.records import content_problems

_LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Content:
    """One record set to be: its type, what stands in its spec, and the objects that it comes from."""

    type: RecordType
    fields: JsonObject
    contributors: tuple[SourceKey, ...]


@dataclass(slots=True)
class Merged:
    """The record sets of one name in one Zone, what to tell whom, and what objects ask for that cannot be made."""

    contents: list[Content] = field(default_factory=list)
    findings: list[tuple[SourceKey, Finding]] = field(default_factory=list)
    refused: set[tuple[SourceKey, RecordType]] = field(default_factory=set)

    def tell(self, sources: Iterable[SourceKey], reason: str, note: str) -> None:
        """Note a finding for each of these objects."""
        self.findings += [(source, Finding(reason, note)) for source in dict.fromkeys(sources)]

    def refuse(self, sources: Iterable[SourceKey], type_: RecordType, reason: str, note: str) -> None:
        """Note that objects ask for a record set that cannot be made; what they have instead of it is to be kept."""
        told = tuple(sources)
        self.tell(told, reason, note)
        types = TARGET_TYPES if type_ in TARGET_TYPES else (type_,)
        self.refused |= {(source, one) for source in told for one in types}


def merge(name: str, placement: Placement, endpoints: Iterable[Endpoint]) -> Merged:
    """Return the record sets of a relative name; all endpoints are of that name and go to this placement."""
    merged = Merged()
    by_type: dict[RecordType, list[Endpoint]] = {}
    for endpoint in sorted(endpoints, key=_age):
        by_type.setdefault(endpoint.type, []).append(endpoint)
    hosts = _leading_elsewhere(merged, fqdn(name, placement.zone.domain), by_type.pop(RecordType.CNAME, []))
    for type_, same in by_type.items():
        fitting = _fitting(merged, name, type_, same, placement.pipeline)
        _add(merged, name, type_, _fields(type_, fitting, placement.pipeline), fitting)
    others = {content.type for content in merged.contents}
    able = [one for one in hosts if _is_able(merged, name, placement, one, others)]
    if able:
        _add_host(merged, name, placement, able, others)
    return merged


def _fitting(merged: Merged, name: str, type_: RecordType, same: list[Endpoint], pipeline: Pipeline) -> list[Endpoint]:
    """Return the endpoints whose values fit into one record set, those of older objects first; others are refused.

    One object's mistake, or one value too many, takes nothing from the others. Where none fits, all are returned.
    """
    by_source: dict[SourceKey, list[Endpoint]] = {}
    for one in same:
        by_source.setdefault(one.source, []).append(one)
    if len(by_source) == 1 or _problem(name, type_, _fields(type_, same, pipeline)) is None:
        return same
    fitting: list[Endpoint] = []
    refused: list[tuple[SourceKey, str]] = []
    for source, own in by_source.items():
        more = [*fitting, *own]
        problem = _problem(name, type_, _fields(type_, more, pipeline))
        if problem is None:
            fitting = more
        else:
            refused.append((source, problem))
    if not fitting:
        return same
    for source, problem in refused:
        merged.refuse((source,), type_, "InvalidRecord", f"{name} {type_}: {problem}")
    return fitting


def _fields(type_: RecordType, same: list[Endpoint], pipeline: Pipeline) -> JsonObject:
    values = tuple(dict.fromkeys(value for endpoint in same for value in endpoint.values))
    return {"ttl": _ttl(same, pipeline), type_.body: body_of(type_, values)}


def _is_able(merged: Merged, name: str, placement: Placement, one: Endpoint, others: set[RecordType]) -> bool:
    """Whether a host name target can stand at a name; that of one object takes nothing from those of others."""
    target, options = one.values[0], one.options
    if (mistyped := _mistyped_zone(placement, options)) is not None:
        note = f"{name}: the hosted zone {mistyped[:40]!r} of the alias is no id such as Z2FDTNDATAQYW2"
        merged.refuse((one.source,), RecordType.CNAME, "InvalidRecord", note)
        return False
    if name != APEX or others or _is_alias_within(placement, options, target):
        return True
    if _alias(name, placement, options, target) is None:
        note = (
            f"{target} is not published: a zone's apex has no CNAME, and the target is not known as one that can be an"
            " alias; give its hosted zone in the annotation external-dns.kubernetes.io/alias-hosted-zone-id"
        )
        merged.refuse((one.source,), RecordType.CNAME, "ApexNeedsAlias", note)
        return False
    return True


def _leading_elsewhere(merged: Merged, own: str, hosts: list[Endpoint]) -> list[Endpoint]:
    """Return the host name targets without the name itself, under which nobody would ever find an address."""
    loops = [one.source for one in hosts if own in one.values]
    if loops:
        merged.refuse(loops, RecordType.CNAME, "TargetIsItself", f"{own} is not published with itself as its target")
    others = [replace(one, values=tuple(value for value in one.values if value != own)) for one in hosts]
    return [one for one in others if one.values]


def _add_host(merged: Merged, name: str, placement: Placement, hosts: list[Endpoint], others: set[RecordType]) -> None:
    """Add the alias or the CNAME of one host name target."""
    target, same = _chosen(merged, hosts)
    options, sources = same[0].options, [one.source for one in same]
    if (alias := _alias(name, placement, options, target)) is not None:
        _add_aliases(merged, name, placement, (target, alias, same), others)
    elif _is_alias_within(placement, options, target):
        note = f"{name}: the alias to {target} waits until Zone {placement.zone.key} has its hosted zone in its status"
        merged.refuse(sources, RecordType.CNAME, "AliasZoneUnknown", note)
    else:
        _add_cname(merged, name, placement, (target, same), others)


def _add_cname(
    merged: Merged, name: str, placement: Placement, chosen: tuple[str, list[Endpoint]], others: set[RecordType]
) -> None:
    """Add the CNAME to a host name of which no alias can be made, where a CNAME may stand."""
    target, same = chosen
    sources = [one.source for one in same]
    if same[0].options.alias and placement.zone.is_route53:
        note = (
            f"{target} is not known as a target of aliases, so it is published as a CNAME; give its hosted zone in the"
            " annotation external-dns.kubernetes.io/alias-hosted-zone-id"
        )
        merged.tell(sources, "AliasZoneUnknown", note)
    if others:
        shown = ", ".join(sorted(others))
        note = f"{target} is not published: the name has {shown} records of this namespace, which exclude a CNAME"
        merged.tell(sources, "RecordTypesConflict", note)
    else:
        fields: JsonObject = {"ttl": _ttl(same, placement.pipeline), "cname": {"target": target}}
        _add(merged, name, RecordType.CNAME, fields, same)


def _mistyped_zone(placement: Placement, options: Options) -> str | None:
    """Return what is given as the hosted zone of an alias and cannot be one."""
    given = options.alias_hosted_zone_id
    if given is None or options.alias is False or not placement.zone.is_route53:
        return None
    return given if hosted_zone_id(given) is None else None


def _chosen(merged: Merged, hosts: list[Endpoint]) -> tuple[str, list[Endpoint]]:
    """Return the one host name target: the first of the oldest object, and the endpoints that agree with it."""
    target = hosts[0].values[0]
    others = [one for one in hosts if set(one.values) != {target}]
    if others:
        note = f"a name has one host name target, which is {target} of {hosts[0].source}; other host names are left out"
        merged.tell((one.source for one in others), "SeveralHostnameTargets", note)
    return target, [one for one in hosts if target in one.values]


def _alias(name: str, placement: Placement, options: Options, target: str) -> AliasZone | None:
    """Return the hosted zone where the target becomes an alias, None where it stays a CNAME.

    A pipeline that prefers CNAMEs has an alias where it is asked for, and at the apex, where nothing else can stand.
    """
    if not placement.zone.is_route53 or options.alias is False:
        return None
    asked = options.alias or options.alias_hosted_zone_id is not None or name == APEX
    if placement.pipeline.prefer_cname and not asked:
        return None
    if (known := alias_zone(target, options.alias_hosted_zone_id)) is not None:
        return known
    if placement.zone.hosted_zone_id and _is_alias_within(placement, options, target):
        return AliasZone(placement.zone.hosted_zone_id)
    return None


def _is_alias_within(placement: Placement, options: Options, target: str) -> bool:
    """Whether an alias to another name of the Zone itself is asked for; names with underscores can be no targets."""
    asked = placement.zone.is_route53 and options.alias and options.alias_hosted_zone_id is None
    return bool(asked) and "_" not in target and placement.pipeline.leads_into(placement.zone, target)


def _add_aliases(
    merged: Merged,
    name: str,
    placement: Placement,
    chosen: tuple[str, AliasZone, list[Endpoint]],
    others: set[RecordType],
) -> None:
    """Add an A alias, and an AAAA one where the target answers with IPv6 too or an object asks for it.

    An object that says of which type its alias is gets no other.
    """
    target, zone, same = chosen
    asked = next((o.options.evaluate_target_health for o in same if o.options.evaluate_target_health is not None), None)
    evaluates = placement.pipeline.evaluate_target_health if asked is None else asked
    alias: JsonObject = {
        "dnsName": f"{target}.",
        "hostedZoneID": zone.hosted_zone_id,
        "evaluateTargetHealth": evaluates and zone.health_can_be_evaluated,
    }
    types = sorted({type_ for one in same for type_ in _alias_types(one.options, zone)})
    if not others.issuperset(types):
        timed = dict.fromkeys(one.source for one in same if one.options.ttl is not None)
        merged.findings += [(source, _no_ttl(name, target)) for source in timed]
    for type_ in types:
        if type_ in others:
            note = f"the {type_} alias to {target} is not published: other objects give addresses for the name"
            merged.tell((one.source for one in same), "RecordTypesConflict", note)
        else:
            _add(merged, name, type_, {"options": {"alias": alias}}, same)


def _no_ttl(name: str, target: str) -> Finding:
    note = f"{name} is an alias to {target} and has that target's TTL; the one that is asked for has no effect"
    return Finding("TTLWithoutEffect", note, warning=False)


def _alias_types(options: Options, zone: AliasZone) -> Iterable[RecordType]:
    if options.alias_types:
        return options.alias_types
    return (RecordType.A, RecordType.AAAA) if zone.dualstack or options.dualstack else (RecordType.A,)


def _add(merged: Merged, name: str, type_: RecordType, fields: JsonObject, same: list[Endpoint]) -> None:
    """Add a record set unless the RecordSet API would refuse it, which is told instead."""
    sources = tuple(sorted({one.source for one in same}, key=str))
    problem = _problem(name, type_, fields)
    if problem is None:
        merged.contents.append(Content(type_, fields, sources))
    else:
        merged.refuse(sources, type_, "InvalidRecord", f"{name} {type_}: {problem}")


def _problem(name: str, type_: RecordType, fields: JsonObject) -> str | None:
    return record_name_problem(name, type_) or _content_problem(name, type_, fields)


def _content_problem(name: str, type_: RecordType, fields: JsonObject) -> str | None:
    if "options" in fields:
        return None
    try:
        content = RecordContent.model_validate(fields)
    except ValueError:
        return "its values do not have the form of this type, or there are too many of them"
    problems = content_problems(name, type_, content)
    return str(problems[0]) if problems else None


def _ttl(endpoints: list[Endpoint], pipeline: Pipeline) -> int:
    """Return the smallest TTL that any object asks for, else the pipeline's."""
    return min((one.options.ttl for one in endpoints if one.options.ttl is not None), default=pipeline.ttl)


def _age(endpoint: Endpoint) -> tuple[datetime, str]:
    return endpoint.created or _LATEST, str(endpoint.source)
