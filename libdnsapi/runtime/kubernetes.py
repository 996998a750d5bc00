"""What the rest of the runtime asks of an API server: a Protocol, so that tests bring their own.

Objects go in as JSON objects and come out as JSON bytes, without managedFields; whoever needs a model parses them.
Every method raises the errors of `libdnsapi.runtime.errors` and nothing else.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, Protocol

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.rest import RawObject

EventType = Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]
Propagation = Literal["", "Background", "Foreground", "Orphan"]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list; an empty `continue_token` ends it. All pages show the same resource version."""

    items: list[RawObject]
    resource_version: str
    continue_token: str = ""


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """One change; a BOOKMARK's object carries nothing but its resource version."""

    type: EventType
    object: RawObject


class Kubernetes(Protocol):
    """The requests that this project makes.

    `subresource` is "" or e.g. "status". `dry_run` has the server check everything and store nothing.
    `metadata_only` asks for PartialObjectMetadata. An empty `namespace` means all of them (lists, watches) or
    none (cluster-scoped objects).
    """

    async def get(self, resource: ResourceType, key: ObjectKey, *, metadata_only: bool = False) -> bytes:
        """Read one object from the storage, not from a cache."""
        ...

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
        ...

    async def newest_version(self, resource: ResourceType, *, namespace: str = "") -> str:
        """Return the resource version that the server is at now, by a list of one object."""
        ...

    async def create(self, resource: ResourceType, namespace: str, body: JsonObject, *, dry_run: bool = False) -> bytes:
        """Create an object; raises AlreadyExistsError where the name is taken."""
        ...

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
        ...

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
        ...

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
        ...

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
        ...

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
        ...

    def watch(
        self,
        resource: ResourceType,
        *,
        namespace: str = "",
        label_selector: str = "",
        resource_version: str,
        lifetime: timedelta,
        metadata_only: bool = False,
    ) -> AsyncGenerator[WatchEvent, None]:
        """Stream the changes after a resource version, bookmarks included, until the server ends it.

        Raises GoneError where the resource version is too old, whichever way the server says so, and
        UnavailableError where the connection breaks or stays silent for half a minute past its lifetime.
        """
        ...
