"""A program that started others ends them whatever ends itself: signals unwind it, as Ctrl-C does."""

import signal
import sys
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def make_orderly() -> None:
    """Have SIGTERM and SIGHUP leave through every `finally`; the exit status is the shell's, 128 and the number."""
    for number in _SIGNALS:
        signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    for one in _SIGNALS:  # a second one must not cut the cleaning up short
        signal.signal(one, signal.SIG_IGN)
    sys.exit(128 + number)
