"""What one record type has to say about a record set's content."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Protocol

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.validations import RecordSetValidation


class RecordKind(Protocol):
    """One record type. Paths of findings are relative to `spec`; the body is known to be present."""

    @property
    def type(self) -> RecordType:
        """The type that this kind is for."""
        ...

    @property
    def required_by(self) -> RecordSetValidation | None:
        """The validation that makes the body required; None where nothing can switch it off."""
        ...

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield what is wrong with the body."""
        ...

    def values(self, content: RecordContent) -> Iterable[Hashable]:
        """Return the values in a form in which equal meaning is equality."""
        ...


def repeats(path: str, values: Sequence[Hashable | None]) -> Iterator[Problem]:
    """Yield a finding for every value that stood in the list before; None (wrong anyway) is passed by."""
    first: dict[Hashable, int] = {}
    for index, value in enumerate(values):
        if value is None:
            continue
        if value in first:
            yield Problem(f"{path}[{index}]", f"repeats entry [{first[value]}] of this list")
        else:
            first[value] = index
