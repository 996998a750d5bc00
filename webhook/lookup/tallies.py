"""Small counts that follow a cache's changes, so that no review has to go through a whole cache."""

from collections.abc import Hashable, Iterable
from itertools import chain
from typing import Generic, TypeVar

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER
from webhook.validators.snapshot import KnownRecordSet, Usage

V = TypeVar("V", bound=Hashable)


class Tally(Generic[V]):
    """Which objects have which value; every operation takes constant time."""

    def __init__(self) -> None:
        """Start empty."""
        self._value_of: dict[ObjectKey, V] = {}
        self._keys_of: dict[V, dict[ObjectKey, None]] = {}

    def put(self, key: ObjectKey, value: V | None) -> None:
        """Note an object's value; None for an object that is gone."""
        before = self._value_of.pop(key, None)
        if before is not None:
            keys = self._keys_of[before]
            del keys[key]
            if not keys:
                del self._keys_of[before]
        if value is not None:
            self._value_of[key] = value
            self._keys_of.setdefault(value, {})[key] = None

    def keys(self, value: V) -> Iterable[ObjectKey]:
        """Return the objects that have a value."""
        return self._keys_of.get(value, {}).keys()

    def values(self) -> Iterable[V]:
        """Return the values that some object has."""
        return self._keys_of.keys()

    def usage(self, value: V, kind: str) -> Usage:
        """Count the objects that have a value and name one of them with its kind."""
        keys = self._keys_of.get(value, {})
        return Usage(len(keys), f"{kind} {next(iter(keys))}") if keys else Usage()


class KnownRecordSets:
    """RecordSets by their Zone and record name, as far as previews read them; one name costs the same in any zone."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: dict[ObjectKey, KnownRecordSet] = {}
        self._of_zone: dict[ObjectKey, dict[str, dict[ObjectKey, KnownRecordSet]]] = {}

    def put(self, key: ObjectKey, record_set: RecordSet | None) -> None:
        """Note a RecordSet; None for one that is gone."""
        before = self._known.pop(key, None)
        if before is not None:
            self._forget(before)
        if record_set is not None:
            known = self._known[key] = _known(record_set)
            self._of_zone.setdefault(known.zone, {}).setdefault(known.name, {})[key] = known

    def of(self, zone: ObjectKey) -> tuple[KnownRecordSet, ...]:
        """Return the RecordSets that reference a Zone."""
        return tuple(chain.from_iterable(same.values() for same in self._of_zone.get(zone, {}).values()))

    def named(self, zone: ObjectKey, name: str) -> tuple[KnownRecordSet, ...]:
        """Return those of them that have a record name."""
        return tuple(self._of_zone.get(zone, {}).get(name, {}).values())

    def _forget(self, known: KnownRecordSet) -> None:
        names = self._of_zone[known.zone]
        same = names[known.name]
        del same[known.key]
        if not same:
            del names[known.name]
        if not names:
            del self._of_zone[known.zone]


def _known(record_set: RecordSet) -> KnownRecordSet:
    accepted = find_condition(record_set.status.conditions, ConditionType.ACCEPTED)
    return KnownRecordSet(
        key=record_set.key,
        zone=record_set.zone_key,
        name=record_set.spec.name,
        type=record_set.spec.type,
        held=RECORDSET_FINALIZER in record_set.metadata.finalizers
        or (accepted is not None and accepted.status == "True"),
        leaving=record_set.metadata.deleting,
    )
