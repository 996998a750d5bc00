"""Istio's own CustomResourceDefinitions, from the pinned Go module of its API."""

from pathlib import Path

from e2e.kube import Document, load_documents
from e2e.toolchain.gomodule import module_folder

MODULE = "istio.io/api"
GROUP = "networking.istio.io"
KINDS = ("gateways", "virtualservices")


def definitions() -> list[Document]:
    """Return the definitions of the kinds that sources read. Raises ModuleMissingError.

    One file has the definitions of all kinds, nearly a megabyte: only those that are wanted are parsed.
    """
    file = module_folder(Path(__file__).parent, MODULE) / "kubernetes" / "customresourcedefinitions.gen.yaml"
    wanted = [f"\n  name: {kind}.{GROUP}\n" for kind in KINDS]
    texts = [text for text in file.read_text().split("\n---\n") if any(name in text for name in wanted)]
    return [one for text in texts for one in load_documents(text)]
