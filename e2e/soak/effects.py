"""Which kinds of disturbances had an effect: a run in which one never had any proves nothing about it."""

import time
from dataclasses import dataclass, field

from e2e.soak.disturbances import Disturbance

LOOK_SECONDS = 1.0


@dataclass
class Effects:
    """Keeps asking the disturbances of each kind until one of them was seen."""

    seen: set[str] = field(default_factory=set)
    _begun: dict[str, list[Disturbance]] = field(default_factory=dict)
    _looked: float = 0.0

    def begun(self, disturbance: Disturbance) -> None:
        """Take note that a disturbance has begun."""
        self._begun.setdefault(disturbance.is_of, []).append(disturbance)

    def look(self) -> None:
        """Ask those of the kinds that are still to be seen, at most once a second."""
        if time.monotonic() < self._looked + LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        for kind in self.missing():
            if any(disturbance.seen() for disturbance in self._begun[kind]):
                self.seen.add(kind)

    def missing(self) -> list[str]:
        """Return the kinds that have begun and were never seen."""
        return sorted(self._begun.keys() - self.seen)
