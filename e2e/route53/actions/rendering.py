"""Elements that several answers share."""

from e2e.route53.state import ChangeInfo
from e2e.route53.xml import boolean, element, optional, wrap
from e2e.route53.zone import HostedZone, Vpc


def hosted_zone(zone: HostedZone) -> str:
    """Write a HostedZone element."""
    config = (optional("Comment", zone.comment), boolean("PrivateZone", value=zone.private))
    return wrap(
        "HostedZone",
        element("Id", f"/hostedzone/{zone.id}"),
        element("Name", zone.name),
        element("CallerReference", zone.caller_reference),
        wrap("Config", *config),
        element("ResourceRecordSetCount", len(zone.table)),
    )


def delegation_set(zone: HostedZone) -> str:
    """Write a DelegationSet element; its name servers have no final dot."""
    servers = (element("NameServer", server) for server in zone.name_servers)
    return wrap("DelegationSet", wrap("NameServers", *servers))


def vpcs(zone: HostedZone, *, single: bool = False) -> str:
    """Write the VPCs of a private zone, or only the first as a VPC element."""
    written = [_vpc(vpc) for vpc in zone.vpcs]
    return written[0] if single else wrap("VPCs", *written)


def _vpc(vpc: Vpc) -> str:
    return wrap("VPC", element("VPCRegion", vpc.region), element("VPCId", vpc.id))


def change_info(change: ChangeInfo, now: float) -> str:
    """Write a ChangeInfo element as of monotonic `now`."""
    return wrap(
        "ChangeInfo",
        element("Id", f"/change/{change.id}"),
        element("Status", change.status(now)),
        element("SubmittedAt", f"{change.submitted_at:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"),
        optional("Comment", change.comment),
    )
