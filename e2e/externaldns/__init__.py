"""ExternalDNS's own CustomResourceDefinition of DNSEndpoint, from its pinned Go module."""

from pathlib import Path

from e2e.kube import Document, load_documents
from e2e.toolchain.gomodule import module_folder

MODULE = "sigs.k8s.io/external-dns"


def definitions() -> list[Document]:
    """Return the definition of DNSEndpoint. Raises ModuleMissingError."""
    folder = module_folder(Path(__file__).parent, MODULE) / "config" / "crd" / "standard"
    return load_documents((folder / "dnsendpoints.externaldns.k8s.io.yaml").read_text())
