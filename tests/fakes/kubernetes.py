"""An API server in memory, for the reconcilers of all services; a libdnsapi.runtime.kubernetes.Kubernetes.

It keeps: resource versions and conflicts, uids, generations (raised by changes outside metadata and status, and by
the request for deletion), the status subresource (a main write never changes status, a status write nothing else),
finalizers and deletion, paged lists, watches with bookmarks and 410, writes without a change leave no trace.
It leaves out: schemas, defaults, admission, RBAC, garbage collection, namespace deletion, and of server-side
apply the ownership of fields (an apply removes what the previous one had and conflicts with nobody).

`tests/apiserver/test_kubernetes_contract.py` runs the same scenarios against it and against the real one.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, timedelta

from libdnsapi.api.meta import NAMESPACES, JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime import rest
from libdnsapi.runtime.clock import Clock, SystemClock
from libdnsapi.runtime.errors import (
    AlreadyExistsError,
    ConflictError,
    GoneError,
    InvalidError,
    NamespaceTerminatingError,
    NotFoundError,
)
from libdnsapi.runtime.kubernetes import EventType, ListPage, Propagation, WatchEvent
from tests.fakes.faults import WRITES, Fault, Request, Verb, refused
from tests.fakes.objects import StoredEvent, listed, mark_deleting, metadata_of, sent, shown, updated
from tests.fakes.patches import difference, json_patched, merged, selects, without

__all__ = ["FakeKubernetes", "Fault", "Request", "Verb", "refused"]


@dataclass
class FakeKubernetes:
    """The server. `requests` lists all requests, `writes()` those that changed or tried to change something."""

    clock: Clock = field(default_factory=SystemClock)
    field_manager: str = "tests"
    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    missing: set[ResourceType] = field(default_factory=set)
    """Kinds that are not installed: all their requests are answered with 404."""

    def __post_init__(self) -> None:
        """Start empty at version 1."""
        self._version = 1
        self._uids = 0
        self._objects: dict[ResourceType, dict[ObjectKey, JsonObject]] = {}
        self._applied: dict[tuple[ResourceType, ObjectKey], JsonObject] = {}
        self._history: list[StoredEvent] = []
        self._compacted = 0
        self._pages: dict[str, tuple[list[JsonObject], int]] = {}
        self._news = asyncio.Event()
        self._cuts = 0

    # What tests ask and say.

    def writes(self) -> Counter[tuple[Verb, str]]:
        """Count the writes by verb and plural (with the subresource, as in `zones/status`); dry runs left out."""
        return Counter(
            (request.verb, "/".join(filter(None, (request.resource.plural, request.subresource))))
            for request in self.requests
            if request.verb in WRITES and not request.dry_run
        )

    def fail(self, fault: Fault) -> Fault:
        """Have requests fail from now on."""
        self.faults.append(fault)
        return fault

    def seed(self, resource: ResourceType, body: JsonObject | KubernetesObject) -> bytes:
        """Put an object there as it is, status, uid, finalizers and deletion timestamp included; no request."""
        document = deepcopy(body) if isinstance(body, dict) else body.to_json()
        metadata = metadata_of(document)
        key = ObjectKey(str(metadata.get("namespace") or ""), str(metadata["name"]))
        document.setdefault("apiVersion", resource.api_version)
        document.setdefault("kind", resource.kind)
        self._birth(metadata)
        return self._store(resource, key, document)

    def read(self, resource: ResourceType, key: ObjectKey) -> JsonObject | None:
        """Return an object without a request; None where there is none."""
        found = self._objects.get(resource, {}).get(key)
        return deepcopy(found)

    def keys(self, resource: ResourceType) -> list[ObjectKey]:
        """Return the keys of all objects of a kind, sorted, without a request."""
        return sorted(self._objects.get(resource, {}))

    def cut_watches(self) -> None:
        """End all open watches, as a server that stops does."""
        self._cuts += 1
        self._wake()

    def compact(self) -> None:
        """Forget the history: watches from before now get 410, unfinished lists expire."""
        self._compacted = self._version
        self._history.clear()
        self._pages.clear()

    def bookmark(self, resource: ResourceType) -> None:
        """Send a bookmark to the kind's watches."""
        self._version += 1
        shell: JsonObject = {
            "apiVersion": resource.api_version,
            "kind": resource.kind,
            "metadata": {"resourceVersion": str(self._version)},
        }
        self._tell("BOOKMARK", resource, None, shell)

    # The Kubernetes protocol.

    async def get(self, resource: ResourceType, key: ObjectKey, *, metadata_only: bool = False) -> bytes:
        """Read one object."""
        self._begin(Request("get", resource, key))
        return sent(self._existing(resource, key), metadata_only=metadata_only)

    async def list_page(
        self,
        resource: ResourceType,
        *,
        namespace: str = "",
        label_selector: str = "",
        limit: int = 500,
        continue_token: str = "",
        metadata_only: bool = False,
    ) -> ListPage:
        """Read one page; all pages show the moment of the first."""
        self._begin(Request("list", resource, ObjectKey(namespace, "")))
        if continue_token and continue_token not in self._pages:
            raise GoneError(410, "Expired", "The provided continue parameter is too old")
        found, version = self._pages.get(continue_token) or (
            self._selected(resource, namespace, label_selector),
            self._version,
        )
        size = limit or len(found)
        token = f"{version}-{len(found) - size}" if len(found) > size else ""
        if token:
            self._pages[token] = (found[size:], version)
        items = [listed(document, metadata_only=metadata_only) for document in found[:size]]
        return ListPage(items, str(version), token)

    async def newest_version(self, resource: ResourceType, *, namespace: str = "") -> str:
        """Return the version that this server is at."""
        self._begin(Request("newest_version", resource, ObjectKey(namespace, "")))
        return str(self._version)

    async def create(self, resource: ResourceType, namespace: str, body: JsonObject, *, dry_run: bool = False) -> bytes:
        """Create an object; its status is dropped."""
        document = deepcopy(body)
        metadata = metadata_of(document)
        metadata.pop("managedFields", None)
        if namespace:
            metadata["namespace"] = namespace
        if not metadata.get("name"):
            metadata["name"] = f"{metadata.get('generateName', '')}{self._uids + 1:05}"
        key = ObjectKey(namespace, str(metadata["name"]))
        lost = self._begin(Request("create", resource, key, dry_run=dry_run))
        self._check_room(resource, key)
        document.pop("status", None)
        document.setdefault("apiVersion", resource.api_version)
        document.setdefault("kind", resource.kind)
        for name in ("uid", "resourceVersion", "deletionTimestamp", "creationTimestamp", "generation"):
            metadata.pop(name, None)
        self._birth(metadata)
        return self._answer(resource, key, document, lost=lost, dry_run=dry_run)

    async def replace(
        self,
        resource: ResourceType,
        key: ObjectKey,
        body: JsonObject,
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """PUT; the body must carry the resource version."""
        lost = self._begin(Request("replace", resource, key, subresource, dry_run))
        old = self._existing(resource, key)
        if not rest.resource_version(body):
            raise InvalidError(422, "Invalid", "metadata.resourceVersion: Invalid value: 0: must be specified")
        new = updated(old, deepcopy(body), subresource)
        return self._answer(resource, key, new, lost=lost, dry_run=dry_run)

    async def merge_patch(
        self,
        resource: ResourceType,
        key: ObjectKey,
        patch: JsonObject,
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """Apply a merge patch."""
        lost = self._begin(Request("merge_patch", resource, key, subresource, dry_run))
        old = self._existing(resource, key)
        patched = merged(deepcopy(old), patch)
        assert isinstance(patched, dict)
        new = updated(old, patched, subresource)
        return self._answer(resource, key, new, lost=lost, dry_run=dry_run)

    async def json_patch(
        self,
        resource: ResourceType,
        key: ObjectKey,
        patch: list[JsonObject],
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """Apply a JSON patch."""
        lost = self._begin(Request("json_patch", resource, key, subresource, dry_run))
        old = self._existing(resource, key)
        new = updated(old, json_patched(old, patch), subresource)
        return self._answer(resource, key, new, lost=lost, dry_run=dry_run)

    async def apply(
        self,
        resource: ResourceType,
        key: ObjectKey,
        body: JsonObject,
        *,
        force: bool = False,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """Apply: merge, and drop what the previous apply had and this one lacks."""
        old = self._objects.get(resource, {}).get(key)
        if old is None and not subresource:
            return await self._apply_new(resource, key, body, dry_run=dry_run)
        lost = self._begin(Request("apply", resource, key, subresource, dry_run))
        old = self._existing(resource, key)
        previous = self._applied.get((resource, key), {})
        patched = merged(without(deepcopy(old), difference(previous, body)), body)
        assert isinstance(patched, dict)
        new = updated(old, patched, subresource)
        if not dry_run:
            self._applied[resource, key] = deepcopy(body)
        return self._answer(resource, key, new, lost=lost, dry_run=dry_run)

    async def delete(
        self,
        resource: ResourceType,
        key: ObjectKey,
        *,
        uid: str = "",
        resource_version: str = "",
        propagation: Propagation = "",
    ) -> None:
        """Delete, or mark for deletion what has finalizers."""
        lost = self._begin(Request("delete", resource, key))
        old = self._existing(resource, key)
        metadata = metadata_of(old)
        if uid not in ("", metadata["uid"]) or resource_version not in ("", metadata["resourceVersion"]):
            raise ConflictError(409, "Conflict", "Precondition failed: UID or resourceVersion")
        new = deepcopy(old)
        mark_deleting(metadata_of(new), propagation, self._timestamp())
        self._answer(resource, key, new, lost=lost, dry_run=False)

    async def watch(
        self,
        resource: ResourceType,
        *,
        namespace: str = "",
        label_selector: str = "",
        resource_version: str,
        lifetime: timedelta,
        metadata_only: bool = False,
    ) -> AsyncGenerator[WatchEvent, None]:
        """Stream what comes after the version until the time is over or the watch is cut."""
        self._begin(Request("watch", resource, ObjectKey(namespace, "")))
        position, cuts, ends = int(resource_version), self._cuts, self.clock.monotonic() + lifetime.total_seconds()
        while cuts == self._cuts and self.clock.monotonic() < ends:
            if position < self._compacted:
                raise GoneError(410, "Expired", "too old resource version")
            news = self._news
            for event in [event for event in self._history if event.version > position]:
                position = event.version
                kind = shown(event, resource, namespace, label_selector)
                if kind is not None:
                    yield WatchEvent(kind, listed(event.object, metadata_only=metadata_only))
            if news is self._news:
                await self._await_news(news, timedelta(seconds=ends - self.clock.monotonic()))

    # How it works.

    async def _await_news(self, news: asyncio.Event, limit: timedelta) -> None:
        waits = [asyncio.ensure_future(news.wait()), asyncio.ensure_future(self.clock.sleep(limit))]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _begin(self, request: Request) -> Exception | None:
        """Take note of a request; raise the fault that hits it, or return the one that hits after the write."""
        self.requests.append(request)
        if request.resource in self.missing:
            raise NotFoundError(404, "NotFound", "the server could not find the requested resource")
        for fault in self.faults:
            if fault.hits(request):
                if not fault.applied:
                    raise fault.error
                return fault.error
        return None

    def _existing(self, resource: ResourceType, key: ObjectKey) -> JsonObject:
        found = self._objects.get(resource, {}).get(key)
        if found is None:
            raise NotFoundError(404, "NotFound", f'{resource.plural}.{resource.group} "{key.name}" not found')
        return found

    def _selected(self, resource: ResourceType, namespace: str, label_selector: str) -> list[JsonObject]:
        objects = self._objects.get(resource, {})
        return [
            deepcopy(objects[key])
            for key in sorted(objects)
            if namespace in ("", key.namespace) and selects(label_selector, metadata_of(objects[key]).get("labels"))
        ]

    def _check_room(self, resource: ResourceType, key: ObjectKey) -> None:
        space = self._objects.get(NAMESPACES, {}).get(ObjectKey("", key.namespace)) if key.namespace else None
        if space is not None and metadata_of(space).get("deletionTimestamp"):
            raise NamespaceTerminatingError(403, "Forbidden", f"namespace {key.namespace} is being terminated")
        if key in self._objects.get(resource, {}):
            raise AlreadyExistsError(409, "AlreadyExists", f'{resource.plural} "{key.name}" already exists')

    async def _apply_new(self, resource: ResourceType, key: ObjectKey, body: JsonObject, *, dry_run: bool) -> bytes:
        named = merged(body, {"metadata": {"name": key.name}})
        assert isinstance(named, dict)
        answer = await self.create(resource, key.namespace, named, dry_run=dry_run)
        self.requests[-1] = Request("apply", resource, key, dry_run=dry_run)
        if not dry_run:
            self._applied[resource, key] = deepcopy(body)
        return answer

    def _birth(self, metadata: JsonObject) -> None:
        self._uids += 1
        metadata.setdefault("uid", f"00000000-0000-4000-8000-{self._uids:012}")
        metadata.setdefault("creationTimestamp", self._timestamp())
        metadata.setdefault("generation", 1)

    def _answer(
        self, resource: ResourceType, key: ObjectKey, new: JsonObject, *, lost: Exception | None, dry_run: bool
    ) -> bytes:
        answer = sent(new) if dry_run else self._store(resource, key, new)
        if lost is not None:
            raise lost
        return answer

    def _store(self, resource: ResourceType, key: ObjectKey, new: JsonObject) -> bytes:
        objects = self._objects.setdefault(resource, {})
        old = objects.get(key)
        if old == new:
            return sent(old)
        self._version += 1
        metadata = metadata_of(new)
        metadata["resourceVersion"] = str(self._version)
        if metadata.get("deletionTimestamp") and not metadata.get("finalizers"):
            objects.pop(key, None)
            self._applied.pop((resource, key), None)
            if old is not None:
                self._tell("DELETED", resource, old, new)
        else:
            objects[key] = new
            self._tell("MODIFIED" if old else "ADDED", resource, old, new)
        return sent(new)

    def _tell(self, kind: EventType, resource: ResourceType, old: JsonObject | None, new: JsonObject) -> None:
        self._history.append(StoredEvent(self._version, kind, resource, old, deepcopy(new)))
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _timestamp(self) -> str:
        return self.clock.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
