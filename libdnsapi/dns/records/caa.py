"""CAA: which authorities may issue certificates; tags are open (RFC 8659; core seed, spec.caa)."""

import re
from collections.abc import Iterator

from libdnsapi.api.dns.bodies import TAG_WORDS, CAARecord, RecordContent, RecordType
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats

_TAG = re.compile(r"[a-z0-9]+")


class CAA:
    """The CAA record type."""

    type = RecordType.CAA
    required_by = None

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield malformed tags, empty values and entries that stand twice."""
        records = content.caa.records if content.caa else ()
        for index, record in enumerate(records):
            if not _TAG.fullmatch(record.tag):
                yield Problem(f"caa.records[{index}].tag", TAG_WORDS)
            if not record.value:
                yield Problem(f"caa.records[{index}].value", 'must not be empty: write ";" to allow no authority')
        yield from repeats("caa.records", [_identity(r) for r in records])

    def values(self, content: RecordContent) -> Iterator[tuple[int, str, str]]:
        """Return triples of flags, tag and value."""
        return (_identity(r) for r in (content.caa.records if content.caa else ()))


def _identity(record: CAARecord) -> tuple[int, str, str]:
    return (record.flags, record.tag, record.value)
