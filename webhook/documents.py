"""Reading JSON documents whose shape nobody has checked yet."""

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject


def parsed(body: bytes) -> JsonValue:
    """Parse JSON; raises orjson.JSONDecodeError, whose `msg` says what is wrong."""
    document: JsonValue = orjson.loads(body)
    return document


def value_at(document: JsonValue, *path: str) -> JsonValue:
    """Return what stands at a path of object keys, None where the path leads nowhere."""
    for key in path:
        if not isinstance(document, dict):
            return None
        document = document.get(key)
    return document


def object_at(document: JsonValue, *path: str) -> JsonObject:
    """Return the object at a path; an empty one where there is none or something else."""
    found = value_at(document, *path)
    return found if isinstance(found, dict) else {}


def text_at(document: JsonValue, *path: str) -> str:
    """Return the text at a path; "" where there is none or something else."""
    found = value_at(document, *path)
    return found if isinstance(found, str) else ""
