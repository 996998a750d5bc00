"""The webhook as a process of its own in front of the session's API server, with a self-made certificate."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from e2e.controlplane import ControlPlane
from e2e.kube import Kube, KubeError
from e2e.polling import eventually
from e2e.toolchain.ports import free_ports
from tests.apiserver.manifests import Document, changed
from tests.webhook import objects
from webhook.configuration import configuration, url_client

NAMESPACE = "dns-webhook"
NAME = "dnsapi-webhook-under-test"
CORE = f"system:serviceaccount:{NAMESPACE}:core"
CONFIGURATION = ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", NAME)
OPTIONS = [
    "--self-signed",
    "--self-signed-secret",
    f"{NAMESPACE}/webhook-tls",
    "--self-signed-names",
    "127.0.0.1",
    "--webhook-configuration",
    NAME,
    "--tls-interval",
    "PT0.2S",
    "--address",
    "127.0.0.1:0",
    "--health-host",
    "127.0.0.1",
    "--health-port",
    "0",
    "--controllers",
    CORE,
]


class WebhookProcess:
    """Starts and ends the process; remembers its port, so that it can come back at the same address."""

    def __init__(self, kubeconfig: Path, folder: Path) -> None:
        """Nothing runs yet."""
        self._kubeconfig = kubeconfig
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        (self.port,) = free_ports(1)  # fixed from the first start on: the kernel would give a port of its choice away

    def start(self) -> None:
        """Start it and wait until it accepts connections."""
        ports = self._folder / "ports.json"
        ports.unlink(missing_ok=True)
        options = [word if word != "127.0.0.1:0" else f"127.0.0.1:{self.port}" for word in OPTIONS]
        command = [sys.executable, "-m", "webhook", "--kubeconfig", str(self._kubeconfig), "--ports-file", str(ports)]
        with (self._folder / "webhook.log").open("ab") as log:
            self._process = subprocess.Popen([*command, *options], stderr=log)  # noqa: S603 — our own module
        process = self._process
        eventually(
            lambda: ports.exists() or process.poll() is not None,
            bool,
            what=f"the webhook is up, see {self._folder / 'webhook.log'}",
        )
        assert process.poll() is None, "the webhook ended at once"

    def stop(self) -> int:
        """End it in order and return its exit status."""
        if self._process is None:
            return 0
        self._process.terminate()
        status = self._process.wait(timeout=90)
        self._process = None
        return status


@contextlib.contextmanager
def admission(control_plane: ControlPlane, kube: Kube, folder: Path) -> Iterator[WebhookProcess]:
    """Put the webhook before the API server, and take it away again without a trace for the tests that follow."""
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    process = WebhookProcess(control_plane.kubeconfig, folder)
    process.start()
    try:
        kube.apply(configuration(url_client(f"https://127.0.0.1:{process.port}"), b"", [CORE], name=NAME))
        eventually(lambda: refuses(kube), bool, what="admission in force")
        yield process
        kube.delete(*CONFIGURATION)
        eventually(lambda: not refuses(kube), bool, what="admission gone")
    finally:
        kube.delete(*CONFIGURATION)
        process.stop()


def refuses(kube: Kube) -> bool:
    """Whether the webhook itself refuses a class of an unknown Provider."""
    probe = placed(objects.zone_class(spec__provider__name="nobody"))
    try:
        kube.apply(probe, dry_run=True)
    except KubeError as error:
        return "does not exist; install the provider package first" in error.message
    return False


def placed(document: Document) -> Document:
    """Return the object as this namespace's own."""
    if "namespace" not in document["metadata"]:
        return document
    return changed(document, metadata__namespace=NAMESPACE)
