"""A process that may act no more sends nothing, however long the call has been waiting."""

import pytest

from libdnsapi.runtime.leader import LeadershipLostError
from route53_controller.aws.api import Change, ChangeAction, RecordKey, ResourceRecordSet
from tests.route53_controller.aws.adapter import Adapter


class Leadership:
    """May be lost at any moment."""

    lost = False

    def confirm(self) -> None:
        if self.lost:
            raise LeadershipLostError("lost")


async def test_a_batch_whose_leadership_was_lost_meanwhile_is_not_sent(adapter: Adapter) -> None:
    leadership = Leadership()
    client = adapter.client(permit=leadership.confirm)
    zone = (await client.create_hosted_zone("example.com", "reference")).zone
    adapter.remote.reset_counters()
    leadership.lost = True

    with pytest.raises(LeadershipLostError):
        await client.change_record_sets(
            zone.id,
            [Change(ChangeAction.CREATE, ResourceRecordSet(RecordKey("a.example.com", "A"), 1, ("192.0.2.1",)))],
        )

    assert adapter.remote.calls() == {}


async def test_leadership_is_asked_for_when_the_budget_has_let_the_call_through(adapter: Adapter) -> None:
    leadership = Leadership()
    client = adapter.client(permit=leadership.confirm)
    zone = (await client.create_hosted_zone("example.com", "reference")).zone
    waited = adapter.budget.acquire

    async def long_wait(*args: object) -> None:
        await waited(*args)  # type: ignore[arg-type]
        leadership.lost = True

    adapter.budget.acquire = long_wait  # type: ignore[method-assign,assignment]
    adapter.remote.reset_counters()

    with pytest.raises(LeadershipLostError):
        await client.delete_hosted_zone(zone.id)

    assert adapter.remote.calls() == {}
