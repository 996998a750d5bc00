"""Core CEL functions: sizes, tests on strings, and conversions (CEL language definition)."""

from collections.abc import Callable
from typing import TypeVar

from libdnsapi.contract.cel.functions.elements import type_of
from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.functions.text import NANOS, to_text
from libdnsapi.contract.cel.types import BOOL, BYTES, DOUBLE, DYN, INT, LIST, MAP, STRING, TIMESTAMP, TYPE, UINT, Type
from libdnsapi.contract.cel.types import DURATION as DURATION_TYPE
from libdnsapi.contract.cel.values import INT_MAX, CelError, Timestamp, UInt, Value, int_of, uint_of

N = TypeVar("N")
_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_INT_EDGE = float(INT_MAX + 1)


def _to_int(value: Value) -> int:
    match value:
        case float():
            if not -_INT_EDGE < value < _INT_EDGE:
                raise CelError("integer overflow")
            return int(value)
        case int():
            return int_of(value)
        case str():
            return int_of(_number(value, int))
        case Timestamp():
            return value.nanos // NANOS
        case _:
            raise CelError("no such overload: int()")


def _to_uint(value: Value) -> UInt:
    match value:
        case float():
            if not 0 <= value < _INT_EDGE * 2:
                raise CelError("unsigned integer overflow")
            return uint_of(int(value))
        case int():
            return uint_of(value)
        case str():
            return uint_of(_number(value, int))
        case _:
            raise CelError("no such overload: uint()")


def _to_double(value: Value) -> float:
    return _number(value, float) if isinstance(value, str) else float(value)  # type: ignore[arg-type]  # a number


def _number(text: str, read: Callable[[str], N]) -> N:
    # Python's readers also take underscores, white space and digits of other scripts; CEL's do not.
    if "_" in text or not text.isascii() or text != text.strip():
        raise CelError("the text is no number")
    try:
        return read(text)
    except (ValueError, OverflowError) as error:
        raise CelError("the text is no number") from error


def _to_bool(text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise CelError("the text is neither true nor false")


def _same(value: Value) -> Value:
    return value


def _conversions(name: str, result: Type, sources: tuple[Type, ...], run: Callable[..., Value]) -> list[Overload]:
    return [function(name, (source,), result, run) for source in sources]


def _both_styles(name: str, params: tuple[Type, ...], result: Type, run: Callable[..., Value]) -> list[Overload]:
    return [function(name, params, result, run), method(name, params, result, run)]


OVERLOADS: tuple[Overload, ...] = (
    *(o for sized in (STRING, BYTES, LIST, MAP) for o in _both_styles("size", (sized,), INT, len)),
    method("startsWith", (STRING, STRING), BOOL, str.startswith),
    method("endsWith", (STRING, STRING), BOOL, str.endswith),
    method("contains", (STRING, STRING), BOOL, str.__contains__),
    *_conversions("int", INT, (INT, UINT, DOUBLE, STRING, TIMESTAMP), _to_int),
    *_conversions("uint", UINT, (INT, UINT, DOUBLE, STRING), _to_uint),
    *_conversions("double", DOUBLE, (INT, UINT, DOUBLE, STRING), _to_double),
    *_conversions("string", STRING, (STRING, BOOL, INT, UINT, DOUBLE, BYTES, TIMESTAMP, DURATION_TYPE), to_text),
    function("bytes", (STRING,), BYTES, str.encode),
    function("bytes", (BYTES,), BYTES, _same),
    function("bool", (STRING,), BOOL, _to_bool),
    function("bool", (BOOL,), BOOL, _same),
    function("dyn", (DYN,), DYN, _same),
    function("type", (DYN,), TYPE, type_of),
)
