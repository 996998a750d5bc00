"""What a figure depends on: the machine, its load and the interpreter."""

import os
import platform
from pathlib import Path

from libdnsapi.api.meta import JsonObject


def facts() -> JsonObject:
    """Return the facts that stand before every series of figures."""
    return {
        "fact": "machine",
        "cores": os.cpu_count(),
        "cpu": _cpu_model(),
        "load": [round(value, 2) for value in os.getloadavg()],
        "python": platform.python_version(),
        "system": platform.system(),
    }


def _cpu_model() -> str:
    """Return the processor's name, "" where the system does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
