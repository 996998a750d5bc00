"""ListResourceRecordSets and TestDNSAnswer."""

from itertools import islice
from typing import Final

from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import SyntaxProblemError, invalid_input
from e2e.route53.lookup import find
from e2e.route53.model import RECORD_TYPES, RecordSet
from e2e.route53.names import canonical
from e2e.route53.wire import render_record_set
from e2e.route53.xml import boolean, document, element, optional, wrap

PAGE: Final = 300


def list_records(call: Call) -> Reply:
    """List a zone's record sets from `name`, `type` and `identifier` on."""
    zone, limit = call.zone(), call.max_items(PAGE)
    found = list(islice(zone.table.since(*_start(call)), limit + 1))
    page, rest = found[:limit], found[limit:]
    body = document(
        "ListResourceRecordSetsResponse",
        wrap("ResourceRecordSets", *map(render_record_set, page)),
        boolean("IsTruncated", value=bool(rest)),
        _next(rest[0]) if rest else "",
        element("MaxItems", limit),
    )
    return Reply(body)


def _start(call: Call) -> tuple[str, str, str]:
    name, type_ = call.query.get("name", ""), call.query.get("type", "")
    identifier = call.query.get("identifier", "")
    if (type_ and not name) or (identifier and not type_):
        raise invalid_input("The input is not valid: a start type needs a start name, a start identifier both")
    if type_ and type_ not in RECORD_TYPES:
        raise invalid_input(f"Invalid start record type: {type_}")
    return (_canonical(name) if name else "", type_, identifier)


def _canonical(name: str) -> str:
    try:
        return canonical(name)
    except SyntaxProblemError as problem:
        raise invalid_input(str(problem)) from None


def _next(record: RecordSet) -> str:
    return (
        element("NextRecordName", record.name)
        + element("NextRecordType", record.type)
        + optional("NextRecordIdentifier", record.set_identifier)
    )


def test_answer(call: Call) -> Reply:
    """Say what the zone answers to a DNS question."""
    zone = call.state.zone(call.query.get("hostedzoneid", ""), call.caller.account_id)
    name, type_ = _canonical(call.query.get("recordname", "")), call.query.get("recordtype", "")
    answer = find({other.id: other for other in call.state.zones.values()}, zone, name, type_)
    data = [value for record in answer.records if record.type == type_ for value in record.values]
    body = document(
        "TestDNSAnswerResponse",
        element("Nameserver", zone.name_servers[0]),
        element("RecordName", name),
        element("RecordType", type_),
        wrap("RecordData", *(element("RecordDataEntry", value) for value in data)),
        element("ResponseCode", answer.rcode),
        element("Protocol", "UDP"),
    )
    return Reply(body)


OPERATIONS: Final = (
    Operation("ListResourceRecordSets", "GET", "/2013-04-01/hostedzone/{zone}/rrset", list_records),
    Operation("TestDNSAnswer", "GET", "/2013-04-01/testdnsanswer", test_answer),
)
