"""What a Zone's policy says of claims from other namespaces, word by word."""

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.zone import ZONES
from tests.core_controller.zoneunit.objects import (
    ZONE,
    allow,
    namespace,
    record_set,
    renamed,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, TEAM_WWW, message, words
from tests.core_controller.zoneunit.world import World

NAMESPACE = "RecordSet namespace is not allowed by the referenced Zone"
NAME = "RecordSet name is not allowed by the referenced Zone"
TYPE = "RecordSet type is not allowed for this RecordSet name by the referenced Zone"
POLICIES: list[tuple[str, list[JsonValue], str | None]] = [
    ("no rules at all", [], NAMESPACE),
    ("labels that the namespace lacks", [allow("www", dns="no")], NAMESPACE),
    ("a name that no pattern matches", [allow("api")], NAME),
    ("a pattern matches the whole name only", [allow("ww")], NAME),
    ("a pattern with an alternative that is a prefix", [allow("w|www")], None),
    ("a type that the matching entry lacks", [allow("www", "AAAA", "TXT")], TYPE),
    ("the type under another name", [allow("www", "TXT"), allow("api", "A")], TYPE),
    ("rules are alternatives", [allow("api"), allow("www", "A")], None),
    (
        "the type of a rule for other namespaces does not count",
        [allow("www", "TXT"), allow("www", "A", dns="no")],
        TYPE,
    ),
    (
        "an empty selector that came past admission",
        [{"namespaces": {"selector": {}}, "records": [{"name": {"pattern": ".*"}, "types": ["A"]}]}],
        NAMESPACE,
    ),
    ("all names are granted on purpose", [allow(".*", "A")], None),
    ("a pattern that RE2 refuses", [allow("(")], NAME),
]


@pytest.mark.spec(
    "CORE-ZN-011",
    "CORE-AR-001",
    "CORE-AR-002",
    "CORE-AR-003",
    "CORE-AR-004",
    "CORE-AR-008",
    "CORE-AR-014",
    "CORE-AR-017",
    "CORE-AR-027",
    "CORE-AR-028",
    "CORE-AR-029",
    "CORE-AR-030",
)
@pytest.mark.parametrize(("what", "rules", "expected"), POLICIES, ids=[row[0] for row in POLICIES])
async def test_the_exact_messages_of_the_zones_policy(
    served: World, what: str, rules: list[JsonValue], expected: str | None
) -> None:
    """Case 79."""
    served.put(namespace("team", dns="yes"), record_set("www", "team"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": rules}})
    await served.settle()
    if expected is None:
        assert words(served, TEAM_WWW) == PROGRAMMED, what
    else:
        assert words(served, TEAM_WWW) == {"Accepted": ("False", "NotAllowedByZone")}
        assert message(served, TEAM_WWW) == expected


@pytest.mark.spec("CORE-AR-005", "CORE-AR-006", "CORE-AR-007")
@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("@", "@", True),
        ("@", "[a-z0-9]([-a-z0-9]*[a-z0-9])?", False),
        ("*", r"\*", True),
        ("*", "[a-z]+", False),
        ("*.foo", r"\*\.foo", True),
        ("foo.team-a", r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\.team-a", True),
        ("x.foo.team-a", r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\.team-a", False),
        ("www", "www.example.com", False),
        ("app-a", "app|app-a", True),
    ],
)
async def test_patterns_see_the_whole_relative_name(served: World, name: str, pattern: str, fits: bool) -> None:
    served.put(namespace("team", dns="yes"), renamed(record_set(name, "team"), "www"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow(pattern)]}})
    await served.settle()
    assert (words(served, TEAM_WWW) == PROGRAMMED) is fits


@pytest.mark.spec("CORE-AR-018")
async def test_policy_is_not_evaluated_inside_one_namespace(served: World) -> None:
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("api", "TXT")]}})
    served.put(record_set("www"))
    await served.settle()
    assert words(served) == PROGRAMMED


@pytest.mark.spec("CORE-AR-030", "CORE-BY-010")
async def test_policy_is_answered_before_anything_that_tells_whose_name_it_is(served: World) -> None:
    served.put(record_set("www"), namespace("team", dns="yes"), record_set("www", "team"))
    await served.settle()
    assert words(served, TEAM_WWW) == {"Accepted": ("False", "NotAllowedByZone")}
    assert "platform/www" not in message(served, TEAM_WWW)
