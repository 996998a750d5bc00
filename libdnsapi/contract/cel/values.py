"""Runtime values: plain JSON values of Python, and a class for each CEL type that JSON lacks.

null, bool, int, double, string, list and map are None, bool, int, float, str, list and dict with string keys.
"""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface

Value = object

INT_MIN, INT_MAX, UINT_MAX = -(2**63), 2**63 - 1, 2**64 - 1


class CelError(Exception):
    """An error value of CEL; `&&`, `||`, all and exists may absorb it."""


class StoppedError(Exception):
    """A bound was hit: evaluation ends at once, whatever the operators would absorb."""


class UInt(int):
    """A uint. Equal to the int of the same number, but another type to every operator."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TypeValue:
    """A type as a value: what `type(x)` returns."""

    name: str


@dataclass(frozen=True, slots=True)
class Opt:
    """An optional; absent when `present` is False."""

    value: Value = None
    present: bool = True


ABSENT = Opt(None, present=False)


class Omitted:
    """The sentinel of `omit()`: a conversion drops the map entry or list element that has this value."""


OMITTED = Omitted()


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A signed span of time in nanoseconds."""

    nanos: int


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time: nanoseconds since 1970-01-01T00:00:00Z."""

    nanos: int


class Opaque:
    """A library's own type: `==` with a value of another type on the right is an error, not false."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Ip(Opaque):
    """An IP address (Kubernetes library)."""

    address: IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Cidr(Opaque):
    """An address with a prefix length; host bits are kept (Kubernetes library)."""

    interface: IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True)
class Url(Opaque):
    """The parts of a URL (Kubernetes library)."""

    scheme: str
    host: str
    hostname: str
    port: str
    path: str
    query: str
    text: str


def int_of(number: int) -> int:
    """Return a number as int, or fail where 64 bits do not hold it."""
    if INT_MIN <= number <= INT_MAX:
        return int(number)
    raise CelError("integer overflow")


def uint_of(number: int) -> UInt:
    """Return a number as uint, or fail where 64 bits do not hold it."""
    if 0 <= number <= UINT_MAX:
        return UInt(number)
    raise CelError("unsigned integer overflow")


_NUMBERS = (int, UInt, float)


def is_number(value: Value) -> bool:
    """Whether the value is an int, a uint or a double (and no bool)."""
    return type(value) in _NUMBERS


def equal(left: Value, right: Value) -> bool:
    """Compare as CEL does: numbers across their types, lists and maps deeply, other types never equal."""
    kind, other = type(left), type(right)
    if kind is not other:
        return kind in _NUMBERS and other in _NUMBERS and left == right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(value, right[key]) for key, value in left.items())
    if isinstance(left, Opt) and isinstance(right, Opt):
        return left.present == right.present and equal(left.value, right.value)
    return left == right
