from datetime import UTC, datetime, timedelta

import pytest

from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.names import RESERVED_TAG_KEYS
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.api.route53.payloads import ZoneClassParameters
from libdnsapi.dns.problems import Problem
from route53_controller.parameters import ParametersProblem
from route53_controller.zoneclass.plan import Plan, acceptance, plan
from route53_controller.zoneclass.snapshot import Snapshot
from tests.route53_controller.identity.builders import identity
from tests.route53_controller.zoneclass.builders import zone_class

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GOOD = ZoneClassParameters()


def accepted_identity(status: str = "True", generation: int = 1) -> Route53Identity:
    condition = {
        "type": "Accepted",
        "status": status,
        "reason": "Accepted" if status == "True" else "DeniedByPolicy",
        "message": "",
        "observedGeneration": generation,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    return identity(status={"conditions": [condition]})


def snapshot(
    found: ZoneClass | None = None,
    *,
    parameters: ZoneClassParameters | ParametersProblem = GOOD,
    of_identity: Route53Identity | None = None,
    rule_problems: tuple[Problem, ...] = (),
) -> Snapshot:
    return Snapshot(found or zone_class(), NOW, parameters, of_identity or accepted_identity(), rule_problems)


def tagged(tags: dict[str, str]) -> ZoneClassParameters:
    return ZoneClassParameters(tags=tags)


UNAVAILABLE = ParametersProblem(ConditionStatus.UNKNOWN, Reason.RECONCILE_ERROR, "no answer", retry=True)


@pytest.mark.spec("R53-TG-004", "R53-ZC-005", "R53-ZC-006", "R53-ZC-007")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (snapshot(), "Accepted"),
        (snapshot(parameters=tagged({"team": "dns"})), "Accepted"),
        (
            snapshot(parameters=ParametersProblem(ConditionStatus.FALSE, Reason.INVALID_PROVIDER, "other")),
            "InvalidProvider",
        ),
        (snapshot(parameters=UNAVAILABLE), "ReconcileError"),
        (snapshot(rule_problems=(Problem("spec", "no"),)), "InvalidParameters"),
        *((snapshot(parameters=tagged({key: "x"})), "DeniedByPolicy") for key in sorted(RESERVED_TAG_KEYS)),
        (snapshot(parameters=tagged({"k" * 128: "v" * 256})), "Accepted"),
        (snapshot(parameters=tagged({"k" * 129: "v"})), "InvalidParameters"),
        (snapshot(parameters=tagged({"k": "v" * 257})), "InvalidParameters"),
        (snapshot(parameters=tagged({"": "v"})), "InvalidParameters"),
        (snapshot(parameters=tagged({"AWS:x": "v"})), "InvalidParameters"),
        (snapshot(parameters=tagged({f"k{n}": "v" for n in range(45)})), "Accepted"),
        (snapshot(parameters=tagged({f"k{n}": "v" for n in range(46)})), "InvalidParameters"),
        (Snapshot(zone_class(), NOW, GOOD, None), "IdentityNotResolved"),
        (snapshot(of_identity=identity()), "IdentityNotResolved"),
        (snapshot(of_identity=accepted_identity(generation=0)), "IdentityNotResolved"),
        (snapshot(of_identity=accepted_identity("Unknown")), "IdentityNotResolved"),
        (snapshot(of_identity=accepted_identity("False")), "InvalidIdentityRef"),
    ],
)
def test_a_class_is_accepted_or_refused_with_the_first_reason(given: Snapshot, reason: str) -> None:
    assert acceptance(given).reason == reason


def test_a_settled_class_is_not_written_again() -> None:
    first = plan(snapshot())
    assert first.status is not None
    assert [each.reason for each in first.told] == ["Accepted"]
    settled = zone_class(status=first.status.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert plan(snapshot(settled)).status is None
    assert plan(snapshot(settled)).told == ()


def test_only_an_unavailable_conversion_needs_no_event_to_come_back() -> None:
    assert plan(snapshot(parameters=UNAVAILABLE)).requeue_after == timedelta(seconds=30)
    assert plan(snapshot()).requeue_after is None
    assert plan(Snapshot(zone_class(), NOW, GOOD, None)).requeue_after is None


def test_an_accepted_class_stays_so_while_its_edited_identity_is_being_looked_at() -> None:
    """Else each edit of an identity would turn every Zone and RecordSet of the account to Unknown and back."""
    first = plan(snapshot()).status
    assert first is not None
    settled = zone_class(status=first.model_dump(mode="json", by_alias=True, exclude_none=True))
    edited = accepted_identity(generation=0)

    assert plan(snapshot(settled, of_identity=edited)) == Plan(None)
    assert plan(snapshot(of_identity=edited)).told[0].reason == "IdentityNotResolved"
