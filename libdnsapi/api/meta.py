"""What every Kubernetes object has: keys, types, metadata and references.

Shapes follow the Kubernetes API conventions; only the fields that this project reads are modelled.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

JsonObject = dict[str, JsonValue]


class WireModel(BaseModel):
    """An object as the API server sends it: camelCase on the wire, frozen here, unknown fields ignored."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="ignore",
        use_attribute_docstrings=True,
    )

    def to_json(self) -> JsonObject:
        """Return the wire form without unset fields: a JSON object ready to be written."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True)


def unfit_fields(error: ValidationError) -> list[str]:
    """Return the dotted paths, sorted, of the fields that do not fit a model: what may be told of values unseen."""
    return sorted({".".join(map(str, problem["loc"])) for problem in error.errors()})


class ObjectKey(NamedTuple):
    """Where an object lives; the namespace is empty for cluster-scoped kinds."""

    namespace: str
    name: str

    def __str__(self) -> str:
        """Return `namespace/name`, or the bare name of a cluster-scoped object."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote. A text without a slash is cluster-scoped."""
        namespace, _, name = text.rpartition("/")
        return cls(namespace, name)


@dataclass(frozen=True, slots=True)
class ResourceType:
    """One kind as the API server serves it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """`group/version`, or the bare version of the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version


class OwnerReference(WireModel):
    """A reference that the garbage collector follows."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(WireModel):
    """The metadata that this project reads; times are aware and in UTC."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    annotations: dict[str, str] = Field(default_factory=dict)
    finalizers: tuple[str, ...] = ()
    owner_references: tuple[OwnerReference, ...] = ()

    @property
    def key(self) -> ObjectKey:
        """The object's namespace and name."""
        return ObjectKey(self.namespace, self.name)

    @property
    def deleting(self) -> bool:
        """Whether deletion was requested and waits for finalizers."""
        return self.deletion_timestamp is not None


class KubernetesObject(WireModel):
    """What all top-level kinds share."""

    api_version: str = ""
    kind: str = ""
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)

    @property
    def key(self) -> ObjectKey:
        """The object's namespace and name."""
        return self.metadata.key


class ObjectReference(WireModel):
    """A reference to an object as Events carry it."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""
    resource_version: str = ""
    field_path: str = ""


def reference_to(resource: ResourceType, target: KubernetesObject) -> ObjectReference:
    """Return the reference to an object that an Event carries: of the very object, by its uid.

    Kind and version come from `resource`, for the items of a list do not say what they are.
    """
    meta = target.metadata
    return _reference(resource.api_version, resource.kind, meta.namespace, meta.name, meta.uid)


@lru_cache(maxsize=256)
def _reference(api_version: str, kind: str, namespace: str, name: str, uid: str) -> ObjectReference:
    """Return the same reference for the same object: in a bulk thousands of Events wait that name one Zone."""
    return ObjectReference(api_version=api_version, kind=kind, namespace=namespace, name=name, uid=uid)


class Namespace(KubernetesObject):
    """A namespace; only its labels matter here."""


class PartialObject(KubernetesObject):
    """Any object, read as metadata only."""


NAMESPACES = ResourceType("", "v1", "Namespace", "namespaces", namespaced=False)
SECRETS = ResourceType("", "v1", "Secret", "secrets")
