"""Which RecordSets of other namespaces a Zone admits."""

import pytest

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zone import AllowedRecordSetsRule
from libdnsapi.dns.policy import NAMESPACE_NOT_ALLOWED, policy_refusal


def _rule(pattern: str, **labels: str) -> AllowedRecordSetsRule:
    selector = {"matchLabels": labels, "matchExpressions": [] if labels else [{"key": "x", "operator": "DoesNotExist"}]}
    records = [{"name": {"pattern": pattern}, "types": ["A"]}]
    return AllowedRecordSetsRule.model_validate({"namespaces": {"selector": selector}, "records": records})


@pytest.mark.spec("CORE-AR-006")
@pytest.mark.parametrize(
    ("pattern", "name", "allowed"),
    [
        ("app|app-a", "app-a", True),
        ("foo", "foo.bar", False),
        ("foo", "xfoo", False),
        ("^foo$", "foo", True),
        (".*", "@", True),
        ("[a-z]+", "*", False),
        (r"\*\.foo", "*.foo", True),
        ("(a+)+b", "a" * 200, False),
    ],
)
def test_patterns_match_the_whole_name(pattern: str, name: str, allowed: bool) -> None:
    """Case 79."""
    refusal = policy_refusal([_rule(pattern, dns="yes")], {"dns": "yes"}, name, RecordType.A)
    assert (refusal is None) is allowed


def test_a_namespace_without_labels_and_one_that_is_not_seen_yet_are_told_apart() -> None:
    """A selector may ask for a label that is absent, which nobody knows of a namespace that is not seen."""
    rules = [_rule("www")]
    assert policy_refusal(rules, {}, "www", RecordType.A) is None
    assert policy_refusal(rules, None, "www", RecordType.A) == NAMESPACE_NOT_ALLOWED
