"""The plain client of the suite: it is as patient with a starting API server as kubectl is, and no more."""

import http.server
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest
import trustme

from e2e.controlplane.kubeconfig import write_token_kubeconfig
from e2e.kube import Kube, KubeError

GOOD = (200, {}, b'{"items": []}')
LATER = (429, {"Retry-After": "0"}, b'{"reason": "TooManyRequests", "message": "storage is (re)initializing"}')


@dataclass
class Script:
    """Answers in their order, the last one for good; None closes the connection after a line that is no HTTP."""

    answers: list[tuple[int, dict[str, str], bytes] | None] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as the script says."""

    script: ClassVar[Script]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Give the next answer."""
        self.script.asked.append(self.path)
        answer = self.script.answers.pop(0) if len(self.script.answers) > 1 else self.script.answers[0]
        if answer is None:
            self.wfile.write(b"what?\r\n")
            self.close_connection = True
            return
        status, headers, content = answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def kube(script: Script, tmp_path: Path) -> Iterator[Kube]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Scripted", (Handler,), {"script": script}))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.crt"))
    url = f"https://127.0.0.1:{server.server_address[1]}"
    client = Kube(write_token_kubeconfig(tmp_path / "kubeconfig", url, tmp_path / "ca.crt", "token"))
    yield client
    client.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_server_that_asks_for_patience_is_asked_again(kube: Kube, script: Script) -> None:
    script.answers = [LATER, (503, {"Retry-After": "0"}, b"starting"), GOOD]
    assert kube.request("GET", "/apis/x") == {"items": []}
    assert len(script.asked) == 3


def test_patience_has_an_end(kube: Kube, script: Script) -> None:
    script.answers = [LATER]
    with pytest.raises(KubeError, match="initializing"):
        kube.request("GET", "/apis/x")
    assert len(script.asked) == 10


@pytest.mark.parametrize("answer", [(500, {}, b"failed calling webhook"), (404, {"Retry-After": "0"}, b"no")])
def test_a_refusal_is_told_at_once(kube: Kube, script: Script, answer: tuple[int, dict[str, str], bytes]) -> None:
    script.answers = [answer]
    with pytest.raises(KubeError) as refusal:
        kube.request("GET", "/apis/x")
    assert (refusal.value.status, len(script.asked)) == (answer[0], 1)


def test_what_is_no_answer_counts_as_nobody_there(kube: Kube, script: Script) -> None:
    script.answers = [None]
    with pytest.raises(OSError, match="no HTTP"):
        kube.request("GET", "/apis/x")
    assert not kube.ready()
