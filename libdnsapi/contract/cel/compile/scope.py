"""What a compilation knows at one place of the tree, and what a closure gets when it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from libdnsapi.contract.cel.budget import Budget
from libdnsapi.contract.cel.functions.overload import Library
from libdnsapi.contract.cel.syntax.nodes import Node
from libdnsapi.contract.cel.types import Type
from libdnsapi.contract.cel.values import Value


class Frame(list[Value]):
    """The variables of one evaluation by slot, and what is left of its bound."""

    __slots__ = ("budget",)

    def __init__(self, size: int, budget: Budget) -> None:
        super().__init__([UNBOUND] * size)
        self.budget = budget


Eval = Callable[[Frame], Value]


class _Unbound:
    """Marks a slot without a value."""


UNBOUND = _Unbound()


class Typed(NamedTuple):
    """A compiled node: what to run, and the static type of what comes out."""

    run: Eval
    type: Type


@dataclass(slots=True)
class Slots:
    """Hands out slots of the frame."""

    count: int = 0

    def take(self) -> int:
        """Return a slot that nothing else uses."""
        self.count += 1
        return self.count - 1


@dataclass(frozen=True, slots=True)
class Scope:
    """Names in view, functions, and the way back to the compiler for child nodes."""

    library: Library
    slots: Slots
    build: Callable[[Node, "Scope"], Typed]
    names: dict[str, tuple[int, Type]] = field(default_factory=dict)

    def compile(self, node: Node) -> Typed:
        """Compile a child node in this scope."""
        return self.build(node, self)

    def with_variable(self, name: str, type_: Type) -> tuple["Scope", int]:
        """Return a scope with one more variable, and the variable's slot."""
        slot = self.slots.take()
        return replace(self, names={**self.names, name: (slot, type_)}), slot
