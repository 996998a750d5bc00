"""Every reason that a Zone's Accepted can have, and how it comes about."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.reasons import ZONE_REASONS
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    ZONE,
    Body,
    condition,
    conversion_webhook,
    converted,
    namespace,
    platform,
    provider,
    two_versions,
    unavailable,
    zone,
    zone_class,
)
from tests.core_controller.zoneunit.reading import items, zone_message, zone_words
from tests.core_controller.zoneunit.world import World

PLATFORM = namespace("platform")
ADOPTED: JsonObject = {"hostedZoneId": "Z1"}
CLOSED: JsonObject = {
    "schemas": {"adoption": {"openAPIV3Schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}
}


def class_status(status: str, reason: str) -> Body:
    """Return a class whose controller said so."""
    resource, body = zone_class()
    return resource, body | {"status": {"conditions": [condition("Accepted", status, reason)]}}


def silent_class() -> Body:
    """Return a class that no controller has looked at."""
    resource, body = zone_class()
    return resource, {name: value for name, value in body.items() if name != "status"}


def leaving_class() -> Body:
    """Return a class that is being deleted and held by what still needs it."""
    resource, body = zone_class()
    meta = body["metadata"]
    assert isinstance(meta, dict)
    held = {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.dns.appthrust.io/in-use"]}
    return resource, body | {"metadata": meta | held}


def selecting(**labels: str) -> Body:
    """Return a class for namespaces with these labels."""
    rule: JsonObject = {"namespaces": {"from": "Selector", "selector": {"matchLabels": dict(labels)}}}
    return zone_class(allowedZones=rule)


def other_provider() -> Body:
    """Return a class of another Provider."""
    return zone_class(provider={"name": "other.dns.appthrust.io", "version": "v1"})


Row = tuple[str, list[Body], tuple[str, str]]
ROWS: list[Row] = [
    ("all is well", [PLATFORM, provider(), zone_class(), zone()], ("True", "Accepted")),
    (
        "a reference that names no object",
        [PLATFORM, provider(), zone_class(), zone(zoneClassRef={"name": "No Object"})],
        ("False", "InvalidZoneClassRef"),
    ),
    ("no class yet", [PLATFORM, provider(), zone()], ("Unknown", "ZoneClassNotResolved")),
    (
        "the class of another namespace is not found by its name alone",
        [PLATFORM, provider(), zone_class(namespace="elsewhere"), zone()],
        ("Unknown", "ZoneClassNotResolved"),
    ),
    ("another Provider", [PLATFORM, provider(), other_provider(), zone()], ("False", "ProviderMismatch")),
    (
        "a class for its own namespace only, by default",
        [
            PLATFORM,
            provider(),
            zone_class(namespace="elsewhere", allowedZones={"namespaces": {}}),
            zone(zoneClassRef={"namespace": "elsewhere", "name": "public"}),
        ],
        ("False", "NotAllowedByZoneClass"),
    ),
    (
        "a class for all",
        [
            PLATFORM,
            provider(),
            zone_class(namespace="elsewhere", allowedZones={"namespaces": {"from": "All"}}),
            zone(zoneClassRef={"namespace": "elsewhere", "name": "public"}),
        ],
        ("True", "Accepted"),
    ),
    (
        "labels that the namespace has",
        [namespace("platform", tenant="a"), provider(), selecting(tenant="a"), zone()],
        ("True", "Accepted"),
    ),
    (
        "labels that the namespace lacks",
        [namespace("platform", tenant="b"), provider(), selecting(tenant="a"), zone()],
        ("False", "NotAllowedByZoneClass"),
    ),
    (
        "a namespace that is not seen yet",
        [provider(), selecting(tenant="a"), zone()],
        ("Unknown", "Reconciling"),
    ),
    (
        "a domain outside of the class's suffixes",
        [
            PLATFORM,
            provider(),
            zone_class(allowedZones={"namespaces": {"from": "Same"}, "domainNames": ["ample.com", "example.net"]}),
            zone(),
        ],
        ("False", "NotAllowedByZoneClass"),
    ),
    (
        "a class that is being deleted",
        [PLATFORM, provider(), leaving_class(), zone()],
        ("False", "ZoneClassNotAccepted"),
    ),
    (
        "a domain stored past admission",
        [PLATFORM, provider(), zone_class(), zone(domainName="Example.com")],
        ("False", "DeniedByPolicy"),
    ),
    (
        "a domain under one of the class's suffixes",
        [
            PLATFORM,
            provider(),
            zone_class(allowedZones={"namespaces": {"from": "Same"}, "domainNames": ["example.com"]}),
            zone(domainName="a.example.com"),
        ],
        ("True", "Accepted"),
    ),
    ("a class that nobody looked at", [PLATFORM, provider(), silent_class(), zone()], ("Unknown", "Reconciling")),
    (
        "a class that was refused",
        [PLATFORM, provider(), class_status("False", "InvalidParameters"), zone()],
        ("False", "ZoneClassNotAccepted"),
    ),
    (
        "a class without its identity",
        [PLATFORM, provider(), class_status("Unknown", "IdentityNotResolved"), zone()],
        ("Unknown", "IdentityNotResolved"),
    ),
    ("no Provider", [PLATFORM, zone_class(), zone()], ("Unknown", "ProviderStorageVersionNotResolved")),
    (
        "a version that is not served",
        [PLATFORM, provider({"served": False}), zone_class(), zone()],
        ("Unknown", "ProviderStorageVersionNotResolved"),
    ),
    (
        "a Provider without a storage version",
        [PLATFORM, provider({"storage": False}), zone_class(), zone()],
        ("Unknown", "ProviderStorageVersionNotResolved"),
    ),
    (
        "a Provider version without zones",
        [PLATFORM, provider({"zone": None}), zone_class(), zone()],
        ("False", "InvalidProvider"),
    ),
    (
        "a payload that the schema refuses",
        [PLATFORM, provider({"zone": CLOSED}), zone_class(), zone(adoption={"id": 7})],
        ("False", "InvalidProviderPayload"),
    ),
    (
        "a payload that converts to what storage refuses",
        [PLATFORM, two_versions({"cel": "{'adoption': {'strange': 'x'}}"}), zone_class(), zone(adoption={"note": "x"})],
        ("False", "ProviderConversionFailed"),
    ),
    (
        "a rule of the Provider",
        [
            PLATFORM,
            provider(
                {"zone": {"validationRules": [{"rule": "self.spec.domainName == 'x.org'", "message": "only x.org"}]}}
            ),
            zone_class(),
            zone(),
        ],
        ("False", "DeniedByPolicy"),
    ),
]


@pytest.mark.spec(
    "CORE-ZC-010",
    "CORE-ZN-012",
    "CORE-ZN-013",
    "CORE-ZS-004",
    "CORE-ZS-005",
    "CORE-ZS-006",
    "CORE-ZS-008",
    "CORE-ZS-009",
    "CORE-ZS-010",
    "CORE-ZS-011",
    "CORE-ZS-013",
    "CORE-ZS-014",
    "CORE-ZS-015",
    "CORE-ZS-017",
    "CORE-ZS-018",
    "PC-WR-005",
    "CORE-BY-003",
)
@pytest.mark.parametrize(("what", "bodies", "expected"), ROWS, ids=[row[0] for row in ROWS])
async def test_the_chain_of_zone_acceptance(what: str, bodies: list[Body], expected: tuple[str, str]) -> None:
    world = World()
    world.put(*bodies)
    await world.settle()
    found = world.condition(world.zone(ZONE), "Accepted")
    assert found is not None, what
    assert (found.status, found.reason) == expected
    assert found.observed_generation == 1
    assert found.message


@pytest.mark.spec("CORE-ZS-007", "CORE-ZS-012", "CORE-ZS-013")
@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("False", "InvalidIdentityRef"),
        ("False", "InvalidAdoption"),
        ("False", "ManagedResourceMismatch"),
        ("False", "DeniedByPolicy"),
        ("Unknown", "IdentityNotResolved"),
        ("Unknown", "ReconcileError"),
    ],
)
async def test_what_the_provider_says_becomes_the_zones_accepted(world: World, status: str, reason: str) -> None:
    world.provider.zone_verdict = (status, reason)
    world.put(zone())
    await world.settle()
    assert zone_words(world)["Accepted"] == (status, reason)


@pytest.mark.spec("CORE-ZS-016", "CORE-ZU-006", "PC-CV-002", "PC-CV-011")
async def test_a_conversion_service_that_is_away_is_asked_again_and_keeps_what_was_accepted() -> None:
    """Case 69."""
    world = World()
    world.conversions.answer = converted
    world.put(PLATFORM, two_versions(conversion_webhook()), zone_class(), zone(adoption={"note": "x"}))
    await world.settle()
    assert world.unit(ZONE).spec.zone.adoption == {"note": "x"}
    world.conversions.answer = unavailable
    await world.edit(ZONES, ZONE, {"spec": {"adoption": {"note": "y"}}})
    await world.settle()
    assert zone_words(world)["Accepted"] == ("Unknown", "ProviderConversionUnavailable")
    assert world.unit(ZONE).spec.zone.adoption == {"note": "x"}
    world.conversions.answer = converted
    await world.wait(timedelta(minutes=1))
    assert zone_words(world) == {"Accepted": ("True", "Accepted"), "Programmed": ("True", "Programmed")}
    assert world.unit(ZONE).spec.zone.adoption == {"note": "y"}


async def test_a_ledger_for_another_domain_is_not_turned_over(served: World) -> None:
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.put(*platform(), (ZONE_UNITS, ledger), zone(domainName="example.org"))
    await other.settle()
    assert zone_words(other)["Accepted"] == ("Unknown", "OwnerStateNotResolved")
    assert "is kept for the domain example.com, not example.org" in zone_message(other)
    assert other.unit(ZONE).spec.zone.domain_name == "example.com"


async def test_the_ledger_stays_as_last_accepted_while_its_zone_is_in_trouble(served: World) -> None:
    before = served.unit(ZONE).spec
    await served.edit(ZONES, ZONE, {"spec": {"adoption": ADOPTED}})
    served.put(other_provider())
    await served.settle()
    assert zone_words(served)["Accepted"] == ("False", "ProviderMismatch")
    assert served.unit(ZONE).spec == before
    assert items(served) == {}


@pytest.mark.spec("CORE-ZS-025")
def test_every_reason_of_the_table_is_reached_by_a_row() -> None:
    reached = {expected for _, _, expected in ROWS} | {
        ("False", "InvalidIdentityRef"),
        ("False", "InvalidAdoption"),
        ("False", "ManagedResourceMismatch"),
        ("Unknown", "ReconcileError"),
        ("Unknown", "ProviderConversionUnavailable"),
        ("Unknown", "OwnerStateNotResolved"),
    }
    table = {(status.value, reason) for status, reasons in ZONE_REASONS["Accepted"].items() for reason in reasons}
    assert reached == {(status, str(reason)) for status, reason in table}


async def test_the_acceptance_names_class_and_domain(served: World) -> None:
    assert zone_message(served) == "Zone example.com was accepted by ZoneClass platform/public."


@pytest.mark.spec("CORE-ZN-006", "CORE-ZU-004")
async def test_a_zone_without_an_own_namespace_in_its_reference_uses_the_class_of_its_namespace(served: World) -> None:
    assert served.unit(ZONE).spec.zone.zone_class_ref.key == ObjectKey("platform", "public")
    assert served.unit(ZONE).spec.provider.name == PROVIDER


async def test_a_zone_that_has_its_ledger_is_served_on_while_its_class_is_being_deleted(served: World) -> None:
    """Case 71."""
    await served.edit(ZONE_CLASSES, ObjectKey("platform", "public"), {"metadata": {"finalizers": ["example/in-use"]}})
    await served.delete(ZONE_CLASSES, ObjectKey("platform", "public"))
    await served.settle()
    assert zone_words(served)["Accepted"] == ("True", "Accepted")
