"""The client of the API server: `Kubernetes` over HTTP, on raw JSON."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta

import orjson
from msgspec import Raw
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime import errors, rest
from libdnsapi.runtime.clock import in_batches
from libdnsapi.runtime.kubernetes import EventType, Kubernetes, ListPage, Propagation, WatchEvent
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.transport import LIST_LIMIT, Credentials, HttpRequest, Transport

__all__ = ["Kubernetes", "KubernetesClient", "ListPage", "WatchEvent"]

_EVENTS: dict[str, EventType] = {
    "ADDED": "ADDED",
    "MODIFIED": "MODIFIED",
    "DELETED": "DELETED",
    "BOOKMARK": "BOOKMARK",
}
NOTHING = Raw(b"null")
"""What is not there, as JSON."""


class KubernetesClient:
    """One connection pool to one API server. Close it at the end; make it on the running event loop.

    `field_manager` names this writer in managedFields and owns what it applies; it also is the user agent.
    """

    def __init__(
        self,
        credentials: Credentials,
        *,
        field_manager: str,
        metrics: Metrics | None = None,
        limit: timedelta = timedelta(seconds=30),
    ) -> None:
        """Open the session; `limit` bounds every request but lists and watches."""
        self._transport = Transport(credentials, user_agent=field_manager, metrics=metrics or Metrics(), limit=limit)
        self._field_manager = field_manager

    async def close(self) -> None:
        """Close all connections; requests in flight fail."""
        await self._transport.close()

    async def get(self, resource: ResourceType, key: ObjectKey, *, metadata_only: bool = False) -> bytes:
        """Read one object from the storage, not from a cache."""
        accept = rest.PARTIAL_OBJECT if metadata_only else rest.JSON
        return await self._object(HttpRequest("GET", _path_of(resource, key), accept=accept))

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
        """Read one page of a list; raises GoneError when the continue token is too old."""
        query = _given(labelSelector=label_selector, limit=str(limit) if limit else "", **{"continue": continue_token})
        accept = rest.PARTIAL_LIST if metadata_only else rest.JSON
        request = HttpRequest("GET", rest.collection_path(resource, namespace), query, accept=accept)
        return await read_page(await self._transport.request(request, LIST_LIMIT))

    async def newest_version(self, resource: ResourceType, *, namespace: str = "") -> str:
        """Return the resource version that the server is at now, by a list of one object."""
        page = await self.list_page(resource, namespace=namespace, limit=1, metadata_only=True)
        return page.resource_version

    async def create(self, resource: ResourceType, namespace: str, body: JsonObject, *, dry_run: bool = False) -> bytes:
        """Create an object; raises AlreadyExistsError where the name is taken."""
        path = rest.collection_path(resource, namespace)
        document = {"apiVersion": resource.api_version, "kind": resource.kind, **body}
        return await self._write("POST", path, document, rest.JSON, self._query(dry_run=dry_run))

    async def replace(
        self,
        resource: ResourceType,
        key: ObjectKey,
        body: JsonObject,
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """PUT an object whose body carries the resourceVersion it was read at; raises ConflictError."""
        path = _path_of(resource, key, subresource)
        document = {"apiVersion": resource.api_version, "kind": resource.kind, **body}
        return await self._write("PUT", path, document, rest.JSON, self._query(dry_run=dry_run))

    async def merge_patch(
        self,
        resource: ResourceType,
        key: ObjectKey,
        patch: JsonObject,
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """Apply an RFC 7386 merge patch; a resourceVersion within it makes it conditional."""
        path = _path_of(resource, key, subresource)
        return await self._write("PATCH", path, patch, rest.MERGE_PATCH, self._query(dry_run=dry_run))

    async def json_patch(
        self,
        resource: ResourceType,
        key: ObjectKey,
        patch: list[JsonObject],
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> bytes:
        """Apply an RFC 6902 JSON patch; a failed test raises InvalidError."""
        path = _path_of(resource, key, subresource)
        return await self._write("PATCH", path, [*patch], rest.JSON_PATCH, self._query(dry_run=dry_run))

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
        """Apply on the server's side under the client's field manager; creates what is absent."""
        path = _path_of(resource, key, subresource)
        given = body.get("metadata")
        metadata: JsonObject = {**(given if isinstance(given, dict) else {}), "name": key.name}
        document = {"apiVersion": resource.api_version, "kind": resource.kind, **body, "metadata": metadata}
        query = self._query(dry_run=dry_run) | _given(force="true" if force else "")
        return await self._write("PATCH", path, document, rest.APPLY_PATCH, query)

    async def delete(
        self,
        resource: ResourceType,
        key: ObjectKey,
        *,
        uid: str = "",
        resource_version: str = "",
        propagation: Propagation = "",
    ) -> None:
        """Ask for deletion, if given only of this uid and resource version (else ConflictError)."""
        options: JsonObject = {"apiVersion": "v1", "kind": "DeleteOptions"}
        conditions: JsonObject = {**_given(uid=uid, resourceVersion=resource_version)}
        if conditions:
            options["preconditions"] = conditions
        if propagation:
            options["propagationPolicy"] = propagation
        path = _path_of(resource, key)
        await self._transport.request(HttpRequest("DELETE", path, body=orjson.dumps(options)))

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
        """Stream the changes after a resource version, bookmarks included, until the server ends it."""
        query = _given(
            watch="true",
            allowWatchBookmarks="true",
            resourceVersion=resource_version,
            timeoutSeconds=str(max(1, int(lifetime.total_seconds()))),
            labelSelector=label_selector,
        )
        accept = rest.PARTIAL_OBJECT if metadata_only else rest.JSON
        request = HttpRequest("GET", rest.collection_path(resource, namespace), query, accept=accept)
        async with aclosing(self._transport.stream(request, lifetime)) as lines:
            async for line in lines:
                yield _event(line)

    def _query(self, *, dry_run: bool) -> dict[str, str]:
        return _given(fieldManager=self._field_manager, dryRun="All" if dry_run else "")

    async def _write(self, method: str, path: str, body: JsonValue, content_type: str, query: dict[str, str]) -> bytes:
        return await self._object(HttpRequest(method, path, query, orjson.dumps(body), content_type))

    async def _object(self, request: HttpRequest) -> bytes:
        answer = await self._transport.request(request)
        try:
            return rest.raw_object(rest.fields(answer)).raw
        except ValueError:
            raise errors.UnavailableError(0, "Unreadable", "the answer is not a JSON object") from None


def _path_of(resource: ResourceType, key: ObjectKey, subresource: str = "") -> str:
    """Return the path of an object; raises NotFoundError for a name that would lead to something else, such as `..`.

    Names come from people's references, and no object can have one of these.
    """
    if key.name in ("", ".", "..") or key.namespace in (".", ".."):
        raise errors.NotFoundError(404, "NotFound", f'no {resource.kind} can have the name "{key}"')
    return rest.object_path(resource, key, subresource)


def _given(**parameters: str) -> dict[str, str]:
    return {name: value for name, value in parameters.items() if value}


async def read_page(body: bytes) -> ListPage:
    """Read a page; one without items, names or a resource version is none: to believe it would empty a cache.

    Other tasks get their turn now and then, since a list may come as one page.
    """
    try:
        document = rest.fields(body)
        metadata = rest.fields(document.get("metadata", NOTHING))
        found: list[rest.RawObject] = []
        async for batch in in_batches(rest.items(document["items"])):
            found.extend(map(rest.raw_object, batch))
    except (ValueError, KeyError):
        raise errors.UnavailableError(0, "Unreadable", "the answer is not a list of objects") from None
    version = rest.text(metadata.get("resourceVersion"))
    if not version:
        raise errors.UnavailableError(0, "Unreadable", "the list has no resource version")
    if not all(each.key.name for each in found):
        raise errors.UnavailableError(0, "Unreadable", "the list has objects without a name")
    return ListPage(found, version, rest.text(metadata.get("continue")))


def _event(line: bytes) -> WatchEvent:
    try:
        document = rest.fields(line)
        kind, changed = rest.text(document.get("type")), document.get("object", NOTHING)
        if kind in _EVENTS:
            return WatchEvent(_EVENTS[kind], rest.raw_object(rest.fields(changed)))
        status = rest.read_object(bytes(changed))
    except ValueError:
        raise errors.UnavailableError(0, "Unreadable", "the answer is not a JSON object") from None
    raise errors.from_status(status)
