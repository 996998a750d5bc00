"""The hosted zone: created once, adopted, denied, tagged, and only one unit's."""

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.meta import JsonObject, ObjectKey
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, leaving, unit_document, with_settings


async def adopting(world: World, zone_id: str) -> None:
    await world.edit(ZONE_UNITS, UNIT, {"spec": {"zone": {"adoption": {"hostedZoneId": zone_id}}}})


@pytest.mark.spec("CORE-ZE-016", "R53-HA-004", "R53-HD-008", "R53-TG-001")
async def test_an_existing_zone_is_adopted_tagged_and_its_records_left_alone() -> None:
    world = World()
    zone = world.route53.add_zone(DOMAIN)
    await adopting(world, zone.id)
    await world.set_items(a("www"))
    await world.run()
    assert world.zone_condition() == "True Programmed"
    assert world.zone_id == zone.id
    assert world.programmed("www") == "True Programmed"
    assert world.route53.zones[zone.id].tags["appthrust.io/managed-by"] == "dns-api"
    assert "ExternalResourceAdopted" in world.reasons()
    assert world.route53.calls["CreateHostedZone"] == 0


@pytest.mark.spec("R53-HA-002", "R53-HA-003")
@pytest.mark.parametrize(
    ("name", "private", "reason"),
    [
        ("other.example", False, "ExternalResourceMismatch"),
        (DOMAIN, True, "ExternalResourceMismatch"),
        ("", False, "ExternalResourceNotFound"),
    ],
)
async def test_a_zone_that_does_not_fit_is_not_adopted(name: str, private: bool, reason: str) -> None:
    world = World()
    if name:
        world.route53.add_zone(name, "ZTARGET", private=private)
    await adopting(world, "ZTARGET")
    await world.set_items(a("www"), leaving(a("old")))
    await world.run()
    assert world.zone_condition() == f"False {reason}"
    assert world.programmed("www") == f"False {reason}"
    status = world.item_status("old")
    assert status is not None
    assert status.deletion_completed
    assert world.zone_id == ""


@pytest.mark.spec("R53-HA-005")
async def test_an_adoption_that_comes_true_later_needs_no_edit() -> None:
    world = World()
    await adopting(world, "ZTARGET")
    await world.run()
    world.route53.add_zone(DOMAIN, "ZTARGET")
    await world.pass_time(world.settings.drift_interval)
    assert world.zone_condition() == "True Programmed"


@pytest.mark.spec("CORE-ZN-010", "PC-AN-005", "R53-HA-006")
async def test_an_adoption_that_points_elsewhere_is_refused_without_a_call() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.route53.add_zone(DOMAIN, "ZOTHER")
    world.quiet()
    await adopting(world, "ZOTHER")
    await world.run()
    assert world.zone_condition("Accepted") == "False ManagedResourceMismatch"
    assert world.accepted("www") == "False ZoneNotAccepted"
    assert not world.route53.calls


@pytest.mark.spec("R53-HA-001")
async def test_an_adoption_payload_that_does_not_fit_is_invalid() -> None:
    world = World()
    await adopting(world, "/hostedzone/ZOTHER")
    await world.run()
    assert world.zone_condition("Accepted") == "False InvalidAdoption"


@pytest.mark.spec("R53-HZ-002")
async def test_creation_may_be_denied_by_the_class() -> None:
    """Case 76."""
    world = World(parameters={"zoneCreationPolicy": "Deny"})
    await world.set_items(a("www"))
    await world.run()
    assert world.zone_condition("Accepted") == "False DeniedByPolicy"
    assert world.accepted("www") == "False ZoneNotAccepted"
    assert not world.route53.zones


@pytest.mark.spec("PC-AN-006", "R53-HZ-003", "R53-HZ-004", "R53-HZ-005", "R53-ZC-004")
async def test_a_zone_of_the_same_name_is_a_conflict_unless_allowed() -> None:
    """Case 41."""
    world = World()
    world.route53.add_zone(DOMAIN, private=True)
    world.route53.add_zone(DOMAIN, "ZTWIN")
    await world.run()
    assert world.zone_condition() == "False ProviderConflict"
    assert "ZTWIN" in world.zone_message()
    world.put_class({"sameNameZonePolicy": "Allow"})
    await world.run()
    await world.pass_time(world.settings.drift_interval)
    assert world.zone_condition() == "True Programmed"
    assert world.zone_id != "ZTWIN"


@pytest.mark.spec("R53-HZ-015")
async def test_a_quota_is_reported_and_tried_again() -> None:
    world = World()
    world.route53.fail("CreateHostedZone", AwsFailure.LIMIT_EXCEEDED, "too many hosted zones")
    await world.step()
    assert world.zone_condition() == "False ProviderInvalidRequest"
    await world.pass_time(world.settings.drift_interval)
    assert world.zone_condition() == "True Programmed"
    assert len(world.route53.zones) == 1


@pytest.mark.spec("R53-TG-001", "R53-TG-002", "R53-TG-003")
async def test_tags_are_repaired_and_only_our_own_are_removed() -> None:
    """Case 74."""
    tags: JsonObject = {f"team-{number}": "dns" for number in range(12)}
    world = World(parameters={"tags": tags})
    await world.run()
    there = world.route53.zones[world.zone_id].tags
    assert len(there) == 17
    there["theirs"] = "stays"
    there["appthrust.io/zone-name"] = "stolen"
    world.put_class({"tags": {"team-1": "dns"}})
    await world.annotate(reconcile_request="now")
    await world.run()
    there = world.route53.zones[world.zone_id].tags
    assert len(there) == 7
    assert there["theirs"] == "stays"
    assert there["appthrust.io/zone-name"] == "example-com"


@pytest.mark.spec("R53-TG-003")
async def test_a_tag_that_stood_there_before_us_is_never_removed_even_if_the_class_had_it_too() -> None:
    world = World(parameters={"tags": {"team": "dns", "cost": "42"}})
    zone = world.route53.add_zone(DOMAIN)
    world.route53.zones[zone.id].tags["team"] = "dns"
    await adopting(world, zone.id)
    await world.run()
    assert world.route53.zones[zone.id].tags["cost"] == "42"
    world.put_class({"tags": {}})
    await world.annotate(reconcile_request="now")
    await world.run()
    assert world.route53.zones[zone.id].tags["team"] == "dns"
    assert "cost" not in world.route53.zones[zone.id].tags


@pytest.mark.spec("R53-TG-005")
async def test_a_crash_before_tagging_is_made_good() -> None:
    world = World()
    world.route53.fail("ChangeTagsForResource", AwsFailure.UNAVAILABLE)
    await world.step()
    world.start()
    await world.run()
    assert world.route53.zones[world.zone_id].tags["appthrust.io/managed-by"] == "dns-api"


@pytest.mark.spec("R53-TG-006")
async def test_replacing_another_zones_tags_draws_a_warning() -> None:
    world = World()
    zone = world.route53.add_zone(DOMAIN)
    world.route53.zones[zone.id].tags |= {
        "appthrust.io/managed-by": "dns-api",
        "appthrust.io/zone-namespace": "elsewhere",
        "appthrust.io/zone-name": "other",
    }
    await adopting(world, zone.id)
    await world.run()
    assert "Route53OwnershipTagsReplaced" in world.reasons()
    assert world.route53.zones[zone.id].tags["appthrust.io/zone-namespace"] == "dns"


@pytest.mark.spec("R53-HZ-020")
async def test_the_older_of_two_units_holds_a_hosted_zone() -> None:
    world = World()
    await world.run()
    other = ObjectKey("dns", "example-com-two")
    world.put(ZONE_UNITS, unit_document({"hostedZoneId": world.zone_id}, other))
    await world.reconciler.reconcile(other)
    document = world.kubernetes.read(ZONE_UNITS, other)
    zone = ZoneUnit.model_validate(document).status.zone
    assert zone is not None
    assert [c.reason for c in zone.conditions if c.type == "Programmed"] == ["ProviderConflict"]
    await world.run()
    assert world.zone_condition() == "True Programmed"


@pytest.mark.spec("PC-WR-007", "R53-ZC-001")
async def test_units_of_other_controllers_are_left_alone() -> None:
    world = World(settings=with_settings(controller_name="example.com/another"))
    await world.set_items(a("www"))
    await world.run()
    assert not world.route53.calls
    assert not [w for w in world.kubernetes.writes() if "status" in w[1]]


@pytest.mark.spec("R53-CR-008")
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"allowedZones": {"namespaces": {"from": "Same"}}}, "NotAllowedByZoneClass"),
        ({"allowedZones": {"namespaces": {"from": "All"}, "domainNames": ["example.org"]}}, "NotAllowedByZoneClass"),
        (
            {"allowedZones": {"namespaces": {"from": "Selector", "selector": {"matchLabels": {"team": "web"}}}}},
            "NotAllowedByZoneClass",
        ),
    ],
)
async def test_allowed_zones_are_checked_again(spec: JsonObject, reason: str) -> None:
    world = World()
    world.put_class({}, **spec)
    await world.set_items(a("www"))
    await world.run()
    assert world.zone_condition("Accepted") == f"False {reason}"
    assert world.accepted("www") == "False ZoneNotAccepted"
    assert not world.route53.zones


@pytest.mark.spec("R53-CR-008")
async def test_what_is_no_longer_allowed_stays_but_can_leave() -> None:
    world = World()
    await world.set_items(a("www"), a("api"))
    await world.run()
    world.put_class({}, allowedZones={"namespaces": {"from": "Same"}})
    await world.set_items(a("www", "192.0.2.9", generation=2), leaving(a("api")))
    await world.run()
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.values("api.example.com") is None
    assert world.accepted("www") == "False ZoneNotAccepted"
    world.put_class({})
    await world.run()
    assert world.values("www.example.com") == ("192.0.2.9",)


@pytest.mark.spec("R53-UI-001", "R53-UI-002", "R53-UI-003")
@pytest.mark.parametrize(
    ("accepted", "ready", "zone_accepted", "zone_programmed", "item"),
    [
        ("", "", "Unknown IdentityNotResolved", "True Programmed", "Unknown IdentityNotResolved"),
        ("False", "", "False InvalidIdentityRef", "True Programmed", "False ZoneNotAccepted"),
        ("True", "False", "True Accepted", "False ProviderIdentityNotReady", "True Accepted"),
    ],
)
async def test_an_identity_that_is_not_usable_is_said_without_losing_state(
    accepted: str, ready: str, zone_accepted: str, zone_programmed: str, item: str
) -> None:
    """Case 75."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    zone_id = world.zone_id
    world.put_identity(accepted=accepted, ready=ready)
    world.quiet()
    await world.run()
    assert world.zone_condition("Accepted") == zone_accepted
    assert world.zone_condition() == zone_programmed
    assert world.accepted("www") == item
    if ready == "False":
        assert world.programmed("www") == "False ProviderIdentityNotReady"
    assert not world.route53.calls
    world.put_identity()
    await world.run()
    assert world.zone_id == zone_id
    assert world.programmed("www") == "True Programmed"
    assert world.aggregate() == "True Programmed"


@pytest.mark.spec("R53-UI-001")
async def test_while_an_edited_identity_is_being_looked_at_its_zones_say_what_they_said_and_nothing_is_sent() -> None:
    """Else each edit would turn every RecordSet of the account to Unknown and back."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.put_identity(generation=2, accountID="210987654321")
    await world.set_items(a("www", "192.0.2.9", generation=2))
    world.quiet()
    before = world.unit.status
    await world.run()
    assert world.unit.status == before
    assert not world.route53.calls
    assert not world.events
    world.put_identity(generation=2, judged=2)
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert world.values("www.example.com") == ("192.0.2.9",)
