"""The functions that templates may call: Go's built-in ones and the seed's FuncMap.

`and` and `or` stand in `evaluation`: they look at no more arguments than they need.
"""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass

import orjson

from core_controller.sources.templates import comparison, formatting
from core_controller.sources.templates.errors import EvaluationError
from core_controller.sources.templates.values import (
    NOTHING,
    Budget,
    Value,
    is_nil,
    is_true,
    kind,
    length,
    text_of,
)

LAZY = frozenset({"and", "or"})
MAX_INDEXES_OF_SLICE = 3


@dataclass(frozen=True, slots=True)
class Callee:
    """A function and how many arguments it takes; None is any number."""

    call: Callable[[list[Value], Budget], Value]
    least: int
    most: int | None


def _index(values: list[Value], budget: Budget) -> Value:
    """Return `index x 1 "a"`, which is x[1]["a"]; a missing key gives nothing, a wrong place is an error."""
    item = values[0]
    if is_nil(item):
        raise EvaluationError("index of untyped nil")
    for at in values[1:]:
        budget.spend()
        if is_nil(item):
            raise EvaluationError("index of nil pointer")
        item = _item(item, at)
    return item


def _item(item: Value, at: Value) -> Value:
    match item:
        case dict():
            if not isinstance(at, str):
                raise EvaluationError(f"value has type {kind(at)}; should be string")
            return item.get(at)
        case list():
            return item[_place(at, len(item) - 1)]
        case str():
            octets = item.encode()
            return octets[_place(at, len(octets) - 1)]
        case _:
            raise EvaluationError(f"can't index item of type {kind(item)}")


def _place(at: Value, last: int) -> int:
    if isinstance(at, bool) or not isinstance(at, int):
        raise EvaluationError(f"cannot index slice/array with {'nil' if is_nil(at) else f'type {kind(at)}'}")
    if not 0 <= at <= last:
        raise EvaluationError(f"index out of range: {at}")
    return at


def _slice(values: list[Value], budget: Budget) -> Value:
    """Return `slice x 1 2`, which is x[1:2]; strings are cut by bytes."""
    item, places = values[0], values[1:]
    if is_nil(item):
        raise EvaluationError("slice of untyped nil")
    if len(places) > MAX_INDEXES_OF_SLICE:
        raise EvaluationError(f"too many slice indexes: {len(places)}")
    if not isinstance(item, str | list):
        raise EvaluationError(f"can't slice item of type {kind(item)}")
    if isinstance(item, str) and len(places) == MAX_INDEXES_OF_SLICE:
        raise EvaluationError("cannot 3-index slice a string")
    budget.text(len(item))
    whole = item.encode() if isinstance(item, str) else item
    bounds = [_place(at, len(whole)) for at in places]
    if bounds != sorted(bounds):
        raise EvaluationError("invalid slice index")
    start, stop = (*bounds, 0)[0], (*bounds, len(whole), len(whole))[1] if len(bounds) > 1 else len(whole)
    cut = whole[start:stop]
    return cut.decode("utf-8", "replace") if isinstance(cut, bytes) else cut


def _printf(values: list[Value], budget: Budget) -> Value:
    return formatting.print_format(text_of(values[0], "printf"), values[1:], budget)


def _replace(values: list[Value], budget: Budget) -> Value:
    old, new, target = (text_of(value, "replace") for value in values)
    count = target.count(old) if old else len(target) + 1
    budget.text(len(target) + count * max(0, len(new) - len(old)))
    budget.spend(count // 8)
    return target.replace(old, new)


def _from_json(values: list[Value], budget: Budget) -> Value:
    """Parse JSON; every number is a float, as in Go. What is no JSON is an error, never an empty value."""
    text = text_of(values[0], "fromJson")
    budget.text(len(text))
    budget.spend(len(text) // 8)
    try:
        return _with_floats(orjson.loads(text))
    except orjson.JSONDecodeError:
        raise EvaluationError("fromJson: the value is not JSON") from None


def _with_floats(value: Value) -> Value:
    match value:
        case bool():
            return value
        case int():
            return float(value)
        case list():
            return [_with_floats(item) for item in value]
        case dict():
            return {key: _with_floats(item) for key, item in value.items()}
        case _:
            return value


def _is_address(version: int) -> Callable[[list[Value], Budget], Value]:
    def check(values: list[Value], budget: Budget) -> Value:
        text = text_of(values[0], f"isIPv{version}")
        budget.text(len(text))
        try:
            return ipaddress.ip_address(text).version == version
        except ValueError:
            return False

    return check


def _two_texts(name: str, work: Callable[[str, str], Value]) -> Callee:
    def call(values: list[Value], budget: Budget) -> Value:
        first, second = (text_of(value, name) for value in values)
        budget.text(len(first) + len(second))
        return work(first, second)

    return Callee(call, 2, 2)


def _one_text(name: str, work: Callable[[str], Value]) -> Callee:
    def call(values: list[Value], budget: Budget) -> Value:
        text = text_of(values[0], name)
        budget.text(len(text))
        return work(text)

    return Callee(call, 1, 1)


def _compared(work: Callable[[list[Value]], bool], most: int | None = 2) -> Callee:
    def call(values: list[Value], budget: Budget) -> Value:
        for value in values:
            budget.text(len(value) if isinstance(value, str) else 1)
        return work(values)

    return Callee(call, 1 if most is None else 2, most)


def _lower(text: str) -> str:
    """Lower each character by itself, as Go's strings.ToLower does."""
    return "".join(c.lower() if len(c.lower()) == 1 else c.lower()[0] for c in text)


_GO_SPACE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

FUNCTIONS: dict[str, Callee] = {
    "not": Callee(lambda values, _: not is_true(values[0]), 1, 1),
    "len": Callee(lambda values, _: length(values[0]), 1, 1),
    "index": Callee(_index, 1, None),
    "slice": Callee(_slice, 1, None),
    "print": Callee(formatting.print_all, 0, None),
    "println": Callee(formatting.print_line, 0, None),
    "printf": Callee(_printf, 1, None),
    "eq": _compared(comparison.equals, None),
    "ne": _compared(comparison.differs),
    "lt": _compared(comparison.less),
    "le": _compared(comparison.less_or_equal),
    "gt": _compared(lambda values: not comparison.less_or_equal(values)),
    "ge": _compared(lambda values: not comparison.less(values)),
    "contains": _two_texts("contains", lambda text, part: part in text),
    "trimPrefix": _two_texts("trimPrefix", str.removeprefix),
    "trimSuffix": _two_texts("trimSuffix", str.removesuffix),
    "trim": _one_text("trim", lambda text: text.strip(_GO_SPACE)),
    "toLower": _one_text("toLower", _lower),
    "replace": Callee(_replace, 3, 3),
    "isIPv4": Callee(_is_address(4), 1, 1),
    "isIPv6": Callee(_is_address(6), 1, 1),
    "fromJson": Callee(_from_json, 1, 1),
}
NAMES = frozenset(FUNCTIONS) | LAZY


def call(name: str, values: list[Value], budget: Budget) -> Value:
    """Call a function by its name; raises EvaluationError for a wrong number or type of arguments."""
    callee = FUNCTIONS[name]
    if len(values) < callee.least or (callee.most is not None and len(values) > callee.most):
        wanted = f"at least {callee.least}" if callee.most is None else str(callee.least)
        raise EvaluationError(f"wrong number of args for {name}: want {wanted} got {len(values)}")
    budget.spend(1 + len(values))
    return callee.call([None if value is NOTHING else value for value in values], budget)
