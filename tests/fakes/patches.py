"""What a Kubernetes API server does to JSON objects: patches and label selectors. Pure."""

from copy import deepcopy

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from libdnsapi.runtime.errors import InvalidError


def merged(target: JsonValue, patch: JsonValue) -> JsonValue:
    """Return the target with an RFC 7386 merge patch applied."""
    if not isinstance(patch, dict):
        return deepcopy(patch)
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def without(target: JsonObject, gone: JsonObject) -> JsonObject:
    """Return the target without the fields that `gone` names, at any depth."""
    result = dict(target)
    for name, value in gone.items():
        inner = result.get(name)
        if isinstance(value, dict) and value and isinstance(inner, dict):
            result[name] = without(inner, value)
        else:
            result.pop(name, None)
    return result


def difference(old: JsonObject, new: JsonObject) -> JsonObject:
    """Return the fields of `old` that `new` lacks, at any depth."""
    result: JsonObject = {}
    for name, value in old.items():
        other = new.get(name)
        if name not in new:
            result[name] = deepcopy(value)
        elif isinstance(value, dict) and isinstance(other, dict) and (inner := difference(value, other)):
            result[name] = inner
    return result


def json_patched(target: JsonObject, operations: list[JsonObject]) -> JsonObject:
    """Return the target with RFC 6902 operations applied; raises InvalidError where one does not fit."""
    result: JsonValue = deepcopy(target)
    for operation in operations:
        path = [part.replace("~1", "/").replace("~0", "~") for part in str(operation["path"]).split("/")[1:]]
        try:
            _operate(result, path, str(operation["op"]), operation.get("value"))
        except (KeyError, IndexError, ValueError, TypeError):
            raise InvalidError(
                422, "Invalid", "the server rejected our request due to an error in our request"
            ) from None
    assert isinstance(result, dict)
    return result


def _operate(document: JsonValue, path: list[str], op: str, value: JsonValue) -> None:
    *parents, last = path
    for part in parents:
        document = document[int(part)] if isinstance(document, list) else document[part]  # type: ignore[index]
    if isinstance(document, list):
        _operate_on_list(document, last, op, value)
    elif isinstance(document, dict):
        _operate_on_object(document, last, op, value)
    else:
        raise TypeError


def _operate_on_list(document: list[JsonValue], last: str, op: str, value: JsonValue) -> None:
    position = len(document) if last == "-" else int(last)
    match op:
        case "add" if position <= len(document):
            document.insert(position, deepcopy(value))
        case "replace":
            document[position] = deepcopy(value)
        case "remove":
            del document[position]
        case "test" if document[position] == value:
            pass
        case _:
            raise ValueError(op)


def _operate_on_object(document: JsonObject, last: str, op: str, value: JsonValue) -> None:
    match op:
        case "add":
            document[last] = deepcopy(value)
        case "replace" if last in document:
            document[last] = deepcopy(value)
        case "remove":
            del document[last]
        case "test" if document.get(last) == value:
            pass
        case _:
            raise ValueError(op)


def selects(selector: str, labels: JsonValue) -> bool:
    """Say whether labels match a selector of `key`, `!key`, `key=value` and `key!=value`, joined by commas."""
    have = labels if isinstance(labels, dict) else {}
    return all(_matches(part.strip(), have) for part in selector.split(",") if part.strip())


def _matches(part: str, labels: JsonObject) -> bool:
    if "!=" in part:
        name, _, value = part.partition("!=")
        return labels.get(name.strip()) != value.strip()
    if "=" in part:
        name, _, value = part.replace("==", "=").partition("=")
        return labels.get(name.strip()) == value.strip()
    return part[1:].strip() not in labels if part.startswith("!") else part in labels
