"""From a pydantic model to the structural OpenAPI v3 schema that a CustomResourceDefinition takes.

Source: Kubernetes documentation, "Specifying a structural schema": no `$ref`, no `null` type, no two schemas for one
field, `type` everywhere.
"""

from typing import cast

from pydantic import BaseModel, JsonValue

from libdnsapi.api.meta import JsonObject
from libdnsapi.api.schema import CLAIM_RULES

INT32_MAX = 2**31 - 1
PRESERVE = "x-kubernetes-preserve-unknown-fields"
RULES = "x-kubernetes-validations"
_DROPPED = ("title", "default", "$defs")
_TYPE_METADATA: dict[str, JsonObject] = {
    "apiVersion": {
        "type": "string",
        "description": "The versioned schema of this representation of the object.",
    },
    "kind": {"type": "string", "description": "The kind of the object."},
    "metadata": {"type": "object"},
}


def object_schema(model: type[BaseModel], *, ledger: bool = False) -> JsonObject:
    """Return the schema of a top-level kind; metadata stays an open object that the API server itself checks.

    Rules that only claims carry are left out of a ledger.
    """
    document = model.model_json_schema(by_alias=True)
    definitions = cast("dict[str, JsonObject]", document.get("$defs", {}))
    properties = cast("dict[str, JsonObject]", document["properties"])
    document["properties"] = {**properties, **_TYPE_METADATA}
    schema = structural(cast("JsonObject", document), definitions)
    return cast("JsonObject", _without_claim_rules(schema) if ledger else _with_claim_rules(schema))


def structural(schema: JsonObject, definitions: dict[str, JsonObject]) -> JsonObject:
    """Return one schema with references inlined, nulls and defaults dropped and formats of integers filled in."""
    flat = {key: value for key, value in _inlined(schema, definitions).items() if key not in _DROPPED}
    if flat.get(PRESERVE):
        flat.pop("additionalProperties", None)
    if "const" in flat:
        flat["enum"] = [flat.pop("const")]
    if flat.get("type") == "integer":
        flat.setdefault("format", _integer_format(flat))
    for key in ("items", "additionalProperties"):
        if isinstance(flat.get(key), dict):
            flat[key] = structural(cast("JsonObject", flat[key]), definitions)
    if flat.get("additionalProperties") is False:
        del flat["additionalProperties"]
    return _with_structural_fields(flat, definitions)


def _with_structural_fields(flat: JsonObject, definitions: dict[str, JsonObject]) -> JsonObject:
    """Return a schema whose fields are structural, in its order.

    An empty list of fields goes: the API server stores none, and whoever compares would see a drift.
    """
    fields = cast("dict[str, JsonObject]", flat.get("properties", {}))
    inner: JsonObject = {name: structural(value, definitions) for name, value in fields.items()}
    return {key: inner if key == "properties" else value for key, value in flat.items() if key != "properties" or inner}


def _inlined(schema: JsonObject, definitions: dict[str, JsonObject]) -> JsonObject:
    """Replace `$ref` and `anyOf: [X, null]`; what stands beside them wins, rules of both are kept."""
    beside = dict(schema)
    if "$ref" in beside:
        name = str(beside.pop("$ref")).rpartition("/")[2]
        return _merged(_inlined(definitions[name], definitions), beside)
    if "anyOf" in beside:
        choices = cast("list[JsonObject]", beside.pop("anyOf"))
        real = [choice for choice in choices if choice.get("type") != "null"]
        if len(real) != 1:
            raise ValueError(f"a structural schema has one type for a field, not {len(real)}: {schema}")
        return _merged(_inlined(real[0], definitions), beside)
    return beside


def _merged(inner: JsonObject, outer: JsonObject) -> JsonObject:
    rules = [*cast("list[JsonValue]", inner.get(RULES, [])), *cast("list[JsonValue]", outer.get(RULES, []))]
    both = {**inner, **outer}
    return {**both, RULES: rules} if rules else both


def _with_claim_rules(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_with_claim_rules(item) for item in value]
    if not isinstance(value, dict):
        return value
    rules = cast("list[JsonValue]", value.get(CLAIM_RULES, []))
    rest = {key: _with_claim_rules(item) for key, item in value.items() if key != CLAIM_RULES}
    if rules and isinstance(rest.get("pattern"), str):
        del rest["pattern"]  # the rule says the same in words
    return {**rest, RULES: [*cast("list[JsonValue]", rest.get(RULES, [])), *rules]} if rules else rest


def _without_claim_rules(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_without_claim_rules(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _without_claim_rules(item) for key, item in value.items() if key != CLAIM_RULES}


def _integer_format(schema: JsonObject) -> str:
    maximum = schema.get("maximum")
    return "int32" if isinstance(maximum, int) and maximum <= INT32_MAX else "int64"
