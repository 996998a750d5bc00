"""From the parser of cel-python to our own nodes.

The parser is a singleton of its class and keeps no state between texts. Only its tree is used; cel-python's evaluators
(one of them silently wrong on three-argument map) are not.
"""

from functools import cache

from celpy.celparser import CELParseError, CELParser
from lark import Token, Tree

from libdnsapi.contract.cel.syntax.literals import literal_value
from libdnsapi.contract.cel.syntax.nodes import (
    Binary,
    Call,
    Conditional,
    Ident,
    Index,
    ListNode,
    Literal,
    Logic,
    MapNode,
    Node,
    Select,
    Unary,
)
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.syntax.scan import Scanned, scan
from libdnsapi.contract.cel.values import INT_MAX, INT_MIN, UInt

MAX_DEPTH = 64
_OPERATORS = {
    "relation_lt": "<",
    "relation_le": "<=",
    "relation_gt": ">",
    "relation_ge": ">=",
    "relation_eq": "==",
    "relation_ne": "!=",
    "relation_in": "in",
    "addition_add": "+",
    "addition_sub": "-",
    "multiplication_mul": "*",
    "multiplication_div": "/",
    "multiplication_mod": "%",
}
_LOGIC = {"conditionalor": "||", "conditionaland": "&&"}

Child = Tree[Token] | Token


def parse(text: str) -> Node:
    """Return the tree of an expression; raise CompileError where it is no CEL or nested too deeply."""
    scanned = scan(text)
    try:
        tree = _parser().parse(scanned.text)
    except CELParseError as error:
        raise CompileError(_offset(text, error), "syntax error") from error
    except RecursionError as error:
        raise CompileError(0, "the expression is nested too deeply") from error
    return _Reader(scanned).node(tree, 0)


@cache
def _parser() -> CELParser:
    return CELParser()


def _offset(text: str, error: CELParseError) -> int:
    """Turn the parser's line and column, where it knows them, into an offset."""
    line, column = error.line, error.column
    if not isinstance(line, int) or not isinstance(column, int) or line < 1 or column < 1:
        return len(text)
    before = text.split("\n")[: line - 1]
    return min(sum(len(part) + 1 for part in before) + column - 1, len(text))


class _Reader:
    """Builds nodes; every recursive step is one level of depth."""

    def __init__(self, scanned: Scanned) -> None:
        self._optional = scanned.optional

    def node(self, tree: Child, depth: int) -> Node:
        tree = _unwrapped(tree)
        position = _position(tree)
        if depth > MAX_DEPTH:
            raise CompileError(position, f"an expression may be nested at most {MAX_DEPTH} deep")
        if tree.data in _LOGIC:
            return self._logic(tree, depth)
        if tree.data in {"relation", "addition", "multiplication"}:
            return self._binary(tree, depth)
        reader = getattr(self, f"_{tree.data}", None)
        if reader is None:
            raise CompileError(position, f"{tree.data} is not supported")
        found: Node = reader(tree, position, depth + 1)
        return found

    def _logic(self, tree: Tree[Token], depth: int) -> Node:
        """Read a chain of one operator as one node: it is as deep as its deepest term."""
        terms: list[Node] = []
        operator = tree.data
        while tree.data == operator and len(tree.children) > 1:
            left, right = tree.children
            terms.append(self.node(right, depth + 1))
            tree = _unwrapped(left)
        terms.append(self.node(tree, depth + 1))
        return Logic(_position(tree), _LOGIC[operator], tuple(reversed(terms)))

    def _binary(self, tree: Tree[Token], depth: int) -> Node:
        half, right = tree.children
        left = _children(half)[0]
        operator = _OPERATORS[str(_tree(half).data)]
        return Binary(_position(tree), operator, self.node(left, depth + 1), self.node(right, depth + 1))

    def _expr(self, tree: Tree[Token], position: int, depth: int) -> Node:
        test, yes, no = (self.node(child, depth) for child in tree.children)
        return Conditional(position, test, yes, no)

    def _unary(self, tree: Tree[Token], position: int, depth: int) -> Node:
        sign, operand = tree.children
        operator = "!" if _tree(sign).data == "unary_not" else "-"
        inner = self.node(operand, depth)
        if operator == "-" and isinstance(inner, Literal) and type(inner.value) in {int, float}:
            return Literal(position, _negated(inner))
        return Unary(position, operator, inner)

    def _member_dot(self, tree: Tree[Token], position: int, depth: int) -> Node:
        operand, field = tree.children
        optional = _start(field) in self._optional
        return Select(position, self.node(operand, depth), str(field), optional)

    def _member_dot_arg(self, tree: Tree[Token], position: int, depth: int) -> Node:
        target, name, *rest = tree.children
        if _start(name) in self._optional:
            raise CompileError(_start(name), "an optional mark stands before fields only")
        args = self._arguments(rest, depth)
        return Call(position, str(name), args, self.node(target, depth))

    def _member_index(self, tree: Tree[Token], position: int, depth: int) -> Node:
        operand, index = tree.children
        optional = _start(index) in self._optional
        return Index(position, self.node(operand, depth), self.node(index, depth), optional)

    def _member_object(self, tree: Tree[Token], position: int, depth: int) -> Node:
        raise CompileError(position, "messages are not supported: write a map such as {'name': value}")

    def _ident(self, tree: Tree[Token], position: int, depth: int) -> Node:
        return Ident(position, str(tree.children[0]))

    _dot_ident = _ident

    def _ident_arg(self, tree: Tree[Token], position: int, depth: int) -> Node:
        name, *rest = tree.children
        return Call(position, str(name), self._arguments(rest, depth))

    _dot_ident_arg = _ident_arg

    def _list_lit(self, tree: Tree[Token], position: int, depth: int) -> Node:
        children = _children(tree.children[0]) if tree.children else []
        optional = frozenset(i for i, child in enumerate(children) if _start(child) in self._optional)
        return ListNode(position, tuple(self.node(child, depth) for child in children), optional)

    def _map_lit(self, tree: Tree[Token], position: int, depth: int) -> Node:
        children = _children(tree.children[0]) if tree.children else []
        pairs = list(zip(children[::2], children[1::2], strict=True))
        optional = frozenset(i for i, (key, _) in enumerate(pairs) if _start(key) in self._optional)
        return MapNode(position, tuple((self.node(k, depth), self.node(v, depth)) for k, v in pairs), optional)

    def _literal(self, tree: Tree[Token], position: int, depth: int) -> Node:
        token = tree.children[0]
        kind = token.type if isinstance(token, Token) else ""
        return Literal(position, literal_value(kind, str(token), position))

    def _arguments(self, rest: list[Child], depth: int) -> tuple[Node, ...]:
        children = _children(rest[0]) if rest else []
        marked = next((child for child in children if _start(child) in self._optional), None)
        if marked is not None:
            raise CompileError(_start(marked), "an optional mark stands before fields, elements and entries only")
        return tuple(self.node(child, depth) for child in children)


def _unwrapped(tree: Child) -> Tree[Token]:
    """Step through the levels of the grammar that say nothing here: one child, and that a tree."""
    node = _tree(tree)
    while len(node.children) == 1 and isinstance(node.children[0], Tree) and node.data not in {"list_lit", "map_lit"}:
        node = node.children[0]
    return node


def _tree(child: Child) -> Tree[Token]:
    if isinstance(child, Tree):
        return child
    raise CompileError(child.start_pos or 0, "syntax error")


def _children(child: Child) -> list[Child]:
    return list(_tree(child).children)


def _start(child: Child) -> int:
    start = child.start_pos if isinstance(child, Token) else getattr(child.meta, "start_pos", None)
    return start if isinstance(start, int) else -1


def _position(tree: Child) -> int:
    return max(0, _start(tree))


def _negated(literal: Literal) -> object:
    value = literal.value
    if isinstance(value, float):
        return -value
    if isinstance(value, int) and not isinstance(value, UInt) and INT_MIN <= -value <= INT_MAX:
        return -value
    raise CompileError(literal.position, "the number does not fit into 64 bits")
