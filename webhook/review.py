"""AdmissionReview: what the API server asks (Kubernetes documentation, "Dynamic Admission Control").

Only the fields that a rule reads are kept. The objects inside stay plain JSON: validators decide what is wrong with
them, so a wrong shape there is no error here.
"""

from dataclasses import dataclass
from enum import StrEnum

import orjson

from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.contract.schema.payload import holds_more_than
from webhook.documents import object_at, parsed, text_at, value_at

REVIEW_API_VERSION = "admission.k8s.io/v1"
REVIEW_KIND = "AdmissionReview"
DEPTH_LIMIT = "limit"
"""What orjson speaks of where JSON is nested more than 1024 levels deep; the API server takes ten times that."""
SMALL = 8 * 1024
"""Bytes of a body up to which nothing in it can be bulky."""
BULKY = 3000
"""Values, however nested, above which an object counts as bulky: describing as many faults takes 30 ms."""


class MalformedReviewError(ValueError):
    """The body is no AdmissionReview; the text says why, and `uid` is set where an answer can still be addressed."""

    def __init__(self, message: str, uid: str = "") -> None:
        """Keep the text and the request's uid, if it was readable."""
        super().__init__(message)
        self.uid = uid


class Operation(StrEnum):
    """What is being done to the object."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    CONNECT = "CONNECT"


@dataclass(frozen=True, slots=True)
class User:
    """Who does it, as the API server authenticated them."""

    name: str
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One request to the API server that waits for our word.

    `object` is empty for a DELETE and `old` for a CREATE. `subresource` is "" or e.g. "status". `bulky` says that the
    objects hold so many values that they are read with care.
    """

    uid: str
    operation: Operation
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    user: User = User("")
    object: JsonObject
    old: JsonObject
    dry_run: bool = False
    bulky: bool = False

    @property
    def key(self) -> ObjectKey:
        """The object's namespace and name; the name is empty while the server has still to make one up."""
        return ObjectKey(self.namespace, self.name)

    @property
    def is_status(self) -> bool:
        """Whether the status subresource is written."""
        return self.subresource == "status"

    @property
    def is_leaving(self) -> bool:
        """Whether the object, as it would be after an update, is being deleted."""
        return bool(text_at(self.object, "metadata", "deletionTimestamp"))

    @property
    def changes_annotations(self) -> bool:
        """Whether the annotations differ from what is stored."""
        return object_at(self.object, "metadata", "annotations") != object_at(self.old, "metadata", "annotations")

    def changes(self, field: str) -> bool:
        """Whether this top-level field differs from what is stored; always so for a new object."""
        return self.operation is not Operation.UPDATE or self.object.get(field) != self.old.get(field)


def parse_review(body: bytes) -> Review:
    """Read an AdmissionReview; raises MalformedReviewError with a text for people."""
    try:
        document = parsed(body)
    except orjson.JSONDecodeError as error:
        if DEPTH_LIMIT in error.msg:
            raise MalformedReviewError("the object is nested too deeply") from None
        raise MalformedReviewError(f"the body is not valid JSON: {error.msg}") from None
    if not isinstance(document, dict):
        raise MalformedReviewError("the body is not a JSON object")
    request = object_at(document, "request")
    uid = text_at(request, "uid")
    if document.get("apiVersion") != REVIEW_API_VERSION or document.get("kind") != REVIEW_KIND:
        raise MalformedReviewError(f"the body is not an {REVIEW_API_VERSION} {REVIEW_KIND}", uid)
    if not uid:
        raise MalformedReviewError("request.uid is missing")
    return _review(request, uid, small=len(body) <= SMALL)


def _review(request: JsonObject, uid: str, *, small: bool) -> Review:
    operation = text_at(request, "operation")
    if operation not in set(Operation):
        raise MalformedReviewError("request.operation is none of CREATE, UPDATE, DELETE and CONNECT", uid)
    new, old = _optional_object(request, "object", uid), _optional_object(request, "oldObject", uid)
    return Review(
        uid=uid,
        operation=Operation(operation),
        resource=text_at(request, "resource", "resource"),
        subresource=text_at(request, "subResource"),
        namespace=text_at(request, "namespace"),
        name=text_at(request, "name") or _name(request),
        user=_user(object_at(request, "userInfo")),
        object=new,
        old=old,
        dry_run=request.get("dryRun") is True,
        bulky=not small and (_is_bulky(new) or _is_bulky(old)),
    )


def _is_bulky(document: JsonObject) -> bool:
    """Whether an object holds very many values; what the API server itself notes beside it does not count."""
    metadata = {name: value for name, value in object_at(document, "metadata").items() if name != "managedFields"}
    return holds_more_than({**document, "metadata": metadata}, BULKY)


def _name(request: JsonObject) -> str:
    """Return the object's own name: the deletion of a whole collection names none in the request."""
    return text_at(request, "object", "metadata", "name") or text_at(request, "oldObject", "metadata", "name")


def _optional_object(request: JsonObject, field: str, uid: str) -> JsonObject:
    found = request.get(field)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise MalformedReviewError(f"request.{field} is not a JSON object", uid)
    return found


def _user(document: JsonObject) -> User:
    groups = value_at(document, "groups")
    names = groups if isinstance(groups, list) else []
    return User(text_at(document, "username"), frozenset(name for name in names if isinstance(name, str)))
