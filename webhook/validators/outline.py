"""A model's JSON schema as a quick first look at large documents: it stops at the first fault."""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import jsonschema_rs
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, KubernetesObject
from libdnsapi.dns.problems import Problem


def first_problem(model: type[KubernetesObject], document: JsonObject) -> Problem | None:
    """Return the first fault of a document's shape, in time that does not grow with the number of faults."""
    try:
        _validator(model).validate(document)
    except jsonschema_rs.ValidationError as error:
        return Problem(written(error.instance_path), f"{error.message} (the first fault in a large object)")
    return None


def written(location: Sequence[int | str]) -> str:
    """Write a location as people write it: spec.mx.records[1].exchange."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return path.lstrip(".")


@lru_cache(maxsize=32)
def _validator(model: type[KubernetesObject]) -> jsonschema_rs.Draft202012Validator:
    schema = cast("JsonObject", _without_alternatives(model.model_json_schema(by_alias=True)))
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, pattern_options=jsonschema_rs.RegexOptions(), mask="the value"
    )


def _without_alternatives(schema: JsonValue) -> JsonValue:
    """Turn "this or null" into "this": the faults of an alternative would all be looked for, and null is none."""
    if isinstance(schema, list):
        return [_without_alternatives(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    options = schema.get("anyOf")
    if isinstance(options, list) and {"type": "null"} in options and len(options) == 2:  # noqa: PLR2004 — this or null
        first = next(option for option in options if option != {"type": "null"})
        rest = {name: value for name, value in schema.items() if name not in {"anyOf", "default"}}
        return _without_alternatives({**rest, **first}) if isinstance(first, dict) else schema
    return {name: _without_alternatives(inner) for name, inner in schema.items()}
