"""What an API server really stores of deep nesting, and that it hides nothing else from our caches."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from e2e.kube import Kube
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime import rest
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.transport import HttpRequest
from tests.apiserver.definitions import install

NAMESPACE = "deep"


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=(NAMESPACE,))


@pytest.fixture
async def client(kubeconfig: Path) -> AsyncIterator[KubernetesClient]:
    made = KubernetesClient(await connect(str(kubeconfig)), field_manager="deep")
    yield made
    await made.close()


def nested(name: str, levels: int) -> bytes:
    """Return a RecordSet with options that deep."""
    options = b'{"x":' * levels + b"1" + b"}" * levels
    return b"""{"apiVersion": "dns.appthrust.io/v1alpha1", "kind": "RecordSet",
        "metadata": {"namespace": "%s", "name": "%s"},
        "spec": {"zoneRef": {"name": "example-com"}, "provider": {"name": "x.example", "version": "v1"}, "type": "A",
                 "name": "www", "ttl": 300, "a": {"addresses": ["192.0.2.1"]}, "options": %s}}""" % (
        NAMESPACE.encode(),
        name.encode(),
        options,
    )


async def test_what_is_stored_deep_is_listed_and_watched_beside_others(client: KubernetesClient) -> None:
    path = rest.collection_path(RECORD_SETS, NAMESPACE)
    before = await client.list_page(RECORD_SETS, namespace=NAMESPACE)
    for name, levels in (("deep", 5000), ("fine", 1)):
        await client._transport.request(HttpRequest("POST", path, body=nested(name, levels)))
    page = await client.list_page(RECORD_SETS, namespace=NAMESPACE)
    assert [each.key for each in page.items] == [ObjectKey(NAMESPACE, "deep"), ObjectKey(NAMESPACE, "fine")]
    seen: list[str] = []
    async for event in client.watch(
        RECORD_SETS, namespace=NAMESPACE, resource_version=before.resource_version, lifetime=timedelta(seconds=30)
    ):
        seen.append(event.object.key.name)
        if len(seen) == 2:
            break
    assert seen == ["deep", "fine"]
