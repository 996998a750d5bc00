"""`caBundle`: what API servers verify our certificate with, in the ValidatingWebhookConfiguration."""

import base64

import orjson
import structlog

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes

CONFIGURATIONS = ResourceType(
    "admissionregistration.k8s.io",
    "v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
    namespaced=False,
)

log = structlog.get_logger(__name__)


class TrustPublisher:
    """Writes the bundle into every entry of one configuration; others may write it away, so it is asked again."""

    def __init__(self, client: Kubernetes, configuration: str) -> None:
        """Keep the configuration's name."""
        self._client = client
        self._key = ObjectKey("", configuration)

    async def publish(self, trusted: bytes) -> None:
        """Make the configuration carry the bundle; raises ConflictError and other KubernetesErrors.

        A configuration that is not there yet is no error: it is looked for again.
        """
        try:
            document: JsonObject = orjson.loads(await self._client.get(CONFIGURATIONS, self._key))
        except NotFoundError:
            log.warning("webhook configuration not found", name=self._key.name)
            return
        if with_bundle(document, base64.b64encode(trusted).decode()):
            await self._client.replace(CONFIGURATIONS, self._key, document)
            log.info("authority published", configuration=self._key.name)


def with_bundle(configuration: JsonObject, bundle: str) -> bool:
    """Put a base64 bundle into every entry, in place, and say whether that changed anything."""
    changed = False
    entries = configuration.get("webhooks")
    for entry in entries if isinstance(entries, list) else []:
        client = entry.get("clientConfig") if isinstance(entry, dict) else None
        if isinstance(client, dict) and client.get("caBundle") != bundle:
            client["caBundle"] = bundle
            changed = True
    return changed
