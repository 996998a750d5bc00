"""The one dispatch over nodes."""

from libdnsapi.contract.cel.compile.access import compile_index, compile_select
from libdnsapi.contract.cel.compile.arithmetic import compile_binary, compile_unary
from libdnsapi.contract.cel.compile.calls import compile_call
from libdnsapi.contract.cel.compile.collections import compile_list, compile_map
from libdnsapi.contract.cel.compile.logic import compile_conditional, compile_logic
from libdnsapi.contract.cel.compile.names import compile_ident, compile_literal
from libdnsapi.contract.cel.compile.scope import Scope, Typed
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


def build(node: Node, scope: Scope) -> Typed:
    """Compile one node and all below it; raise CompileError where types or functions do not agree."""
    match node:
        case Literal() | Ident() | Select() | Index():
            return _build_simple(node, scope)
        case Call():
            return compile_call(node, scope)
        case ListNode():
            return compile_list(node, scope)
        case MapNode():
            return compile_map(node, scope)
        case _:
            return _build_operator(node, scope)


def _build_simple(node: Literal | Ident | Select | Index, scope: Scope) -> Typed:
    match node:
        case Literal():
            return compile_literal(node)
        case Ident():
            return compile_ident(node, scope)
        case Select():
            return compile_select(node, scope)
        case Index():
            return compile_index(node, scope)


def _build_operator(node: Node, scope: Scope) -> Typed:
    match node:
        case Logic():
            return compile_logic(node, scope)
        case Conditional():
            return compile_conditional(node, scope)
        case Unary():
            return compile_unary(node, scope)
        case Binary():
            return compile_binary(node, scope)
        case _:
            raise CompileError(node.position, "this is not supported")
