"""From nodes and data to text, by the rules of Go's text/template.

The values of one evaluation live on a stack of variables; `break` and `continue` travel as exceptions of this module.
"""

from collections.abc import Callable, Iterable
from enum import Enum

from core_controller.sources.templates import functions
from core_controller.sources.templates.errors import EvaluationError, LimitError
from core_controller.sources.templates.formatting import shown
from core_controller.sources.templates.nodes import (
    Break,
    Chain,
    Command,
    Continue,
    Field,
    Function,
    If,
    Literal,
    Nil,
    Node,
    Operand,
    Output,
    Pipeline,
    Range,
    Text,
    Variable,
)
from core_controller.sources.templates.values import MAX_OUTPUT, NOTHING, Budget, Nothing, Value, is_nil, is_true, kind


class MissingKey(Enum):
    """What a field that a map lacks is: an error (target-from), or nothing (fqdn templates)."""

    ERROR = "error"
    NOTHING = "default"


class _BreakError(Exception):
    """Leave the innermost range."""


class _ContinueError(Exception):
    """Go on with its next element."""


class Evaluation:
    """One run of a template over one value."""

    def __init__(self, data: Value, missing: MissingKey, locate: Callable[[int], tuple[int, int]]) -> None:
        """Begin with `$` as the only variable; `locate` turns offsets into line and column."""
        self._missing = missing
        self._locate = locate
        self._budget = Budget()
        self._variables: list[tuple[str, Value]] = [("", data)]
        self._output: list[str] = []
        self._size = 0

    def run(self, nodes: tuple[Node, ...]) -> str:
        """Return the output; raises EvaluationError, LimitError among them."""
        self._walk_all(nodes, self._variables[0][1])
        return "".join(self._output)

    # Nodes.

    def _walk_all(self, nodes: Iterable[Node], dot: Value) -> None:
        for node in nodes:
            self._budget.spend()
            self._walk(node, dot)

    def _walk(self, node: Node, dot: Value) -> None:
        match node:
            case Text():
                self._write(node.text)
            case Output():
                value = self._pipeline(node.pipeline, dot)
                if not node.pipeline.variables:
                    self._write(shown(value, self._budget))
            case If():
                self._walk_if(node, dot)
            case Range():
                self._walk_range(node, dot)
            case Break():
                raise _BreakError
            case Continue():
                raise _ContinueError

    def _write(self, text: str) -> None:
        self._size += len(text.encode())
        if self._size > MAX_OUTPUT:
            raise LimitError(f"the output is longer than {MAX_OUTPUT} bytes")
        self._output.append(text)

    def _walk_if(self, node: If, dot: Value) -> None:
        mark = len(self._variables)
        value = self._pipeline(node.pipeline, dot)
        if is_true(value):
            self._walk_all(node.then, value if node.moves_dot else dot)
        else:
            self._walk_all(node.otherwise, dot)
        del self._variables[mark:]

    def _walk_range(self, node: Range, dot: Value) -> None:
        mark = len(self._variables)
        items = self._elements(self._pipeline(node.pipeline, dot), node.pipeline)
        inner = len(self._variables)
        for at, element in items:
            self._bind(node.pipeline, at, element)
            try:
                self._walk_all(node.body, element)
            except _BreakError:
                break
            except _ContinueError:
                pass
            finally:
                del self._variables[inner:]
        if not items:
            self._walk_all(node.otherwise, dot)
        del self._variables[mark:]

    def _elements(self, value: Value, pipeline: Pipeline) -> list[tuple[Value, Value]]:
        """Return index and element of all that a range goes over; maps go by sorted key."""
        match value:
            case list():
                pairs: list[tuple[Value, Value]] = list(enumerate(value))
            case dict():
                pairs = [(key, value[key]) for key in sorted(value)]
            case int() if not isinstance(value, bool):
                self._budget.spend(max(value, 0))
                pairs = [(number, number) for number in range(value)]
            case _ if is_nil(value):
                pairs = []
            case _:
                raise self._error(pipeline.offset, f"range can't iterate over a value of type {kind(value)}")
        self._budget.spend(len(pairs))
        return pairs

    def _bind(self, pipeline: Pipeline, at: Value, element: Value) -> None:
        """Give the range's variables their values: the last one the element, the one before it the index."""
        values = (at, element)[-len(pipeline.variables) :] if pipeline.variables else ()
        for name, value in zip(pipeline.variables, values, strict=True):
            self._assign(name, value, pipeline.offset)

    # Pipelines.

    def _pipeline(self, pipeline: Pipeline, dot: Value) -> Value:
        value: Value = NOTHING
        final = False
        for command in pipeline.commands:
            value = self._command(command, dot, [value] if final else [])
            value = NOTHING if value is None else value
            final = True
        for name in pipeline.variables:
            if pipeline.declares:
                self._variables.append((name, value))
            else:
                self._assign(name, value, pipeline.offset)
        return value

    def _command(self, command: Command, dot: Value, final: list[Value]) -> Value:
        self._budget.spend()
        first, arguments = command.operands[0], command.operands[1:]
        if isinstance(first, Function):
            return self._call(first, arguments, dot, final)
        if arguments or final:
            raise self._error(command.offset, "can't give arguments to something that is not a function")
        if isinstance(first, Nil):
            raise self._error(first.offset, "nil is not a command")
        return self._operand(first, dot)

    def _call(self, function: Function, arguments: tuple[Operand, ...], dot: Value, final: list[Value]) -> Value:
        if function.name in functions.LAZY:
            return self._lazy(function, arguments, dot, final)
        values = [self._operand(argument, dot) for argument in arguments]
        try:
            return functions.call(function.name, values + final, self._budget)
        except LimitError as error:
            raise LimitError(error.message, *self._locate(function.offset)) from None
        except EvaluationError as error:
            raise self._error(function.offset, error.message) from None

    def _lazy(self, function: Function, arguments: tuple[Operand, ...], dot: Value, final: list[Value]) -> Value:
        """Evaluate `and` and `or` up to the argument that decides."""
        if not arguments and not final:
            raise self._error(function.offset, f"wrong number of args for {function.name}: want at least 1 got 0")
        value: Value = NOTHING
        for argument in arguments:
            value = self._operand(argument, dot)
            if is_true(value) == (function.name == "or"):
                return value
        return final[0] if final else value

    # Operands.

    def _operand(self, operand: Operand, dot: Value) -> Value:
        self._budget.spend()
        match operand:
            case Literal():
                return operand.value
            case Nil():
                return None
            case Field():
                return self._fields(dot, operand.names, operand.offset)
            case Variable():
                return self._fields(self._variable(operand), operand.names, operand.offset)
            case Chain():
                return self._fields(self._pipeline(operand.pipeline, dot), operand.names, operand.offset)
            case Function():
                return self._call(operand, (), dot, [])

    def _fields(self, value: Value, names: tuple[str, ...], offset: int) -> Value:
        for name in names:
            self._budget.spend()
            value = self._field(value, name, offset)
        return value

    def _field(self, value: Value, name: str, offset: int) -> Value:
        match value:
            case dict():
                if name in value:
                    return value[name]
                if self._missing is MissingKey.ERROR:
                    raise self._error(offset, f'map has no entry for key "{name}"')
                return NOTHING
            case Nothing():
                if self._missing is MissingKey.ERROR:
                    raise self._error(offset, f'nil data; no entry for key "{name}"')
                return NOTHING
            case None:
                raise self._error(offset, f"nil pointer evaluating interface {{}}.{name}")
            case _:
                raise self._error(offset, f"can't evaluate field {name} in type {kind(value)}")

    def _variable(self, variable: Variable) -> Value:
        for name, value in reversed(self._variables):
            if name == variable.name:
                return value
        raise self._error(variable.offset, f"undefined variable: ${variable.name}")

    def _assign(self, name: str, value: Value, offset: int) -> None:
        for at in range(len(self._variables) - 1, -1, -1):
            if self._variables[at][0] == name:
                self._variables[at] = (name, value)
                return
        raise self._error(offset, f"undefined variable: ${name}")

    def _error(self, offset: int, message: str) -> EvaluationError:
        return EvaluationError(message, *self._locate(offset))
