"""The parts of a parsed template. Offsets point into the source."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text."""

    text: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant: bool, int, float or str."""

    value: bool | float | str
    offset: int


@dataclass(frozen=True, slots=True)
class Nil:
    """The word nil."""

    offset: int


@dataclass(frozen=True, slots=True)
class Field:
    """`.a.b` on the dot; no names at all is the dot itself."""

    names: tuple[str, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Variable:
    """`$x.a.b`; the name is without its dollar sign."""

    name: str
    names: tuple[str, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Chain:
    """`(pipeline).a.b`."""

    pipeline: Pipeline
    names: tuple[str, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Function:
    """The name of a function."""

    name: str
    offset: int


Operand = Literal | Nil | Field | Variable | Chain | Function


@dataclass(frozen=True, slots=True)
class Command:
    """A function with arguments, or a single operand."""

    operands: tuple[Operand, ...]

    @property
    def offset(self) -> int:
        """Where it begins."""
        return self.operands[0].offset


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by `|`, whose value may go to variables instead of the output."""

    commands: tuple[Command, ...]
    offset: int
    variables: tuple[str, ...] = ()
    declares: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """`{{ pipeline }}`."""

    pipeline: Pipeline


@dataclass(frozen=True, slots=True)
class If:
    """`{{ if }}` and `{{ with }}`, which also moves the dot."""

    pipeline: Pipeline
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()
    moves_dot: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """`{{ range }}`."""

    pipeline: Pipeline
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Break:
    """`{{ break }}`."""


@dataclass(frozen=True, slots=True)
class Continue:
    """`{{ continue }}`."""


Node = Text | Output | If | Range | Break | Continue
