"""ZoneClass: which provider, identity and parameters a Zone uses, and which namespaces may use it."""

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.references import NameRef, ProviderRef, ZoneDomain
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import CONDITIONS_LIST, OPEN_OBJECT, immutable, rule, validations
from libdnsapi.api.selectors import LabelSelector

ZONE_CLASSES = ResourceType(GROUP, VERSION, "ZoneClass", "zoneclasses")
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
CONTROLLER_NAME_PATTERN = rf"^{_SUBDOMAIN}/[A-Za-z0-9]([-A-Za-z0-9._~%]*[A-Za-z0-9])?$"
CONTROLLER_NAME_MESSAGE = "must be a domain, a slash and one path segment, such as route53.dns.appthrust.io/controller"
_CONTROLLER_NAME = validations(rule(f"self.matches('{CONTROLLER_NAME_PATTERN}')", CONTROLLER_NAME_MESSAGE))


class NamespacesFrom(WireModel):
    """Which namespaces are meant, as in Gateway API's RouteNamespaces."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule(
                "!has(self.from) || self.from != 'Selector' || has(self.selector)",
                "selector is required when from is Selector",
                "selector",
            )
        )
    )

    from_: Literal["Same", "Selector", "All"] | None = Field(default=None, alias="from")
    """Same (the class's own namespace, the meaning of an omitted value), Selector or All."""
    selector: LabelSelector | None = None
    """Labels of the namespaces, when from is Selector."""


class AllowedZones(WireModel):
    """Which Zones may use the class."""

    namespaces: NamespacesFrom
    """The namespaces whose Zones may use this class."""
    domain_names: tuple[ZoneDomain, ...] | None = Field(default=None, min_length=1, max_length=100)
    """Domains that Zones of this class may serve, each with everything below it; omitted: any."""


class ZoneClassSpec(WireModel):
    """How Zones of this class are provided."""

    model_config = ConfigDict(json_schema_extra=validations(*immutable("provider", "controllerName")))

    provider: ProviderRef
    """The Provider and version that parameters are written for. Immutable."""
    controller_name: str = Field(min_length=3, max_length=253, json_schema_extra=_CONTROLLER_NAME)
    """The provider controller that serves this class, as a domain-prefixed path. Immutable."""
    identity_ref: NameRef
    """The provider identity, in the class's own namespace."""
    parameters: JsonObject = Field(json_schema_extra=OPEN_OBJECT)
    """Provider-specific settings, in the shape that the Provider version declares."""
    allowed_zones: AllowedZones
    """Which Zones may use this class."""


class ZoneClassStatus(WireModel):
    """What the provider controller found."""

    conditions: tuple[Condition, ...] = Field(
        default=(),
        json_schema_extra=CONDITIONS_LIST,
    )
    """Accepted says whether provider, identity, parameters and allowedZones are statically acceptable."""


class ZoneClass(KubernetesObject):
    """ZoneClass selects a provider, an identity and parameters, and says which namespaces' Zones may use them."""

    spec: ZoneClassSpec
    """How Zones of this class are provided."""
    status: ZoneClassStatus = Field(default_factory=ZoneClassStatus)
    """What the provider controller found."""

    @property
    def identity_key(self) -> ObjectKey:
        """The key of the provider identity that the class names, in the class's own namespace."""
        return ObjectKey(self.metadata.namespace, self.spec.identity_ref.name)

    def allows_namespace(self, namespace: str, labels: Mapping[str, str] | None) -> bool:
        """Whether Zones of a namespace may use the class (core seed, allowedZones.namespaces; omitted: Same).

        `labels` are the namespace's; None, where they are not known, satisfies no selector.
        """
        rule = self.spec.allowed_zones.namespaces
        match rule.from_:
            case "All":
                return True
            case "Selector":
                return rule.selector is not None and labels is not None and rule.selector.matches(labels)
            case "Same" | None:
                return namespace == self.metadata.namespace
