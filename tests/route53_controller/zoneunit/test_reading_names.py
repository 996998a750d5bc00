"""Reading names concludes nothing from where a wildcard stands in a page: Route 53 may sort it as `*` or as `\\052`."""

from collections.abc import Callable

import pytest

from route53_controller.aws import wire
from route53_controller.aws.api import Priority, RecordKey, RecordPage, ResourceRecordSet
from route53_controller.zoneunit.reading import read_names
from tests.fakes.route53 import FakeRoute53

ORDERS: dict[str, Callable[[str], str]] = {
    "as it is": lambda name: name,
    "as it is written": lambda name: wire.name_to_wire(name).removesuffix("."),
}
NAMES = ["*", "1", "9z", "_dmarc", "a", "m", "z", "*.m", "1.m", "a.m"]


@pytest.mark.spec("R53-OB-006", "R53-OB-011")
@pytest.mark.parametrize("order", list(ORDERS))
@pytest.mark.parametrize("missing", ["*", "1", "_dmarc", "a", "*.m", "1.m"])
async def test_a_name_is_found_however_wildcards_are_sorted(order: str, missing: str) -> None:
    route53 = FakeRoute53()
    zone = route53.add_zone("example.com", "ZONE")
    there = [name for name in NAMES if name != missing]
    route53.put(zone.id, *(ResourceRecordSet(RecordKey(f"{n}.example.com", "A"), 60, ("192.0.2.1",)) for n in there))
    spelling = ORDERS[order]

    async def list_record_sets(
        zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        def place(key: RecordKey) -> tuple[str, str]:
            return wire.sort_key(spelling(key.name)), key.type

        ordered = sorted(route53.zones[zone_id].records.values(), key=lambda found: place(found.key))
        found = [each for each in ordered if start is None or place(each.key) >= place(start)]
        return RecordPage(tuple(found[:max_items]), found[max_items].key if len(found) > max_items else None)

    route53.list_record_sets = list_record_sets  # type: ignore[method-assign,assignment]
    names = {f"{name}.example.com" for name in NAMES}
    found = await read_names(route53, zone.id, names, 3000, lambda: True)
    assert {name for name in names if found[name]} == {f"{name}.example.com" for name in there}
