"""Scripted faults: which call fails, and how. Time comes in as monotonic seconds."""

from dataclasses import dataclass
from typing import Literal

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from e2e.route53.edits import RecordEdits
from e2e.route53.settings import ControlModel

FaultKind = Literal[
    "error", "timeout-after-apply", "timeout-before", "throttle", "deny", "close-connection", "truncated-body",
    "http-500", "delay", "edit",
]  # fmt: skip


class Fault(ControlModel):
    """A fault of calls of one action (`*` for every action), narrowed by zone and account where given.

    It strikes from the `nth` matching call on (counted from when it was set), `count` times; or, with `forSeconds`,
    every matching call until that time is over. `edit` applies `records` before the call goes on: a stranger's write
    in the gap.
    """

    action: str
    kind: FaultKind
    nth: PositiveInt = 1
    count: PositiveInt | None = None
    for_seconds: PositiveFloat | None = None
    hosted_zone_id: str = ""
    account_id: str = ""
    code: str = "ServiceUnavailable"
    status: int = 503
    message: str = "Scripted fault"
    hold_seconds: NonNegativeFloat = 60.0
    """How long `timeout-…` keeps the connection before it is cut, and how long `delay` waits."""
    records: RecordEdits | None = None


@dataclass
class _Armed:
    fault: Fault
    since: float
    seen: int = 0

    def strikes(self, now: float) -> bool:
        """Count a matching call and say whether it fails."""
        self.seen += 1
        if self.fault.for_seconds is not None:
            return self.seen >= self.fault.nth and not self.over(now)
        return self.fault.nth <= self.seen < self.fault.nth + (self.fault.count or 1)

    def over(self, now: float) -> bool:
        """Whether it can never strike again."""
        if self.fault.for_seconds is not None:
            return now >= self.since + self.fault.for_seconds
        return self.seen >= self.fault.nth + (self.fault.count or 1) - 1


class FaultPlan:
    """The armed faults, in the order they were set; the first that strikes decides a call."""

    def __init__(self) -> None:
        """Start without faults."""
        self._armed: list[_Armed] = []

    def arm(self, faults: list[Fault], now: float) -> None:
        """Add faults."""
        self._armed.extend(_Armed(fault, now) for fault in faults)

    def clear(self) -> None:
        """Forget all faults."""
        self._armed.clear()

    def pending(self) -> list[Fault]:
        """Return the faults that may still strike."""
        return [armed.fault for armed in self._armed]

    def take(self, action: str, zone_id: str, account_id: str, now: float) -> Fault | None:
        """Return the fault of this call. Every matching fault counts the call."""
        matching = [armed for armed in self._armed if _matches(armed.fault, action, zone_id, account_id)]
        struck = [armed.fault for armed in matching if armed.strikes(now)]
        self._armed = [armed for armed in self._armed if not armed.over(now)]
        return struck[0] if struck else None


def _matches(fault: Fault, action: str, zone_id: str, account_id: str) -> bool:
    return (
        fault.action in {"*", action}
        and fault.hosted_zone_id.removeprefix("/hostedzone/") in {"", zone_id}
        and fault.account_id in {"", account_id}
    )
