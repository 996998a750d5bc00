"""One compiled payload schema: validation with messages for people, and defaults."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice

import jsonschema_rs
from jsonschema_rs import ValidationError, ValidationErrorKind
from pydantic import JsonValue

from libdnsapi.contract.schema.defaults import has_defaults, with_defaults
from libdnsapi.contract.schema.translation import BYTE_FORMAT, translated
from libdnsapi.dns.problems import Problem, joined

MAX_PROBLEMS = 20
MAX_DESCRIBED = 2000
"""Values, however nested, up to which every fault is looked for: the validator describes all of them before the first
can be read, about 12 µs each."""
MAX_NAMED = 20
"""Fields that one message names."""
MAX_KEY_LENGTH = 253
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,252}")


class SchemaError(Exception):
    """A schema that the validator does not take; `path` is where in it, such as properties.x.pattern."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class PayloadSchema:
    """A structural schema, ready to validate. Raises SchemaError where it is no valid OpenAPI v3 schema."""

    def __init__(self, schema: Mapping[str, JsonValue]) -> None:
        self._schema = schema
        self.has_defaults = has_defaults(schema)
        try:
            # RE2-like patterns only (linear time); the mask keeps values, which may be long or secret, out of messages.
            self._validator = jsonschema_rs.Draft4Validator(
                translated(schema),
                validate_formats=True,
                formats={BYTE_FORMAT: _is_base64},
                pattern_options=jsonschema_rs.RegexOptions(),
                mask="the value",
            )
        except ValueError as error:
            raise _schema_error(error) from error

    def problems(self, value: JsonValue) -> tuple[Problem, ...]:
        """Return what does not match, with paths below the payload; at most 20 findings."""
        try:
            return () if self._validator.is_valid(value) else self._found(value)
        except ValueError:
            # The validator's own limit on recursion.
            return (Problem("", "is nested too deeply"),)

    def _found(self, value: JsonValue) -> tuple[Problem, ...]:
        explained = chain.from_iterable(_explained(error, self._schema) for error in self._errors(value))
        return tuple(islice(explained, MAX_PROBLEMS))

    def _errors(self, value: JsonValue) -> Iterator[ValidationError]:
        """Yield the faults; of a large value only the first, which costs no more than finding it."""
        if not holds_more_than(value, MAX_DESCRIBED):
            yield from self._validator.iter_errors(value)
            return
        try:
            self._validator.validate(value)
        except ValidationError as error:
            yield error

    def defaulted(self, value: JsonValue) -> JsonValue:
        """Return the value with the schema's defaults."""
        return with_defaults(self._schema, value) if self.has_defaults else value


def _schema_error(error: ValueError) -> SchemaError:
    if not isinstance(error, ValidationError):
        return SchemaError(str(error))
    is_pattern = isinstance(error.kind, ValidationErrorKind.Format) and error.instance_path[-1:] == ["pattern"]
    told = "RE2 does not take this pattern; it knows no look-around and no back-references" if is_pattern else ""
    return SchemaError(told or error.message, _path(error.instance_path))


def holds_more_than(value: JsonValue, limit: int) -> bool:
    """Whether a value has more than so many members at all depths; counts no further, and without recursion."""
    waiting, count = [value], 0
    while waiting and count <= limit:
        inner = waiting.pop()
        members = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
        count += len(members)
        waiting.extend(islice(members, limit + 1))
    return count > limit


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _explained(error: ValidationError, root: Mapping[str, JsonValue]) -> Iterator[Problem]:
    path = _path(error.instance_path)
    declared = _declared(error, root)
    match error.kind:
        case ValidationErrorKind.Required(property=name):
            yield Problem(joined(path, _step(str(name))), "is required")
        case ValidationErrorKind.AdditionalProperties(unexpected=names):
            for name in names:
                yield Problem(joined(path, _step(name)), f"is not a known field{_known(declared)}")
        case ValidationErrorKind.Enum(options=options):
            yield Problem(path, f"must be one of {', '.join(map(_shown, options))}")
        case ValidationErrorKind.Pattern(pattern=pattern):
            yield Problem(path, f"must match the pattern {pattern}{_described(declared)}")
        case ValidationErrorKind.Type(types=types):
            yield Problem(path, f"must be of type {' or '.join(map(str, types))}")
        case _:
            yield Problem(path, error.message)


def _declared(error: ValidationError, root: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return the part of the schema that a fault is about; empty where the way there is none that we know."""
    at: JsonValue = dict(root)
    for step in error.schema_path[:-1]:
        if isinstance(at, dict) and isinstance(step, str):
            at = at.get(step)
        elif isinstance(at, list) and isinstance(step, int) and step < len(at):
            at = at[step]
        else:
            return {}
    return at if isinstance(at, dict) else {}


def _known(declared: Mapping[str, JsonValue]) -> str:
    """Return the fields that there are, where they are few enough to be read: the right one is mostly among them."""
    fields = declared.get("properties")
    names = sorted(fields) if isinstance(fields, dict) else []
    return f" (known: {', '.join(names)})" if 0 < len(names) <= MAX_NAMED else ""


def _described(declared: Mapping[str, JsonValue]) -> str:
    """Return what the Provider says of the field: its words are easier to follow than its pattern."""
    description = declared.get("description")
    words = " ".join(description.split()) if isinstance(description, str) else ""
    return f" ({words})" if words else ""


def _shown(option: object) -> str:
    return f'"{option}"' if isinstance(option, str) else str(option)


def _path(steps: list[str | int]) -> str:
    path = ""
    for step in steps:
        path = joined(path, f"[{step}]" if isinstance(step, int) else _step(step))
    return path


def _step(name: str) -> str:
    """Return a field's name, or a key that is no plain name in brackets: `tags[example.com/team]`."""
    return name if _PLAIN.fullmatch(name) else f"[{name[:MAX_KEY_LENGTH]}]"
