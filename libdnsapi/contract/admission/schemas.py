"""Payload schemas of a Provider: structural, described, usable, and with defaults that they themselves accept."""

from collections.abc import Iterator, Mapping

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.schema.keywords import sub_schemas
from libdnsapi.contract.schema.payload import PayloadSchema, SchemaError
from libdnsapi.contract.schema.structural import structural_problems
from libdnsapi.dns.problems import Problem, all_at


def schema_problems(schemas: Mapping[str, JsonObject]) -> Iterator[Problem]:
    """Yield findings about the schemas of one target, by their names."""
    for name, schema in schemas.items():
        yield from all_at(f"schemas.{name}.openAPIV3Schema", _problems(schema))


def _problems(schema: JsonObject) -> Iterator[Problem]:
    found = tuple(structural_problems(schema))
    if found:
        yield from found
        return
    try:
        PayloadSchema(schema)
    except SchemaError as error:
        yield Problem(error.path, f"is no valid OpenAPI v3 schema: {error}")
        return
    yield from _default_problems(schema)


def _default_problems(schema: JsonObject) -> Iterator[Problem]:
    for path, child in sub_schemas(schema):
        if not isinstance(child, dict):
            continue
        if "default" in child:
            wrong = PayloadSchema(child).problems(child["default"])
            yield from all_at(f"{path}.default", wrong[:1])
        yield from all_at(path, _default_problems(child))
