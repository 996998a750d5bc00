"""The DNS port answers what the zones hold, over UDP and TCP."""

from collections.abc import Callable

import dns.message
import dns.query
import dns.rcode
import pytest

from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.route53.remote import Remote

RECORDS = (
    RecordDocument(name="www.example.com", type="A", ttl=60, values=("192.0.2.1",)),
    RecordDocument(name="*.example.com", type="TXT", ttl=60, values=('"caf\\303\\251"',)),
    RecordDocument(name="alias.example.com", type="CNAME", ttl=60, values=("www.example.com",)),
    RecordDocument(name="many.example.com", type="TXT", ttl=60, values=tuple(f'"{i:0200}"' for i in range(20))),
)


@pytest.fixture
def address(remote: Remote, zone: str) -> tuple[str, int]:
    remote.edit(RecordEdits(hosted_zone_id=zone, put=RECORDS))
    return "127.0.0.1", remote.dns_port


@pytest.mark.parametrize("transport", [dns.query.udp, dns.query.tcp])
@pytest.mark.parametrize(
    ("name", "type_", "rcode", "answer"),
    [
        ("www.example.com", "A", "NOERROR", ["www.example.com. 60 IN A 192.0.2.1"]),
        ("x.example.com", "TXT", "NOERROR", ['x.example.com. 60 IN TXT "caf\\195\\169"']),
        (
            "alias.example.com",
            "A",
            "NOERROR",
            ["alias.example.com. 60 IN CNAME www.example.com.", "www.example.com. 60 IN A 192.0.2.1"],
        ),
        ("x.example.com", "A", "NOERROR", []),
        ("a.www.example.com", "A", "NXDOMAIN", []),
        ("other.org", "A", "REFUSED", []),
    ],
)
def test_a_query_is_answered(
    address: tuple[str, int],
    transport: Callable[..., dns.message.Message],
    name: str,
    type_: str,
    rcode: str,
    answer: list[str],
) -> None:
    host, port = address
    response = transport(dns.message.make_query(name, type_), host, port=port, timeout=5)
    assert dns.rcode.to_text(response.rcode()) == rcode
    assert [line for rrset in response.answer for line in str(rrset).splitlines()] == answer
    assert bool(response.authority) is (not answer and rcode != "REFUSED")


def test_an_answer_too_long_for_udp_is_fetched_over_tcp(address: tuple[str, int]) -> None:
    host, port = address
    query = dns.message.make_query("many.example.com", "TXT")
    response, over_tcp = dns.query.udp_with_fallback(query, host, port=port, timeout=5)
    assert over_tcp
    assert len(response.answer[0]) == 20
