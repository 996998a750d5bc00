"""The client on a real API server and the fake one in memory behave alike; so tests with the fake mean something."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import orjson
import pytest

from e2e.kube import Kube
from e2e.polling import eventually
from libdnsapi.api.meta import NAMESPACES, JsonObject, KubernetesObject, ObjectKey, ObjectReference, ResourceType
from libdnsapi.runtime import errors
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.clock import SystemClock
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.events import EVENTS, Event, EventRecorder, Reporter
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.leader import LEASES, Candidate, LeaderElector
from tests.fakes.kubernetes import FakeKubernetes

GIZMOS = ResourceType("contract.example.org", "v1", "Gizmo", "gizmos")
FREE: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
CRD: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "gizmos.contract.example.org"},
    "spec": {
        "group": GIZMOS.group,
        "scope": "Namespaced",
        "names": {"kind": "Gizmo", "plural": "gizmos", "singular": "gizmo", "listKind": "GizmoList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": FREE, "status": FREE}}},
            }
        ],
    },
}


@dataclass
class Site:
    """One of the two servers, with a namespace of the test's own."""

    client: Kubernetes
    namespace: str

    def key(self, name: str = "one") -> ObjectKey:
        return ObjectKey(self.namespace, name)

    async def create(self, name: str = "one", **metadata: object) -> JsonObject:
        body = orjson.loads(orjson.dumps({"metadata": {"name": name, **metadata}, "spec": {"a": 1}}))
        return document(await self.client.create(GIZMOS, self.namespace, body))

    async def read(self, name: str = "one") -> JsonObject:
        return document(await self.client.get(GIZMOS, self.key(name)))


def document(raw: bytes) -> JsonObject:
    return dict(orjson.loads(raw))


def metadata(thing: JsonObject) -> JsonObject:
    found = thing["metadata"]
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="session")
def gizmos(kube: Kube) -> None:
    kube.apply(CRD)
    eventually(lambda: kube.list("contract.example.org/v1", "Gizmo", "default"), lambda found: found is not None)


@pytest.fixture(params=["fake", "real"])
async def site(request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    namespace = f"contract-{uuid.uuid4().hex[:8]}"
    if request.param == "fake":
        yield Site(FakeKubernetes(), namespace)
        return
    request.getfixturevalue("gizmos")
    credentials = await connect(str(request.getfixturevalue("kubeconfig")))
    client = KubernetesClient(credentials, field_manager="contract")
    await client.create(NAMESPACES, "", {"metadata": {"name": namespace}})
    yield Site(client, namespace)
    await client.close()


async def test_create_gives_identity_and_drops_status(site: Site) -> None:
    body: JsonObject = {"metadata": {"name": "one"}, "spec": {"a": 1}, "status": {"b": 2}}
    created = document(await site.client.create(GIZMOS, site.namespace, body))
    assert set(metadata(created)) == {
        "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp"
    }  # fmt: skip
    assert metadata(created)["generation"] == 1
    assert (created["apiVersion"], created["kind"], "status" in created) == (GIZMOS.api_version, "Gizmo", False)
    with pytest.raises(errors.AlreadyExistsError):
        await site.client.create(GIZMOS, site.namespace, body)


async def test_status_and_the_rest_are_written_apart(site: Site) -> None:
    created = await site.create()
    changed: JsonObject = {**created, "spec": {"a": 2}, "status": {"b": 2}}
    written = document(await site.client.replace(GIZMOS, site.key(), changed, subresource="status"))
    assert (written["spec"], written["status"], metadata(written)["generation"]) == ({"a": 1}, {"b": 2}, 1)
    changed = {**written, "spec": {"a": 3}, "status": {"b": 3}}
    written = document(await site.client.replace(GIZMOS, site.key(), changed))
    assert (written["spec"], written["status"], metadata(written)["generation"]) == ({"a": 3}, {"b": 2}, 2)


async def test_labels_raise_no_generation(site: Site) -> None:
    await site.create()
    written = await site.client.merge_patch(GIZMOS, site.key(), {"metadata": {"labels": {"a": "b"}}})
    assert metadata(document(written))["generation"] == 1


async def test_a_write_without_a_change_changes_no_version(site: Site) -> None:
    created = await site.create()
    same = document(await site.client.replace(GIZMOS, site.key(), created))
    assert metadata(same)["resourceVersion"] == metadata(created)["resourceVersion"]


async def test_old_versions_and_other_uids_conflict(site: Site) -> None:
    old = await site.create()
    await site.client.merge_patch(GIZMOS, site.key(), {"spec": {"a": 2}})
    with pytest.raises(errors.ConflictError):
        await site.client.replace(GIZMOS, site.key(), old)
    with pytest.raises(errors.ConflictError):
        await site.client.replace(GIZMOS, site.key(), old, subresource="status")
    version = metadata(old)["resourceVersion"]
    with pytest.raises(errors.ConflictError):
        await site.client.merge_patch(GIZMOS, site.key(), {"metadata": {"resourceVersion": version}, "spec": {"a": 3}})
    with pytest.raises(errors.ConflictError):
        await site.client.delete(GIZMOS, site.key(), uid="00000000-0000-0000-0000-000000000000")
    with pytest.raises(errors.ConflictError):
        await site.client.delete(GIZMOS, site.key(), resource_version=str(version))
    with pytest.raises(errors.InvalidError):
        await site.client.replace(GIZMOS, site.key(), {"metadata": {"name": "one"}, "spec": {}})


async def test_absent_objects_and_kinds_are_not_found(site: Site) -> None:
    for request in (
        site.client.get(GIZMOS, site.key("absent")),
        site.client.delete(GIZMOS, site.key("absent")),
        site.client.merge_patch(GIZMOS, site.key("absent"), {"spec": {}}),
        site.client.replace(
            GIZMOS, site.key("absent"), {"metadata": {"name": "absent", "resourceVersion": "1"}}, subresource="status"
        ),
    ):
        with pytest.raises(errors.NotFoundError):
            await request
    unknown = ResourceType("unknown.example.org", "v1", "Thing", "things")
    if isinstance(site.client, FakeKubernetes):
        site.client.missing.add(unknown)
    with pytest.raises(errors.NotFoundError):
        await site.client.list_page(unknown)


async def test_finalizers_hold_a_deleted_object(site: Site) -> None:
    await site.create(finalizers=["example.org/hold"])
    await site.client.delete(GIZMOS, site.key())
    marked = await site.read()
    assert metadata(marked)["deletionTimestamp"]
    assert metadata(marked)["generation"] == 2
    assert metadata(marked)["deletionGracePeriodSeconds"] == 0
    version = metadata(marked)["resourceVersion"]
    await site.client.delete(GIZMOS, site.key())
    assert metadata(await site.read())["resourceVersion"] == version
    more: JsonObject = {"metadata": {"finalizers": ["example.org/hold", "example.org/more"]}}
    with pytest.raises(errors.InvalidError):
        await site.client.merge_patch(GIZMOS, site.key(), more)
    last = document(await site.client.merge_patch(GIZMOS, site.key(), {"metadata": {"finalizers": None}}))
    assert metadata(last)["deletionTimestamp"]
    assert "finalizers" not in metadata(last)
    with pytest.raises(errors.NotFoundError):
        await site.read()


async def test_json_patches_are_atomic_and_tested(site: Site) -> None:
    await site.create()
    patch: list[JsonObject] = [
        {"op": "add", "path": "/spec/b", "value": [1]},
        {"op": "add", "path": "/spec/b/-", "value": 2},
        {"op": "test", "path": "/spec/a", "value": 9},
    ]
    with pytest.raises(errors.InvalidError):
        await site.client.json_patch(GIZMOS, site.key(), patch)
    written = document(await site.client.json_patch(GIZMOS, site.key(), patch[:2]))
    assert written["spec"] == {"a": 1, "b": [1, 2]}


async def test_apply_creates_changes_and_removes(site: Site) -> None:
    created = document(await site.client.apply(GIZMOS, site.key(), {"spec": {"a": 1, "b": {"c": 2}}}, force=True))
    assert metadata(created)["name"] == "one"
    await site.client.merge_patch(GIZMOS, site.key(), {"spec": {"d": 4}, "metadata": {"labels": {"x": "y"}}})
    applied = document(await site.client.apply(GIZMOS, site.key(), {"spec": {"a": 3, "b": {}}}, force=True))
    assert metadata(applied)["labels"] == {"x": "y"}
    assert isinstance(applied["spec"], dict)
    assert applied["spec"]["a"] == 3
    assert applied["spec"]["d"] == 4
    status = await site.client.apply(GIZMOS, site.key(), {"status": {"z": 1}}, force=True, subresource="status")
    assert document(status)["status"] == {"z": 1}


async def test_dry_runs_store_nothing(site: Site) -> None:
    body: JsonObject = {"metadata": {"name": "one"}, "spec": {"a": 1}}
    await site.client.create(GIZMOS, site.namespace, body, dry_run=True)
    await site.create()
    await site.client.merge_patch(GIZMOS, site.key(), {"spec": {"a": 5}}, dry_run=True)
    assert (await site.read())["spec"] == {"a": 1}


async def test_lists_come_in_consistent_pages(site: Site) -> None:
    for name in "abcde":
        await site.create(name, labels={"parity": "odd" if name in "ace" else "even"})
    first = await site.client.list_page(GIZMOS, namespace=site.namespace, limit=3)
    await site.client.delete(GIZMOS, site.key("e"))
    second = await site.client.list_page(GIZMOS, namespace=site.namespace, limit=3, continue_token=first.continue_token)
    names = [metadata(document(item.raw))["name"] for page in (first, second) for item in page.items]
    assert names == list("abcde")
    assert (first.resource_version, second.continue_token) == (second.resource_version, "")
    odd = await site.client.list_page(GIZMOS, namespace=site.namespace, label_selector="parity=odd")
    assert [metadata(document(item.raw))["name"] for item in odd.items] == ["a", "c"]


async def test_metadata_only_leaves_the_rest_out(site: Site) -> None:
    await site.create(labels={"a": "b"})
    partial = document(await site.client.get(GIZMOS, site.key(), metadata_only=True))
    assert metadata(partial)["labels"] == {"a": "b"}
    assert "spec" not in partial
    page = await site.client.list_page(GIZMOS, namespace=site.namespace, metadata_only=True)
    assert "spec" not in document(page.items[0].raw)


async def test_a_watch_shows_every_change_and_ends_in_time(site: Site) -> None:
    await site.create("before")
    start = (await site.client.list_page(GIZMOS, namespace=site.namespace)).resource_version
    await site.create(labels={"show": "yes"})
    await site.client.merge_patch(GIZMOS, site.key(), {"spec": {"a": 2}})
    await site.client.merge_patch(GIZMOS, site.key(), {"metadata": {"labels": {"show": "no"}}})
    await site.client.merge_patch(GIZMOS, site.key(), {"metadata": {"labels": {"show": "yes"}}})
    await site.client.delete(GIZMOS, site.key())
    stream = site.client.watch(
        GIZMOS,
        namespace=site.namespace,
        label_selector="show=yes",
        resource_version=start,
        lifetime=timedelta(seconds=3),
    )
    seen = [event.type async for event in stream if event.type != "BOOKMARK"]
    assert seen == ["ADDED", "MODIFIED", "DELETED", "ADDED", "DELETED"]


async def test_a_watch_from_a_forgotten_version_is_gone(site: Site) -> None:
    await site.create()
    if isinstance(site.client, FakeKubernetes):
        site.client.compact()
    with pytest.raises(errors.GoneError):
        async for _ in site.client.watch(
            GIZMOS, namespace=site.namespace, resource_version="1", lifetime=timedelta(seconds=5)
        ):
            pass


async def test_a_watch_from_a_version_to_come_says_nothing(site: Site) -> None:
    """So it is after a backup was put back: why the reflector asks for the newest version after an outage."""
    await site.create("before")
    start = await site.client.newest_version(GIZMOS, namespace=site.namespace)
    later = str(int(start) + 100_000)
    stream = site.client.watch(GIZMOS, namespace=site.namespace, resource_version=later, lifetime=timedelta(seconds=3))
    seen = asyncio.ensure_future(anext(stream, None))
    await site.create("after")
    assert int(await site.client.newest_version(GIZMOS, namespace=site.namespace)) > int(start)
    assert await seen is None


async def test_an_informer_follows_and_a_write_is_read_back_at_once(site: Site) -> None:
    for name in "abc":
        await site.create(name)
    informer = Informer(
        site.client,
        GIZMOS,
        KubernetesObject,
        namespace=site.namespace,
        indexers={"label": lambda gizmo: gizmo.metadata.labels},
    )
    news = asyncio.Event()
    informer.add_listener(lambda _: news.set())
    task = asyncio.create_task(informer.run())
    await asyncio.wait_for(informer.synced.wait(), 90)
    assert len(informer) == 3
    news.clear()
    patch: JsonObject = {"metadata": {"labels": {"x": "y"}}}
    # The watch may have been faster: then this is no news.
    informer.store.observe(await site.client.merge_patch(GIZMOS, site.key("a"), patch))
    assert informer.store.by_index("label", "x") == [site.key("a")]
    news.clear()
    await site.client.delete(GIZMOS, site.key("b"))
    await asyncio.wait_for(news.wait(), 90)
    assert site.key("b") not in informer.store
    task.cancel()
    await asyncio.wait([task])


async def test_events_and_leases_are_accepted(site: Site) -> None:
    clock = SystemClock()
    recorder = EventRecorder(site.client, Reporter("example.org/core", "host_1"), clock)
    task = asyncio.create_task(recorder.run())
    about = ObjectReference(api_version="x/v1", kind="Gizmo", namespace=site.namespace, name="one", uid="u")
    for _ in range(3):
        recorder.emit(Event(about, "Warning", "Broken", "it is broken", "Mend", related=about))
    assert await recorder.flush(timedelta(seconds=60))
    task.cancel()
    await asyncio.wait([task])
    (event,) = (await site.client.list_page(EVENTS, namespace=site.namespace)).items
    series = document(event.raw)["series"]
    assert isinstance(series, dict)
    assert series["count"] == 3

    led = asyncio.Event()

    async def lead() -> None:
        led.set()

    lease = site.key("core")
    await asyncio.wait_for(LeaderElector(site.client, Candidate(lease, "a"), clock).run(lead), 90)
    await asyncio.wait_for(LeaderElector(site.client, Candidate(lease, "b"), clock).run(lead), 90)
    assert led.is_set()
    spec = document(await site.client.get(LEASES, lease))["spec"]
    assert isinstance(spec, dict)
    assert (spec["leaseTransitions"], spec.get("holderIdentity", "")) == (1, "")


async def test_nothing_is_created_in_a_terminating_namespace(site: Site) -> None:
    if isinstance(site.client, FakeKubernetes):
        await site.client.create(NAMESPACES, "", {"metadata": {"name": site.namespace, "finalizers": ["a/b"]}})
    else:
        await site.create("held", finalizers=["example.org/hold"])
    await site.client.delete(NAMESPACES, ObjectKey("", site.namespace))
    with pytest.raises(errors.NamespaceTerminatingError):
        await site.create("late")
    if not isinstance(site.client, FakeKubernetes):
        await site.client.merge_patch(GIZMOS, site.key("held"), {"metadata": {"finalizers": None}})
