"""GetAccountLimit and GetHostedZoneLimit."""

from typing import Final

from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import AwsError, invalid_input
from e2e.route53.xml import document, element, wrap

DEFAULT_RECORD_SETS: Final = 10_000


def account_limit(call: Call) -> Reply:
    """Return the limit and the use of an account's zones."""
    if call.path["type"] != "MAX_HOSTED_ZONES_BY_OWNER":
        raise invalid_input(f"Unknown limit: {call.path['type']}")
    limit = call.state.settings.max_hosted_zones
    used = len(call.state.zones_of(call.caller.account_id))
    return _reply("GetAccountLimitResponse", call.path["type"], limit, used)


def zone_limit(call: Call) -> Reply:
    """Return the limit and the use of a zone's record sets, or of a private zone's VPCs."""
    zone, type_ = call.zone(), call.path["type"]
    if type_ == "MAX_RRSETS_BY_ZONE":
        limit = call.state.settings.max_record_sets_per_zone or DEFAULT_RECORD_SETS
        return _reply("GetHostedZoneLimitResponse", type_, limit, len(zone.table))
    if type_ != "MAX_VPCS_ASSOCIATED_BY_ZONE":
        raise invalid_input(f"Unknown limit: {type_}")
    if not zone.private:
        raise AwsError("HostedZoneNotPrivate", "The specified hosted zone is a public hosted zone.")
    return _reply("GetHostedZoneLimitResponse", type_, 100, len(zone.vpcs))


def _reply(name: str, type_: str, limit: int, used: int) -> Reply:
    body = document(name, wrap("Limit", element("Type", type_), element("Value", limit)), element("Count", used))
    return Reply(body)


OPERATIONS: Final = (
    Operation("GetAccountLimit", "GET", "/2013-04-01/accountlimit/{type}", account_limit),
    Operation("GetHostedZoneLimit", "GET", "/2013-04-01/hostedzonelimit/{zone}/{type}", zone_limit),
)
