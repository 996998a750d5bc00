"""The Event tables of the core seed: type, reason and `related` of what people are told about their claims."""

from datetime import UTC, datetime, timedelta

import pytest

from core_controller.zoneunit.plan.announcements import record_set_events, zone_events
from core_controller.zoneunit.snapshot import UnitSnapshot
from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.meta import NAMESPACES, ObjectKey
from libdnsapi.runtime.events import Event
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    ZONE,
    Body,
    allow,
    condition,
    namespace,
    platform,
    provider,
    record_set,
    renamed,
    zone,
    zone_class,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, words
from tests.core_controller.zoneunit.world import World

CLASS = ("ZoneClass", "platform/public")
THE_ZONE = ("Zone", "platform/example-com")
IDENTITY = ("Identity", "platform/account")
THE_PROVIDER = ("Provider", PROVIDER)
NONE = None
Related = tuple[str, str] | None


def told(world: World, kind: str, reason: str) -> list[tuple[str, Related]]:
    """Return (type, related) of the Events about objects of a kind with this reason."""
    return [(e.type, related(e)) for e in world.recorder.events if (e.regarding.kind, e.reason) == (kind, reason)]


def related(event: Event) -> Related:
    """Return kind and key of an Event's related object."""
    ref = event.related
    return None if ref is None else (ref.kind, str(ObjectKey(ref.namespace, ref.name)))


def refused_class() -> Body:
    """Return a class that its controller refused."""
    resource, body = zone_class()
    return resource, body | {"status": {"conditions": [condition("Accepted", "False", "InvalidParameters")]}}


ZONE_COMPOSITION: list[tuple[str, list[Body], str, Related]] = [
    ("Accepted", [*platform(), zone()], "Normal", CLASS),
    ("InvalidZoneClassRef", [*platform(), zone(zoneClassRef={"name": "No"})], "Warning", NONE),
    (
        "NotAllowedByZoneClass",
        [*platform()[:2], zone_class(allowedZones={"namespaces": {"from": "Selector"}}), zone()],
        "Warning",
        CLASS,
    ),
    ("ZoneClassNotAccepted", [*platform()[:2], refused_class(), zone()], "Warning", CLASS),
    ("InvalidProvider", [*platform()[:1], provider({"zone": None}), zone_class(), zone()], "Warning", THE_PROVIDER),
    (
        "ProviderMismatch",
        [*platform()[:2], zone_class(provider={"name": "other.dns.appthrust.io", "version": "v1"}), zone()],
        "Warning",
        CLASS,
    ),
]


@pytest.mark.spec("CORE-ZE-003", "CORE-ZE-006", "CORE-ZE-007", "CORE-ZE-008", "CORE-ZE-010")
@pytest.mark.parametrize(("reason", "bodies", "type_", "expected"), ZONE_COMPOSITION)
async def test_zone_events_of_composition(reason: str, bodies: list[Body], type_: str, expected: Related) -> None:
    world = World()
    world.put(*bodies)
    await world.settle()
    assert told(world, "Zone", reason) == [(type_, expected)]


ZONE_PROVIDER: list[tuple[str, str, str, str, Related]] = [
    ("Accepted", "False", "InvalidIdentityRef", "Warning", IDENTITY),
    ("Accepted", "False", "InvalidAdoption", "Warning", NONE),
    ("Accepted", "False", "DeniedByPolicy", "Warning", CLASS),
    ("Accepted", "False", "ManagedResourceMismatch", "Warning", NONE),
    ("Programmed", "False", "ProviderChangePending", "Normal", NONE),
    ("Programmed", "True", "Programmed", "Normal", NONE),
    ("Programmed", "False", "ExternalResourceNotFound", "Warning", NONE),
    ("Programmed", "False", "ExternalResourceMismatch", "Warning", NONE),
    ("Programmed", "False", "ProviderConflict", "Warning", NONE),
    ("Programmed", "False", "ProviderAccessDenied", "Warning", IDENTITY),
    ("Programmed", "False", "ProviderInvalidRequest", "Warning", THE_ZONE),
    ("Programmed", "False", "ProviderUnavailable", "Warning", NONE),
    ("Programmed", "False", "ReconcileError", "Warning", NONE),
]


@pytest.mark.spec(
    "CORE-ZS-020",
    "CORE-ZE-005",
    "CORE-ZE-009",
    "CORE-ZE-011",
    "CORE-ZE-012",
    "CORE-ZE-013",
    "CORE-ZE-014",
    "CORE-ZE-015",
)
@pytest.mark.parametrize(("condition_type", "status", "reason", "type_", "expected"), ZONE_PROVIDER)
async def test_zone_events_of_the_providers_verdict(
    world: World, condition_type: str, status: str, reason: str, type_: str, expected: Related
) -> None:
    """Case 77."""
    if condition_type == "Accepted":
        world.provider.zone_verdict = (status, reason)
    else:
        world.provider.zone_programmed = (status, reason)
    world.put(zone())
    await world.settle()
    assert told(world, "Zone", reason) == [(type_, expected)]


RECORD_SET_COMPOSITION: list[tuple[str, list[Body], str, Related]] = [
    ("Accepted", [zone(), record_set("www")], "Normal", THE_ZONE),
    ("InvalidZoneRef", [zone(), record_set("www", zoneRef={"name": "No"})], "Warning", NONE),
    (
        "ProviderMismatch",
        [zone(), record_set("www", provider={"name": "other.dns.appthrust.io", "version": "v1"})],
        "Warning",
        THE_ZONE,
    ),
    ("NotAllowedByZone", [zone(), namespace("team"), record_set("www", "team")], "Warning", THE_ZONE),
    ("ZoneNotAccepted", [zone(zoneClassRef={"name": "No"}), record_set("www")], "Warning", THE_ZONE),
    ("DeniedByPolicy", [zone(), record_set("www", a={"addresses": ["999.0.2.1"]})], "Warning", THE_ZONE),
    (
        "RecordSetConflict",
        [zone(), record_set("www"), renamed(record_set("www", created="2030-01-01T00:00:00Z"), "ww")],
        "Warning",
        ("RecordSet", "platform/www"),
    ),
]


@pytest.mark.spec("CORE-RE-003", "CORE-RE-004", "CORE-RE-005", "CORE-RE-007", "CORE-RE-008")
@pytest.mark.parametrize(("reason", "bodies", "type_", "expected"), RECORD_SET_COMPOSITION)
async def test_record_set_events_of_composition(
    world: World, reason: str, bodies: list[Body], type_: str, expected: Related
) -> None:
    world.put(*bodies)
    await world.settle()
    assert told(world, "RecordSet", reason) == [(type_, expected)]


@pytest.mark.spec("CORE-RE-006")
async def test_an_unsupported_type_relates_to_the_provider() -> None:
    world = World()
    world.put(*platform()[:1], provider({"recordSet": {"supportedTypes": ["TXT"]}}), zone_class(), zone())
    world.put(record_set("www"))
    await world.settle()
    assert told(world, "RecordSet", "InvalidProvider") == [("Warning", THE_PROVIDER)]


RECORD_SET_PROVIDER: list[tuple[str, str, str, str, Related]] = [
    ("Accepted", "False", "InvalidAdoption", "Warning", NONE),
    ("Accepted", "False", "ManagedResourceMismatch", "Warning", NONE),
    ("Accepted", "False", "DeniedByPolicy", "Warning", THE_ZONE),
    ("Programmed", "False", "ProviderChangePending", "Normal", THE_ZONE),
    ("Programmed", "False", "ProviderChangeDeferred", "Normal", THE_ZONE),
    ("Programmed", "True", "Programmed", "Normal", THE_ZONE),
    ("Programmed", "False", "ExternalResourceNotFound", "Warning", NONE),
    ("Programmed", "False", "ExternalResourceMismatch", "Warning", NONE),
    ("Programmed", "False", "ProviderConflict", "Warning", THE_ZONE),
    ("Programmed", "False", "ProviderAccessDenied", "Warning", IDENTITY),
    ("Programmed", "False", "ProviderInvalidRequest", "Warning", THE_ZONE),
    ("Programmed", "False", "ProviderUnavailable", "Warning", THE_ZONE),
    ("Programmed", "False", "ReconcileError", "Warning", NONE),
]


@pytest.mark.spec("CORE-RT-021", "CORE-RE-009", "CORE-RE-010", "CORE-RE-011", "CORE-RE-012", "CORE-RE-013")
@pytest.mark.parametrize(("condition_type", "status", "reason", "type_", "expected"), RECORD_SET_PROVIDER)
async def test_record_set_events_of_the_providers_verdict(
    served: World, condition_type: str, status: str, reason: str, type_: str, expected: Related
) -> None:
    """Case 77."""
    fine = (("True", "Accepted"), ("True", "Programmed"))
    mine = (status, reason)
    served.provider.item_verdicts[WWW] = (mine, fine[1]) if condition_type == "Accepted" else (fine[0], mine)
    served.put(record_set("www"))
    await served.settle()
    assert told(served, "RecordSet", reason) == [(type_, expected)]


async def test_events_carry_the_claims_own_kind_and_uid(served: World) -> None:
    """Case 77."""
    served.put(record_set("www"))
    await served.settle()
    claim = served.record_set(WWW)
    mine = [e for e in served.recorder.events if e.regarding.kind == "RecordSet"]
    assert {(e.regarding.api_version, e.regarding.uid) for e in mine} == {
        ("dns.appthrust.io/v1alpha1", claim.metadata.uid)
    }
    assert [e.reason for e in mine] == ["Accepted", "Programmed"]


@pytest.mark.spec("CORE-ZE-002", "CORE-RE-001")
async def test_an_unchanged_state_is_told_once(served: World) -> None:
    served.put(record_set("www"), namespace("team"), record_set("www", "team"))
    await served.settle()
    before = len(served.recorder.events)
    for _ in range(3):
        served.restart()
        await served.settle()
    assert len(served.recorder.events) == before


@pytest.mark.spec("CORE-ZE-002")
async def test_a_new_generation_with_the_same_result_is_no_news(served: World) -> None:
    served.provider.item_verdicts[WWW] = (("True", "Accepted"), ("False", "ProviderConflict"))
    served.put(record_set("www"))
    await served.settle()
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    assert len(told(served, "RecordSet", "Accepted")) == 1


@pytest.mark.spec("CORE-ZE-001", "CORE-RE-001")
async def test_a_change_of_reason_is_told_and_told_again_when_it_comes_back(served: World) -> None:
    served.put(namespace("team", dns="yes"), record_set("www", "team"))
    rules = {"spec": {"allowedRecordSets": [allow("www")]}}
    await served.edit(ZONES, ZONE, rules)
    await served.settle()
    for label in ("no", "yes"):
        await served.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": label}}})
        await served.settle()
    mine = [e.reason for e in served.recorder.events if e.regarding.namespace == "team"]
    assert mine == ["Accepted", "Programmed", "NotAllowedByZone", "Accepted"]


SENTENCES = [
    ("Zone", "Accepted", "Zone example.com was accepted by ZoneClass platform/public."),
    ("RecordSet", "Accepted", "RecordSet type=A name=www in Zone platform/example-com was accepted."),
    ("RecordSet", "Programmed", "RecordSet type=A name=www was programmed in Zone platform/example-com."),
    ("RecordSet", "NotAllowedByZone", "RecordSet type=A name=www is not allowed by Zone platform/example-com."),
    ("RecordSet", "RecordSetConflict", "RecordSet type=A name=www is already allocated to RecordSet platform/www."),
]


@pytest.mark.spec("CORE-ZE-017", "CORE-RE-015")
@pytest.mark.parametrize(("kind", "reason", "sentence"), SENTENCES)
async def test_the_seeds_sentences(served: World, kind: str, reason: str, sentence: str) -> None:
    served.put(
        record_set("www"),
        renamed(record_set("www", created="2030-01-01T00:00:00Z"), "second"),
        namespace("team"),
        record_set("www", "team"),
    )
    await served.settle()
    assert sentence in {e.note for e in served.recorder.events if (e.regarding.kind, e.reason) == (kind, reason)}


def test_a_programmed_zone_is_told_in_the_seeds_words_whatever_the_provider_says() -> None:
    said = condition("Programmed", "True", "Programmed") | {"message": "Hosted zone Z1 serves example.com."}
    claim = Zone.model_validate(zone()[1])
    [event] = zone_events(UnitSnapshot(ZONE, datetime.now(UTC), claim), claim, [Condition.model_validate(said)])
    assert event.message == "Zone example.com was programmed. Hosted zone Z1 serves example.com."


async def test_a_record_sets_event_never_names_the_identity(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    said = condition("Programmed", "False", "ProviderIdentityNotReady")
    said |= {"message": "Waiting for Identity platform/account to become ready; see its status."}
    snapshot = await served.gatherer.snapshot(ZONE, ("www",), datetime.now(UTC))
    claim = served.record_set(WWW)
    [event] = record_set_events(snapshot, claim, [Condition.model_validate(said)], None)
    assert event.message.endswith(": Waiting for Identity to become ready; see its status.")


@pytest.mark.parametrize("reason", ["ProviderAccessDenied", "ProviderIdentityNotReady"])
async def test_a_zone_in_trouble_with_its_identity_names_it_and_a_record_set_does_not(
    served: World, reason: str
) -> None:
    served.provider.item_verdicts[WWW] = (("True", "Accepted"), ("False", reason))
    served.provider.zone_programmed = ("False", reason)
    served.put(record_set("www"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("x")]}})
    await served.settle()
    notes = {e.regarding.kind: e.note for e in served.recorder.events if e.reason == reason}
    assert notes["Zone"].endswith("(Identity platform/account)")
    assert "account" not in notes["RecordSet"]


@pytest.mark.spec("CORE-ZE-004", "CORE-RE-002")
async def test_every_message_says_what_it_is_about(served: World) -> None:
    served.provider.item_verdicts[WWW] = (("True", "Accepted"), ("False", "ProviderUnavailable"))
    served.provider.zone_programmed = ("False", "ProviderUnavailable")
    served.put(record_set("www"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("x")]}})
    await served.settle()
    for event in served.recorder.events:
        assert ("example.com" if event.regarding.kind == "Zone" else "type=A name=www") in event.note
    [about] = [e.note for e in served.recorder.events if e.regarding.kind == "RecordSet" and "Unavailable" in e.reason]
    assert about.startswith("RecordSet type=A name=www (www.example.com) in Zone platform/example-com: ")


@pytest.mark.parametrize("name", ["example-com", "example", "www"])
@pytest.mark.spec("CORE-RE-002")
async def test_an_identity_named_like_something_else_takes_no_word_out_of_an_event(name: str) -> None:
    world = World()
    world.put(*platform()[:2], zone_class(identityRef={"name": name}), zone(), record_set("www"))
    world.put(renamed(record_set("www"), "second"))
    await world.settle()
    notes = {e.note for e in world.recorder.events if e.regarding.kind == "RecordSet"}
    assert "RecordSet type=A name=www in Zone platform/example-com was accepted." in notes
    assert "RecordSet type=A name=www is already allocated to RecordSet platform/second." in notes


async def test_what_is_applied_in_any_order_warns_of_nothing_that_was_merely_not_there_yet() -> None:
    """As with one `kubectl apply` or a chart: the record set before its Zone, the Zone before its class."""
    world = World()
    steps = [[record_set("www")], [zone()], [zone_class_not_looked_at()], platform(), [zone_class()]]
    for bodies in steps:
        world.put(*bodies)
        await world.settle()
    await world.wait(timedelta(minutes=1))
    assert words(world) == PROGRAMMED
    assert [e.reason for e in world.recorder.events if e.type == "Warning"] == []


async def test_what_is_still_missing_after_a_while_is_told_once(world: World) -> None:
    world.put(zone(zoneClassRef={"name": "gone"}), record_set("www"))
    await world.settle()
    assert world.recorder.events == []
    for _ in range(3):
        await world.wait(timedelta(minutes=1))
    assert told(world, "Zone", "ZoneClassNotResolved") == [("Warning", None)]
    assert told(world, "RecordSet", "ZoneClassNotResolved") == [("Warning", None)]
    assert len(world.recorder.events) == 2


async def test_nothing_is_told_of_a_claim_that_was_made_anew_in_the_meantime(world: World) -> None:
    world.put(record_set("www"))
    await world.settle()
    await world.delete(RECORD_SETS, WWW)
    world.put(zone(), record_set("www"))
    await world.settle()
    await world.wait(timedelta(minutes=1))
    assert {e.type for e in world.recorder.events} == {"Normal"}


def zone_class_not_looked_at() -> Body:
    """Return the class as a provider controller sees it that has not seen its identity yet."""
    resource, body = zone_class()
    return resource, body | {"status": {"conditions": [condition("Accepted", "Unknown", "IdentityNotResolved")]}}
