"""Counts and indexes that follow a cache's changes."""

from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.meta import ObjectKey
from tests.webhook.objects import record_set
from webhook.lookup.tallies import KnownRecordSets, Tally

ZONE = ObjectKey("app", "example-com")


def _put(known: KnownRecordSets, key: str, name: str, zone: str = "example-com") -> None:
    made = record_set(metadata__name=key, spec__name=name, spec__zoneRef={"name": zone})
    known.put(ObjectKey("app", key), RecordSet.model_validate(made))


def _keys(found: tuple[object, ...]) -> list[str]:
    return sorted(one.key.name for one in found)  # type: ignore[attr-defined]


def test_record_sets_are_found_by_zone_and_by_name() -> None:
    known = KnownRecordSets()
    for key, name in (("a", "www"), ("b", "www"), ("c", "api")):
        _put(known, key, name)
    _put(known, "d", "www", zone="other")
    assert _keys(known.of(ZONE)) == ["a", "b", "c"]
    assert _keys(known.named(ZONE, "www")) == ["a", "b"]
    assert _keys(known.named(ObjectKey("app", "other"), "www")) == ["d"]
    assert known.named(ZONE, "gone") == ()


def test_a_record_set_that_goes_or_comes_back_elsewhere_leaves_nothing_behind() -> None:
    known = KnownRecordSets()
    _put(known, "a", "www")
    _put(known, "a", "api", zone="other")
    assert known.of(ZONE) == ()
    assert _keys(known.named(ObjectKey("app", "other"), "api")) == ["a"]
    known.put(ObjectKey("app", "a"), None)
    known.put(ObjectKey("app", "never"), None)
    assert (known._known, known._of_zone) == ({}, {})


def test_a_tally_counts_and_names_one() -> None:
    tally: Tally[str] = Tally()
    for name, value in (("a", "v1"), ("b", "v1"), ("a", "v2")):
        tally.put(ObjectKey("app", name), value)
    assert (tally.usage("v1", "Zone").count, tally.usage("v1", "Zone").example) == (1, "Zone app/b")
    tally.put(ObjectKey("app", "b"), None)
    assert sorted(tally.values()) == ["v2"]
    assert tally.usage("v1", "Zone").count == 0
