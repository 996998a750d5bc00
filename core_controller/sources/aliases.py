"""Host names of AWS that Route 53 can alias, and the hosted zones that such aliases name. Pure."""

import re
from dataclasses import dataclass

from core_controller.sources.canonical_zones import CLOUDFRONT, GLOBAL_ACCELERATOR, LOAD_BALANCERS
from libdnsapi.dns.names import is_subdomain

DUALSTACK = "dualstack"


def _suffixes() -> dict[str, str]:
    """Return the domains below which each service names its endpoints; China has a top level of its own."""
    zones = {"cloudfront.net": CLOUDFRONT, "awsglobalaccelerator.com": GLOBAL_ACCELERATOR}
    for region, application, network in LOAD_BALANCERS:
        top = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
        zones[f"{region}.elb.{top}"] = application
        zones[f"elb.{region}.{top}"] = network
    return zones


_ZONES = _suffixes()
_HOSTED_ZONE_ID = re.compile(r"Z[A-Z0-9]{1,31}")


@dataclass(frozen=True, slots=True)
class AliasZone:
    """The hosted zone of an alias target, and what is known of the target."""

    hosted_zone_id: str
    dualstack: bool = False
    health_can_be_evaluated: bool = True


def alias_zone(hostname: str, annotated: str | None = None) -> AliasZone | None:
    """Return the hosted zone of an alias to a canonical host name, None where it is not known.

    An annotated id wins. A target is known to answer with IPv6 too where its name says so, or is CloudFront's.
    """
    if annotated is not None:
        given = hosted_zone_id(annotated)
        return AliasZone(given, _says_dualstack(hostname)) if given is not None else None
    suffix = next((suffix for suffix in _ZONES if hostname != suffix and is_subdomain(hostname, suffix)), None)
    if suffix is None:
        return None
    is_cloudfront = _ZONES[suffix] == CLOUDFRONT
    return AliasZone(_ZONES[suffix], is_cloudfront or _says_dualstack(hostname), not is_cloudfront)


def hosted_zone_id(text: str) -> str | None:
    """Return the id of a hosted zone without its prefix (case 4), None for a text that is none."""
    given = text.removeprefix("/hostedzone/")
    return given if _HOSTED_ZONE_ID.fullmatch(given) else None


def _says_dualstack(hostname: str) -> bool:
    return DUALSTACK in hostname.split(".")
