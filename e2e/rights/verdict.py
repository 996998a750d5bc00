"""The comparison, and the rights that are granted although no scenario on a local stack uses them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from e2e.rights.audit import Request
from e2e.rights.grants import Right

ELSEWHERE: dict[str, str] = {
    "dnsapi-core: update zoneunits/finalizers.dns.appthrust.io": (
        "asked for by the admission plugin OwnerReferencesPermissionEnforcement, which OpenShift has"
    ),
    "dnsapi-sources: get frontdoors.example.net": "where target-from may read a kind and not list it",
    "dnsapi-sources: patch route53identities.route53.dns.appthrust.io": "for managed pipelines whose settings change",
    "dnsapi-sources: patch zoneclasses.dns.appthrust.io": "for managed pipelines of an earlier version",
    "dnsapi-sources: patch zones.dns.appthrust.io": "for managed pipelines whose allowed records change",
}
"""Rights that no scenario uses, and what they are for; one that turns out to be used does not belong on this list."""

BY_CHANCE: dict[str, str] = {
    f"dnsapi-{account}: get {resource}": "read again after a write that met a newer version; a matter of timing"
    for account, resource in (
        ("core", "zones.dns.appthrust.io"),
        ("core", "recordsets.dns.appthrust.io"),
        ("core", "zoneunits.dns.appthrust.io"),
        ("core", "zoneunitslices.dns.appthrust.io"),
        ("route53", "zoneclasses.dns.appthrust.io"),
        ("route53", "zoneunits.dns.appthrust.io"),
        ("route53", "zoneunitslices.dns.appthrust.io"),
        ("route53", "route53identities.route53.dns.appthrust.io"),
    )
} | {
    f"dnsapi-{account}: patch events.events.k8s.io": "an Event that happens again soon; a matter of timing"
    for account in ("core", "route53", "sources")
}
"""Rights whose use no scenario can force."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong: requests that RBAC refused, rights without use, exceptions without a right."""

    forbidden: tuple[str, ...]
    unused: tuple[str, ...]
    idle_exceptions: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """One line a finding."""
        return [
            *(f"forbidden: {one}" for one in self.forbidden),
            *(f"granted and never used: {one}" for one in self.unused),
            *(f"an exception that is not needed: {one}" for one in self.idle_exceptions),
        ]


def compare(
    granted: Iterable[Right],
    seen: Iterable[Request],
    elsewhere: Mapping[str, str] = ELSEWHERE,
    by_chance: Mapping[str, str] = BY_CHANCE,
) -> Verdict:
    """Compare rights with requests; both lists hold reasons by a right's sentence."""
    asked = list(seen)
    unused = {str(right) for right in granted if not any(right.allows(one.right) for one in asked)}
    return Verdict(
        forbidden=tuple(sorted({str(one.right) for one in asked if one.forbidden})),
        unused=tuple(sorted(unused - elsewhere.keys() - by_chance.keys())),
        idle_exceptions=tuple(sorted(elsewhere.keys() - unused)),
    )
