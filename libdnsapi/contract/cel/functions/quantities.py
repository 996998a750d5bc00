"""Quantities such as 1Gi or 250m (Kubernetes quantity library)."""

import re
from dataclasses import dataclass
from decimal import Decimal

from libdnsapi.contract.cel.functions.overload import PYTHON_TYPES, Overload, function, method
from libdnsapi.contract.cel.types import BOOL, DOUBLE, INT, STRING
from libdnsapi.contract.cel.types import QUANTITY as QUANTITY_TYPE
from libdnsapi.contract.cel.values import INT_MAX, INT_MIN, CelError, Opaque, Value

_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40}))"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?[0-9]{1,2})"
)
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


@dataclass(frozen=True, slots=True)
class Quantity(Opaque):
    """An exact number."""

    amount: Decimal


PYTHON_TYPES["quantity"] = Quantity


def parse_quantity(text: str) -> Quantity:
    """Read a Kubernetes quantity."""
    found = _QUANTITY.fullmatch(text)
    if found is None:
        raise CelError("the text is no quantity such as 1Gi or 250m")
    number, suffix = Decimal(found["number"]), found["suffix"]
    if suffix in _BINARY:
        return Quantity(number * 1024 ** _BINARY[suffix])
    exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
    return Quantity(number.scaleb(exponent))


def _is_quantity(text: str) -> bool:
    return _QUANTITY.fullmatch(text) is not None


def _is_integer(quantity: Quantity) -> bool:
    whole = quantity.amount == quantity.amount.to_integral_value()
    return whole and INT_MIN <= quantity.amount <= INT_MAX


def _as_integer(quantity: Quantity) -> int:
    if not _is_integer(quantity):
        raise CelError("the quantity is no integer of 64 bits")
    return int(quantity.amount)


def _as_float(quantity: Quantity) -> float:
    return float(quantity.amount)


def _sign(quantity: Quantity) -> int:
    return (quantity.amount > 0) - (quantity.amount < 0)


def _compare(one: Quantity, other: Quantity) -> int:
    return (one.amount > other.amount) - (one.amount < other.amount)


def _is_greater(one: Quantity, other: Quantity) -> bool:
    return one.amount > other.amount


def _is_less(one: Quantity, other: Quantity) -> bool:
    return one.amount < other.amount


def _amount(value: Value) -> Decimal:
    return value.amount if isinstance(value, Quantity) else Decimal(str(value))


def _add(one: Quantity, other: Value) -> Quantity:
    return Quantity(one.amount + _amount(other))


def _subtract(one: Quantity, other: Value) -> Quantity:
    return Quantity(one.amount - _amount(other))


_Q = QUANTITY_TYPE
OVERLOADS: tuple[Overload, ...] = (
    function("quantity", (STRING,), _Q, parse_quantity),
    function("isQuantity", (STRING,), BOOL, _is_quantity),
    method("isInteger", (_Q,), BOOL, _is_integer),
    method("asInteger", (_Q,), INT, _as_integer),
    method("asApproximateFloat", (_Q,), DOUBLE, _as_float),
    function("sign", (_Q,), INT, _sign),
    method("compareTo", (_Q, _Q), INT, _compare),
    method("isGreaterThan", (_Q, _Q), BOOL, _is_greater),
    method("isLessThan", (_Q, _Q), BOOL, _is_less),
    method("add", (_Q, _Q), _Q, _add),
    method("add", (_Q, INT), _Q, _add),
    method("sub", (_Q, _Q), _Q, _subtract),
    method("sub", (_Q, INT), _Q, _subtract),
)
