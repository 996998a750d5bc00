"""MX: mail exchanges, and the null MX that declares that there is none (RFC 1035, RFC 7505; core seed, spec.mx)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import MXRecord, RecordContent, RecordType
from libdnsapi.dns.names import target_name_problem
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats

NULL_EXCHANGE = "."


class MX:
    """The MX record type."""

    type = RecordType.MX
    required_by = None

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield exchanges that are no names, a null MX that is not alone, and pairs that stand twice."""
        records = content.mx.records if content.mx else ()
        for index, record in enumerate(records):
            message = _exchange_message(record, alone=len(records) == 1)
            if message is not None:
                yield Problem(f"mx.records[{index}].exchange", message)
        yield from repeats("mx.records", [(r.preference, r.exchange) for r in records])

    def values(self, content: RecordContent) -> Iterator[tuple[int, str]]:
        """Return pairs of preference and exchange."""
        return ((r.preference, r.exchange) for r in (content.mx.records if content.mx else ()))


def _exchange_message(record: MXRecord, *, alone: bool) -> str | None:
    if record.exchange != NULL_EXCHANGE:
        return target_name_problem(record.exchange)
    if record.preference != 0:
        return 'may be "." only with preference 0 (null MX)'
    return None if alone else 'may be "." only in the one and only record: a null MX says that there is no mail'
