"""What a change of a ledger object changed, told from its JSON: models of a hundred items cost ten times as much.

Pure functions of two states of one object, each None where the object was not, or is no more.
"""

import orjson

from core_controller.zoneunit.documents import claim_key, entries, object_at
from libdnsapi.api.conditions import ConditionType
from libdnsapi.api.meta import JsonObject, ObjectKey

Pair = tuple[JsonObject | None, JsonObject | None]
"""An item and its status entry."""


class LedgerState:
    """One state of a ledger object."""

    def __init__(self, raw: bytes | None) -> None:
        """Parse the object's bytes, once."""
        found = orjson.loads(raw) if raw is not None else {}
        self._document: JsonObject = found if isinstance(found, dict) else {}

    def pairs(self) -> dict[ObjectKey, Pair]:
        """Return items and status entries by claim."""
        statuses = {claim_key(entry): entry for entry in entries(self._document, "status")}
        items: dict[ObjectKey, Pair] = {
            (key := claim_key(entry)): (entry, statuses.pop(key, None)) for entry in entries(self._document, "spec")
        }
        return items | {key: (None, entry) for key, entry in statuses.items()}

    def standing(self) -> object:
        """Return what record sets depend on: which ZoneUnit it is, and what the provider says of the zone."""
        conditions = object_at(object_at(self._document, "status"), "zone").get("conditions")
        accepted = [
            (one.get("status"), one.get("reason"), one.get("observedGeneration"))
            for one in (conditions if isinstance(conditions, list) else ())
            if isinstance(one, dict) and one.get("type") == ConditionType.ACCEPTED
        ]
        metadata = object_at(self._document, "metadata")
        return metadata.get("uid"), bool(metadata.get("deletionTimestamp")), accepted


def changed_names(old: LedgerState, new: LedgerState) -> tuple[frozenset[str], frozenset[ObjectKey]]:
    """Return what differs between two states of a ledger object: owner names, and keys that have no item."""
    before, after = old.pairs(), new.pairs()
    names: set[str] = set()
    bare: set[ObjectKey] = set()
    for key in before.keys() | after.keys():
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        items = [pair[0] for pair in (one, other) if pair is not None and pair[0] is not None]
        names.update(str(item.get("name")) for item in items)
        if not items:
            bare.add(key)
    return frozenset(names), frozenset(bare)
