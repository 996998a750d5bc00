"""Optional values (cel-go optional types)."""

from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.types import BOOL, A, optional_of
from libdnsapi.contract.cel.types import OPTIONAL as OPTIONAL_TYPE
from libdnsapi.contract.cel.values import ABSENT, CelError, Duration, Opt, Value


def _of_non_zero(value: Value) -> Opt:
    return ABSENT if value in (None, "", b"", [], {}, Duration(0)) or value == 0 else Opt(value)


def _none() -> Opt:
    return ABSENT


def _has_value(optional: Opt) -> bool:
    return optional.present


def _value(optional: Opt) -> Value:
    if not optional.present:
        raise CelError("optional.none() has no value")
    return optional.value


def _or(optional: Opt, other: Opt) -> Opt:
    return optional if optional.present else other


def _or_value(optional: Opt, other: Value) -> Value:
    return optional.value if optional.present else other


_OPTIONAL_A = optional_of(A)
OVERLOADS: tuple[Overload, ...] = (
    function("optional.of", (A,), _OPTIONAL_A, Opt),
    function("optional.ofNonZeroValue", (A,), _OPTIONAL_A, _of_non_zero),
    function("optional.none", (), OPTIONAL_TYPE, _none),
    method("hasValue", (OPTIONAL_TYPE,), BOOL, _has_value),
    method("value", (_OPTIONAL_A,), A, _value),
    method("or", (_OPTIONAL_A, _OPTIONAL_A), _OPTIONAL_A, _or),
    method("orValue", (_OPTIONAL_A, A), A, _or_value),
)
