"""The record sets of one zone: looked up by name in constant time, listed in Route 53's order from any point."""

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from e2e.route53.model import RecordSet
from e2e.route53.names import order

Node = Mapping[tuple[str, str], RecordSet]
EMPTY: Final[Node] = MappingProxyType({})


class RecordTable:
    """Record sets by name; names kept sorted by reversed labels. Replacing a node is the only write."""

    def __init__(self) -> None:
        """Start empty."""
        self._nodes: dict[str, Node] = {}
        self._order: list[tuple[str, str]] = []
        self._count = 0

    def __len__(self) -> int:
        """Count the record sets (not the names)."""
        return self._count

    def at(self, name: str) -> Node:
        """Return the record sets at a canonical name, by (type, set identifier)."""
        return self._nodes.get(name, EMPTY)

    def covers(self, name: str) -> bool:
        """Whether the name exists: it, or something below it, holds a record set."""
        prefix = order(name)
        index = bisect_left(self._order, (prefix, ""))
        return index < len(self._order) and self._order[index][0].startswith(prefix)

    def replace(self, name: str, node: Node) -> None:
        """Put all record sets of a name in place of what it holds; an empty node removes the name."""
        old = self._nodes.get(name, EMPTY)
        self._count += len(node) - len(old)
        if node and not old:
            insort(self._order, (order(name), name))
        if old and not node:
            del self._order[bisect_left(self._order, (order(name), name))]
        if node:
            self._nodes[name] = node
        else:
            self._nodes.pop(name, None)

    def since(self, name: str = "", type_: str = "", set_identifier: str = "") -> Iterator[RecordSet]:
        """Yield record sets in list order (name, type, set identifier), the first at or after the given point."""
        start = (order(name), "") if name else ("", "")
        for _, at in self._order[bisect_left(self._order, start) :]:
            node = self._nodes[at]
            for identity in sorted(node):
                if at != name or identity >= (type_, set_identifier):
                    yield node[identity]
