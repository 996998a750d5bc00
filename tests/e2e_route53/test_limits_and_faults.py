import pytest

from e2e.route53.faults import Fault, FaultPlan
from e2e.route53.limits import TokenBucket
from e2e.route53.settings import RateLimit


def struck(plan: FaultPlan, calls: int, action: str = "GetChange", at: float = 0.0) -> list[bool]:
    return [plan.take(action, "ZONE", "111111111111", at) is not None for _ in range(calls)]


def test_a_bucket_starts_full_and_refills_by_time() -> None:
    bucket = TokenBucket.full(RateLimit(per_second=5, burst=2), 100.0)
    assert [bucket.take(100.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(100.2), bucket.take(100.2)] == [True, False]
    assert [bucket.take(200.0) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault(action="GetChange", kind="error"), [True, False, False, False]),
        (Fault(action="*", kind="error", count=2), [True, True, False, False]),
        (Fault(action="GetChange", kind="error", nth=3), [False, False, True, False]),
        (Fault(action="GetChange", kind="error", nth=2, count=2), [False, True, True, False]),
        (Fault(action="CreateHostedZone", kind="error"), [False, False, False, False]),
        (Fault(action="GetChange", kind="error", hosted_zone_id="/hostedzone/ZONE"), [True, False, False, False]),
        (Fault(action="GetChange", kind="error", hosted_zone_id="ZOTHER"), [False, False, False, False]),
        (Fault(action="GetChange", kind="error", account_id="222222222222"), [False, False, False, False]),
    ],
)
def test_a_fault_strikes_the_calls_it_is_meant_for(fault: Fault, expected: list[bool]) -> None:
    plan = FaultPlan()
    plan.arm([fault], 0.0)
    assert struck(plan, 4) == expected


def test_a_fault_with_a_time_strikes_until_it_is_over() -> None:
    plan = FaultPlan()
    plan.arm([Fault(action="*", kind="throttle", for_seconds=60)], 10.0)
    assert struck(plan, 2, at=69.9) == [True, True]
    assert struck(plan, 2, at=70.0) == [False, False]
    assert plan.pending() == []


def test_two_faults_count_the_same_calls() -> None:
    plan = FaultPlan()
    plan.arm([Fault(action="*", kind="deny", nth=1), Fault(action="*", kind="error", nth=2)], 0.0)
    kinds = [fault.kind if (fault := plan.take("X", "", "", 0.0)) else "" for _ in range(3)]
    assert kinds == ["deny", "error", ""]
