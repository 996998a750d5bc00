"""A certificate in two files, as a mounted Secret shows them."""

import asyncio
from pathlib import Path

from webhook.tls.pair import CertificateError, Pair


class FileSource:
    """Reads both files anew each time.

    A kubelet swaps a mounted Secret by one rename, yet between reading one file and the other the swap may happen: such
    a mismatched pair is refused when it is tried, and the next reading is right.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        """Keep the paths; nothing is read yet."""
        self._certificate = certificate
        self._key = key

    async def read(self) -> Pair:
        """Return what the files hold; raises CertificateError naming the file that cannot be read."""
        return await asyncio.to_thread(self._read)

    def _read(self) -> Pair:
        return Pair(_content(self._certificate), _content(self._key))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(f"cannot read {path}: {error.strerror}") from None
