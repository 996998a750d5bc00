"""AssociateVPCWithHostedZone and DisassociateVPCFromHostedZone: private zones, as far as telling them apart needs."""

from typing import Final

from e2e.route53.actions.rendering import change_info
from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import AwsError
from e2e.route53.xml import Reader, document
from e2e.route53.zone import HostedZone, Vpc


def associate(call: Call) -> Reply:
    """Add a VPC to a private zone."""
    zone, vpc = _private(call), _vpc(call)
    if vpc not in zone.vpcs:
        zone.vpcs.append(vpc)
    return _reply(call, "AssociateVPCWithHostedZoneResponse")


def disassociate(call: Call) -> Reply:
    """Take a VPC from a private zone that has others."""
    zone, vpc = _private(call), _vpc(call)
    if vpc not in zone.vpcs:
        raise AwsError("VPCAssociationNotFound", "The specified VPC is not associated with the hosted zone.", 404)
    if len(zone.vpcs) == 1:
        raise AwsError("LastVPCAssociation", "The specified VPC is the last one of the hosted zone.")
    zone.vpcs.remove(vpc)
    return _reply(call, "DisassociateVPCFromHostedZoneResponse")


def _private(call: Call) -> HostedZone:
    zone = call.zone()
    if not zone.private:
        raise AwsError("PublicZoneVPCAssociation", "A public hosted zone cannot be associated with a VPC.")
    return zone


def _vpc(call: Call) -> Vpc:
    request = Reader.parse(call.body)
    return Vpc(request.text("VPC/VPCRegion"), request.text("VPC/VPCId"))


def _reply(call: Call, name: str) -> Reply:
    change = call.state.submit(call.caller.account_id)
    return Reply(document(name, change_info(change, call.state.monotonic())))


OPERATIONS: Final = (
    Operation("AssociateVPCWithHostedZone", "POST", "/2013-04-01/hostedzone/{zone}/associatevpc", associate),
    Operation("DisassociateVPCFromHostedZone", "POST", "/2013-04-01/hostedzone/{zone}/disassociatevpc", disassociate),
)
