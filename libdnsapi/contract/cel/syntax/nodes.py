"""The tree of an expression. `position` is an offset into the text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """What all nodes share."""

    position: int


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A constant: None, bool, int, UInt, float, str or bytes."""

    value: object


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A variable, a type or the first part of a qualified function name."""

    name: str


@dataclass(frozen=True, slots=True)
class Select(Node):
    """`operand.field`, or `operand.?field` when optional."""

    operand: Node
    field: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`operand[index]`, or `operand[?index]` when optional."""

    operand: Node
    index: Node
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name(args)`, or `target.name(args)`."""

    name: str
    args: tuple[Node, ...]
    target: Node | None = None


@dataclass(frozen=True, slots=True)
class ListNode(Node):
    """`[a, ?b]`; an optional element is left out when it is absent."""

    items: tuple[Node, ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class MapNode(Node):
    """`{k: v, ?k: v}`; an optional entry is left out when its value is absent."""

    entries: tuple[tuple[Node, Node], ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`a && b && ...` or `a || b || ...`."""

    operator: str
    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`test ? yes : no`."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`!x` or `-x`."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, comparison or `in`."""

    operator: str
    left: Node
    right: Node
