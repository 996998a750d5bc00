import orjson
import pytest

from core_controller.zoneunit.differences import LedgerState, changed_names
from libdnsapi.api.meta import JsonObject, ObjectKey

KEY = ObjectKey("app", "www")


def item(name: str = "www", **more: int) -> JsonObject:
    return {"recordSetNamespace": "app", "recordSetName": "www", "name": name, **more}


def status(**more: int) -> JsonObject:
    return {"recordSetNamespace": "app", "recordSetName": "www", **more}


def ledger(items: list[JsonObject], statuses: list[JsonObject]) -> LedgerState:
    return LedgerState(orjson.dumps({"spec": {"recordSets": items}, "status": {"recordSets": statuses}}))


@pytest.mark.parametrize(
    ("old", "new", "names", "bare"),
    [
        (ledger([], []), ledger([item()], []), {"www"}, set()),
        (ledger([item()], []), ledger([], []), {"www"}, set()),
        (ledger([item()], []), ledger([item(ttl=5)], []), {"www"}, set()),
        (ledger([item()], []), ledger([item()], [status()]), {"www"}, set()),
        (ledger([item()], [status()]), ledger([item()], [status(observedGeneration=2)]), {"www"}, set()),
        (ledger([item()], [status()]), ledger([item()], [status()]), set(), set()),
        (ledger([item()], [status()]), ledger([], [status()]), {"www"}, set()),
        (ledger([], [status()]), ledger([], []), set(), {KEY}),
        (LedgerState(None), ledger([item()], [status()]), {"www"}, set()),
        (ledger([item()], []), LedgerState(None), {"www"}, set()),
        (ledger([item("old")], []), ledger([item("new")], []), {"old", "new"}, set()),
        (LedgerState(None), LedgerState(b"{}"), set(), set()),
    ],
)
def test_what_differs_between_two_states_of_a_ledger_object_is_named(
    old: LedgerState, new: LedgerState, names: set[str], bare: set[ObjectKey]
) -> None:
    assert changed_names(old, new) == (names, bare)


def standing(conditions: list[JsonObject], **metadata: str) -> object:
    return LedgerState(orjson.dumps({"metadata": metadata, "status": {"zone": {"conditions": conditions}}})).standing()


ACCEPTED: JsonObject = {"type": "Accepted", "status": "True", "reason": "Accepted", "observedGeneration": 1}


@pytest.mark.parametrize(
    "other",
    [
        standing([]),
        standing([ACCEPTED | {"status": "False"}]),
        standing([ACCEPTED | {"reason": "Other"}]),
        standing([ACCEPTED | {"observedGeneration": 2}]),
        standing([ACCEPTED], deletionTimestamp="2026-01-01T00:00:00Z"),
    ],
)
def test_record_sets_depend_on_the_acceptance_and_the_end_of_their_unit(other: object) -> None:
    assert standing([ACCEPTED]) != other


@pytest.mark.parametrize(
    "other",
    [
        standing([ACCEPTED | {"message": "in other words", "lastTransitionTime": "2026-01-01T00:00:00Z"}]),
        standing([ACCEPTED, {"type": "Programmed", "status": "False"}]),
        standing([ACCEPTED], resourceVersion="7"),
    ],
)
def test_record_sets_depend_on_nothing_else_of_their_unit(other: object) -> None:
    assert standing([ACCEPTED]) == other
