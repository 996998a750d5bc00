"""Each thing that a long run promises can be missed: here it is, and the verdict says so."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from e2e.kube import Document, Kube
from e2e.soak.verdict import EVENTS_ANYWAY, EVENTS_PER_EDIT, EVENTS_PER_LIFE, Held, Key, Settled, ledgers, storms

NAME = "zone0.soak.example.com."
HOST = f"host1.{NAME}"
WANTED: Document = {"zoneRef": {"name": "zone0"}, "name": "host1", "type": "A"}


def claim(kind: str, name: str, spec: Document, **metadata: object) -> Document:
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "message": "", "observedGeneration": 3}
        for kind in ("Accepted", "Programmed")
    ]
    meta = {"namespace": "soak", "name": name, "generation": 3, **metadata}
    return {"kind": kind, "metadata": meta, "spec": spec, "status": {"conditions": conditions}}


def settled() -> Settled:
    """One zone with one record set, everywhere as it should be."""
    zone = claim("Zone", "zone0", {"domainName": NAME.rstrip(".")})
    record = claim(
        "RecordSet",
        "zone0-host1",
        {**WANTED, "ttl": 300, "a": {"addresses": ["192.0.2.1", "192.0.2.2"]}},
    )
    unit = ledger("ZoneUnit", "zone0", {}, "zone0-host1")
    held: dict[str, dict[Key, Held]] = {NAME: {(HOST, "A"): (300, ("192.0.2.1", "192.0.2.2"))}}
    return Settled([zone], [record], [unit], {NAME: ["Z1"]}, held)


def ledger(kind: str, name: str, spec: Document, *record_sets: str) -> Document:
    items = [{"recordSetNamespace": "soak", "recordSetName": one} for one in record_sets]
    return {"kind": kind, "metadata": {"namespace": "soak", "name": name}, "spec": {**spec, "recordSets": items}}


def rival(state: Settled) -> Document:
    """Another claim of the same name, which is refused."""
    found = claim("RecordSet", "guest", {**WANTED, "ttl": 60, "a": {"addresses": ["192.0.2.9"]}})
    found["metadata"]["namespace"] = "soak-guest"
    found["status"]["conditions"][0] |= {"status": "False", "reason": "RecordSetConflict"}
    found["status"]["conditions"][1] |= {"status": "False", "reason": "NotAccepted"}
    state.records.append(found)
    return found


def two_owners(state: Settled) -> None:
    for one in rival(state)["status"]["conditions"]:
        one |= {"status": "True", "reason": one["type"]}


def refused_without_an_owner(state: Settled) -> None:
    rival(state)
    del state.records[0]
    state.ledgers[0]["spec"]["recordSets"].clear()
    state.held[NAME].clear()


def refused_and_published(state: Settled) -> None:
    rival(state)["status"]["conditions"][1] |= {"status": "True", "reason": "Programmed"}


def refused_and_leaving(state: Settled) -> None:
    rival(state)["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"


def other_ttl(state: Settled) -> None:
    state.held[NAME][(HOST, "A")] = (60, ("192.0.2.1", "192.0.2.2"))


def item_in_two_ledger_objects(state: Settled) -> None:
    state.ledgers.append(ledger("ZoneUnitSlice", "zone0-1", {"zoneUnitRef": {"name": "zone0"}}, "zone0-host1"))


def item_of_no_claim(state: Settled) -> None:
    state.ledgers[0]["spec"]["recordSets"].append({"recordSetNamespace": "soak", "recordSetName": "gone"})


def claim_without_an_item(state: Settled) -> None:
    state.ledgers[0]["spec"]["recordSets"].clear()


def empty_slice(state: Settled) -> None:
    state.ledgers.append(ledger("ZoneUnitSlice", "zone0-1", {"zoneUnitRef": {"name": "zone0"}}))


def ledger_of_no_zone(state: Settled) -> None:
    state.ledgers.append(ledger("ZoneUnit", "zone7", {}))


def slice_of_no_zone(state: Settled) -> None:
    state.ledgers.append(ledger("ZoneUnitSlice", "zone7-1", {"zoneUnitRef": {"name": "zone7"}}, "zone0-host1"))


def orphan(state: Settled) -> None:
    state.held[NAME][(f"host9.{NAME}", "A")] = (300, ("192.0.2.9",))


def missing_record(state: Settled) -> None:
    state.held[NAME].clear()


def old_value(state: Settled) -> None:
    state.held[NAME][(HOST, "A")] = (300, ("192.0.2.1",))


def second_hosted_zone(state: Settled) -> None:
    state.hosted[NAME].append("Z2")


def hosted_zone_without_zone(state: Settled) -> None:
    state.hosted["zone7.soak.example.com."] = ["Z7"]


def no_hosted_zone(state: Settled) -> None:
    state.hosted.clear()


def leaving_claim(state: Settled) -> None:
    state.records[0]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"


def claim_that_is_not_programmed(state: Settled) -> None:
    state.records[0]["status"]["conditions"][1]["status"] = "False"


def claim_whose_newest_generation_nobody_saw(state: Settled) -> None:
    state.zones[0]["metadata"]["generation"] = 4


PLANTED: dict[Callable[[Settled], None], str] = {
    orphan: f"wanted and there differ in [(('host9.{NAME}', 'A'), (300, ('192.0.2.9',)))]",
    missing_record: f"wanted and there differ in [(('{HOST}', 'A'), (300, ('192.0.2.1', '192.0.2.2')))]",
    old_value: "wanted and there differ",
    second_hosted_zone: f"{NAME} has 2 hosted zones",
    hosted_zone_without_zone: "zone7.soak.example.com. has a hosted zone and no Zone",
    no_hosted_zone: f"{NAME} has no hosted zone",
    leaving_claim: "RecordSet soak/zone0-host1: Accepted=True",
    claim_that_is_not_programmed: "RecordSet soak/zone0-host1: Accepted=True Accepted: ; Programmed=False",
    two_owners: "zone0/host1/A has 2 owners",
    refused_without_an_owner: "zone0/host1/A has 0 owners",
    refused_and_published: "RecordSet soak-guest/guest: Accepted=False RecordSetConflict: ; Programmed=True",
    refused_and_leaving: "RecordSet soak-guest/guest: Accepted=False RecordSetConflict",
    other_ttl: "wanted and there differ",
    item_in_two_ledger_objects: "soak/zone0-host1 is 2 times in the ledger",
    item_of_no_claim: "soak/gone is in the ledger for no claim",
    claim_without_an_item: "soak/zone0-host1 is not in the ledger",
    empty_slice: "ZoneUnitSlice soak/zone0-1 is empty",
    ledger_of_no_zone: "ZoneUnit soak/zone7 is of no Zone",
    slice_of_no_zone: "ZoneUnitSlice soak/zone7-1 is of no Zone",
    claim_whose_newest_generation_nobody_saw: "Zone soak/zone0: no conditions yet",
}


def test_all_as_it_should_be_is_no_problem() -> None:
    assert settled().problems() == []


def test_a_claim_that_is_refused_because_another_has_its_name_is_no_problem() -> None:
    state = settled()
    rival(state)

    assert state.problems() == []


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_what_is_planted_is_found(plant: Callable[[Settled], None]) -> None:
    state = settled()
    plant(state)

    assert any(PLANTED[plant] in problem for problem in state.problems()), state.problems()


class Listing:
    """A cluster with these objects, by kind."""

    def __init__(self, **objects: list[Document]) -> None:
        self.objects = objects

    def list(self, _api_version: str, kind: str, namespace: str) -> list[Document]:
        return self.objects.get(kind, []) if namespace == "soak" else []


def cluster(**objects: list[Any]) -> Kube:
    return cast("Kube", Listing(**objects))


def events(kind: str, count: int) -> list[Document]:
    return [{"regarding": {"kind": kind, "name": "one"}} for _ in range(count)]


@pytest.mark.parametrize(
    ("kind", "edits", "allowed"),
    [
        ("RecordSet", 0, EVENTS_ANYWAY),
        ("RecordSet", 5, EVENTS_ANYWAY + 5 * EVENTS_PER_EDIT),
        ("Zone", 5, EVENTS_ANYWAY + 5 * EVENTS_PER_LIFE),
    ],
)
def test_more_events_than_edits_explain_are_a_storm(kind: str, edits: int, allowed: int) -> None:
    assert storms(cluster(Event=events(kind, allowed)), {f"{kind}/one": edits}) == []
    assert storms(cluster(Event=events(kind, allowed + 1)), {f"{kind}/one": edits}) == [
        f"{kind}/one has {allowed + 1} Events after {edits} edits"
    ]


def test_a_ledger_object_that_stays_is_named() -> None:
    left = cluster(ZoneUnitSlice=[{"metadata": {"name": "zone0-1"}}])

    assert ledgers(cluster()) == []
    assert ledgers(left) == ["ZoneUnitSlice/zone0-1"]
