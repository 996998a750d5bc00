"""TXT: logical strings without quotes or chunks (RFC 1035; core seed, spec.txt)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import MAX_TXT_OCTETS, RecordContent, RecordType
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats
from libdnsapi.dns.validations import RecordSetValidation


class TXT:
    """The TXT record type."""

    type = RecordType.TXT
    required_by = RecordSetValidation.REQUIRE_TXT_VALUES

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield values of the wrong length or with unprintable characters, and values that stand twice."""
        values = content.txt.values if content.txt else ()
        printable = RecordSetValidation.FORBID_TXT_NON_PRINTABLE_ASCII not in disabled
        for index, value in enumerate(values):
            message = _message(value, printable=printable)
            if message is not None:
                yield Problem(f"txt.values[{index}]", message)
        yield from repeats("txt.values", values)

    def values(self, content: RecordContent) -> tuple[str, ...]:
        """Return the strings themselves: case, spaces and quotes mean something."""
        return content.txt.values if content.txt else ()


def _message(value: str, *, printable: bool) -> str | None:
    octets = len(value.encode("utf-8", "surrogatepass"))
    if not 1 <= octets <= MAX_TXT_OCTETS:
        return f"must be 1 to {MAX_TXT_OCTETS} octets long, this has {octets}"
    wrong = next((i for i, c in enumerate(value) if not " " <= c <= "~"), None)
    if printable and wrong is not None:
        return f"must be printable ASCII: character {wrong + 1} is {value[wrong]!a}"
    return None
