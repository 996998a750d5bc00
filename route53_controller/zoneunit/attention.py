"""Which owner names a pass must decide about: of ten thousand, those where something may have changed.

A name is at rest if it needed nothing when it was decided about and nothing of what was decided from has changed: the
ledger objects that hold its items, and what was read of it. Forgetting costs one pass over all names, never more.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit.snapshot import Item, LedgerObject

Objects = Mapping[ObjectKey, LedgerObject]


class Attention:
    """What the last decision about the record sets of one hosted zone rested on, and the names that it was about."""

    def __init__(self) -> None:
        """Nothing was decided yet."""
        self._objects: Objects | None = None
        self._open: frozenset[str] = frozenset()
        self._fresh: set[str] | None = None

    def forget(self) -> None:
        """Everything may be new: another hosted zone, or all of it was read again."""
        self._objects, self._fresh = None, None

    def note_read(self, names: Iterable[str]) -> None:
        """Note that record sets of these names were read again."""
        if self._fresh is not None:
            self._fresh.update(names)

    @property
    def fresh(self) -> frozenset[str] | None:
        """The names that were read since the last decision; None: all."""
        return None if self._fresh is None else frozenset(self._fresh)

    def open_names(self, objects: Objects) -> frozenset[str] | None:
        """Return the names that were not at rest, and those at which items are not what they were; None: all."""
        known = self._objects
        if known is None:
            return None
        changed = [key for key in {**known, **objects} if known.get(key) is not objects.get(key)]
        return self._open.union(*(_differing(known.get(key), objects.get(key)) for key in changed))

    def note_decided(self, objects: Objects, open_names: frozenset[str] | None) -> None:
        """Note a decision: all names but these needed nothing. None: record sets were not decided about."""
        if open_names is not None:
            self._objects, self._open, self._fresh = objects, open_names, set()


def _differing(old: LedgerObject | None, new: LedgerObject | None) -> Iterable[str]:
    """Return the names at which two versions of a ledger object do not hold the same."""
    before, after = (old.by_name if old else {}), (new.by_name if new else {})
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def at_names(
    names: Collection[str] | None, objects: Objects, items: Mapping[ObjectKey, Item]
) -> Mapping[str, Sequence[Item]]:
    """Return the `items` of these ledger objects at these owner names, or at all, by name in the order of the names.

    An old object may hold the key of an item under another name, which is not the item's.
    """
    if names is None or len(names) * len(objects) >= len(items):
        return _sifted(names, items.values())
    found: dict[str, list[Item]] = {}
    for name in sorted(names):
        keys = dict.fromkeys(item.key for held in objects.values() for item in held.by_name.get(name, ()))
        there = [items[key] for key in keys if items[key].name == name]
        if there:
            found[name] = there
    return found


def _sifted(names: Collection[str] | None, items: Iterable[Item]) -> Mapping[str, Sequence[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        if names is None or item.name in names:
            found.setdefault(item.name, []).append(item)
    return {name: found[name] for name in sorted(found)}
