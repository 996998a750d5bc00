"""Record sets of several types at one name, of several owners: none waits for another's propagation."""

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.zoneunit.world import DOMAIN, World, a, cname, item, leaving


def text(value: str, generation: int = 1) -> JsonObject:
    return item("@", "TXT", claim="text", ttl=300, generation=generation, txt={"values": [value]})


MAIL = item("@", "MX", claim="mail", ttl=300, mx={"records": [{"preference": 10, "exchange": "mx.example.net"}]})


@pytest.mark.spec("R53-WR-008")
async def test_an_edit_does_not_wait_for_the_propagation_of_another_type_at_its_name() -> None:
    """As at the apex, where mail, texts and addresses belong to different teams."""
    world = World()
    await world.set_items(a("@"), text("one"))
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("@", "192.0.2.2", generation=2), text("one"))
    await world.step()
    await world.set_items(a("@", "192.0.2.2", generation=2), text("two", generation=2), MAIL)
    await world.step()
    assert world.values(DOMAIN, "TXT") == ('"two"',)
    assert world.values(DOMAIN, "MX") == ("10 mx.example.net.",)
    assert world.programmed("apex") == "False ProviderChangePending"
    world.route53.auto_insync = True
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}


@pytest.mark.spec("R53-WR-008", "R53-RS-016")
async def test_what_excludes_what_is_in_flight_at_its_name_waits_for_it() -> None:
    world = World()
    await world.set_items(a("www", claim="old"))
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(leaving(a("www", claim="old")))
    await world.step()
    await world.set_items(leaving(a("www", claim="old")), cname("www", claim="new"))
    await world.step()
    assert world.programmed("new") == "False ProviderChangeDeferred"
    world.route53.auto_insync = True
    await world.run()
    assert world.programmed("new") == "True Programmed"


@pytest.mark.spec("R53-WR-008", "R53-WR-003")
async def test_a_lost_answer_of_one_type_does_not_hold_up_another_and_both_end_well() -> None:
    world = World()
    await world.set_items(a("@"), text("one"))
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("@", "192.0.2.2", generation=2), text("one"))
    await world.step()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.set_items(a("@", "192.0.2.2", generation=2), text("two", generation=2))
    await world.step()
    assert world.programmed("text") == "False ProviderUnavailable"
    world.route53.auto_insync = True
    await world.set_items(a("@", "192.0.2.3", generation=3), text("two", generation=2))
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert (world.values(DOMAIN), world.values(DOMAIN, "TXT")) == (("192.0.2.3",), ('"two"',))
    await world.set_items(leaving(a("@", "192.0.2.3", generation=3)), leaving(text("two", generation=2)))
    await world.run()
    assert not world.route53.records(world.zone_id)
