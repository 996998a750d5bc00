"""`matchConditions`: which requests never reach the webhook (beyond-the-seeds 12). Pure.

They are evaluated by the API server itself, so what they let through works also while the webhook, its Service or its
certificate is gone: finalizers can always be removed.
"""

from collections.abc import Sequence

import orjson

from libdnsapi.api.meta import JsonObject

_ON_STATUS = "(has(request.subResource) && request.subResource == 'status')"
_NO_UPDATE = "request.operation != 'UPDATE'"
_SPEC_CHANGES = "(has(object.spec) != has(oldObject.spec) || (has(object.spec) && object.spec != oldObject.spec))"
_ANNOTATIONS_CHANGE = (
    "(has(object.metadata.annotations) != has(oldObject.metadata.annotations)"
    " || (has(object.metadata.annotations) && object.metadata.annotations != oldObject.metadata.annotations))"
)

NOT_LEAVING: JsonObject = {
    "name": "not-being-deleted",
    "expression": f"{_NO_UPDATE} || !has(object.metadata.deletionTimestamp)",
}
SPEC_CHANGES: JsonObject = {
    "name": "spec-or-status-changes",
    "expression": f"{_NO_UPDATE} || {_ON_STATUS} || {_SPEC_CHANGES}",
}
LEDGER_CHANGES: JsonObject = {
    "name": "spec-annotations-or-status-change",
    "expression": f"{_NO_UPDATE} || {_ON_STATUS} || {_SPEC_CHANGES} || {_ANNOTATIONS_CHANGE}",
}


def not_by_controllers(accounts: Sequence[str]) -> list[JsonObject]:
    """Skip requests of these users; no condition where none are named."""
    if not accounts:
        return []
    names = orjson.dumps(list(accounts)).decode().replace('"', "'")
    return [{"name": "not-by-our-controllers", "expression": f"!(request.userInfo.username in {names})"}]


def conditions_for_object(accounts: Sequence[str]) -> list[JsonObject]:
    """Skip our controllers, objects on their way out, and updates that leave spec alone (status apart)."""
    return [*not_by_controllers(accounts), NOT_LEAVING, SPEC_CHANGES]


def conditions_for_ledger(accounts: Sequence[str]) -> list[JsonObject]:
    """Skip our controllers, and updates that leave spec and annotations alone (status apart): nothing else."""
    return [*not_by_controllers(accounts), LEDGER_CHANGES]


def conditions_for_deletion(accounts: Sequence[str]) -> list[JsonObject]:
    """Skip our controllers; `object` is null on a DELETE, so nothing else may be asked."""
    return [*not_by_controllers(accounts)]
