import pytest

from benchmarks.cluster import require_settled


def test_a_start_that_only_looks_was_settled() -> None:
    require_settled({"PUT route53identities/status": 1}, {"ListResourceRecordSets": 20, "GetCallerIdentity": 1})


@pytest.mark.parametrize(
    ("writes", "calls", "message"),
    [
        ({"PUT zoneunits/status": 1}, {}, "the start wrote: {'PUT zoneunits/status': 1}"),
        ({}, {"ChangeResourceRecordSets": 2, "GetChange": 2}, "changed Route 53: {'ChangeResourceRecordSets': 2}"),
        ({}, {"CreateHostedZone": 1}, "changed Route 53: {'CreateHostedZone': 1}"),
    ],
)
def test_a_start_that_writes_or_changes_is_told_as_such(
    writes: dict[str, int], calls: dict[str, int], message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        require_settled(writes, calls)
