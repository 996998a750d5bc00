"""Record sets and change batches on the wire: rendering, and reading with the checks that are `InvalidInput`. Pure.

Source: API reference, ResourceRecordSet, Change. Refusals that depend on the zone are in `changes`.
"""

from typing import Final

from e2e.route53.errors import AwsError, InvalidChangeBatchError, SyntaxProblemError, invalid_input
from e2e.route53.model import RECORD_TYPES, Action, AliasTarget, Change, RecordSet, RoutingPolicy
from e2e.route53.names import canonical
from e2e.route53.xml import Reader, boolean, element, optional, wrap

MAX_TTL: Final = 2**31 - 1

_POLICIES: Final = (
    "Weight", "Region", "GeoLocation", "Failover", "MultiValueAnswer", "CidrRoutingConfig", "GeoProximityLocation",
)  # fmt: skip
_ACTIONS: Final[dict[str, Action]] = {"CREATE": "CREATE", "DELETE": "DELETE", "UPSERT": "UPSERT"}


def render_record_set(record: RecordSet) -> str:
    """Write one ResourceRecordSet element."""
    return wrap(
        "ResourceRecordSet",
        element("Name", record.name),
        element("Type", record.type),
        optional("SetIdentifier", record.set_identifier),
        _render_routing(record.routing),
        optional("TTL", record.ttl),
        _render_values(record),
        optional("HealthCheckId", record.health_check_id),
    )


def _render_routing(routing: RoutingPolicy | None) -> str:
    if routing is None:
        return ""
    if isinstance(routing.value, str):
        return element(routing.kind, routing.value)
    return wrap(routing.kind, *(element(name, text) for name, text in routing.value))


def _render_values(record: RecordSet) -> str:
    if record.alias is None:
        values = (f"<ResourceRecord>{element('Value', value)}</ResourceRecord>" for value in record.values)
        return wrap("ResourceRecords", *values)
    return wrap(
        "AliasTarget",
        element("HostedZoneId", record.alias.hosted_zone_id),
        element("DNSName", record.alias.dns_name),
        boolean("EvaluateTargetHealth", value=record.alias.evaluate_target_health),
    )


def read_batch(request: Reader) -> tuple[Change, ...]:
    """Read a ChangeResourceRecordSetsRequest.

    Raises AwsError InvalidInput for a malformed request, InvalidChangeBatchError for names that are no names.
    """
    changes = request.children("ChangeBatch/Changes/Change")
    if not changes:
        raise _constraint("[]", "changeBatch.changes", "Member must have length greater than or equal to 1")
    read: list[Change] = []
    problems: list[str] = []
    for index, change in enumerate(changes, 1):
        try:
            read.append(_change(change, index))
        except SyntaxProblemError as problem:
            problems.append(f"Invalid Resource Record: {problem}")
    if problems:
        raise InvalidChangeBatchError(problems)
    return tuple(read)


def _constraint(value: str, member: str, rule: str) -> AwsError:
    return invalid_input(
        f"1 validation error detected: Value '{value}' at '{member}' failed to satisfy constraint: {rule}"
    )


def _change(change: Reader, index: int) -> Change:
    member = f"changeBatch.changes.{index}.member"
    action = _ACTIONS.get(change.text("Action"))
    if action is None:
        rule = "Member must satisfy enum value set: [CREATE, DELETE, UPSERT]"
        raise _constraint(change.text("Action"), f"{member}.action", rule)
    record = change.child("ResourceRecordSet")
    if record is None:
        raise _constraint("null", f"{member}.resourceRecordSet", "Member must not be null")
    type_ = record.text("Type")
    if type_ not in RECORD_TYPES:
        rule = f"Member must satisfy enum value set: [{', '.join(RECORD_TYPES)}]"
        raise _constraint(type_, f"{member}.resourceRecordSet.type", rule)
    return Change(action, _record_set(record, type_, action))


def _record_set(record: Reader, type_: str, action: Action) -> RecordSet:
    identifier = record.text("SetIdentifier")
    where = (
        f"Change with [Action={action}, Name={record.text('Name')}, Type={type_}, SetIdentifier={identifier or 'null'}]"
    )
    name = canonical(record.text("Name"))
    alias, ttl, values = _content(record, where)
    return RecordSet(name, type_, ttl, values, alias, identifier, _routing(record, where), record.text("HealthCheckId"))


def _content(record: Reader, where: str) -> tuple[AliasTarget | None, int | None, tuple[str, ...]]:
    alias = record.child("AliasTarget")
    values = tuple(value.content() for value in record.children("ResourceRecords/ResourceRecord/Value"))
    choices = "[AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId]"
    if alias is not None:
        if record.has("TTL") or values:
            raise invalid_input(
                f"Invalid request: Expected exactly one of {choices}, but found more than one in {where}"
            )
        return _alias(alias), None, ()
    if not record.has("TTL") or not values:
        raise invalid_input(f"Invalid request: Expected exactly one of {choices}, but found none in {where}")
    text = record.text("TTL")
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_TTL):
        raise invalid_input(f"Invalid request: TTL must be a number of seconds from 0 to {MAX_TTL} in {where}")
    return None, int(text), values


def _alias(alias: Reader) -> AliasTarget:
    return AliasTarget(
        alias.text("HostedZoneId").removeprefix("/hostedzone/"),
        canonical(alias.text("DNSName")),
        alias.text("EvaluateTargetHealth") == "true",
    )


def _routing(record: Reader, where: str) -> RoutingPolicy | None:
    found = [(kind, child) for kind in _POLICIES if (child := record.child(kind)) is not None]
    has_identifier = bool(record.text("SetIdentifier"))
    if not found and not has_identifier:
        return None
    choices = f"[{', '.join(_POLICIES)}]"
    if len(found) != 1:
        count = "none" if not found else "more than one"
        raise invalid_input(f"Invalid request: Expected exactly one of {choices}, but found {count} in {where}")
    if not has_identifier:
        raise invalid_input(f"Invalid request: Missing field 'SetIdentifier' in {where}")
    kind, child = found[0]
    return RoutingPolicy(kind, child.fields() or child.content())
