"""Endpoints: what a source object wants published, before it is known where (sources page, Endpoints). Pure."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from core_controller.sources.annotations import Annotations, Finding, ttl_seconds, yes_or_no
from core_controller.sources.hostnames import canonical, hostname_problem
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.dns.names import target_name_problem

ALIAS_TYPES = (RecordType.A, RecordType.AAAA)
TARGET_TYPES = (*ALIAS_TYPES, RecordType.CNAME)
"""What a target may become: one of them replaces the others where an object changes its targets."""
INVALID_HOSTNAME = "InvalidHostname"


@dataclass(frozen=True, slots=True)
class SourceKey:
    """Which object; `str` is `kind/namespace/name`, as in the contributors annotation."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """Return `kind/namespace/name`."""
        return f"{self.kind}/{self.namespace}/{self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote; raises ValueError for a text of fewer than three parts."""
        kind, namespace, name = text.split("/", 2)
        return cls(kind, namespace, name)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which pipelines an object names; no names at all leave it to the domain filters."""

    providers: tuple[str, ...] = ()
    cluster_providers: tuple[str, ...] = ()

    @property
    def is_explicit(self) -> bool:
        """Whether any pipeline is named."""
        return bool(self.providers or self.cluster_providers)


@dataclass(frozen=True, slots=True)
class Options:
    """What annotations say about the records of one object; `asked` says whether it asks for DNS at all.

    `alias_types` are the types of the aliases that a host name target becomes; empty leaves them to the target.
    """

    ttl: int | None = None
    dualstack: bool = False
    alias: bool | None = None
    alias_types: frozenset[RecordType] = frozenset()
    alias_hosted_zone_id: str | None = None
    evaluate_target_health: bool | None = None
    wish: Wish = field(default_factory=Wish)
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One name, one type and its values, from one object. Values are canonical: addresses, names, or raw record text.

    CNAME stands for any host name target; whether it becomes an alias is decided where the zone is known. One without
    values asks for something that cannot be published: what its object has under the name and the type is kept.
    """

    name: str
    type: RecordType
    values: tuple[str, ...]
    source: SourceKey
    created: datetime | None = None
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep what is published of an object as it is: nothing new, nothing withdrawn.

    `expires` says that it ends after the grace time; then the object publishes what is seen, which may be nothing. Each
    cause has a grace time of its own, and two holds are of one cause where all that they say is the same.
    A `quiet` one is part of ordinary life and no event; a `patient` one is one once it lasts. One of `lost_names` keeps
    what stands under names that cannot be told at the moment; those that the object has endpoints for follow it.
    """

    reason: str
    note: str
    expires: bool = False
    quiet: bool = False
    lost_names: bool = False
    patient: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one object comes to: endpoints, or a hold, and what to tell about it."""

    source: SourceKey
    endpoints: tuple[Endpoint, ...] = ()
    hold: Hold | None = None
    findings: tuple[Finding, ...] = ()


def read_options(annotations: Annotations) -> tuple[Options, tuple[Finding, ...]]:
    """Return the options that annotations give, and what is wrong with them."""
    findings = [*annotations.disagreements(), *annotations.unsupported(), *annotations.meaningless()]
    text = annotations.get("ttl")
    ttl = ttl_seconds(text) if text is not None else None
    if text not in (None, "0") and ttl is None:
        findings.append(Finding("InvalidTTL", f"ttl {text[:40]!r} is neither seconds nor a duration such as 1m30s"))
    alias, alias_types = alias_wish(annotations.get("alias"))
    options = Options(
        ttl=ttl,
        dualstack=annotations.dualstack,
        alias=alias,
        alias_types=alias_types,
        alias_hosted_zone_id=annotations.get("alias-hosted-zone-id") or annotations.get("aws-target-hosted-zone"),
        evaluate_target_health=annotations.flag("aws-evaluate-target-health"),
        wish=Wish(annotations.items("provider"), annotations.items("cluster-provider")),
        asked=annotations.ask_for_dns,
    )
    return options, tuple(findings)


def alias_wish(text: str | None) -> tuple[bool | None, frozenset[RecordType]]:
    """Read what ExternalDNS takes for `alias`: yes, no, or the one type of which an alias is wanted."""
    asked = (text or "").strip().lower()
    types = frozenset(type_ for type_ in ALIAS_TYPES if type_.lower() == asked)
    return True if types else yes_or_no(asked), types


def refusal(annotations: Annotations) -> Hold | None:
    """Return why an object is refused as a whole; what it has published stays as it is."""
    if annotations.get("set-identifier") is None:
        return None
    return Hold(
        "RoutingPolicyNotSupported",
        "set-identifier is refused: routing policies are not supported; published records are kept as they are. Remove"
        " the annotation to publish one record",
    )


def legal_hostnames(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Return the names in canonical form, each once, and a finding for each that is no host name."""
    legal: dict[str, None] = {}
    findings = []
    for name in names:
        host = canonical(name)
        problem = hostname_problem(host)
        if problem is None:
            legal[host] = None
        else:
            note = f'host name "{name[:80]}" {problem}; it is not published, and nothing is withdrawn meanwhile'
            findings.append(Finding(INVALID_HOSTNAME, note))
    return tuple(legal), tuple(findings)


@dataclass(frozen=True, slots=True)
class Targets:
    """Targets by kind, sorted, each once."""

    ipv4: tuple[str, ...] = ()
    ipv6: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any target."""
        return bool(self.ipv4 or self.ipv6 or self.names)

    def __or__(self, other: "Targets") -> "Targets":
        """Return both, united."""
        return Targets(_united(self.ipv4, other.ipv4), _united(self.ipv6, other.ipv6), _united(self.names, other.names))


def sort_targets(values: Iterable[str]) -> tuple[Targets, tuple[Finding, ...]]:
    """Tell addresses and host names apart (IPv4 → A, IPv6 → AAAA, else CNAME); what is neither becomes a finding."""
    ipv4: set[str] = set()
    ipv6: set[str] = set()
    names: set[str] = set()
    findings = []
    for value in values:
        text = canonical(value)
        address = _address(text)
        if address is not None:
            (ipv4 if address.version == 4 else ipv6).add(str(address))  # noqa: PLR2004 — the protocol's version
        elif target_name_problem(text, underscores=True) is None and not _ends_in_number(text):
            names.add(text)
        else:
            findings.append(Finding("InvalidTarget", f'target "{value[:80]}" is neither an IP address nor a host name'))
    return Targets(tuple(sorted(ipv4)), tuple(sorted(ipv6)), tuple(sorted(names))), tuple(findings)


def unpublished(
    name: str, types: Iterable[RecordType], source: SourceKey, created: datetime | None, options: Options
) -> tuple[Endpoint, ...]:
    """Return what keeps the records of these types that an object has under a name."""
    return tuple(Endpoint(name, type_, (), source, created, options) for type_ in types)


def endpoints_of(
    name: str, targets: Targets, source: SourceKey, created: datetime | None, options: Options
) -> tuple[Endpoint, ...]:
    """Return the endpoints of one name: one for each type that the targets have."""
    typed = ((RecordType.A, targets.ipv4), (RecordType.AAAA, targets.ipv6), (RecordType.CNAME, targets.names))
    return tuple(Endpoint(name, type_, values, source, created, options) for type_, values in typed if values)


@dataclass(frozen=True, slots=True)
class TargetNets:
    """Which addresses may be published: in one of `included` (any where empty), and in none of `excluded`."""

    included: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    excluded: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()

    def only(self, targets: Targets) -> Targets:
        """Return the targets without the addresses that may not be published; host names stay."""
        return Targets(self._kept(targets.ipv4), self._kept(targets.ipv6), targets.names)

    def _kept(self, addresses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(address for address in addresses if self._admits(ipaddress.ip_address(address)))

    def _admits(self, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
        if any(address in net for net in self.excluded):
            return False
        return not self.included or any(address in net for net in self.included)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    # An IPv4 address in IPv6 clothes, as some load balancers show beside the plain one, is that IPv4 address.
    return None if address.scope_id is not None else address.ipv4_mapped or address


def _ends_in_number(text: str) -> bool:
    """Whether a name is a mistyped address: no top-level domain is all digits (RFC 3696, section 2)."""
    return text.rpartition(".")[2].isdigit()


def _united(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*one, *other}))
