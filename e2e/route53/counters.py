"""Counts of calls by action, as tests read them."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass
class Counters:
    """Every call counts in `calls`, the refused ones also in `throttled` or `errors`."""

    calls: Counter[str] = field(default_factory=Counter)
    throttled: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    by_account: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def called(self, action: str, account_id: str) -> None:
        """Count a call."""
        self.calls[action] += 1
        self.by_account[account_id][action] += 1

    def refused(self, action: str, code: str) -> None:
        """Count an error answer by its code."""
        self.errors[code] += 1
        if code == "Throttling":
            self.throttled[action] += 1

    def document(self) -> dict[str, dict[str, int] | dict[str, dict[str, int]]]:
        """Return all counts."""
        return {
            "calls": dict(self.calls),
            "throttled": dict(self.throttled),
            "errors": dict(self.errors),
            "byAccount": {account: dict(calls) for account, calls in self.by_account.items()},
        }
