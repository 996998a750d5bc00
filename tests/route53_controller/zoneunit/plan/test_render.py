"""What a status says of items that have changed since it was decided."""

import pytest

from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, pending
from route53_controller.zoneunit.plan.render import item_statuses, slice_status
from tests.route53_controller.zoneunit.plan.builders import NOW, item

KEY = ObjectKey("app", "www")


def spec(generation: int, *, leaving: bool) -> RecordSetItem:
    document = {"recordSetNamespace": "app", "recordSetName": "www", "name": "www", "type": "A", "ttl": 300}
    body = {"a": {"addresses": ["192.0.2.1"]}, "observedGeneration": generation, "deletionRequested": leaving}
    return RecordSetItem.model_validate({**document, **body})


def completed(generation: int) -> Outcome:
    gone = item("www", generation=generation, leaving=True)
    return outcome(gone, pending(gone), completed=True)


@pytest.mark.parametrize(
    ("live", "expected"),
    [
        (spec(6, leaving=True), [True]),
        (spec(6, leaving=False), []),
        (spec(1, leaving=False), []),
        (spec(1, leaving=True), []),
    ],
    ids=["the very item", "one that lives", "one that came anew", "one that came anew and leaves too"],
)
def test_a_completed_deletion_is_said_of_the_very_item_alone_that_it_was_decided_for(
    live: RecordSetItem, expected: list[bool]
) -> None:
    entries = item_statuses((live,), (), {KEY: completed(6)}, NOW)
    assert [RecordSetItemStatus.model_validate(entry).deletion_completed for entry in entries] == expected


def test_what_was_said_of_an_item_before_stays_where_the_completion_is_of_another() -> None:
    before = RecordSetItemStatus(record_set_namespace="app", record_set_name="www", observed_generation=1)
    entries = item_statuses((spec(1, leaving=False),), (before,), {KEY: completed(6)}, NOW)
    assert entries == [before.to_json()]


@pytest.mark.spec("R53-IB-004")
@pytest.mark.parametrize("ours", [True, False])
def test_a_refusal_for_good_is_written_beside_the_mark_and_without_one(ours: bool) -> None:
    refused = item("www", ours=ours)
    said = outcome(refused, pending(refused), mark=refused.facts.mark, rejected="d1")
    (entry,) = item_statuses((spec(1, leaving=False),), (), {KEY: said}, NOW)
    provider = RecordSetItemStatus.model_validate(entry).provider
    assert provider is not None
    assert provider.state is not None
    assert provider.state["rejected"] == "d1"
    assert ("recordName" in provider.state) is ours


@pytest.mark.spec("CORE-ZU-019")
def test_a_slice_says_which_generation_was_observed_beside_what_became_of_its_items() -> None:
    document = {"metadata": {"name": "example-com-0", "namespace": "dns"}, "spec": {"zoneUnitRef": {"name": "x"}}}
    held = ZoneUnitSlice.model_validate(document)
    held = held.model_copy(update={"spec": held.spec.model_copy(update={"record_sets": (spec(1, leaving=False),)})})
    www = item("www")
    status = slice_status(held, {KEY: outcome(www, pending(www))}, 7, NOW)
    assert status["observedGeneration"] == 7
    assert status["recordSets"] == item_statuses((spec(1, leaving=False),), (), {KEY: outcome(www, pending(www))}, NOW)
