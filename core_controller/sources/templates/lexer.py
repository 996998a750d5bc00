"""From text to tokens, by the lexical rules of Go's text/template."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from core_controller.sources.templates.errors import ParseError

OPEN, CLOSE = "{{", "}}"
SPACES = " \t\r\n"
KEYWORDS = frozenset({"if", "else", "end", "range", "with", "break", "continue", "define", "template", "block", "nil"})
MAX_SOURCE = 16 * 1024


class Kind(Enum):
    """What a token is."""

    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()
    SPACE = auto()
    FIELD = auto()
    DOT = auto()
    VARIABLE = auto()
    IDENTIFIER = auto()
    KEYWORD = auto()
    BOOL = auto()
    NUMBER = auto()
    CHAR = auto()
    STRING = auto()
    RAW_STRING = auto()
    PIPE = auto()
    COMMA = auto()
    LEFT_PAREN = auto()
    RIGHT_PAREN = auto()
    DECLARE = auto()
    ASSIGN = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token and its offset in the source."""

    kind: Kind
    text: str
    offset: int


_ACTION = re.compile(
    r"""
      (?P<SPACE>[ \t\r\n]+)
    | (?P<STRING>"(?:[^"\\\n]|\\.)*")
    | (?P<RAW_STRING>`[^`]*`)
    | (?P<CHAR>'(?:[^'\\\n]|\\.)+')
    | (?P<VARIABLE>\$\w*)
    | (?P<NUMBER>[+-]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+
        |(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?))
    | (?P<FIELD>\.[^\W\d]\w*)
    | (?P<DOT>\.)
    | (?P<IDENTIFIER>[^\W\d]\w*)
    | (?P<DECLARE>:=)
    | (?P<ASSIGN>=)
    | (?P<PIPE>\|)
    | (?P<COMMA>,)
    | (?P<LEFT_PAREN>\()
    | (?P<RIGHT_PAREN>\))
    """,
    re.VERBOSE,
)
_TERMINATED = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.IDENTIFIER, Kind.NUMBER, Kind.BOOL, Kind.KEYWORD})
"""Tokens after which Go wants a space or punctuation."""
_TERMINATORS = " \t\r\n.,|:()="


def tokens(source: str) -> Iterator[Token]:
    """Yield the tokens of a template, an END last; raises ParseError at the first character that fits nowhere."""
    if len(source) > MAX_SOURCE:
        raise ParseError(f"the template is longer than {MAX_SOURCE} characters")
    offset, trim_start = 0, False
    while True:
        opening = source.find(OPEN, offset)
        text = source[offset:] if opening < 0 else source[offset:opening]
        if trim_start:
            text = text.lstrip(SPACES)
        if opening < 0:
            yield from _text(text, offset)
            yield Token(Kind.END, "", len(source))
            return
        inside = opening + len(OPEN)
        if _has_left_trim(source, inside):
            text = text.rstrip(SPACES)
            inside += 2
        yield from _text(text, offset)
        if source.startswith("/*", inside):
            offset, trim_start = _comment_end(source, inside)
            continue
        yield Token(Kind.OPEN, OPEN, opening)
        action = list(_action(source, inside))
        yield from action[:-1]
        last = action[-1]
        yield Token(Kind.CLOSE, CLOSE, last.offset)
        offset, trim_start = last.offset + len(last.text), last.text != CLOSE


def position(source: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1, of an offset."""
    before = source[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _text(text: str, offset: int) -> Iterator[Token]:
    if text:
        yield Token(Kind.TEXT, text, offset)


def _has_left_trim(source: str, inside: int) -> bool:
    return source.startswith("-", inside) and source[inside + 1 : inside + 2] in tuple(SPACES)


def _has_right_trim(source: str, at: int) -> bool:
    return source[at : at + 1] in tuple(SPACES) and source.startswith("-" + CLOSE, at + 1)


def _comment_end(source: str, inside: int) -> tuple[int, bool]:
    """Return where a comment's action ends, and whether what follows it is trimmed."""
    end = source.find("*/", inside + 2)
    if end < 0:
        raise _error(source, inside, "unclosed comment")
    end += 2
    trims = _has_right_trim(source, end)
    close = end + 2 if trims else end
    if not source.startswith(CLOSE, close):
        raise _error(source, inside, "comment ends before closing delimiter")
    return close + len(CLOSE), trims


def _action(source: str, at: int) -> Iterator[Token]:
    """Yield the tokens of one action; the last one is a CLOSE whose text is all that closes it."""
    depth = 0
    while True:
        if _has_right_trim(source, at):
            closing = source[at : at + 4]
        elif source.startswith(CLOSE, at):
            closing = CLOSE
        else:
            token = _token(source, at)
            depth = _depth(source, token, depth)
            yield token
            at += len(token.text)
            _check_terminated(source, token, at)
            continue
        if depth:
            raise _error(source, at, "unclosed left parenthesis")
        yield Token(Kind.CLOSE, closing, at)
        return


def _token(source: str, at: int) -> Token:
    found = _ACTION.match(source, at)
    if found is None:
        raise _error(source, at, _fault(source, at))
    text = found.group()
    if found.lastgroup == "SPACE":
        text = _space(source, at, text)
    kind = Kind[str(found.lastgroup)]
    if kind is Kind.IDENTIFIER:
        kind = Kind.BOOL if text in ("true", "false") else Kind.KEYWORD if text in KEYWORDS else kind
    return Token(kind, text, at)


def _space(source: str, at: int, text: str) -> str:
    """Leave to the closing delimiter the space that belongs to its trim marker."""
    end = at + len(text)
    return text[:-1] if len(text) > 1 and source.startswith("-" + CLOSE, end) else text


def _depth(source: str, token: Token, depth: int) -> int:
    if token.kind is Kind.LEFT_PAREN:
        return depth + 1
    if token.kind is Kind.RIGHT_PAREN:
        if depth == 0:
            raise _error(source, token.offset, "unexpected right parenthesis")
        return depth - 1
    return depth


def _check_terminated(source: str, token: Token, at: int) -> None:
    following = source[at : at + 1]
    if token.kind not in _TERMINATED or not following or following in _TERMINATORS or source.startswith(CLOSE, at):
        return
    if token.kind is Kind.NUMBER:
        raise _error(source, token.offset, f"bad number syntax: {token.text + following!r}")
    raise _error(source, at, f"bad character {following!r}")


def _fault(source: str, at: int) -> str:
    match source[at : at + 1]:
        case "":
            return "unclosed action"
        case '"':
            return "unterminated quoted string"
        case "`":
            return "unterminated raw quoted string"
        case "'":
            return "unterminated character constant"
        case character:
            return f"unexpected {character!r} in an action"


def _error(source: str, offset: int, message: str) -> ParseError:
    return ParseError(message, *position(source, offset))
