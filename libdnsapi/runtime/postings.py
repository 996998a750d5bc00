"""Which keys have which value: one index of a store.

Most values have one key, and a set for one key costs 216 bytes; so a lone key stands by itself.
"""

import sys
from collections.abc import Iterable

from libdnsapi.api.meta import ObjectKey

Values = str | tuple[str, ...]
"""An object's values in one index: one by itself, else all of them."""


def compact_values(values: Iterable[str]) -> Values:
    """Return the values in the form that takes the least memory; equal texts become one object."""
    shared = tuple(map(sys.intern, values))
    return shared[0] if len(shared) == 1 else shared


class Postings:
    """A map from values to the keys that have them."""

    def __init__(self) -> None:
        """Start empty."""
        self._keys: dict[str, ObjectKey | set[ObjectKey]] = {}

    def keys(self, value: str) -> list[ObjectKey]:
        """Return the keys that have this value, unsorted."""
        found = self._keys.get(value)
        if found is None:
            return []
        return list(found) if isinstance(found, set) else [found]

    def count(self, value: str) -> int:
        """Return how many keys have this value."""
        found = self._keys.get(value)
        return len(found) if isinstance(found, set) else int(found is not None)

    def values(self) -> list[str]:
        """Return all values that some key has."""
        return list(self._keys)

    def move(self, key: ObjectKey, old: Values, new: Values) -> None:
        """Take the key off its old values and put it on its new ones."""
        before, after = _set(old), _set(new)
        for value in before - after:
            self._remove(value, key)
        for value in after - before:
            self._add(value, key)

    def _add(self, value: str, key: ObjectKey) -> None:
        found = self._keys.get(value)
        if found is None:
            self._keys[value] = key
        elif isinstance(found, set):
            found.add(key)
        else:
            self._keys[value] = {found, key}

    def _remove(self, value: str, key: ObjectKey) -> None:
        found = self._keys.get(value)
        if isinstance(found, set):
            found.discard(key)
            if len(found) == 1:
                self._keys[value] = found.pop()
        elif found == key:
            del self._keys[value]


def _set(values: Values) -> set[str]:
    return {values} if isinstance(values, str) else set(values)
