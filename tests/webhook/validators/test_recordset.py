"""RecordSet rules."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.meta import JsonObject
from tests.webhook.objects import changed, condition, creation, record_set, status_update, update, zone
from webhook.answer import message
from webhook.validators import recordset
from webhook.validators.snapshot import Snapshot


def of_type(type_: str, body: JsonValue, name: str = "www", **changes: JsonValue) -> JsonObject:
    """Return a RecordSet of another type."""
    fields: dict[str, JsonValue] = {f"spec__{type_.lower()}": body, **changes}
    return record_set(spec__a=None, spec__type=type_, spec__name=name, **fields)


@pytest.mark.spec("CORE-RS-008", "CORE-RB-022", "PC-AM-003")
@pytest.mark.parametrize(
    "document",
    [
        record_set(),
        record_set(spec__name="@"),
        record_set(spec__name="*.foo"),
        record_set(spec__zoneRef={"namespace": "elsewhere", "name": "not-there"}),
        record_set(spec__ttl=None, spec__options={"flat": True}),
        record_set(spec__adoption={"enabled": True}),
        of_type("AAAA", {"addresses": ["2001:db8::1"]}),
        of_type("TXT", {"values": ["v=spf1 -all"]}, "_acme-challenge"),
        of_type("TXT", {"values": ["x"]}, "_a.b"),
        of_type("CNAME", {"target": "_x2.acm-validations.example"}, "_x1"),
        of_type("MX", {"records": [{"preference": 0, "exchange": "."}]}, "@"),
        of_type("NS", {"nameServers": ["ns.example.net"]}, "team-a"),
    ],
)
def test_a_valid_record_set_is_allowed(document: JsonObject, snapshot: Snapshot) -> None:
    """Cases 8, 16 and 80, their right halves."""
    assert recordset.validate_spec(creation(document), snapshot).problems == ()


@pytest.mark.spec(
    "CORE-RS-004",
    "CORE-RS-007",
    "CORE-RN-003",
    "CORE-RN-007",
    "CORE-RB-018",
    "CORE-RB-020",
    "CORE-RB-032",
    "PC-PV-005",
    "PC-AM-004",
)
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (record_set(spec__provider__name="absent"), 'spec.provider.name: Provider "absent" does not exist'),
        (record_set(spec__provider__version="v0"), "spec.provider.version: "),
        (record_set(spec__zoneRef__name="UP"), "spec.zoneRef.name: is no legal object name"),
        (record_set(spec__name="WWW"), "spec.name: must be lower case: write www"),
        (record_set(spec__name="www."), "spec.name: must not end with a dot"),
        (record_set(spec__name="a.*.b"), "spec.name: "),
        (record_set(spec__name="_a"), "spec.name: "),
        (of_type("TXT", {"values": ["x"]}, "_"), "spec.name: "),
        (of_type("TXT", {"values": ["x"]}, "a_b"), "spec.name: "),
        (of_type("TXT", {"values": ["x"]}, "foo_"), "spec.name: "),
        (record_set(spec__ttl=None), "spec.ttl: is required"),
        (record_set(spec__ttl=0), "spec.ttl: must be at least 1"),
        (record_set(spec__ttl=59), "ttl is below 60"),
        (record_set(spec__a=None), "spec.a: is required when type is A"),
        (record_set(spec__a={"addresses": []}), "spec.a.addresses: must not be empty"),
        (record_set(spec__a={"addresses": ["192.0.2.256"]}), "spec.a.addresses[0]: "),
        (record_set(spec__a={"addresses": ["192.0.2.1", "192.0.2.1"]}), "spec.a.addresses[1]: "),
        (record_set(spec__a={"addresses": ["192.0.2.1"] * 501}), "spec.a.addresses: must have at most 400 items"),
        (record_set(spec__txt={"values": ["x"]}), "spec.txt: must be absent when type is A"),
        (of_type("AAAA", {"addresses": ["fe80::1%eth0"]}), "spec.aaaa.addresses[0]: "),
        (of_type("AAAA", {"addresses": ["2001:db8::10", "2001:0db8:0000::0010"]}), "spec.aaaa.addresses[1]: "),
        (of_type("CNAME", {"target": "lb.example.net"}, "@"), "spec.name: must not be @ when type is CNAME"),
        (of_type("CNAME", {"target": "LB.example.net"}), "spec.cname.target: must be lower case: write lb.example.net"),
        (of_type("NS", {"nameServers": ["ns.example.net"]}, "@"), "spec.name: must not be @ when type is NS"),
        (of_type("NS", {"nameServers": ["ns.example.net"]}, "*"), "spec.name: must not be a wildcard when type is NS"),
        (
            of_type("MX", {"records": [{"preference": 10, "exchange": "a.b"}, {"preference": 1, "exchange": "A.b"}]}),
            "spec.mx.records[1].exchange: must be lower case: write a.b",
        ),
        (
            of_type("MX", {"records": [{"preference": 70000, "exchange": "a.b"}]}),
            "spec.mx.records[0].preference: must be",
        ),
        (
            of_type("CAA", {"records": [{"flags": 0, "tag": "issue", "value": "ca"}]}),
            "spec.type: CAA is not supported by",
        ),
        (of_type("SRV", {}), "spec.type: must be one of A, AAAA, TXT, CNAME, MX, CAA, NS"),
        (record_set(spec__options={"flat": 1}), "spec.options.flat: "),
        (record_set(spec__options={"curved": True}), "spec.options"),
        (record_set(spec__adoption={"enabled": "yes"}), "spec.adoption.enabled: "),
        (record_set(spec__type=None), "spec.type: is required"),
    ],
)
def test_a_bad_record_set_is_refused(document: JsonObject, expected: str, snapshot: Snapshot) -> None:
    """Cases 8, 24, 73, 80 and 82, their wrong halves."""
    answer = recordset.validate_spec(creation(document), snapshot)
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


def test_all_findings_come_in_one_answer(snapshot: Snapshot) -> None:
    document = record_set(
        spec__provider__version="v7", spec__name="WWW", spec__a={"addresses": ["x.x.x.x"]}, spec__mx={"records": []}
    )
    document["spec"]["mx"] = {"records": [{"preference": 1, "exchange": "a.b"}]}  # type: ignore[index,call-overload]
    paths = {problem.path for problem in recordset.validate_spec(creation(document), snapshot).problems}
    assert paths == {"spec.provider.version", "spec.name", "spec.a.addresses[0]", "spec.mx"}


@pytest.mark.spec("CORE-RS-001")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"spec__name": "other"}, "spec.name"),
        ({"spec__zoneRef": {"namespace": "app", "name": "example-com"}}, "spec.zoneRef"),
        ({"spec__provider__version": "v1beta1"}, "spec.provider"),
    ],
)
def test_identity_never_changes(changes: dict[str, JsonValue], path: str, snapshot: Snapshot) -> None:
    """Case 32: a renamed claim cannot exist, the answer says what to do instead."""
    answer = recordset.validate_spec(update(record_set(), record_set(**changes)), snapshot)
    assert [problem.path for problem in answer.problems] == [path]
    assert "create another object and delete this one" in answer.problems[0].message


def test_what_never_changes_is_told_with_what_it_is(snapshot: Snapshot) -> None:
    answer = recordset.validate_spec(update(record_set(), record_set(spec__name="api")), snapshot)
    assert message(answer.problems) == (
        "spec.name: is immutable (it is www); create another object and delete this one"
    )


@pytest.mark.spec("CORE-RB-025")
def test_an_unregistered_caa_tag_is_only_warned_about(snapshot: Snapshot) -> None:
    """Case 17."""
    document = of_type("CAA", {"records": [{"flags": 0, "tag": "wildissue", "value": "ca.example"}]})
    answer = recordset.validate_spec(creation(document), snapshot)
    assert answer.warnings == ('spec.caa.records[0].tag: "wildissue" is no registered CAA property; is it misspelt?',)
    assert [problem.path for problem in answer.problems] == ["spec.type"]


@pytest.mark.parametrize(
    "tag", ["issue", "issuewild", "issuemail", "issuevmc", "iodef", "contactemail", "contactphone"]
)
def test_a_registered_caa_tag_is_not_warned_about(tag: str, snapshot: Snapshot) -> None:
    document = of_type("CAA", {"records": [{"flags": 0, "tag": tag, "value": "ca.example"}]})
    assert recordset.validate_spec(creation(document), snapshot).warnings == ()


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (of_type("CNAME", {"target": "lb"}), "cname.target"),
        (of_type("MX", {"records": [{"preference": 1, "exchange": "mail"}]}), "mx.records[0].exchange"),
        (of_type("NS", {"nameServers": ["ns.example.net", "ns2"]}), "ns.nameServers[1]"),
        (of_type("MX", {"records": [{"preference": 0, "exchange": "."}]}), ""),
        (of_type("CNAME", {"target": "lb.example"}), ""),
    ],
)
def test_a_target_of_one_label_is_warned_about(document: JsonObject, path: str, snapshot: Snapshot) -> None:
    answer = recordset.validate_spec(creation(document), snapshot)
    assert answer.allowed
    assert [text.partition(":")[0] for text in answer.warnings] == ([f"spec.{path}"] if path else [])


@pytest.mark.parametrize(
    ("value", "warned"), [('"v=spf1 -all"', True), ('"a" "b"', True), ('say "hi"', False), ('"', True), ("x", False)]
)
def test_quotes_around_a_txt_value_are_warned_about(value: str, warned: bool, snapshot: Snapshot) -> None:
    """Case 12: they are part of the value, as written."""
    answer = recordset.validate_spec(creation(of_type("TXT", {"values": ["y", value]})), snapshot)
    assert answer.allowed
    told = "spec.txt.values[1]: the quotes are published too; values are written without quotes"
    assert answer.warnings == ((told,) if warned else ())


QUOTED, ESCAPED = "the quotes are published too", "the backslashes are published too"
MISTAKEN_TEXTS = [
    # report, type, body, path, what is warned about
    ("octodns/octodns#79", "TXT", {"values": ["v=DKIM1\\; k=rsa"]}, "txt.values[0]", [ESCAPED]),
    ("barnybug/cli53#205", "TXT", {"values": ["C:\\x", "a;b"]}, "", []),
    ("hashicorp/terraform#10048", "TXT", {"values": ['\\"aaa\\" \\"bbb\\"']}, "txt.values[0]", [ESCAPED]),
    ("barnybug/cli53#138", "TXT", {"values": ['"\\"v=spf1\\""']}, "txt.values[0]", [QUOTED, ESCAPED]),
    (
        "okta/terraform-provider-okta#2338",
        "CAA",
        {"records": [{"flags": 0, "tag": "issue", "value": '"letsencrypt.org"'}]},
        "caa.records[0].value",
        [QUOTED],
    ),
    ("kubernetes-sigs/external-dns#3979", "CAA", {"records": [{"flags": 0, "tag": "issue", "value": ";"}]}, "", []),
]


@pytest.mark.parametrize(("report", "type_", "body", "path", "warned"), MISTAKEN_TEXTS)
def test_texts_as_zone_files_write_them_are_warned_about(
    report: str, type_: str, body: dict[str, JsonValue], path: str, warned: list[str], snapshot: Snapshot
) -> None:
    """Cases 12 and 17: a CAA value with quotes of its own names no authority, so none could issue anything."""
    warnings = recordset.validate_spec(creation(of_type(type_, body)), snapshot).warnings
    assert [text.partition(";")[0] for text in warnings] == [f"spec.{path}: {word}" for word in warned], report


@pytest.mark.spec("CORE-RT-004", "CORE-RT-007", "CORE-RT-022", "PC-AM-007", "PC-AM-008")
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"zone": {"ref": {"namespace": "app", "name": "example-com"}}, "observedGeneration": 2}, ""),
        (
            {"zone": {"ref": {"namespace": "other", "name": "example-com"}}},
            "status.zone.ref: must be app/example-com, the Zone that spec.zoneRef names; is other/example-com",
        ),
        ({"observedGeneration": 9}, "status.observedGeneration: must be at most"),
        ({"provider": {"data": {"recordID": 5}}}, "status.provider.data.recordID: "),
        ({"conditions": [condition("Accepted", "False", "RecordSetConflict")]}, ""),
        ({"conditions": [condition("Programmed", "False", "Frozen")]}, '"Frozen" is no reason for Programmed=False'),
        (
            {"conditions": [condition("Accepted", "True", "Accepted")] * 2},
            'status.conditions[1].type: "Accepted" stands twice',
        ),
    ],
)
def test_a_status_says_only_what_the_contract_knows(
    status: dict[str, JsonValue], expected: str, snapshot: Snapshot
) -> None:
    answer = recordset.validate_status(status_update(record_set(), status), snapshot)
    if expected:
        assert expected in message(answer.problems)
        assert len(answer.problems) == 1
    else:
        assert answer.problems == ()


LONG_DOMAIN = ".".join(["a" * 62, "a" * 63, "a" * 61])


def _in_zone(snapshot: Snapshot, namespace: str = "app") -> Snapshot:
    found = zone(metadata__namespace=namespace, spec__domainName=LONG_DOMAIN, spec__allowedRecordSets=[])
    return replace(snapshot, zone=Zone.model_validate(found))


@pytest.mark.spec("CORE-RN-006")
@pytest.mark.parametrize(
    ("length", "told"),
    [(64, []), (65, ["spec.name: must be at most 253 characters with the zone's name, this has 254"])],
)
def test_a_full_name_fits_into_253_characters(length: int, told: list[str], snapshot: Snapshot) -> None:
    """Case 81."""
    document = record_set(spec__name=".".join(["a" * (length - 32), "a" * 31]))
    answer = recordset.validate_spec(creation(document), _in_zone(snapshot))
    assert [str(problem) for problem in answer.problems] == told


def test_a_full_name_is_judged_only_where_the_zone_is_there_and_takes_the_claim(snapshot: Snapshot) -> None:
    document = record_set(spec__name=".".join(["a" * 33, "a" * 31]))
    elsewhere = changed(document, spec__zoneRef={"namespace": "other", "name": "example-com"})
    assert recordset.validate_spec(creation(document), snapshot).allowed
    assert recordset.validate_spec(creation(elsewhere), _in_zone(snapshot, "other")).allowed
    assert recordset.validate_spec(update(document, changed(document, spec__ttl=60)), _in_zone(snapshot)).allowed
