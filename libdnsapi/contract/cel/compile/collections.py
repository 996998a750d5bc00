"""List and map literals."""

from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.syntax.nodes import ListNode, MapNode
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import DYN, OPTIONAL, STRING, Type, join, list_of, map_of, unify
from libdnsapi.contract.cel.values import CelError, Opt, Value


def compile_list(node: ListNode, scope: Scope) -> Typed:
    """Compile `[a, ?b]`; the elements' types may differ, the list is then one of dyn."""
    items = [scope.compile(item) for item in node.items]
    types = [_content(t.type, i in node.optional, node.items[i].position) for i, t in enumerate(items)]
    runs = tuple(item.run for item in items)
    type_ = list_of(join(types) if types else DYN)
    if node.optional:
        return Typed(_with_optional(runs, node.optional), type_)
    return Typed(lambda frame: [run(frame) for run in runs], type_)


def compile_map(node: MapNode, scope: Scope) -> Typed:
    """Compile `{k: v, ?k: v}`; keys are strings, as in JSON."""
    entries = [(scope.compile(key), scope.compile(value)) for key, value in node.entries]
    types = []
    for i, (key, value) in enumerate(entries):
        if not unify(key.type, STRING, {}):
            raise CompileError(node.entries[i][0].position, "the keys of a map must be strings")
        types.append(_content(value.type, i in node.optional, node.entries[i][1].position))
    runs = tuple((key.run, value.run, i in node.optional) for i, (key, value) in enumerate(entries))

    def run(frame: Frame) -> Value:
        found: dict[str, Value] = {}
        for key_run, value_run, optional in runs:
            key, value = key_run(frame), value_run(frame)
            if optional:
                value = _optional(value)
                if not value.present:
                    continue
                value = value.value
            add_entry(found, key, value)
        return found

    return Typed(run, map_of(join(types) if types else DYN))


def add_entry(found: dict[str, Value], key: Value, value: Value) -> None:
    """Put an entry into a map; fail for a key that is no string or stands twice."""
    if not isinstance(key, str):
        raise CelError("the keys of a map must be strings")
    if key in found:
        raise CelError(f"the key {key} stands twice")
    found[key] = value


def _content(type_: Type, optional: bool, position: int) -> Type:
    if not optional:
        return type_
    if not unify(type_, OPTIONAL, {}):
        raise CompileError(position, f"an optional mark needs an optional value, this is {type_}")
    return type_.args[0] if type_.args else DYN


def _optional(value: Value) -> Opt:
    if isinstance(value, Opt):
        return value
    raise CelError("an optional mark needs an optional value")


def _with_optional(runs: tuple[Eval, ...], optional: frozenset[int]) -> Eval:
    def run(frame: Frame) -> Value:
        found: list[Value] = []
        for i, item in enumerate(runs):
            value = item(frame)
            if i not in optional:
                found.append(value)
            elif _optional(value).present:
                found.append(_optional(value).value)
        return found

    return run
