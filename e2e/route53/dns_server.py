"""A DNS port over the zones: UDP and TCP on one loopback port. dnspython does the wire."""

import asyncio
import struct
from typing import Final

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

from e2e.route53.errors import SyntaxProblemError
from e2e.route53.lookup import Answer, find, zone_for
from e2e.route53.model import RecordSet
from e2e.route53.names import join, labels
from e2e.route53.rdata import to_decimal_escapes
from e2e.route53.world import World
from e2e.route53.zone import HostedZone

HOST: Final = "127.0.0.1"
UDP_PAYLOAD: Final = 512
PORT_ATTEMPTS: Final = 20
_MAX_MESSAGE: Final = 65_535


def respond(world: World, wire: bytes, limit: int) -> bytes | None:
    """Answer a query in wire form with at most `limit` octets (or what EDNS allows); None for what is no query."""
    try:
        query = dns.message.from_wire(wire)
    except (dns.exception.DNSException, ValueError):
        return None
    if query.flags & dns.flags.QR:
        return None
    response = dns.message.make_response(query, our_payload=1232)
    try:
        _fill(world, query, response)
    except (SyntaxProblemError, dns.exception.DNSException, ValueError):
        response.set_rcode(dns.rcode.SERVFAIL)
    return _fitted(response, max(limit, query.payload))


def _fitted(response: dns.message.Message, limit: int) -> bytes:
    try:
        return response.to_wire(max_size=limit)
    except dns.exception.TooBig:
        for section in (response.answer, response.authority, response.additional):
            section.clear()
        response.flags |= dns.flags.TC
        return response.to_wire(max_size=limit)


def _fill(world: World, query: dns.message.Message, response: dns.message.Message) -> None:
    if len(query.question) != 1:
        response.set_rcode(dns.rcode.FORMERR)
        return
    question = query.question[0]
    name = join(tuple(label.decode("latin-1").lower() for label in question.name.labels if label))
    by_name: dict[str, list[HostedZone]] = {}
    for candidate in world.state.zones.values():
        by_name.setdefault(candidate.name, []).append(candidate)
    zone = zone_for(by_name, name) if name else None
    if zone is None:
        response.set_rcode(dns.rcode.REFUSED)
        return
    answer = find(world.state.zones, zone, name, dns.rdatatype.to_text(question.rdtype))
    _write(response, zone, answer)


def _write(response: dns.message.Message, zone: HostedZone, answer: Answer) -> None:
    response.set_rcode(dns.rcode.from_text(answer.rcode))
    response.answer.extend(map(_rrset, answer.records))
    if answer.referral is not None:
        response.authority.append(_rrset(answer.referral))
        return
    response.flags |= dns.flags.AA
    wanted = dns.rdatatype.to_text(response.question[0].rdtype)
    if not any(record.type == wanted for record in answer.records):
        response.authority.append(_rrset(zone.table.at(zone.name)["SOA", ""]))


def _rrset(record: RecordSet) -> dns.rrset.RRset:
    owner = dns.name.Name([*(label.encode("latin-1") for label in labels(record.name)), b""])
    values = [to_decimal_escapes(value) for value in record.values]
    return dns.rrset.from_text_list(
        owner, record.ttl or 0, "IN", record.type, values, origin=dns.name.root, relativize=False
    )


class _Datagrams(asyncio.DatagramProtocol):
    """Queries over UDP."""

    def __init__(self, world: World) -> None:
        """Answer from this world."""
        self._world = world
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override] # as asyncio calls it
        """Keep the transport to answer through."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer a query."""
        answer = respond(self._world, data, UDP_PAYLOAD)
        if answer is not None and self._transport is not None:
            self._transport.sendto(answer, addr)


class DnsServer:
    """The two sockets. `port` is the one both are bound to."""

    def __init__(self, world: World) -> None:
        """Answer from this world."""
        self._world = world
        self._udp: asyncio.DatagramTransport | None = None
        self._tcp: asyncio.Server | None = None
        self.port = 0

    async def start(self, port: int) -> None:
        """Listen; port 0 picks one that is free for both. Raises OSError if the port is taken."""
        for attempt in range(PORT_ATTEMPTS):
            try:
                await self._bind(port)
            except OSError:
                self.stop()
                if port or attempt == PORT_ATTEMPTS - 1:
                    raise
            else:
                return

    async def _bind(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        self._udp, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self._world), local_addr=(HOST, port))
        self.port = self._udp.get_extra_info("sockname")[1]
        self._tcp = await asyncio.start_server(self._serve_stream, HOST, self.port)

    def stop(self) -> None:
        """Close both sockets."""
        if self._udp is not None:
            self._udp.close()
        if self._tcp is not None:
            self._tcp.close()

    async def _serve_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                (length,) = struct.unpack("!H", await reader.readexactly(2))
                answer = respond(self._world, await reader.readexactly(length), _MAX_MESSAGE)
                if answer is None:
                    break
                writer.write(struct.pack("!H", len(answer)) + answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
