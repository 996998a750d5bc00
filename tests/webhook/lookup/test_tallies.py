"""Counts and indexes that follow a cache's changes."""

from dataclasses import replace

from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.meta import ObjectKey
from tests.webhook.objects import record_set
from webhook.lookup.tallies import KnownRecordSets, Tally, known_record_set
from webhook.validators.snapshot import KnownRecordSet

ZONE = ObjectKey("app", "example-com")


def _known(key: str, name: str, zone: str = "example-com") -> KnownRecordSet:
    made = record_set(metadata__name=key, spec__name=name, spec__zoneRef={"name": zone})
    return known_record_set(ObjectKey("app", key), RecordSet.model_validate(made))


def _keys(found: tuple[KnownRecordSet, ...]) -> list[str]:
    return sorted(one.key.name for one in found)


def test_record_sets_are_found_by_zone_and_by_name() -> None:
    known = KnownRecordSets()
    for key, name in (("a", "www"), ("b", "www"), ("c", "api")):
        known.move(None, _known(key, name))
    known.move(None, _known("d", "www", zone="other"))
    assert _keys(known.of(ZONE)) == ["a", "b", "c"]
    assert _keys(known.named(ZONE, "www")) == ["a", "b"]
    assert _keys(known.named(ObjectKey("app", "other"), "www")) == ["d"]
    assert known.named(ZONE, "gone") == ()


def test_a_record_set_that_goes_or_comes_back_elsewhere_leaves_nothing_behind() -> None:
    known = KnownRecordSets()
    here, there = _known("a", "www"), _known("a", "api", zone="other")
    known.move(None, here)
    known.move(here, there)
    assert known.of(ZONE) == ()
    assert _keys(known.named(ObjectKey("app", "other"), "api")) == ["a"]
    known.move(there, None)
    known.move(None, None)
    assert known._of_zone == {}


def test_record_sets_of_one_name_come_and_go_one_by_one() -> None:
    known = KnownRecordSets()
    three = [_known(key, "www") for key in ("a", "b", "c")]
    for one in three:
        known.move(None, one)
    moved = replace(three[1], held=True)
    known.move(three[1], moved)
    assert set(known.named(ZONE, "www")) == {three[0], moved, three[2]}
    known.move(three[0], None)
    known.move(three[2], None)
    assert known.named(ZONE, "www") == (moved,)
    again = replace(moved, held=False)
    known.move(moved, again)
    assert known.of(ZONE) == (again,)
    known.move(again, None)
    assert known._of_zone == {}


def test_what_record_sets_have_in_common_is_one_object_for_all() -> None:
    one, other = _known("a", "www"), _known("b", "api")
    assert one.zone is other.zone
    assert one.provider is other.provider


def test_a_tally_counts_and_names_one() -> None:
    tally: Tally[str] = Tally()
    for name, value in (("a", "v1"), ("b", "v1"), ("a", "v2")):
        tally.put(ObjectKey("app", name), value)
    assert (tally.usage("v1", "Zone").count, tally.usage("v1", "Zone").example) == (1, "Zone app/b")
    tally.put(ObjectKey("app", "b"), None)
    assert sorted(tally.values()) == ["v2"]
    assert tally.usage("v1", "Zone").count == 0
