"""The cache of built programs. It lies outside the checkout, so that a fresh clone finds what was built before."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


def cache_root() -> Path:
    """Return `$DNSAPI_CACHE`, else `$XDG_CACHE_HOME/dnsapi`, else `~/.cache/dnsapi`."""
    if chosen := os.environ.get("DNSAPI_CACHE"):
        return Path(chosen)
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg else Path.home() / ".cache") / "dnsapi"


def digest(files: Iterable[Path], *texts: str) -> str:
    """Return 16 hex digits that change with the content of a file or with a text (flags, versions)."""
    total = hashlib.sha256()
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    for text in texts:
        total.update(hashlib.sha256(text.encode()).digest())
    return total.hexdigest()[:16]
