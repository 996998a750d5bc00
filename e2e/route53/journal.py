"""The calls one by one, in the order in which they came: who asked for what, when, and what came of it."""

from collections import deque
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from e2e.route53.settings import ControlModel

LENGTH: Final = 20_000
DONE: Final = "OK"


class CallDocument(ControlModel):
    """One call. `time` is monotonic seconds of the emulator, good for differences only; `sequence` counts from 1.

    `outcome` is OK, the code of an error answer, or the kind of the fault that kept the answer back; empty while the
    call is worked on. `hostedZoneId` is empty for calls that name none.
    """

    sequence: int
    time: float
    account_id: str
    action: str
    hosted_zone_id: str = ""
    outcome: str = ""


@dataclass(slots=True)
class Entry:
    """A call in the journal; its outcome is filled in when it is known."""

    sequence: int
    time: float
    account_id: str
    action: str
    zone_id: str
    outcome: str = ""

    def document(self) -> CallDocument:
        """Show it."""
        return CallDocument(
            sequence=self.sequence,
            time=self.time,
            account_id=self.account_id,
            action=self.action,
            hosted_zone_id=self.zone_id,
            outcome=self.outcome,
        )


@dataclass
class Journal:
    """The last calls."""

    _entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=LENGTH))
    _sequence: "count[int]" = field(default_factory=lambda: count(1))

    def arrived(self, action: str, account_id: str, zone_id: str, now: float) -> Entry:
        """Note a call whose outcome is still open."""
        entry = Entry(next(self._sequence), now, account_id, action, zone_id)
        self._entries.append(entry)
        return entry

    def after(self, sequence: int) -> list[CallDocument]:
        """Return the calls with a greater sequence."""
        return [entry.document() for entry in self._entries if entry.sequence > sequence]
