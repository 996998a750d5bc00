"""Which keys have which value: one index of a store.

Most values have one key, and a set for one key costs 216 bytes; so a lone key stands by itself.
"""

import sys

from libdnsapi.api.meta import ObjectKey


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

    def values(self) -> list[str]:
        """Return all values that some key has."""
        return list(self._keys)

    def move(self, key: ObjectKey, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        """Take the key off its old values and put it on its new ones."""
        for value in set(old) - set(new):
            self._remove(value, key)
        for value in set(new) - set(old):
            self._add(sys.intern(value), key)

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
