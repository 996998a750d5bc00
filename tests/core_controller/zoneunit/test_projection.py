"""Results of the provider as a claim shows them: the table of the wire reference's decision "projection"."""

from datetime import UTC, datetime, timedelta

import pytest

from core_controller.zoneunit.plan.projection import ItemResult, record_set_status, zone_status
from libdnsapi.api.conditions import Condition, Verdict, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneunit import RecordSetItemStatus, ZoneUnit
from libdnsapi.api.meta import JsonObject
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import accepted, refused
from tests.core_controller.zoneunit.objects import condition, record_set, zone

OLD = datetime(2026, 1, 1, tzinfo=UTC)
NOW = OLD + timedelta(hours=1)
YES, NO = accepted("fine"), refused(Reason.NOT_ALLOWED_BY_ZONE, "no")
CONFLICT = ("False", "ProviderConflict")


def claim(generation: int, *conditions: JsonObject) -> RecordSet:
    """Return a claim of a generation that has these conditions."""
    _, body = record_set("www")
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    document = body | {"metadata": metadata | {"generation": generation}, "status": {"conditions": list(conditions)}}
    return RecordSet.model_validate(document)


def result(generation: int, accepted_: tuple[str, str], programmed: tuple[str, str]) -> RecordSetItemStatus:
    """Return a provider's status entry."""
    return RecordSetItemStatus(
        record_set_namespace="platform",
        record_set_name="www",
        observed_generation=generation,
        conditions=tuple(
            Condition.model_validate(condition(type_, *words, generation))
            for type_, words in (("Accepted", accepted_), ("Programmed", programmed))
        ),
    )


FINE = (("True", "Accepted"), ("True", "Programmed"))
WAS_FINE = (condition("Accepted", "True", "Accepted"), condition("Programmed", "True", "Programmed"))
WAS_PENDING = (condition("Accepted", "True", "Accepted"), condition("Programmed", "False", "ProviderChangePending"))
ROWS: list[tuple[str, RecordSet, Verdict, RecordSetItemStatus | ItemResult | None, tuple[str, str], object]] = [
    ("a new claim", claim(1), YES, None, ("Unknown", "Reconciling"), ("Unknown", "Reconciling")),
    ("the provider is done", claim(1), YES, result(1, *FINE), ("True", "Accepted"), ("True", "Programmed")),
    (
        "an edit that the provider has not seen",
        claim(2, *WAS_FINE),
        YES,
        result(1, *FINE),
        ("True", "Accepted"),
        ("False", "ProviderChangePending"),
    ),
    (
        "still not seen",
        claim(3, *WAS_PENDING),
        YES,
        result(1, *FINE),
        ("True", "Accepted"),
        ("False", "ProviderChangePending"),
    ),
    (
        "an edit after a failure",
        claim(2, condition("Accepted", "True", "Accepted"), condition("Programmed", *CONFLICT)),
        YES,
        result(1, FINE[0], CONFLICT),
        ("True", "Accepted"),
        ("Unknown", "Reconciling"),
    ),
    (
        "an edit of what the provider had refused",
        claim(2, condition("Accepted", "False", "InvalidAdoption")),
        YES,
        result(1, ("False", "InvalidAdoption"), CONFLICT),
        ("Unknown", "Reconciling"),
        ("Unknown", "Reconciling"),
    ),
    (
        "core refuses what stands",
        claim(1, *WAS_FINE),
        NO,
        result(1, *FINE),
        ("False", "NotAllowedByZone"),
        ("True", "Programmed"),
    ),
    ("core refuses a newcomer", claim(1), NO, ItemResult.NONE, ("False", "NotAllowedByZone"), None),
    (
        "the ledger object is out of sight",
        claim(1, *WAS_FINE),
        NO,
        ItemResult.UNSEEN,
        ("False", "NotAllowedByZone"),
        ("True", "Programmed"),
    ),
]


@pytest.mark.spec("CORE-ZS-029", "CORE-RT-019")
@pytest.mark.parametrize(("what", "before", "core", "entry", "accepted_", "programmed"), ROWS, ids=[r[0] for r in ROWS])
def test_a_result_counts_only_at_the_claims_own_generation(
    what: str,
    before: RecordSet,
    core: Verdict,
    entry: RecordSetItemStatus | ItemResult | None,
    accepted_: tuple[str, str],
    programmed: object,
) -> None:
    """Cases 66 and 68."""
    status = record_set_status(before, core, entry, NOW)
    found = {c.type: (c.status, c.reason) for c in status.conditions}
    assert (found["Accepted"], found.get("Programmed")) == (accepted_, programmed), what
    assert status.observed_generation == before.metadata.generation


@pytest.mark.spec("CORE-RT-027", "PC-WR-006")
def test_the_time_of_a_condition_changes_only_with_its_status() -> None:
    before = claim(1, *WAS_FINE)
    same = find_condition(record_set_status(before, YES, result(1, *FINE), NOW).conditions, "Programmed")
    other = find_condition(record_set_status(before, NO, result(1, *FINE), NOW).conditions, "Accepted")
    reason = claim(1, condition("Accepted", "False", "RecordSetConflict"))
    moved = find_condition(record_set_status(reason, NO, ItemResult.NONE, NOW).conditions, "Accepted")
    assert same is not None
    assert other is not None
    assert moved is not None
    assert (same.last_transition_time, other.last_transition_time, moved.last_transition_time) == (OLD, NOW, OLD)
    assert moved.reason == "NotAllowedByZone"


def test_conditions_that_are_not_ours_do_not_stay() -> None:
    before = claim(1, *WAS_FINE, condition("Ready", "True", "Ready"))
    status = record_set_status(before, YES, result(1, *FINE), NOW)
    assert [c.type for c in status.conditions] == ["Accepted", "Programmed"]


@pytest.mark.spec("CORE-RT-020")
@pytest.mark.parametrize(
    ("why", "left"), [(ItemResult.NONE, ["Accepted"]), (ItemResult.UNSEEN, ["Accepted", "Programmed"])]
)
def test_programmed_goes_with_the_item_and_stays_while_that_is_only_not_seen(why: ItemResult, left: list[str]) -> None:
    before = claim(1, *WAS_FINE)
    status = record_set_status(before, NO, why, NOW)
    assert [c.type for c in status.conditions] == left
    assert find_condition(status.conditions, "Programmed") == (
        find_condition(before.status.conditions, "Programmed") if why is ItemResult.UNSEEN else None
    )


@pytest.mark.parametrize(("core", "told"), [(YES, "Waiting for the provider controller"), (NO, "accepted last")])
def test_an_edit_that_core_holds_back_is_not_said_to_wait_for_the_provider(core: Verdict, told: str) -> None:
    status = record_set_status(claim(2, *WAS_FINE), core, result(1, *FINE), NOW)
    programmed = find_condition(status.conditions, "Programmed")
    assert programmed is not None
    assert programmed.reason == "ProviderChangePending"
    assert told in programmed.message


DENIED = ("False", "ProviderAccessDenied")


@pytest.mark.spec("CORE-DL-021")
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (FINE[1], ("False", "ProviderChangePending")),
        (DENIED, DENIED),
        (("Unknown", "ProviderUnavailable"), ("Unknown", "ProviderUnavailable")),
        (None, ("False", "ProviderChangePending")),
    ],
)
def test_a_deletion_that_is_stuck_says_why(said: tuple[str, str] | None, shown: tuple[str, str]) -> None:
    """Case 39: the deletion itself begins a generation, which no item is built from."""
    before = claim(2, *WAS_FINE)
    leaving = before.model_copy(
        update={"metadata": before.metadata.model_copy(update={"deletion_timestamp": OLD, "finalizers": ("ours",)})}
    )
    entry = result(1, FINE[0], said) if said is not None else None
    status = record_set_status(leaving, None, entry, NOW)
    found = find_condition(status.conditions, "Programmed")
    assert found is not None
    assert (found.status, found.reason) == shown
    assert "this generation" not in found.message


@pytest.mark.spec("CORE-DL-021")
@pytest.mark.parametrize("core", [YES, NO])
@pytest.mark.parametrize(("said", "shown"), [(DENIED, DENIED), (FINE[1], ("False", "ProviderChangePending"))])
def test_a_zone_whose_cleanup_is_stuck_says_why_also_when_its_class_is_gone(
    said: tuple[str, str], shown: tuple[str, str], core: Verdict
) -> None:
    """Cases 39 and 71."""
    _, body = zone()
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    leaving = metadata | {"generation": 2, "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["ours"]}
    unit: JsonObject = {
        "metadata": {"namespace": "platform", "name": "example-com"},
        "spec": {
            "provider": {"name": "p", "version": "v1"},
            "zone": {
                "ref": {"namespace": "platform", "name": "example-com"},
                "domainName": "example.com",
                "zoneClassRef": {"namespace": "platform", "name": "public"},
            },
        },
        "status": {"zone": {"conditions": [condition("Programmed", *said)]}},
    }
    status = zone_status(
        Zone.model_validate(body | {"metadata": leaving}), core, ZoneUnit.model_validate(unit), None, NOW
    )
    found = find_condition(status.conditions, "Programmed")
    assert found is not None
    assert (found.status, found.reason) == shown
