"""The values that templates work on, and what Go thinks of them: kinds, truth, length.

A value is None (a null, or nothing at all), bool, int (Go's int64), float, str, list or dict with str keys: what JSON
gives. In Go a null inside of data and a missing value differ in one place only, which `NOTHING` marks: a field of a
null is always an error, a field of nothing is one with `missingkey=error` only.
"""

from typing import Final, TypeAlias, cast

from core_controller.sources.templates.errors import EvaluationError, LimitError
from libdnsapi.api.meta import JsonObject

Scalar: TypeAlias = bool | int | float | str | None
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value] | Nothing"

MAX_STEPS = 10_000
MAX_VALUE = 64 * 1024
MAX_OUTPUT = 64 * 1024
CHARACTERS_PER_STEP = 64


class Nothing:
    """The type of NOTHING."""

    __slots__ = ()


NOTHING: Final = Nothing()


def as_value(document: JsonObject) -> Value:
    """Take a JSON object for the value that it is."""
    return cast("Value", document)


class Budget:
    """What one evaluation may still do. A step takes about a microsecond."""

    __slots__ = ("_left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        """Start with all of it."""
        self._left = steps

    def spend(self, steps: int = 1) -> None:
        """Take steps off; raises LimitError when none are left."""
        self._left -= steps
        if self._left < 0:
            raise LimitError(f"the template takes more than {MAX_STEPS} steps")

    def text(self, size: int) -> None:
        """Pay for a string of this size before it is made; raises LimitError where it is too long."""
        if size > MAX_VALUE:
            raise LimitError(f"a value is longer than {MAX_VALUE} characters")
        self.spend(1 + size // CHARACTERS_PER_STEP)


_KINDS: dict[type, str] = {
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}


def kind(value: Value) -> str:
    """Return Go's name of a value's type, as its error messages show it."""
    return _KINDS.get(type(value), "nil")


def is_nil(value: Value) -> bool:
    """Whether there is no value."""
    return value is None or isinstance(value, Nothing)


def is_true(value: Value) -> bool:
    """Whether `if` takes the value for true: not false, zero, nil or empty."""
    return not is_nil(value) and bool(value)


def length(value: Value) -> int:
    """Return what `len` does: bytes of a string, else items; raises EvaluationError."""
    match value:
        case str():
            return len(value.encode())
        case list() | dict():
            return len(value)
        case _:
            raise EvaluationError("len of nil pointer" if is_nil(value) else f"len of type {kind(value)}")


def text_of(value: Value, name: str) -> str:
    """Return a string argument; raises EvaluationError for any other type."""
    if not isinstance(value, str):
        raise EvaluationError(f"{name}: wrong type for value; expected string; got {kind(value)}")
    return value
