"""From structural OpenAPI v3 to JSON Schema draft 4, of which OpenAPI v3 is a dialect."""

from collections.abc import Mapping

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.schema.keywords import INT_OR_STRING, JUNCTORS, VALUE_KEYWORDS

BYTE_FORMAT = "byte"
_FORMATS = frozenset({"date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", BYTE_FORMAT})
_RANGES: dict[JsonValue, JsonObject] = {
    "int32": {"minimum": -(2**31), "maximum": 2**31 - 1},
    "int64": {"minimum": -(2**63), "maximum": 2**63 - 1},
}


def translated(schema: Mapping[str, JsonValue]) -> JsonObject:
    """Return the draft 4 form of a structural schema."""
    found: JsonObject = {k: v for k, v in schema.items() if k in VALUE_KEYWORDS and k != "format"}
    found |= _type(schema)
    found |= _children(schema)
    if schema.get("x-kubernetes-list-type") == "set":
        found["uniqueItems"] = True
    bounds = _RANGES.get(schema.get("format"))
    if bounds is not None:
        found["allOf"] = [*_list(found.get("allOf")), bounds]
    elif schema.get("format") in _FORMATS:
        found["format"] = schema["format"]
    return found


def _type(schema: Mapping[str, JsonValue]) -> JsonObject:
    types: list[JsonValue] = ["integer", "string"] if schema.get(INT_OR_STRING) else []
    types += [schema["type"]] if "type" in schema and not types else []
    if types and schema.get("nullable"):
        types.append("null")
    if not types:
        return {}
    return {"type": types[0] if len(types) == 1 else types}


def _children(schema: Mapping[str, JsonValue]) -> JsonObject:
    found: JsonObject = {}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        found["properties"] = {name: _child(child) for name, child in properties.items()}
    for keyword in ("items", "additionalProperties", "not"):
        if keyword in schema:
            found[keyword] = _child(schema[keyword])
    for junctor in JUNCTORS[:-1]:
        if junctor in schema:
            found[junctor] = [_child(child) for child in _list(schema[junctor])]
    return found


def _child(child: JsonValue) -> JsonValue:
    return translated(child) if isinstance(child, dict) else child


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
