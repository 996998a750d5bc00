"""What the local stack takes from the charts: CRDs, accounts and rights, the Provider, webhook rules, command lines."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from e2e.helm import find_helm
from e2e.kube import Document, load_documents
from e2e.stack.layout import ROOT, SYSTEM_NAMESPACE

RELEASE = "dnsapi"
_CRDS = ROOT / "charts" / "dnsapi-crds" / "templates"
_RIGHTS = ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")


class ChartError(RuntimeError):
    """A chart does not render; the message is helm's."""


@dataclass(frozen=True)
class Rendered:
    """The documents of the umbrella chart."""

    documents: tuple[Document, ...]

    def rights(self) -> list[Document]:
        """Service accounts, roles and bindings, accounts first."""
        return [document for kind in _RIGHTS for document in self._of(kind)]

    def providers(self) -> list[Document]:
        """Return the built-in Provider."""
        return self._of("Provider")

    def webhooks(self, address: str) -> list[Document]:
        """Return the webhook configurations, with the Service replaced by `https://<address>/<path>`."""
        return [_at_url(document, address) for document in self._of("ValidatingWebhookConfiguration")]

    def arguments(self, component: str) -> list[str]:
        """Return the command line of a component's container."""
        return [str(argument) for argument in self._container(component).get("args", [])]

    def account(self, component: str) -> str:
        """Return the name of a component's service account."""
        return str(self._pod(component)["serviceAccountName"])

    def _pod(self, component: str) -> Document:
        for document in self._of("Deployment"):
            if document["metadata"]["labels"]["app.kubernetes.io/component"] == component:
                pod: Document = document["spec"]["template"]["spec"]
                return pod
        raise ChartError(f"the chart has no Deployment of {component}")

    def _container(self, component: str) -> Document:
        container: Document = self._pod(component)["containers"][0]
        return container

    def _of(self, kind: str) -> list[Document]:
        return [document for document in self.documents if document["kind"] == kind]


def custom_resource_definitions() -> list[Document]:
    """Return the committed CRDs."""
    return [one for file in sorted(_CRDS.glob("*.yaml")) for one in load_documents(file.read_text())]


def render(values: Document, values_file: Path) -> Rendered:
    """Render the umbrella chart with `values`, which are kept in `values_file`.

    Raises ChartError, HelmMissingError.
    """
    values_file.parent.mkdir(parents=True, exist_ok=True)
    values_file.write_text(json.dumps(values))
    chart = ROOT / "charts" / "dnsapi"
    command = [str(find_helm()), "template", RELEASE, str(chart), "--namespace", SYSTEM_NAMESPACE]
    answer = subprocess.run(  # noqa: S603 — a composed command, no shell
        [*command, "--values", str(values_file)], capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        raise ChartError(f"helm template: {answer.stderr.strip()}")
    return Rendered(tuple(load_documents(answer.stdout)))


def _at_url(configuration: Document, address: str) -> Document:
    for webhook in configuration["webhooks"]:
        client = webhook["clientConfig"]
        service = client.pop("service")
        client["url"] = f"https://{address}{service.get('path', '/')}"
    return configuration
