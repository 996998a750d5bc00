"""The one mutable root: it holds the state that a reset replaces."""

from dataclasses import dataclass, field

from e2e.route53.counters import Counters
from e2e.route53.settings import Settings
from e2e.route53.state import State


@dataclass
class World:
    """The state in force, and what a reset goes back to."""

    account_id: str
    initial: Settings = field(default_factory=Settings)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        """Start fresh."""
        self.reset()

    def reset(self) -> None:
        """Replace the whole state."""
        self.state = State(self.account_id, self.initial)

    def reset_counters(self) -> dict[str, dict[str, int] | dict[str, dict[str, int]]]:
        """Start counting anew and return the last counts."""
        last = self.state.counters.document()
        self.state.counters = Counters()
        return last
