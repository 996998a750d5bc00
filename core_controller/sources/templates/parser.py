"""From tokens to nodes: recursive descent over the grammar of Go's text/template, with what we leave out refused."""

from collections.abc import Callable
from typing import TypeVar

from core_controller.sources.templates import constants
from core_controller.sources.templates.errors import ParseError
from core_controller.sources.templates.lexer import Kind, Token, position, tokens
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

T = TypeVar("T")

MAX_DEPTH = 32
MAX_NODES = 2000
UNSUPPORTED_FUNCTIONS = frozenset({"call", "html", "js", "urlquery"})
_VALUES: dict[Kind, Callable[[str], bool | float | str]] = {
    Kind.BOOL: lambda text: text == "true",
    Kind.NUMBER: constants.number,
    Kind.CHAR: constants.character,
    Kind.STRING: constants.string,
    Kind.RAW_STRING: lambda text: text[1:-1].replace("\r", ""),
}


def parse_nodes(source: str, functions: frozenset[str]) -> tuple[Node, ...]:
    """Parse a template that may call these functions; raises ParseError."""
    return _Parser(source, functions).template()


class _Parser:
    """One pass over the tokens; `_variables` are those in scope, innermost last."""

    def __init__(self, source: str, functions: frozenset[str]) -> None:
        self._source = source
        self._functions = functions
        self._tokens = list(tokens(source))
        self._at = 0
        self._variables = [""]
        self._ranges = 0
        self._depth = 0
        if len(self._tokens) > MAX_NODES:
            raise ParseError(f"the template has more than {MAX_NODES} tokens")

    def template(self) -> tuple[Node, ...]:
        nodes, word = self._nodes()
        if word is not None:
            raise self._error(word, f"unexpected {{{{{word.text}}}}}")
        return nodes

    # Blocks.

    def _nodes(self) -> tuple[tuple[Node, ...], Token | None]:
        """Parse up to END, `{{end` or `{{else`; the word is returned and what follows it is still to be read."""
        nodes: list[Node] = []
        while True:
            token = self._next()
            if token.kind is Kind.END:
                return tuple(nodes), None
            if token.kind is Kind.TEXT:
                nodes.append(Text(token.text))
                continue
            self._skip_space()
            word = self._peek()
            if word.kind is Kind.KEYWORD and word.text in ("end", "else"):
                return tuple(nodes), self._next()
            nodes.append(self._action())

    def _action(self) -> Node:
        word = self._peek()
        if word.kind is not Kind.KEYWORD or word.text == "nil":
            pipeline = self._pipeline("command", Kind.CLOSE)
            return Output(pipeline)
        self._next()
        match word.text:
            case "if" | "with" | "range":
                return self._nested(word, lambda: self._control(word))
            case "break" | "continue":
                return self._jump(word)
            case _:
                raise self._error(word, f"{{{{{word.text}}}}} is not supported")

    def _jump(self, word: Token) -> Node:
        self._close(word.text)
        if not self._ranges:
            raise self._error(word, f"{{{{{word.text}}}}} outside {{{{range}}}}")
        return Break() if word.text == "break" else Continue()

    def _control(self, word: Token) -> Node:
        """Parse `if`, `with` or `range` after its word, up to and with its end."""
        known = len(self._variables)
        pipeline = self._pipeline(word.text, Kind.CLOSE, is_range=word.text == "range")
        self._ranges += word.text == "range"
        body, ending = self._nodes()
        self._ranges -= word.text == "range"
        otherwise: tuple[Node, ...] = ()
        if ending is not None and ending.text == "else":
            otherwise = self._otherwise(word)
        elif ending is not None:
            self._close("end")
        else:
            raise self._error(word, f"{{{{{word.text}}}}} has no {{{{end}}}}")
        del self._variables[known:]
        if word.text == "range":
            return Range(pipeline, body, otherwise)
        return If(pipeline, body, otherwise, moves_dot=word.text == "with")

    def _otherwise(self, word: Token) -> tuple[Node, ...]:
        """Parse what follows `else`: a chained `else if` or `else with` shares the outer end."""
        self._skip_space()
        chained = self._peek()
        if chained.kind is Kind.KEYWORD and chained.text == word.text and word.text != "range":
            self._next()
            return (self._nested(chained, lambda: self._control(chained)),)
        self._close("else")
        nodes, ending = self._nodes()
        if ending is None:
            raise self._error(word, f"{{{{{word.text}}}}} has no {{{{end}}}}")
        if ending.text == "else":
            raise self._error(ending, "expected {{end}}, found {{else}}")
        self._close("end")
        return nodes

    # Pipelines.

    def _pipeline(self, context: str, end: Kind, *, is_range: bool = False) -> Pipeline:
        self._skip_space()
        start = self._peek()
        variables, declares = self._declaration(is_range=is_range) if end is Kind.CLOSE else ((), False)
        commands: list[Command] = []
        while True:
            self._skip_space()
            token = self._peek()
            if token.kind is end:
                self._next()
                break
            commands.append(self._command(token, first=not commands))
        self._check_commands(commands, context, start, trailing_pipe=self._tokens[self._at - 2])
        self._variables.extend(variables if declares else ())
        return Pipeline(tuple(commands), start.offset, variables, declares)

    def _check_commands(self, commands: list[Command], context: str, start: Token, trailing_pipe: Token) -> None:
        if not commands or trailing_pipe.kind is Kind.PIPE:
            raise self._error(start, f"missing value for {context}")
        for stage, command in enumerate(commands[1:], 2):
            first = command.operands[0]
            if isinstance(first, Literal | Nil) or (isinstance(first, Field) and not first.names):
                raise self._at_offset(first.offset, f"non executable command in pipeline stage {stage}")

    def _declaration(self, *, is_range: bool) -> tuple[tuple[str, ...], bool]:
        """Parse `$x :=`, `$x =` or, in a range, `$i, $x :=`; without one nothing is consumed."""
        begin = self._at
        names: list[str] = []
        while self._peek().kind is Kind.VARIABLE:
            names.append(self._next().text[1:])
            self._skip_space()
            token = self._next()
            if token.kind in (Kind.DECLARE, Kind.ASSIGN):
                self._check_assignment(names, token)
                return tuple(names), token.kind is Kind.DECLARE
            if token.kind is not Kind.COMMA:
                break
            if not is_range or len(names) > 1:
                raise self._error(token, "too many declarations in the action")
            self._skip_space()
        else:
            if names:
                raise self._error(self._peek(), "range can only initialize variables")
        self._at = begin
        return (), False

    def _check_assignment(self, names: list[str], token: Token) -> None:
        unknown = [name for name in names if name not in self._variables]
        if token.kind is Kind.ASSIGN and unknown:
            raise self._error(token, f'undefined variable "${unknown[0]}"')

    def _command(self, start: Token, *, first: bool) -> Command:
        """Parse operands up to a pipe, which is consumed, or to what ends the pipeline, which is not."""
        operands: list[Operand] = []
        while True:
            self._skip_space()
            token = self._peek()
            if token.kind in (Kind.CLOSE, Kind.RIGHT_PAREN):
                break
            if token.kind is Kind.PIPE:
                self._next()
                break
            operands.append(self._operand())
            self._check_separated()
        if not operands:
            raise self._error(start, "empty command" if first else "missing value for command")
        return Command(tuple(operands))

    def _check_separated(self) -> None:
        following = self._peek()
        if following.kind not in (Kind.SPACE, Kind.CLOSE, Kind.RIGHT_PAREN, Kind.PIPE):
            raise self._error(following, f"unexpected {following.text!r} in operand")

    def _operand(self) -> Operand:
        term = self._term()
        names = []
        while self._peek().kind is Kind.FIELD:
            names.append(self._next().text[1:])
        if not names:
            return term
        match term:
            case Field() if term.names:
                return Field((*term.names, *names), term.offset)
            case Variable():
                return Variable(term.name, tuple(names), term.offset)
            case Chain():
                return Chain(term.pipeline, tuple(names), term.offset)
            case _:
                raise self._at_offset(term.offset, f"unexpected . after term {self._source[term.offset]!r}")

    def _term(self) -> Operand:
        token = self._next()
        if token.kind in _VALUES:
            return self._literal(token)
        match token.kind:
            case Kind.FIELD | Kind.DOT:
                return Field((token.text[1:],) if token.kind is Kind.FIELD else (), token.offset)
            case Kind.VARIABLE:
                return self._variable(token)
            case Kind.IDENTIFIER:
                return self._function(token)
            case Kind.LEFT_PAREN:
                inner = self._nested(token, lambda: self._pipeline("parenthesized pipeline", Kind.RIGHT_PAREN))
                return Chain(inner, (), token.offset)
            case _ if token.text == "nil":
                return Nil(token.offset)
        raise self._error(token, f"unexpected {token.text!r}" if token.text else "unexpected end")

    def _literal(self, token: Token) -> Literal:
        try:
            return Literal(_VALUES[token.kind](token.text), token.offset)
        except ValueError as error:
            raise self._error(token, f"bad constant {token.text[:40]}: {error}") from None

    def _variable(self, token: Token) -> Variable:
        if token.text[1:] not in self._variables:
            raise self._error(token, f'undefined variable "{token.text}"')
        return Variable(token.text[1:], (), token.offset)

    def _function(self, token: Token) -> Function:
        if token.text in UNSUPPORTED_FUNCTIONS:
            raise self._error(token, f'function "{token.text}" is not supported')
        if token.text not in self._functions:
            raise self._error(token, f'function "{token.text}" not defined')
        return Function(token.text, token.offset)

    # Tokens.

    def _nested(self, token: Token, parse: Callable[[], T]) -> T:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(token, f"nested more than {MAX_DEPTH} deep")
        result = parse()
        self._depth -= 1
        return result

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _skip_space(self) -> None:
        while self._peek().kind is Kind.SPACE:
            self._next()

    def _close(self, context: str) -> None:
        self._skip_space()
        token = self._next()
        if token.kind is not Kind.CLOSE:
            raise self._error(token, f"unexpected {token.text!r} in {context}")

    def _error(self, token: Token, message: str) -> ParseError:
        return self._at_offset(token.offset, message)

    def _at_offset(self, offset: int, message: str) -> ParseError:
        return ParseError(message, *position(self._source, offset))
