"""Lists and sets: the Kubernetes list library, and the list and set extensions of cel-go."""

from functools import cmp_to_key
from itertools import pairwise

from libdnsapi.contract.cel.budget import bounded_length
from libdnsapi.contract.cel.functions.elements import less
from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.operators import add
from libdnsapi.contract.cel.types import BOOL, DOUBLE, DURATION, DYN, INT, LIST, UINT, A, list_of
from libdnsapi.contract.cel.values import CelError, Duration, StoppedError, Value, equal, is_number

_PAIRS_MAX = 100_000
_SUMMABLE = (INT, UINT, DOUBLE, DURATION)


def _pairs(left: list[Value], right: list[Value]) -> None:
    """Refuse comparisons of every pair where there are too many pairs."""
    if len(left) * len(right) > _PAIRS_MAX:
        raise StoppedError(f"the expression compares more than {_PAIRS_MAX} pairs")


def _is_sorted(values: list[Value]) -> bool:
    return not any(less(right, left) for left, right in pairwise(values))


def _sum(values: list[Value]) -> Value:
    if not all(is_number(value) or isinstance(value, Duration) for value in values):
        raise CelError("sum needs numbers or durations")
    total: Value = values[0] if values else 0
    for value in values[1:]:
        total = add(total, value)
    return total


def _min(values: list[Value]) -> Value:
    if not values:
        raise CelError("min of an empty list")
    found = values[0]
    for value in values[1:]:
        found = value if less(value, found) else found
    return found


def _max(values: list[Value]) -> Value:
    if not values:
        raise CelError("max of an empty list")
    found = values[0]
    for value in values[1:]:
        found = value if less(found, value) else found
    return found


def _index_of(values: list[Value], wanted: Value) -> int:
    return next((i for i, value in enumerate(values) if equal(value, wanted)), -1)


def _last_index_of(values: list[Value], wanted: Value) -> int:
    return next((i for i in range(len(values) - 1, -1, -1) if equal(values[i], wanted)), -1)


def _compare(left: Value, right: Value) -> int:
    return -1 if less(left, right) else int(less(right, left))


def sort_by(values: list[Value], keys: list[Value]) -> list[Value]:
    """Return the values in the order of their keys; equal keys keep their order."""
    by_key = cmp_to_key(_compare)
    return [value for _, value in sorted(zip(keys, values, strict=True), key=lambda pair: by_key(pair[0]))]


def _sort(values: list[Value]) -> list[Value]:
    return sort_by(values, values)


def _slice(values: list[Value], start: int, end: int) -> list[Value]:
    if not 0 <= start <= end <= len(values):
        raise CelError(f"slice out of range: {start} to {end}")
    return values[start:end]


def _flatten(values: list[Value], depth: int = 1) -> list[Value]:
    if depth < 0:
        raise CelError("flatten needs a depth of 0 or more")
    flat: list[Value] = []
    for value in values:
        flat.extend(_flatten(value, depth - 1) if isinstance(value, list) and depth > 0 else [value])
        bounded_length(len(flat))
    return flat


def _distinct(values: list[Value]) -> list[Value]:
    _pairs(values, values)
    found: list[Value] = []
    for value in values:
        if not any(equal(value, other) for other in found):
            found.append(value)
    return found


def _reverse(values: list[Value]) -> list[Value]:
    return values[::-1]


def _range(count: int) -> list[Value]:
    return list(range(bounded_length(count)))


def _contains_all(values: list[Value], wanted: list[Value]) -> bool:
    _pairs(values, wanted)
    return all(any(equal(value, w) for value in values) for w in wanted)


def _equivalent(left: list[Value], right: list[Value]) -> bool:
    return _contains_all(left, right) and _contains_all(right, left)


def _intersects(left: list[Value], right: list[Value]) -> bool:
    _pairs(left, right)
    return any(equal(a, b) for a in left for b in right)


_LIST_A = list_of(A)

OVERLOADS: tuple[Overload, ...] = (
    method("isSorted", (LIST,), BOOL, _is_sorted),
    *(method("sum", (list_of(number),), number, _sum) for number in _SUMMABLE),
    method("min", (_LIST_A,), A, _min),
    method("max", (_LIST_A,), A, _max),
    method("indexOf", (LIST, DYN), INT, _index_of),
    method("lastIndexOf", (LIST, DYN), INT, _last_index_of),
    method("sort", (_LIST_A,), _LIST_A, _sort),
    method("slice", (_LIST_A, INT, INT), _LIST_A, _slice),
    method("flatten", (LIST,), LIST, _flatten),
    method("flatten", (LIST, INT), LIST, _flatten),
    method("distinct", (_LIST_A,), _LIST_A, _distinct),
    method("reverse", (_LIST_A,), _LIST_A, _reverse),
    function("lists.range", (INT,), list_of(INT), _range),
    function("sets.contains", (LIST, LIST), BOOL, _contains_all),
    function("sets.equivalent", (LIST, LIST), BOOL, _equivalent),
    function("sets.intersects", (LIST, LIST), BOOL, _intersects),
)
