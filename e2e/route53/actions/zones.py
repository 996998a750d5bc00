"""CreateHostedZone, GetHostedZone, DeleteHostedZone, UpdateHostedZoneComment."""

from typing import Final

from e2e.route53.actions.rendering import change_info, delegation_set, hosted_zone, vpcs
from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import AwsError, SyntaxProblemError, invalid_input
from e2e.route53.names import WILDCARD, canonical
from e2e.route53.state import new_id
from e2e.route53.xml import Reader, document
from e2e.route53.zone import HostedZone, Vpc


def create(call: Call) -> Reply:
    """Create a zone. A caller reference works once, also after its zone is gone."""
    request = Reader.parse(call.body)
    zone = _requested(call, request)
    state = call.state
    if (zone.account_id, zone.caller_reference) in state.references:
        message = "A hosted zone has already been created with the specified caller reference."
        raise AwsError("HostedZoneAlreadyExists", message, 409)
    if len(state.zones_of(zone.account_id)) >= state.settings.max_hosted_zones:
        raise AwsError("TooManyHostedZones", "Limits Exceeded")
    state.add_zone(zone)
    change = state.submit(zone.account_id)
    body = document(
        "CreateHostedZoneResponse",
        hosted_zone(zone),
        change_info(change, state.monotonic()),
        vpcs(zone, single=True) if zone.private else delegation_set(zone),
    )
    return Reply(body, 201, {"Location": f"https://route53.amazonaws.com/2013-04-01/hostedzone/{zone.id}"})


def _requested(call: Call, request: Reader) -> HostedZone:
    reference = request.text("CallerReference")
    if not 1 <= len(reference) <= 128:
        raise invalid_input("CallerReference must have 1 to 128 characters")
    vpc = Vpc(request.text("VPC/VPCRegion"), request.text("VPC/VPCId")) if request.has("VPC") else None
    if request.text("HostedZoneConfig/PrivateZone") == "true" and vpc is None:
        raise invalid_input("When you're creating a private hosted zone, you must specify a VPC")
    return HostedZone(
        id=new_id("Z"),
        account_id=call.caller.account_id,
        name=domain_name(request.text("Name")),
        caller_reference=reference,
        sequence=call.state.next_sequence(),
        comment=request.text("HostedZoneConfig/Comment"),
        vpcs=[vpc] if vpc else [],
    )


def domain_name(text: str) -> str:
    """Return a zone's canonical name. Raises AwsError InvalidDomainName."""
    try:
        name = canonical(text)
    except SyntaxProblemError:
        raise AwsError("InvalidDomainName", "The domain name is invalid") from None
    if name.startswith(f"{WILDCARD}."):
        raise AwsError("InvalidDomainName", "The domain name is invalid")
    return name


def get(call: Call) -> Reply:
    """Return a zone with its delegation set or VPCs."""
    zone = call.zone()
    rest = vpcs(zone) if zone.private else delegation_set(zone)
    return Reply(document("GetHostedZoneResponse", hosted_zone(zone), rest))


def delete(call: Call) -> Reply:
    """Delete a zone that holds nothing but its apex NS and SOA."""
    zone = call.zone()
    if not zone.empty:
        message = "The specified hosted zone contains non-required resource record sets and so cannot be deleted."
        raise AwsError("HostedZoneNotEmpty", message)
    call.state.remove_zone(zone.id)
    change = call.state.submit(zone.account_id)
    return Reply(document("DeleteHostedZoneResponse", change_info(change, call.state.monotonic())))


def update_comment(call: Call) -> Reply:
    """Replace a zone's comment."""
    zone = call.zone()
    zone.comment = Reader.parse(call.body).text("Comment")
    return Reply(document("UpdateHostedZoneCommentResponse", hosted_zone(zone)))


OPERATIONS: Final = (
    Operation("CreateHostedZone", "POST", "/2013-04-01/hostedzone", create),
    Operation("GetHostedZone", "GET", "/2013-04-01/hostedzone/{zone}", get),
    Operation("DeleteHostedZone", "DELETE", "/2013-04-01/hostedzone/{zone}", delete),
    Operation("UpdateHostedZoneComment", "POST", "/2013-04-01/hostedzone/{zone}", update_comment),
)
