"""Small counts that follow a cache's changes, so that no review has to go through a whole cache."""

from collections.abc import Hashable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Generic, TypeVar

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.references import ProviderRef
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER
from webhook.validators.snapshot import KnownRecordSet, Usage

V = TypeVar("V", bound=Hashable)

SHARED = 4096
"""Keys of Zones and versions of Providers that are known as shared; the least used of more are copied again."""


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


Same = KnownRecordSet | dict[ObjectKey, KnownRecordSet]
"""The RecordSets of one record name. Most names have one, which stands by itself: a dict for one costs 232 bytes."""


class KnownRecordSets:
    """RecordSets by their Zone and record name, as far as previews read them; one name costs the same in any zone."""

    def __init__(self) -> None:
        """Start empty."""
        self._of_zone: dict[ObjectKey, dict[str, Same]] = {}

    def move(self, before: KnownRecordSet | None, after: KnownRecordSet | None) -> None:
        """Note that a RecordSet is no more as it was noted last; None for one that is new, or gone."""
        if before is not None:
            self._forget(before)
        if after is not None:
            self._note(after)

    def of(self, zone: ObjectKey) -> tuple[KnownRecordSet, ...]:
        """Return the RecordSets that reference a Zone."""
        return tuple(chain.from_iterable(map(_all, self._of_zone.get(zone, {}).values())))

    def named(self, zone: ObjectKey, name: str) -> tuple[KnownRecordSet, ...]:
        """Return those of them that have a record name."""
        return _all(self._of_zone.get(zone, {}).get(name, {}))

    def _note(self, known: KnownRecordSet) -> None:
        names = self._of_zone.setdefault(known.zone, {})
        same = names.get(known.name)
        if same is None:
            names[known.name] = known
        elif isinstance(same, dict):
            same[known.key] = known
        else:
            names[known.name] = {same.key: same, known.key: known}

    def _forget(self, known: KnownRecordSet) -> None:
        names = self._of_zone[known.zone]
        same = names[known.name]
        if isinstance(same, dict) and len(same) > 1:
            del same[known.key]
            return
        del names[known.name]
        if not names:
            del self._of_zone[known.zone]


def _all(same: Same) -> tuple[KnownRecordSet, ...]:
    return tuple(same.values()) if isinstance(same, dict) else (same,)


def known_record_set(key: ObjectKey, record_set: RecordSet) -> KnownRecordSet:
    """Return a RecordSet as others see it; what many have in common is one object for all of them."""
    accepted = find_condition(record_set.status.conditions, ConditionType.ACCEPTED)
    return KnownRecordSet(
        key=key,
        zone=_shared_key(record_set.zone_key),
        name=record_set.spec.name,
        type=record_set.spec.type,
        held=RECORDSET_FINALIZER in record_set.metadata.finalizers or (accepted is not None and accepted.is_true),
        leaving=record_set.metadata.deleting,
        provider=provider_version(record_set.spec.provider),
    )


def provider_version(reference: ProviderRef) -> tuple[str, str]:
    """Return name and version of a Provider that an object names, as one object for all that name it."""
    return _shared_version((reference.name, reference.version))


@lru_cache(maxsize=SHARED)
def _shared_key(key: ObjectKey) -> ObjectKey:
    return key


@lru_cache(maxsize=SHARED)
def _shared_version(version: tuple[str, str]) -> tuple[str, str]:
    return version
