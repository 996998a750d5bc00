"""The Gateway API's own CustomResourceDefinitions, from its pinned Go module."""

from pathlib import Path

from e2e.toolchain.gomodule import module_folder

MODULE = "sigs.k8s.io/gateway-api"
GROUP = "gateway.networking.k8s.io"
KINDS = ("gateways", "listenersets", "httproutes", "grpcroutes", "tlsroutes", "tcproutes", "udproutes")


def definition_files(channel: str = "standard") -> list[Path]:
    """Return the files of the kinds that sources read; `channel` is standard or experimental.

    Raises ModuleMissingError.
    """
    folder = module_folder(Path(__file__).parent, MODULE) / "config" / "crd" / channel
    return [folder / f"{GROUP}_{kind}.yaml" for kind in KINDS]
