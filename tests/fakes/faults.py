"""Requests as the fake API server saw them, and failures to come."""

from dataclasses import dataclass
from typing import Literal

import orjson

from libdnsapi.api.meta import ObjectKey, ResourceType
from libdnsapi.runtime.errors import KubernetesError, from_response

Verb = Literal[
    "get", "list", "newest_version", "create", "replace", "merge_patch", "json_patch", "apply", "delete", "watch"
]
WRITES = frozenset({"create", "replace", "merge_patch", "json_patch", "apply", "delete"})


@dataclass
class Fault:
    """A failure to come: `times` requests of this verb (of this kind, key, subresource; None: any) raise `error`.

    With `applied`, a write is carried out first, as when the answer is lost. `skip` lets so many requests through
    before the first failure.
    """

    error: Exception
    verb: Verb | None = None
    resource: ResourceType | None = None
    key: ObjectKey | None = None
    subresource: str | None = None
    times: int = 1
    skip: int = 0
    applied: bool = False

    def hits(self, request: "Request") -> bool:
        """Say whether the request fails by this fault, and count it."""
        wanted = (self.verb, self.resource, self.key, self.subresource)
        asked = (request.verb, request.resource, request.key, request.subresource)
        if self.times < 1 or any(w is not None and w != a for w, a in zip(wanted, asked, strict=True)):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


@dataclass(frozen=True)
class Request:
    """A request as the fake saw it."""

    verb: Verb
    resource: ResourceType
    key: ObjectKey
    subresource: str = ""
    dry_run: bool = False


def refused(status: int, reason: str, message: str = "refused") -> KubernetesError:
    """Return the error that an answer with this status becomes, for use in a Fault."""
    return from_response(status, orjson.dumps({"reason": reason, "message": message}))
