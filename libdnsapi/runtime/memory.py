"""Memory that is free again goes back to the system.

Lists arrive as large answers of which little is kept. The C library keeps what was freed between kept pieces for
itself: after the lists of a zone of 10,000 record sets that was tens of MiB. glibc alone offers to give it back.
"""

import ctypes
import gc
from datetime import timedelta

from libdnsapi.runtime.clock import Clock

INTERVAL = timedelta(minutes=1)


def freeze_caches() -> None:
    """Keep what is there now, above all full caches, out of all later collections, which take 0.5 s otherwise."""
    gc.collect()
    give_back()
    gc.freeze()


def give_back() -> bool:
    """Give free memory back to the system; say whether there was any, False too where the C library cannot."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and bool(trim(0))


async def give_back_always(clock: Clock) -> None:
    """Give free memory back once a minute, for ever; it takes a few milliseconds."""
    while True:
        await clock.sleep(INTERVAL)
        give_back()
