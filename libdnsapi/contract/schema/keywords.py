"""The keywords of structural schemas, and the walk over sub-schemas."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

INT_OR_STRING = "x-kubernetes-int-or-string"
PRESERVE = "x-kubernetes-preserve-unknown-fields"
TYPES = ("object", "array", "string", "integer", "number", "boolean")
JUNCTORS = ("allOf", "anyOf", "oneOf", "not")
_ANNOTATIONS = frozenset({"title", "description", "default", "example", "externalDocs"})
_VALUES = frozenset(
    {
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "required",
        "uniqueItems",
    }
)
_EXTENSIONS = frozenset(
    {
        INT_OR_STRING,
        PRESERVE,
        "x-kubernetes-embedded-resource",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    }
)
_STRUCTURE = frozenset({"type", "nullable", "properties", "additionalProperties", "items"})
KEYWORDS = _ANNOTATIONS | _VALUES | _EXTENSIONS | _STRUCTURE | frozenset(JUNCTORS)
NOT_IN_JUNCTORS = _ANNOTATIONS | _EXTENSIONS | frozenset({"type", "nullable", "additionalProperties"})
VALUE_KEYWORDS = _VALUES


def sub_schemas(schema: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    """Yield path and schema of every property, of items and of additional properties."""
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, child in properties.items():
            yield f"properties.{name}", child
    if "items" in schema:
        yield "items", schema["items"]
    if isinstance(schema.get("additionalProperties"), dict):
        yield "additionalProperties", schema["additionalProperties"]


def junctor_schemas(schema: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    """Yield path and schema of what stands in allOf, anyOf, oneOf and not."""
    for junctor in JUNCTORS:
        found = schema.get(junctor)
        if isinstance(found, list):
            for index, child in enumerate(found):
                yield f"{junctor}[{index}]", child
        elif found is not None:
            yield junctor, found
