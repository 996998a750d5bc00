"""What the metrics show of a zone."""

import pytest
from prometheus_client import CollectorRegistry

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from route53_controller.zoneunit.metrics import ZoneMetrics
from tests.route53_controller.zoneunit.world import UNIT, World, a, leaving

ZONE = {"zone": str(UNIT)}


@pytest.mark.spec("R53-EV-003")
async def test_a_zone_is_counted_by_the_state_of_its_record_sets_and_forgotten_with_it() -> None:
    registry = CollectorRegistry()
    world = World(metrics=ZoneMetrics(registry))

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(name, {**ZONE, **labels})

    bad = a("bad") | {"type": "TXT", "a": None, "txt": {"values": ["t\tab"]}}
    await world.set_items(a("www"), a("api"), a("held", allowed=False), bad)
    await world.run()
    assert value("route53_zone_record_sets", state="programmed") == 2
    assert value("route53_zone_record_sets", state="failed") == 1
    assert value("route53_zone_record_sets", state="withheld") == 1
    assert value("route53_zone_programmed") == 0
    assert value("route53_drift_total") == 0
    assert registry.get_sample_value("route53_change_batch_elements_sum") == 2
    world.route53.put(world.zone_id, ResourceRecordSet(RecordKey("www.example.com", "A"), 9, ("192.0.2.1",)))
    await world.pass_time(world.settings.drift_interval)
    assert value("route53_drift_total") == 1
    await world.set_items(a("www"), leaving(a("api")))
    world.route53.auto_insync = False
    for _ in range(4):
        world.clock.jump(await world.step() or world.settings.retry_first)
    assert value("route53_zone_record_sets", state="leaving") == 1
    assert (value("route53_zone_pending_change_age_seconds") or 0) > 0
    world.kubernetes._objects[ZONE_UNITS].clear()
    world.sync()
    await world.step()
    assert value("route53_zone_programmed") is None


async def test_a_paused_zone_is_shown_until_it_goes_on_or_is_gone() -> None:
    registry = CollectorRegistry()
    world = World(metrics=ZoneMetrics(registry))

    def shown() -> float | None:
        return registry.get_sample_value("route53_zone_paused", ZONE)

    await world.run()
    assert shown() == 0
    await world.annotate(paused="true")
    await world.run()
    assert shown() == 1
    assert registry.get_sample_value("route53_zone_programmed", ZONE) == 1, "nothing else tells of it"
    await world.annotate(paused=None)
    await world.run()
    assert shown() == 0
    world.kubernetes._objects[ZONE_UNITS].clear()
    world.sync()
    await world.step()
    assert shown() is None


async def test_a_zone_whose_class_now_names_another_controller_is_shown_no_more() -> None:
    registry = CollectorRegistry()
    world = World(metrics=ZoneMetrics(registry))
    await world.annotate(paused="true")
    await world.step()
    assert registry.get_sample_value("route53_zone_paused", ZONE) == 1
    world.put_class({}, controllerName="example.com/another")
    await world.step()
    assert registry.get_sample_value("route53_zone_paused", ZONE) is None
    assert registry.get_sample_value("route53_zone_programmed", ZONE) is None


async def test_drift_is_counted_from_nought_so_that_alerts_see_the_first() -> None:
    registry = CollectorRegistry()
    world = World(metrics=ZoneMetrics(registry))
    await world.step()

    assert registry.get_sample_value("route53_drift_total", ZONE) == 0
