"""A look at the text before the parser sees it.

The grammar of cel-python has no optional syntax (`.?`, `[?`, `{?`), so each such `?` becomes a space and its place is
remembered; offsets stay as they are. Its string terminals backtrack without bound on an unterminated literal and read
some raw strings wrongly, and deep nesting would overflow any recursive reader: such text is refused here.
"""

import re
from dataclasses import dataclass

from libdnsapi.contract.cel.syntax.problem import CompileError

MAX_LENGTH = 10_240
MAX_BRACKETS = 40
MAX_WORDS = 3000
"""Words, strings and signs in one expression: what the parser's time depends on."""
_STRING = re.compile(r"([bB]?[rR]?|[rR][bB])(\"\"\"|'''|\"|')")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_SPACE = re.compile(r"(?:\s|//[^\n]*)*")


@dataclass(frozen=True, slots=True)
class Scanned:
    """The text for the parser, and the offsets of what follows each optional mark."""

    text: str
    optional: frozenset[int]


def scan(text: str) -> Scanned:
    """Blank out the optional marks; raise CompileError for text that no parser should see."""
    if len(text) > MAX_LENGTH:
        raise CompileError(0, f"an expression may have at most {MAX_LENGTH} characters")
    return _Scanner(text).run()


class _Scanner:
    """One pass over the text; `_at` only moves forward."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._words = 0
        self._previous = ""
        self._marks: list[int] = []

    def run(self) -> Scanned:
        while self._at < len(self._text):
            self._step()
        blanked = list(self._text)
        for mark in self._marks:
            blanked[mark] = " "
        return Scanned("".join(blanked), frozenset(self._following(mark + 1) for mark in self._marks))

    def _following(self, offset: int) -> int:
        found = _SPACE.match(self._text, offset)
        return found.end() if found else offset

    def _step(self) -> None:
        text = self._text
        self._words += not text[self._at].isspace()
        if self._words > MAX_WORDS:
            raise CompileError(self._at, f"an expression may have at most {MAX_WORDS} words and signs")
        quote = _STRING.match(text, self._at)
        if quote is not None:
            self._string(quote)
        elif text.startswith("//", self._at):
            end = text.find("\n", self._at)
            self._at = len(text) if end < 0 else end
        elif (word := _WORD.match(text, self._at)) is not None:
            self._previous, self._at = word.group()[-1], word.end()
        else:
            self._character(text[self._at])

    def _character(self, character: str) -> None:
        if character in "([{":
            self._depth += 1
            if self._depth > MAX_BRACKETS:
                raise CompileError(self._at, f"brackets may be nested at most {MAX_BRACKETS} deep")
        elif character in ")]}":
            self._depth -= 1
        elif character == "?" and self._previous and self._previous in ".[{,":
            self._mark()
        if not character.isspace():
            self._previous = character
        self._at += 1

    def _mark(self) -> None:
        """Remember an optional mark: nothing else puts a `?` after one of these characters."""
        self._marks.append(self._at)

    def _string(self, quote: re.Match[str]) -> None:
        prefix, mark = quote.groups()
        raw = "r" in prefix.lower()
        at = quote.end()
        while not self._text.startswith(mark, at):
            ended = at >= len(self._text) or (len(mark) == 1 and self._text[at] == "\n")
            if ended:
                raise CompileError(self._at, "a string is not terminated")
            at += 2 if self._text[at] == "\\" and not raw else 1
        if raw and self._text[at - 1] == "\\" and at > quote.end():
            raise CompileError(at - 1, "a raw string must not end with a backslash")
        self._previous, self._at = '"', at + len(mark)
