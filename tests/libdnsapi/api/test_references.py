"""References that Events carry: of the very object, and one for all Events of it."""

from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import PartialObject, reference_to


def zone(uid: str) -> PartialObject:
    return PartialObject.model_validate({"metadata": {"namespace": "platform", "name": "example-com", "uid": uid}})


def test_all_references_to_one_object_are_the_same_reference() -> None:
    """A bulk keeps thousands of Events that name one Zone."""
    assert reference_to(ZONES, zone("1")) is reference_to(ZONES, zone("1"))


def test_an_object_that_was_made_again_is_another_one() -> None:
    assert reference_to(ZONES, zone("1")).uid == "1"
    assert reference_to(ZONES, zone("2")).uid == "2"
