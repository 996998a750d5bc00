"""Schemas as rows of a table in Markdown: a field, its type, whether it is required, what it is; rules as a list."""

from collections.abc import Iterator
from typing import cast

from libdnsapi.api.meta import JsonObject
from tools.structural import PRESERVE, RULES


def field_rows(path: str, schema: JsonObject, *, required: bool) -> Iterator[str]:
    """Yield the row of a field and of all that is in it; what conditions are made of is left out."""
    need = "yes" if required else ""
    yield f"| `{path}` | {_type(schema)} | {need} | {cell(str(schema.get('description', '')))} |\n"
    if path.endswith("conditions"):
        return
    for name, child, child_required in _children(schema):
        yield from field_rows(f"{path}{_suffix(schema)}.{name}", child, required=child_required)


def _children(schema: JsonObject) -> Iterator[tuple[str, JsonObject, bool]]:
    holder = cast("JsonObject", schema.get("items", schema))
    needed = cast("list[str]", holder.get("required", []))
    for name, child in cast("dict[str, JsonObject]", holder.get("properties", {})).items():
        yield name, child, name in needed


def rule_lines(path: str, schema: JsonObject) -> Iterator[str]:
    """Yield what is said where a rule of the schema, or of one in it, does not hold."""
    for rule in cast("list[dict[str, str]]", schema.get(RULES, [])):
        at = (path + rule.get("fieldPath", "")).strip(".")
        yield f"- {f'`{at}`: ' if at else ''}{rule['message']}\n"
    items = schema.get("items")
    if isinstance(items, dict):
        yield from rule_lines(f"{path}[]", items)
    for name, child in cast("dict[str, JsonObject]", schema.get("properties", {})).items():
        yield from rule_lines(f"{path}.{name}", child)


def _suffix(schema: JsonObject) -> str:
    return "[]" if schema.get("type") == "array" else ""


def _type(schema: JsonObject) -> str:
    if "enum" in schema:
        return " \\| ".join(str(value) for value in cast("list[str]", schema["enum"]))
    if schema.get(PRESERVE):
        return "object, open"
    if schema.get("type") == "array":
        return f"list of {_type(cast('JsonObject', schema['items']))}{_range(schema, 'Items')}"
    if schema.get("additionalProperties"):
        return "map of string"
    return f"{schema.get('format') or schema['type']}{_range(schema, 'Length')}{_bounds(schema)}"


def _range(schema: JsonObject, what: str) -> str:
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    if low is None and high is None:
        return ""
    return f", {low if low is not None else 0}…{high if high is not None else ''}"


def _bounds(schema: JsonObject) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return ""
    return f", {low}…{high if high is not None else ''}"


def cell(text: str) -> str:
    """Return a text that can stand in a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())
