"""ChangeResourceRecordSets and GetChange."""

from typing import Final

from e2e.route53.actions.rendering import change_info
from e2e.route53.call import Call, Operation, Reply
from e2e.route53.changes import Batch, decide
from e2e.route53.errors import AwsError
from e2e.route53.wire import read_batch
from e2e.route53.xml import Reader, document


def change_records(call: Call) -> Reply:
    """Apply a batch, all of it or nothing."""
    zone, state = call.zone(), call.state
    request = Reader.parse(call.body)
    changes = read_batch(request)
    tables = {other.id: (other.name, other.table) for other in state.zones_of(zone.account_id)}
    limit = state.settings.max_record_sets_per_zone
    nodes = decide(Batch(zone.id, zone.name, changes, tables, state.health_checks, limit))
    for name, node in nodes.items():
        zone.table.replace(name, node)
    change = state.submit(zone.account_id, request.text("ChangeBatch/Comment"))
    state.record(zone, change, changes)
    return Reply(document("ChangeResourceRecordSetsResponse", change_info(change, state.monotonic())))


def get_change(call: Call) -> Reply:
    """Return a change's status."""
    change_id = call.path["change"].removeprefix("/change/")
    change = call.state.changes.get(change_id)
    if change is None or change.account_id != call.caller.account_id:
        raise AwsError("NoSuchChange", f"Could not find resource with ID: {change_id}", 404)
    return Reply(document("GetChangeResponse", change_info(change, call.state.monotonic())))


OPERATIONS: Final = (
    Operation("ChangeResourceRecordSets", "POST", "/2013-04-01/hostedzone/{zone}/rrset/", change_records),
    Operation("ChangeResourceRecordSets", "POST", "/2013-04-01/hostedzone/{zone}/rrset", change_records),
    Operation("GetChange", "GET", "/2013-04-01/change/{change}", get_change),
)
