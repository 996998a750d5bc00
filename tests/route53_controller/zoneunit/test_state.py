"""What is stored of a unit, read back whatever became of it meanwhile."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject
from route53_controller.aws.errors import AwsFailure
from route53_controller.zoneunit.state import UnitState
from tests.route53_controller.zoneunit.world import UNIT, World, a

CHANGE: JsonObject = {
    "id": "C1",
    "status": "PENDING",
    "submittedAt": "2026-01-01T00:00:00Z",
    "affectedRecordSets": [{"namespace": "app", "name": "www", "digest": "d"}],
}
GOOD: JsonObject = {
    "hostedZoneID": "Z1",
    "callerReference": "uid-1",
    "account": "1:0123abcd",
    "tagKeys": ["team"],
    "pendingRecordSetChanges": [CHANGE],
}


@pytest.mark.parametrize(
    "broken",
    [
        {"deletionGuard": "yes"},
        {"restore": {"covered": 7}},
        {"pendingHostedZoneChange": {"id": "C9"}},
        {"recreatedFrom": ["a"]},
        {"unknown": {"field": 1}},
    ],
)
def test_what_cannot_be_read_takes_nothing_else_with_it(broken: JsonObject) -> None:
    assert UnitState.parse({**GOOD, **broken}) == UnitState.parse(GOOD)


def test_the_form_of_a_single_change_is_read_too() -> None:
    stored = {name: value for name, value in GOOD.items() if name != "pendingRecordSetChanges"}
    single = UnitState.parse({**stored, "pendingRecordSetChange": CHANGE})
    assert single == UnitState.parse(GOOD)


async def test_a_change_of_a_process_whose_clock_was_ahead_is_not_waited_for_until_then() -> None:
    world = World()
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.set_items(a("www"))
    await world.step()
    document = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert document is not None
    ahead = (world.clock.now() + timedelta(hours=1)).isoformat()
    document["status"]["provider"]["state"]["pendingRecordSetChanges"][0]["submittedAt"] = ahead  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    world.start()
    started = world.clock.now()
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert world.clock.now() - started < timedelta(minutes=2)
