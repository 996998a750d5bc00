"""Settings of the sources controller: ExternalDNS's own flags where they mean the same."""

import ipaddress
from datetime import timedelta

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core_controller.sources.claimant import Rules
from core_controller.sources.endpoints import TargetNets
from core_controller.sources.gateway.parents import GatewayFilters
from core_controller.sources.label_filters import parse_selector
from core_controller.sources.templates import Template, TemplateError, parse
from libdnsapi.api.selectors import LabelSelector
from libdnsapi.runtime.settings import Duration

ALL_SOURCES = (
    "gateway-httproute",
    "gateway-grpcroute",
    "gateway-tlsroute",
    "gateway-tcproute",
    "gateway-udproute",
    "service",
    "ingress",
    "crd",
)


OPTIONAL_SOURCES = ("istio-gateway", "istio-virtualservice")
"""Read only where they are asked for."""
KNOWN_SOURCES = ALL_SOURCES + OPTIONAL_SOURCES


class SourcesSettings(BaseModel):
    """What the sources controller wants to know; to be mixed into the settings of the process."""

    model_config = ConfigDict(use_attribute_docstrings=True, frozen=True)

    source: tuple[str, ...] = ALL_SOURCES
    """Which kinds are read, comma-separated or one an option."""
    label_filter: str = ""
    """Label selector that source objects must match."""
    annotation_filter: str = ""
    """Selector that the annotations of source objects must match."""
    gateway_name: str = ""
    """Only routes attached to Gateways of this name."""
    gateway_namespace: str = ""
    """Only routes attached to Gateways of this namespace."""
    gateway_label_filter: str = ""
    """Only routes attached to Gateways whose labels match."""
    ignore_hostname_annotation: bool = False
    """Whether the hostname annotation is left unread."""
    fqdn_template: str = ""
    """Template of names, comma-separated, for objects that name none themselves."""
    combine_fqdn_annotation: bool = False
    """Whether the template's names are added to an object's own."""
    target_net_filter: tuple[str, ...] = ()
    """Only addresses of these networks are published."""
    exclude_target_net: tuple[str, ...] = ()
    """Addresses of these networks are not published."""
    gateway_address_grace: Duration = Field(default=timedelta(minutes=5), ge=timedelta())
    """How long records stay after the addresses of their Gateway, load balancer or reference have vanished."""
    target_from_poll: Duration = Field(default=timedelta(minutes=1), gt=timedelta())
    """How often references are read again that may be read but not watched."""
    pipeline_namespace: str = ""
    """Namespace for the Zones, classes and identities of ClusterDNSProviders; without one, that of the pod."""

    @field_validator("source", "target_net_filter", "exclude_target_net", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Take commas within an item apart, as pflag does."""
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            return value
        return [part.strip() for item in items for part in str(item).split(",") if part.strip()]

    @field_validator("source")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(value) - set(KNOWN_SOURCES))
        if unknown:
            raise ValueError(f"unknown source {unknown[0]}; known are {', '.join(KNOWN_SOURCES)}")
        return tuple(dict.fromkeys(value))

    @field_validator("label_filter", "annotation_filter", "gateway_label_filter")
    @classmethod
    def _selector(cls, value: str) -> str:
        parse_selector(value)
        return value

    @field_validator("target_net_filter", "exclude_target_net")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            ipaddress.ip_network(text)
        return value

    @field_validator("fqdn_template")
    @classmethod
    def _template(cls, value: str) -> str:
        try:
            parse(value)
        except TemplateError as error:
            raise ValueError(f"fqdn template: {error}") from None
        return value

    def rules(self) -> Rules:
        """Return the settings that decide about names and targets."""
        template: Template | None = parse(self.fqdn_template) if self.fqdn_template else None
        nets = TargetNets(
            tuple(map(ipaddress.ip_network, self.target_net_filter)),
            tuple(map(ipaddress.ip_network, self.exclude_target_net)),
        )
        return Rules(self.ignore_hostname_annotation, self.combine_fqdn_annotation, template, nets)

    def gateways(self) -> GatewayFilters:
        """Return which Gateways count."""
        return GatewayFilters(self.gateway_name, self.gateway_namespace, parse_selector(self.gateway_label_filter))

    def objects(self) -> tuple[LabelSelector, LabelSelector]:
        """Return the selectors of source objects: of their labels, and of their annotations."""
        return parse_selector(self.label_filter), parse_selector(self.annotation_filter)
