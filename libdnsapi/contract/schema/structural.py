"""Whether a schema is a structural OpenAPI v3 schema whose properties are described.

Paths of findings are relative to the schema, such as `properties.alias.properties.dnsName`.
"""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from libdnsapi.contract.schema.keywords import (
    INT_OR_STRING,
    JUNCTORS,
    KEYWORDS,
    NOT_IN_JUNCTORS,
    PRESERVE,
    TYPES,
    junctor_schemas,
    sub_schemas,
)
from libdnsapi.dns.problems import Problem, all_at

MAX_DEPTH = 32


def structural_problems(schema: JsonValue) -> Iterator[Problem]:
    """Yield why a schema is not structural, or what it lacks of descriptions."""
    if not isinstance(schema, dict):
        yield Problem("", "must be an object")
        return
    if schema.get("type") != "object":
        yield Problem("type", "must be object at the root of a schema")
    yield from _level(schema, 0)


def _level(schema: Mapping[str, JsonValue], depth: int) -> Iterator[Problem]:
    if depth > MAX_DEPTH:
        yield Problem("", f"a schema may be nested at most {MAX_DEPTH} deep")
        return
    yield from _unknown_keywords(schema)
    yield from _type_problems(schema)
    yield from _additional_problems(schema)
    for path, junctor in junctor_schemas(schema):
        yield from all_at(path, _junctor(junctor, schema, depth + 1))
    for path, child in sub_schemas(schema):
        yield from all_at(path, _child(child, depth + 1))


def _child(child: JsonValue, depth: int) -> Iterator[Problem]:
    if not isinstance(child, dict):
        yield Problem("", "must be an object")
        return
    description = child.get("description")
    if not isinstance(description, str) or not description.strip():
        yield Problem("description", "is required: people read it in forms")
    yield from _level(child, depth)


def _unknown_keywords(schema: Mapping[str, JsonValue]) -> Iterator[Problem]:
    for keyword in schema:
        if keyword == "x-kubernetes-validations":
            yield Problem(keyword, "is not supported: write validationRules of the Provider version")
        elif keyword not in KEYWORDS:
            yield Problem(keyword, "is not a keyword of structural schemas")


def _type_problems(schema: Mapping[str, JsonValue]) -> Iterator[Problem]:
    type_ = schema.get("type")
    if type_ is None:
        if not schema.get(INT_OR_STRING) and not schema.get(PRESERVE):
            yield Problem("type", "is required")
    elif type_ not in TYPES:
        yield Problem("type", f"must be one of {', '.join(TYPES)}")
    elif schema.get(INT_OR_STRING):
        yield Problem("type", f"must be absent beside {INT_OR_STRING}")
    if type_ == "array" and "items" not in schema:
        yield Problem("items", "is required for an array")


def _additional_problems(schema: Mapping[str, JsonValue]) -> Iterator[Problem]:
    additional = schema.get("additionalProperties")
    if isinstance(additional, dict) and schema.get("properties"):
        yield Problem("additionalProperties", "must not be a schema beside properties")


def _junctor(junctor: JsonValue, outer: Mapping[str, JsonValue], depth: int) -> Iterator[Problem]:
    """Check what stands in allOf, anyOf, oneOf or not: it may only narrow what stands outside."""
    if not isinstance(junctor, dict):
        yield Problem("", "must be an object")
        return
    if depth > MAX_DEPTH:
        yield Problem("", f"a schema may be nested at most {MAX_DEPTH} deep")
        return
    if outer.get(INT_OR_STRING) and set(junctor) == {"type"}:
        return
    for keyword in junctor:
        if keyword in NOT_IN_JUNCTORS or keyword not in KEYWORDS:
            yield Problem(keyword, f"must not stand inside {', '.join(JUNCTORS)}")
    for path, inner in junctor_schemas(junctor):
        yield from all_at(path, _junctor(inner, outer, depth + 1))
    yield from _junctor_children(junctor, outer, depth)


def _junctor_children(
    junctor: Mapping[str, JsonValue], outer: Mapping[str, JsonValue], depth: int
) -> Iterator[Problem]:
    known = dict(sub_schemas(outer))
    for path, child in sub_schemas(junctor):
        counterpart = known.get(path)
        if not isinstance(counterpart, dict):
            yield Problem(path, "must also be specified outside")
        else:
            yield from all_at(path, _junctor(child, counterpart, depth + 1))
