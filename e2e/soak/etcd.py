"""What an administrator can do to a local control plane's etcd: compact it, have it say that its disk is full."""

import http.client
import json
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from e2e.kube import Document
from e2e.toolchain import daemons

TIMEOUT_SECONDS = 10
_CLIENT_URL = "--listen-client-urls="


class EtcdError(OSError):
    """etcd refused, or does not run."""


class Etcd:
    """The JSON gateway of etcd's client port, with the certificate that the API server uses."""

    def __init__(self, control_plane: Path) -> None:
        """Use the etcd that runs in this directory, whenever it does."""
        self._directory = control_plane
        pki = control_plane / "pki"
        self._tls = ssl.create_default_context(cafile=str(pki / "ca.crt"))
        self._tls.load_cert_chain(str(pki / "etcd.crt"), str(pki / "etcd.key"))

    def compact(self) -> int:
        """Forget the history up to now, and return the revision that is now the oldest."""
        revision = int(self._header()["revision"])
        self._post("/v3/kv/compaction", {"revision": str(revision), "physical": True})
        return revision

    def declare_full(self) -> None:
        """Raise the alarm that a full disk raises: every write is refused."""
        self._alarm("ACTIVATE")

    def declare_free(self) -> None:
        """End the alarm."""
        self._alarm("DEACTIVATE")

    def _alarm(self, action: str) -> None:
        member = self._header()["member_id"]
        self._post("/v3/maintenance/alarm", {"action": action, "memberID": member, "alarm": "NOSPACE"})

    def _header(self) -> Document:
        header: Document = self._post("/v3/maintenance/status", {})["header"]
        return header

    def _post(self, path: str, body: Document) -> Document:
        """Ask etcd. Raises EtcdError where it refuses or does not run, OSError where it does not answer."""
        address = urlsplit(self._url())
        connection = http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=TIMEOUT_SECONDS, context=self._tls
        )
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read().decode()
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise EtcdError(f"{path}: {answer.status} {content}")
        document: Document = json.loads(content)
        return document

    def _url(self) -> str:
        running = daemons.running("etcd", self._directory)
        if running is None:
            raise EtcdError("etcd does not run")
        arguments = Path(f"/proc/{running.pid}/cmdline").read_bytes().decode().split("\0")
        return next(one.removeprefix(_CLIENT_URL) for one in arguments if one.startswith(_CLIENT_URL))
