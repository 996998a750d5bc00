"""Each thing that a run is for can be missed: then it is named."""

from collections.abc import Callable

import pytest

from e2e.kube import Document
from e2e.soak.coverage import LOOKS, Coverage


def record(accepted: str, programmed: str) -> Document:
    """A record set of some reasons."""
    conditions = [
        {"type": kind, "status": "True" if reason == kind else "False", "reason": reason, "observedGeneration": 1}
        for kind, reason in (("Accepted", accepted), ("Programmed", programmed))
    ]
    return {"metadata": {"generation": 1}, "status": {"conditions": conditions}}


def zone(uid: str, **metadata: str) -> Document:
    """The zone, in one of its lives."""
    return {"metadata": {"name": "zone0", "uid": uid, **metadata}}


SLICE = {"metadata": {"uid": "s1"}, "spec": {"zoneUnitRef": {"name": "zone0"}}}
WELL, REFUSED = record("Accepted", "Programmed"), record("RecordSetConflict", "NotAccepted")
LEAVING = "2026-01-01T00:00:00Z"


def good() -> Coverage:
    """A run that met everything."""
    coverage = Coverage()
    for _ in range(LOOKS):
        coverage.look([WELL, REFUSED], [zone("a")], [SLICE])
    coverage.look([WELL], [zone("a")], [])
    coverage.look([WELL], [zone("b")], [])
    return coverage


def too_short(coverage: Coverage) -> None:
    coverage.looks = coverage.lively = LOOKS - 1


def nothing_programmed(coverage: Coverage) -> None:
    coverage.lively = coverage.looks // 11


def no_zone_anew(coverage: Coverage) -> None:
    coverage.zones["zone0"] = {"a"}


def no_slice(coverage: Coverage) -> None:
    coverage.slices.clear()


def no_slice_emptied(coverage: Coverage) -> None:
    coverage.gone.clear()


def nobody_contends(coverage: Coverage) -> None:
    coverage.contested = 0


PLANTED: dict[Callable[[Coverage], None], str] = {
    too_short: f"at least {LOOKS} looks at the claims, of now {LOOKS - 1}",
    nothing_programmed: "record sets programmed at a tenth of the looks, now 2 of 22",
    no_zone_anew: "a zone made anew under its name",
    no_slice: "a ledger slice",
    no_slice_emptied: "a ledger slice that goes while its zone stays",
    nobody_contends: "a name that two namespaces contend for",
}


def test_a_run_that_met_everything_misses_nothing() -> None:
    assert good().missing() == []


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_what_was_not_met_is_named(plant: Callable[[Coverage], None]) -> None:
    coverage = good()
    plant(coverage)

    assert coverage.missing() == [PLANTED[plant]]


def test_a_slice_that_goes_with_its_zone_was_not_emptied() -> None:
    coverage = Coverage()
    coverage.look([], [zone("a")], [SLICE])
    coverage.look([], [zone("a", deletionTimestamp=LEAVING)], [])

    assert coverage.gone == set()
