"""ListHostedZones, ListHostedZonesByName, GetHostedZoneCount."""

from typing import Final

from e2e.route53.actions.rendering import hosted_zone
from e2e.route53.actions.zones import domain_name
from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import invalid_input
from e2e.route53.names import order
from e2e.route53.xml import boolean, document, element, optional, wrap
from e2e.route53.zone import HostedZone

PAGE: Final = 100


def list_zones(call: Call) -> Reply:
    """List the account's zones in creation order; `marker` is the id of the page's first zone."""
    limit, marker = call.max_items(PAGE), call.query.get("marker", "")
    kind = call.query.get("hostedzonetype", "")
    zones = [
        zone for zone in call.state.zones_of(call.caller.account_id) if kind != "PrivateHostedZone" or zone.private
    ]
    if marker:
        start = _sequence(call, marker.removeprefix("/hostedzone/"))
        zones = [zone for zone in zones if zone.sequence >= start]
    page, rest = zones[:limit], zones[limit:]
    body = document(
        "ListHostedZonesResponse",
        _zones(page),
        optional("Marker", marker),
        boolean("IsTruncated", value=bool(rest)),
        optional("NextMarker", rest[0].id if rest else ""),
        element("MaxItems", limit),
    )
    return Reply(body)


def _sequence(call: Call, zone_id: str) -> int:
    zone = call.state.zones.get(zone_id)
    sequence = zone.sequence if zone else call.state.retired.get(zone_id)
    if sequence is None:
        raise invalid_input(f"Invalid marker: {zone_id}")
    return sequence


def list_by_name(call: Call) -> Reply:
    """List the account's zones by reversed labels, then id, from `dnsname` and `hostedzoneid` on."""
    limit = call.max_items(PAGE)
    name, zone_id = call.query.get("dnsname", ""), call.query.get("hostedzoneid", "").removeprefix("/hostedzone/")
    if zone_id and not name:
        raise invalid_input("HostedZoneId can be given only together with DNSName")
    start = (order(domain_name(name)) if name else "", zone_id)
    zones = sorted(call.state.zones_of(call.caller.account_id), key=_by_name)
    zones = [zone for zone in zones if _by_name(zone) >= start]
    page, rest = zones[:limit], zones[limit:]
    body = document(
        "ListHostedZonesByNameResponse",
        _zones(page),
        optional("DNSName", name),
        optional("HostedZoneId", zone_id),
        boolean("IsTruncated", value=bool(rest)),
        optional("NextDNSName", rest[0].name if rest else ""),
        optional("NextHostedZoneId", rest[0].id if rest else ""),
        element("MaxItems", limit),
    )
    return Reply(body)


def _by_name(zone: HostedZone) -> tuple[str, str]:
    return (order(zone.name), zone.id)


def _zones(zones: list[HostedZone]) -> str:
    return wrap("HostedZones", *(hosted_zone(zone) for zone in zones))


def count(call: Call) -> Reply:
    """Count the account's zones."""
    number = len(call.state.zones_of(call.caller.account_id))
    return Reply(document("GetHostedZoneCountResponse", element("HostedZoneCount", number)))


OPERATIONS: Final = (
    Operation("ListHostedZones", "GET", "/2013-04-01/hostedzone", list_zones),
    Operation("ListHostedZonesByName", "GET", "/2013-04-01/hostedzonesbyname", list_by_name),
    Operation("GetHostedZoneCount", "GET", "/2013-04-01/hostedzonecount", count),
)
