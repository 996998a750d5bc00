"""The door to CEL: what the rest of the project knows about expressions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject

Deadline = Callable[[], bool]
"""True once the time is up. The caller owns the clock; evaluation asks at bounded intervals."""


def unlimited() -> bool:
    """Return False: the deadline of callers that rely on the bound on iterations alone."""
    return False


@dataclass(frozen=True, slots=True)
class Environment:
    """What an expression may name: variables (all of static type dyn) and whether `omit()` exists (conversions)."""

    variables: tuple[str, ...]
    omit: bool = False


@dataclass(frozen=True, slots=True)
class CelProblem:
    """Why an expression does not compile. `position` is the offset of the first wrong character."""

    position: int
    message: str

    def __str__(self) -> str:
        """Return the message with the position counted from 1, as people do."""
        return f"{self.message} (at character {self.position + 1})"


@dataclass(frozen=True, slots=True)
class CelFailure:
    """Why an evaluation gave no value; `stopped` tells a bound that was hit from an error of the expression."""

    message: str
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class CelValue:
    """The JSON form of a result. Times are RFC 3339, durations seconds with an "s", bytes base64."""

    value: JsonValue


class Program(Protocol):
    """A compiled expression; it keeps no state between evaluations."""

    @property
    def result_type(self) -> str:
        """The static type: bool, string, map, ..., or dyn where it cannot be told."""
        ...

    def evaluate(self, bindings: JsonObject, deadline: Deadline = unlimited) -> CelValue | CelFailure:
        """Evaluate with these variables. Never raises; iterations and time are bounded."""
        ...


class CelEngine(Protocol):
    """Something that compiles CEL."""

    def compile(self, expression: str, environment: Environment) -> Program | CelProblem:
        """Parse and type-check an expression. Never raises."""
        ...


@dataclass(slots=True)
class CachingEngine:
    """An engine that compiles each expression once per environment, for as long as the cache lives."""

    engine: CelEngine
    compiled: dict[tuple[str, Environment], Program | CelProblem] = field(default_factory=dict)

    def compile(self, expression: str, environment: Environment) -> Program | CelProblem:
        """Return the program compiled earlier, or compile it now."""
        key = (expression, environment)
        if key not in self.compiled:
            self.compiled[key] = self.engine.compile(expression, environment)
        return self.compiled[key]
