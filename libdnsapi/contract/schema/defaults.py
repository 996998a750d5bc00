"""Defaults of a schema: whether there are any, and a payload with them filled in."""

import copy
from collections.abc import Mapping

from pydantic import JsonValue

from libdnsapi.contract.schema.keywords import sub_schemas


def has_defaults(schema: Mapping[str, JsonValue]) -> bool:
    """Whether any property at any depth has a default."""
    return any(isinstance(c, dict) and ("default" in c or has_defaults(c)) for _, c in sub_schemas(schema))


def with_defaults(schema: Mapping[str, JsonValue], value: JsonValue) -> JsonValue:
    """Return the value with defaults for absent fields, at every depth; the value itself stays as it is.

    A null where null is not allowed counts as absent if there is a default (Kubernetes, Defaulting and Nullable).
    """
    if isinstance(value, list):
        items = schema.get("items")
        return [with_defaults(items, item) for item in value] if isinstance(items, dict) else value
    return _object(schema, value) if isinstance(value, dict) else value


def _object(schema: Mapping[str, JsonValue], value: dict[str, JsonValue]) -> JsonValue:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    additional = schema.get("additionalProperties")
    found = dict(value)
    for name, child in properties.items():
        if isinstance(child, dict) and "default" in child and _absent(child, found, name):
            found[name] = copy.deepcopy(child["default"])
    for name, item in found.items():
        child = properties.get(name, additional)
        if isinstance(child, dict):
            found[name] = with_defaults(child, item)
    return found


def _absent(child: Mapping[str, JsonValue], value: Mapping[str, JsonValue], name: str) -> bool:
    return name not in value or (value[name] is None and not child.get("nullable"))
