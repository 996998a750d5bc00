"""The default engine: expressions become closures over plain JSON values."""

import base64
from collections.abc import Mapping

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.budget import Budget
from libdnsapi.contract.cel.compile.compiler import build
from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Slots
from libdnsapi.contract.cel.engine import CelFailure, CelProblem, CelValue, Deadline, Environment, unlimited
from libdnsapi.contract.cel.functions.libraries import CONVERSION, STANDARD
from libdnsapi.contract.cel.functions.text import to_text
from libdnsapi.contract.cel.syntax.parse import parse
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import DYN
from libdnsapi.contract.cel.values import CelError, Omitted, Opt, StoppedError, Value

_UNEXPECTED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class InterpretingEngine:
    """Compiles to closures; never raises."""

    def compile(self, expression: str, environment: Environment) -> "InterpretedProgram | CelProblem":
        """Parse and type-check an expression in an environment."""
        slots = Slots()
        names = {name: (slots.take(), DYN) for name in environment.variables}
        scope = Scope(CONVERSION if environment.omit else STANDARD, slots, build, names)
        try:
            typed = scope.compile(parse(expression))
        except CompileError as error:
            return CelProblem(error.position, error.message)
        except RecursionError:
            return CelProblem(0, "the expression is nested too deeply")
        variables = {name: slot for name, (slot, _) in names.items()}
        return InterpretedProgram(typed.run, str(typed.type), variables, slots.count)


class InterpretedProgram:
    """One compiled expression."""

    __slots__ = ("_run", "_size", "_variables", "result_type")

    def __init__(self, run: Eval, result_type: str, variables: Mapping[str, int], size: int) -> None:
        self._run = run
        self._variables = variables
        self._size = size
        self.result_type = result_type

    def evaluate(self, bindings: JsonObject, deadline: Deadline = unlimited) -> CelValue | CelFailure:
        """Evaluate with these variables; one that is missing is an error where it is used."""
        frame = Frame(self._size, Budget(deadline))
        for name, slot in self._variables.items():
            if name in bindings:
                frame[slot] = bindings[name]
        try:
            return CelValue(_to_json(self._run(frame)))
        except CelError as error:
            return CelFailure(str(error))
        except StoppedError as error:
            return CelFailure(str(error), stopped=True)
        except _UNEXPECTED as error:
            # A value that no function here foresaw must fail its expression, not the process.
            return CelFailure(f"the expression cannot be evaluated ({type(error).__name__})")


def _to_json(value: Value) -> JsonValue:
    """Return a result as JSON; what `omit()` marked is dropped."""
    match value:
        case None | bool() | str():
            return value
        case int() | float():
            return float(value) if isinstance(value, float) else int(value)
        case list():
            return [_to_json(item) for item in value if not isinstance(item, Omitted)]
        case dict():
            return {key: _to_json(item) for key, item in value.items() if not isinstance(item, Omitted)}
        case _:
            return _object_to_json(value)


def _object_to_json(value: Value) -> JsonValue:
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case Opt():
            return _to_json(value.value) if value.present else None
        case Omitted():
            return None
        case _:
            return to_text(value)
