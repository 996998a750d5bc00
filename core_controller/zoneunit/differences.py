"""What a change of a ledger object changed, told from its JSON: models of a hundred items cost ten times as much.

Pure functions of two states of one object, each None where the object was not, or is no more.
"""

from collections.abc import Iterable

import orjson
from pydantic import JsonValue

from libdnsapi.api.conditions import ConditionType
from libdnsapi.api.meta import ObjectKey

Entry = dict[str, JsonValue]
Pair = tuple[Entry | None, Entry | None]
"""An item and its status entry."""


class LedgerState:
    """One state of a ledger object."""

    def __init__(self, raw: bytes | None) -> None:
        """Parse the object's bytes, once."""
        found = orjson.loads(raw) if raw is not None else {}
        self._document: Entry = found if isinstance(found, dict) else {}

    def pairs(self) -> dict[ObjectKey, Pair]:
        """Return items and status entries by claim."""
        statuses = {_key(entry): entry for entry in self._entries("status")}
        items: dict[ObjectKey, Pair] = {
            (key := _key(entry)): (entry, statuses.pop(key, None)) for entry in self._entries("spec")
        }
        return items | {key: (None, entry) for key, entry in statuses.items()}

    def standing(self) -> object:
        """Return what record sets depend on: which ZoneUnit it is, and what the provider says of the zone."""
        zone = _object(_object(self._document, "status"), "zone")
        accepted = [
            (one.get("status"), one.get("reason"), one.get("observedGeneration"))
            for one in _objects(zone.get("conditions"))
            if one.get("type") == ConditionType.ACCEPTED
        ]
        metadata = _object(self._document, "metadata")
        return metadata.get("uid"), bool(metadata.get("deletionTimestamp")), accepted

    def _entries(self, half: str) -> Iterable[Entry]:
        return _objects(_object(self._document, half).get("recordSets"))


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


def _object(parent: Entry, name: str) -> Entry:
    found = parent.get(name)
    return found if isinstance(found, dict) else {}


def _objects(found: JsonValue | None) -> Iterable[Entry]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else ()


def _key(entry: Entry) -> ObjectKey:
    return ObjectKey(str(entry.get("recordSetNamespace")), str(entry.get("recordSetName")))
