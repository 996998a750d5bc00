"""ZoneUnit and ZoneUnitSlice rules."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import JsonObject, PartialObject
from tests.webhook.objects import (
    ADMIN,
    CORE,
    NOW,
    TENANT,
    changed,
    condition,
    creation,
    deletion,
    item,
    status_update,
    update,
    zone,
    zone_unit,
    zone_unit_slice,
)
from webhook.answer import Refusal, message
from webhook.review import User
from webhook.validators import zoneunit, zoneunitslice
from webhook.validators.snapshot import Snapshot


@pytest.mark.spec("CORE-BY-011")
@pytest.mark.parametrize(
    ("user", "allowed"),
    [
        (ADMIN, True),
        (User(CORE), True),
        (User("restorer"), True),
        (TENANT, False),
        (User("", frozenset()), False),
    ],
)
@pytest.mark.parametrize("kind", ["unit", "slice"])
def test_only_named_writers_write_ledgers(user: User, allowed: bool, kind: str, snapshot: Snapshot) -> None:
    rules, document = (zoneunit, zone_unit()) if kind == "unit" else (zoneunitslice, zone_unit_slice())
    status: JsonObject = {"observedGeneration": 1}
    for answer in (
        rules.validate_spec(creation(document, user), snapshot),
        rules.validate_spec(update(document, changed(document, metadata__annotations={"a": "b"}), user), snapshot),
        rules.validate_status(status_update(document, status, user), snapshot),
    ):
        assert answer.allowed is allowed
        assert allowed or answer.refusal is Refusal.FORBIDDEN


@pytest.mark.spec("CORE-ZU-003")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"spec__provider__version": "v9"},
            'spec.provider.version: Provider example.dns.appthrust.io has no version "v9"',
        ),
        (
            {"spec__zone__ref__namespace": "other"},
            'spec.zone.ref.namespace: must be the ZoneUnit\'s own namespace "app"',
        ),
        ({"spec__zone__ref__name": "other"}, 'spec.zone.ref.name: must be the ZoneUnit\'s own name "example-com"'),
        ({"spec__zone__zoneClassRef__namespace": None}, "spec.zone.zoneClassRef.namespace: is required"),
        ({"spec__zone__domainName": "Example.com"}, "spec.zone.domainName: "),
        ({"spec__recordSets": [item(), item()]}, "spec.recordSets[1]: item app/www stands twice"),
        ({"spec__recordSets": [item(name="WWW", recordSetName="www")]}, "spec.recordSets[0].name: must be lower case"),
        ({"spec__recordSets": [item(recordSetNamespace="A")]}, "spec.recordSets[0].recordSetNamespace: is no legal"),
        ({"spec__recordSets": [item(recordSetName="A")]}, "spec.recordSets[0].recordSetName: is no legal"),
    ],
)
def test_a_bad_unit_is_refused(changes: dict[str, JsonValue], expected: str, snapshot: Snapshot) -> None:
    answer = zoneunit.validate_spec(creation(zone_unit(**changes)), snapshot)
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


def test_the_ledger_of_a_zone_that_is_named_like_an_address_can_be_emptied(snapshot: Snapshot) -> None:
    """An earlier version let such Zones in."""
    old = zone_unit(spec__zone__domainName="192.0.2.1")
    new = changed(old, spec__recordSets=[{**item(), "deletionRequested": True}])
    assert zoneunit.validate_spec(update(old, new), snapshot).allowed
    assert not zoneunit.validate_spec(creation(old), snapshot).allowed


def test_an_unserved_version_is_good_enough_for_a_ledger(snapshot: Snapshot) -> None:
    assert zoneunit.validate_spec(creation(zone_unit(spec__provider__version="v0")), snapshot).allowed


@pytest.mark.parametrize("new", [item(name="other", recordSetName="www"), item(type="AAAA")])
def test_an_item_keeps_name_and_type(new: JsonObject, snapshot: Snapshot) -> None:
    answer = zoneunit.validate_spec(update(zone_unit(), zone_unit(spec__recordSets=[new])), snapshot)
    assert message(answer.problems) == (
        "spec.recordSets[0]: item app/www must keep its name and type (www A); a new claim needs a new item"
    )


def test_items_come_go_and_change(snapshot: Snapshot) -> None:
    new = zone_unit(spec__recordSets=[item(ttl=60), item("api")])
    assert zoneunit.validate_spec(update(zone_unit(), new), snapshot).allowed
    assert zoneunit.validate_spec(update(new, zone_unit(spec__recordSets=[])), snapshot).allowed


@pytest.mark.spec("CORE-ZU-019", "CORE-ZU-020", "CORE-ZU-022", "CORE-ZU-024")
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"conditions": [condition("Programmed", "False", "ProviderChangeDeferred")]}, ""),
        (
            {"conditions": [condition("Accepted", "True", "Accepted")]},
            'status.conditions[0].type: "Accepted" is unknown',
        ),
        ({"conditions": [condition("Programmed", "False", "Frozen")]}, '"Frozen" is no reason for Programmed=False'),
        ({"observedGeneration": 4}, "status.observedGeneration: must be at most"),
        ({"zone": {"conditions": [condition("Programmed", "False", "Frozen")]}}, ""),
        ({"zone": {"conditions": [condition("Programmed", "True", "No")]}}, "status.zone.conditions[0].reason: "),
        ({"zone": {"nameServers": ["A.example"]}}, "status.zone.nameServers[0]: "),
        ({"zone": {"provider": {"data": {"x": 1}, "state": {"any": 1}}}}, "status.zone.provider.data"),
        ({"recordSets": [{**item(), "conditions": [condition("Programmed", "True", "Programmed", 99)]}]}, ""),
        (
            {"recordSets": [{**item(), "conditions": [condition("Programmed", "True", "No")]}]},
            "status.recordSets[0].conditions[0].reason: ",
        ),
        ({"recordSets": [{**item(), "provider": {"data": {"x": 1}}}]}, "status.recordSets[0].provider.data"),
        ({"recordSets": [item(), item()]}, "status.recordSets[1]: item app/www stands twice"),
    ],
)
def test_a_unit_status_says_only_what_the_contract_knows(
    status: dict[str, JsonValue], expected: str, snapshot: Snapshot
) -> None:
    answer = zoneunit.validate_status(status_update(zone_unit(), status), snapshot)
    if expected:
        assert expected in message(answer.problems)
        assert len(answer.problems) == 1
    else:
        assert answer.problems == ()


@pytest.mark.spec("CORE-ZU-026", "CORE-ZU-028")
@pytest.mark.parametrize(
    ("owner", "user", "allowed"),
    [
        (None, ADMIN, True),
        (zone(metadata__deletionTimestamp=NOW), ADMIN, True),
        (zone(), ADMIN, False),
        (zone(), TENANT, False),
        (zone(), User(CORE), True),
    ],
)
def test_a_ledger_goes_after_its_owner(
    owner: JsonObject | None,
    user: User,
    allowed: bool,
    snapshot: Snapshot,
) -> None:
    found = None if owner is None else PartialObject.model_validate(owner)
    known = replace(snapshot, owner=found)
    assert zoneunit.validate_delete(deletion(zone_unit(), user), known).allowed is allowed
    assert zoneunitslice.validate_delete(deletion(zone_unit_slice(), user), known).allowed is allowed


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec__zoneUnitRef__name": "A"}, "spec.zoneUnitRef.name: is no legal object name"),
        ({"spec__recordSets": [item(), item()]}, "spec.recordSets[1]: item app/www stands twice"),
        (
            {"spec__recordSets": [item(name="@", recordSetName="a", type="NS")]},
            "spec.recordSets[0].name: must not be @",
        ),
    ],
)
def test_a_bad_slice_is_refused(changes: dict[str, JsonValue], expected: str, snapshot: Snapshot) -> None:
    answer = zoneunitslice.validate_spec(creation(zone_unit_slice(**changes)), snapshot)
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


def test_a_slice_stays_with_its_unit(snapshot: Snapshot) -> None:
    new = zone_unit_slice(spec__zoneUnitRef__name="other", spec__recordSets=[item(type="AAAA")])
    answer = zoneunitslice.validate_spec(update(zone_unit_slice(), new), snapshot)
    assert [problem.path for problem in answer.problems] == ["spec.zoneUnitRef", "spec.recordSets[0]"]


def test_a_slice_status_follows_the_unit_provider(snapshot: Snapshot) -> None:
    status: JsonObject = {"observedGeneration": 3, "recordSets": [{**item(), "provider": {"data": {"x": 1}}}]}
    known = replace(snapshot, unit=ZoneUnit.model_validate(zone_unit()))
    review = status_update(zone_unit_slice(), status)
    assert zoneunitslice.validate_status(review, snapshot).allowed
    answer = zoneunitslice.validate_status(review, known)
    assert [problem.path for problem in answer.problems] == ["status.recordSets[0].provider.data.x"]
