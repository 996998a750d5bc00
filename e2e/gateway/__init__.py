"""The Gateway API's own CustomResourceDefinitions, from its pinned Go module."""

import json
import subprocess
from pathlib import Path

from e2e.toolchain.gobuild import go_command

MODULE = "sigs.k8s.io/gateway-api"
GROUP = "gateway.networking.k8s.io"
KINDS = ("gateways", "listenersets", "httproutes", "grpcroutes", "tlsroutes", "tcproutes", "udproutes")


class GatewayApiMissingError(RuntimeError):
    """The definitions cannot be had; the message says why."""


def definition_files(channel: str = "standard") -> list[Path]:
    """Return the files of the kinds that sources read; `channel` is standard or experimental.

    Raises GatewayApiMissingError where Go is not installed or the module cannot be had.
    """
    go = go_command()
    if go is None:
        raise GatewayApiMissingError("the Go tool is not installed")
    answer = subprocess.run(  # noqa: S603 — a composed command, no shell
        [go, "mod", "download", "-json", MODULE],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    found = json.loads(answer.stdout or "{}")
    if answer.returncode != 0 or "Dir" not in found:
        raise GatewayApiMissingError(f"go mod download {MODULE}: {found.get('Error') or answer.stderr.strip()}")
    folder = Path(found["Dir"]) / "config" / "crd" / channel
    return [folder / f"{GROUP}_{kind}.yaml" for kind in KINDS]
