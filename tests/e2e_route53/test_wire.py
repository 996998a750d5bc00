"""Reading change batches: what is malformed before any rule of a zone is looked at."""

import pytest

from e2e.route53.errors import AwsError, InvalidChangeBatchError
from e2e.route53.model import AliasTarget, Change, RecordSet, RoutingPolicy
from e2e.route53.wire import read_batch, render_record_set
from e2e.route53.xml import Reader

NAMESPACE = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"'


def batch(changes: str) -> Reader:
    body = f"<Request {NAMESPACE}><ChangeBatch><Changes>{changes}</Changes></ChangeBatch></Request>"
    return Reader.parse(body.encode())


def simple(name: str = "a.com", ttl: str = "60") -> str:
    record = f"<Name>{name}</Name><Type>A</Type><TTL>{ttl}</TTL>"
    values = "<ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords>"
    return f"<Change><Action>CREATE</Action><ResourceRecordSet>{record}{values}</ResourceRecordSet></Change>"


@pytest.mark.parametrize("ttl", ["-1", "x", "2147483648", ""])
def test_a_ttl_is_a_number_of_seconds_in_31_bits(ttl: str) -> None:
    with pytest.raises(AwsError, match="TTL"):
        read_batch(batch(simple(ttl=ttl)))


def test_an_empty_batch_is_invalid_input() -> None:
    with pytest.raises(AwsError) as caught:
        read_batch(batch(""))
    assert caught.value.code == "InvalidInput"


def test_a_body_that_is_no_xml_is_invalid_input() -> None:
    with pytest.raises(AwsError) as caught:
        Reader.parse(b"<broken")
    assert caught.value.code == "InvalidInput"


def test_all_malformed_names_of_a_batch_are_named() -> None:
    with pytest.raises(InvalidChangeBatchError) as caught:
        read_batch(batch(simple("a..b") + simple("ok.com") + simple("x" * 64)))
    assert [message.split("'")[1] for message in caught.value.messages] == ["a..b", "x" * 64]


@pytest.mark.parametrize(
    "record",
    [
        RecordSet("a.com.", "TXT", 0, ('"a < b"', '"&"')),
        RecordSet("a.com.", "A", alias=AliasTarget("Z1", "b.com.", evaluate_target_health=True)),
        RecordSet("a.com.", "A", 60, ("192.0.2.1",), None, "x", RoutingPolicy("Weight", "0"), "check"),
        RecordSet("a.com.", "A", 60, ("192.0.2.1",), None, "x", RoutingPolicy("GeoLocation", (("CountryCode", "NL"),))),
    ],
)
def test_a_record_set_survives_the_wire(record: RecordSet) -> None:
    written = f"<Change><Action>UPSERT</Action>{render_record_set(record)}</Change>"
    assert read_batch(batch(written)) == (Change("UPSERT", record),)
