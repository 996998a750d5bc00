"""CAA: which authorities may issue certificates; tags are open (RFC 8659; core seed, spec.caa)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import CAARecord, RecordContent, RecordType
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats


class CAA:
    """The CAA record type."""

    type = RecordType.CAA
    required_by = None

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield entries that stand twice; the form of tags, and that values are not empty, is the model's own."""
        yield from repeats("caa.records", [_identity(r) for r in (content.caa.records if content.caa else ())])

    def values(self, content: RecordContent) -> Iterator[tuple[int, str, str]]:
        """Return triples of flags, tag and value."""
        return (_identity(r) for r in (content.caa.records if content.caa else ()))


def _identity(record: CAARecord) -> tuple[int, str, str]:
    return (record.flags, record.tag, record.value)
