"""The shape of an object: does it fit its wire model, and if not, what exactly is wrong."""

from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from libdnsapi.api.meta import JsonObject, KubernetesObject
from libdnsapi.dns.problems import Problem
from webhook.validators.outline import first_problem, written

T = TypeVar("T", bound=KubernetesObject)

MAX_PROBLEMS = 50

_PLAIN = {
    "missing": "is required",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "tuple_type": "must be an array",
    "list_type": "must be an array",
    "string_unicode": "must be valid UTF-8",
}
_WITH_LIMIT = {
    "string_too_long": ("max_length", "must have at most {} characters"),
    "string_too_short": ("min_length", "must have at least {} characters"),
    "too_long": ("max_length", "must have at most {} items"),
    "too_short": ("min_length", "must have at least {} items"),
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "string_pattern_mismatch": ("pattern", "must match {}"),
    "enum": ("expected", "must be one of {}"),
    "literal_error": ("expected", "must be one of {}"),
}


def read(model: type[T], document: JsonObject, *, bulky: bool = False) -> T | tuple[Problem, ...]:
    """Return the object as its model, or every reason why it is none (at most MAX_PROBLEMS of them).

    A bulky document may hold a hundred thousand faults, and the model would describe each; so it is first held against
    the model's JSON schema, which stops at the first.
    """
    if bulky and (first := first_problem(model, document)):
        return (first,)
    try:
        return model.model_validate(document)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)[:MAX_PROBLEMS]
        around = {detail["loc"][:depth] for detail in details for depth in range(len(detail["loc"]))}
        return tuple(
            Problem(written(detail["loc"]), _message(detail)) for detail in details if not _echoes(detail, around)
        )


def _echoes(detail: ErrorDetails, around: set[tuple[int | str, ...]]) -> bool:
    """Whether an array is only called too short because its bad items were not counted."""
    return detail["type"] == "too_short" and detail["loc"] in around


def _message(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind in _PLAIN:
        return _PLAIN[kind]
    field, text = _WITH_LIMIT.get(kind, ("", ""))
    limit = detail.get("ctx", {}).get(field)
    if limit == 1 and kind in {"string_too_short", "too_short"}:
        return "must not be empty"
    return text.format(str(limit).replace("'", "").replace(" or ", ", ")) if text else detail["msg"]
