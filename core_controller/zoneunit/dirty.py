"""What changed in each unit since its last pass: owner names, or everything.

The queue carries unit keys only; this is the other half of the message. It is a set: a burst of events about one
name costs one decision. Names keep their order, so that names that fail over and over go to the end. Lost with the
process, which is why every unit starts dirty as a whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from libdnsapi.api.meta import ObjectKey


@dataclass(slots=True)
class _Marks:
    names: dict[str, None] = field(default_factory=dict)
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Dirt:
    """What one pass takes: some owner names, or all of the unit's."""

    names: tuple[str, ...] = ()
    everything: bool = False


class DirtyNames:
    """The marks of all units; used from one event loop."""

    def __init__(self) -> None:
        """Start with nothing marked."""
        self._units: dict[ObjectKey, _Marks] = {}

    def mark(self, unit: ObjectKey, names: Iterable[str]) -> None:
        """Mark owner names of a unit; none at all still marks the unit itself."""
        self._units.setdefault(unit, _Marks()).names.update(dict.fromkeys(names))

    def mark_all(self, unit: ObjectKey) -> None:
        """Mark everything of a unit."""
        self._units.setdefault(unit, _Marks()).everything = True

    def take(self, unit: ObjectKey) -> Dirt:
        """Return and clear a unit's marks."""
        marks = self._units.pop(unit, None)
        return Dirt(tuple(marks.names), marks.everything) if marks is not None else Dirt()

    def give_back(self, unit: ObjectKey, dirt: Dirt) -> None:
        """Mark again what a pass could not finish, behind whatever was marked since."""
        self.mark(unit, dirt.names)
        if dirt.everything:
            self.mark_all(unit)
