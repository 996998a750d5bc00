"""NS: the name servers of a delegated child zone, never of the zone itself (RFC 1035; core seed, spec.ns)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.names import target_name_problem
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats


class NS:
    """The NS record type."""

    type = RecordType.NS
    required_by = None

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield name servers that are no names, and names that stand twice."""
        names = content.ns.name_servers if content.ns else ()
        for index, name in enumerate(names):
            message = target_name_problem(name)
            if message is not None:
                yield Problem(f"ns.nameServers[{index}]", message)
        yield from repeats("ns.nameServers", names)

    def values(self, content: RecordContent) -> tuple[str, ...]:
        """Return the name servers."""
        return content.ns.name_servers if content.ns else ()
