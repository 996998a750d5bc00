"""Nothing is decided about a zone while a slice that may be its own cannot be read; others go on."""

import pytest

from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.ledgers import require_whole_ledger
from libdnsapi.runtime.rest import fields, raw_object
from libdnsapi.runtime.store import Store

UNIT = ObjectKey("dns", "example-com")
DEEP = b'{"a":' * 5000 + b"1" + b"}" * 5000


def slices(spec: bytes) -> Store[ZoneUnitSlice]:
    found: Store[ZoneUnitSlice] = Store(ZoneUnitSlice)
    metadata = b'{"namespace":"dns","name":"example-com-000","resourceVersion":"1"}'
    found.update(raw_object(fields(b'{"metadata":' + metadata + b',"spec":' + spec + b"}")))
    assert found.unfit() == [ObjectKey("dns", "example-com-000")]
    return found


@pytest.mark.parametrize(
    "spec",
    [
        b'{"zoneUnitRef":{"name":"example-com"},"recordSets":5}',
        b'{"zoneUnitRef":{"name":"example-com"},"recordSets":[' + DEEP + b"]}",
        b'{"zoneUnitRef":7}',
        b"[]",
    ],
    ids=["its own", "its own, nested deep", "nobody's", "no spec"],
)
def test_a_zone_waits_for_a_slice_that_may_be_its_own(spec: bytes) -> None:
    with pytest.raises(UndecodableError, match="dns/example-com-000"):
        require_whole_ledger(slices(spec), UNIT)


@pytest.mark.parametrize("rest", [b"5", b"[" + DEEP + b"]"], ids=["a number", "nested deep"])
def test_other_zones_do_not_wait(rest: bytes) -> None:
    other = slices(b'{"zoneUnitRef":{"name":"example-org"},"recordSets":' + rest + b"}")
    require_whole_ledger(other, UNIT)
    require_whole_ledger(slices(b"[]"), ObjectKey("team", "example-com"))
