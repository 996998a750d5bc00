"""Host names of AWS that Route 53 can alias, and the hosted zones that such aliases name. Pure."""

import re
from dataclasses import dataclass

from core_controller.sources.canonical_zones import CLOUDFRONT, CLOUDFRONT_CHINA, GLOBAL_ACCELERATOR, LOAD_BALANCERS
from core_controller.sources.endpoint_zones import API_GATEWAYS, VPC_ENDPOINTS

DUALSTACK = "dualstack"
_API_GATEWAYS = {f"execute-api.{region}.amazonaws.com": zone for region, zone in API_GATEWAYS}
_CUSTOM_DOMAIN = "d-"
"""How the names of API Gateway's custom domains start. The name of an API itself answers to no other host name."""
_CLOUDFRONT = (CLOUDFRONT, CLOUDFRONT_CHINA)


def _suffixes() -> dict[str, str]:
    """Return the domains below which each service names its endpoints; China has a top level of its own."""
    zones = {
        "cloudfront.net": CLOUDFRONT,
        "cloudfront.cn": CLOUDFRONT_CHINA,
        "awsglobalaccelerator.com": GLOBAL_ACCELERATOR,
    }
    for region, application, network in LOAD_BALANCERS:
        top = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
        zones[f"{region}.elb.{top}"] = application
        zones[f"elb.{region}.{top}"] = network
    zones |= {f"{region}.vpce.amazonaws.com": zone for region, zone in VPC_ENDPOINTS}
    return zones | _API_GATEWAYS


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
    zone = _zone_of(hostname) if annotated is None else hosted_zone_id(annotated)
    if zone is None:
        return None
    is_cloudfront = zone in _CLOUDFRONT
    return AliasZone(zone, is_cloudfront or _says_dualstack(hostname), not is_cloudfront)


def _zone_of(hostname: str) -> str | None:
    """Return the hosted zone of the first domain above a host name that is one of AWS's."""
    parent = hostname.partition(".")[2]
    if parent in _API_GATEWAYS and not hostname.startswith(_CUSTOM_DOMAIN):
        return None
    while parent and parent not in _ZONES:
        parent = parent.partition(".")[2]
    return _ZONES.get(parent)


def hosted_zone_id(text: str) -> str | None:
    """Return the id of a hosted zone without its prefix (case 4), None for a text that is none."""
    given = text.removeprefix("/hostedzone/")
    return given if _HOSTED_ZONE_ID.fullmatch(given) else None


def _says_dualstack(hostname: str) -> bool:
    return DUALSTACK in hostname.split(".")
