"""The IAM policies to copy grant what the controller calls, each action on the kind of resource that it acts on."""

import ast
import json
import re

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import ChangeAction
from tests.docs.test_links import ROOT

BLOCKS = [
    json.loads(block)
    for block in re.findall(r"```json\n(.*?)```", (ROOT / "docs/how-to/install.md").read_text(), re.DOTALL)
]
PERMISSIONS, CONDITION, TRUST = BLOCKS
CLIENT = ROOT / "route53_controller" / "aws" / "client.py"
ON_ANYTHING = {"ListHostedZones", "ListHostedZonesByName", "CreateHostedZone"}
"""Actions that know no resource (Service Authorization Reference, Amazon Route 53)."""


def called() -> set[str]:
    """Return the operations of Route 53 that the client sends."""
    calls = (node for node in ast.walk(ast.parse(CLIENT.read_text())) if isinstance(node, ast.Call))
    named = (call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Call")
    names = {first.value for first in named if isinstance(first, ast.Constant) and isinstance(first.value, str)}
    return {name for name in names if ":" not in name}


def granted() -> dict[str, str]:
    """Return the resource of each action that the policy grants."""
    found: dict[str, str] = {}
    statements = list[JsonObject](PERMISSIONS["Statement"])
    for statement in statements:
        actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
        found |= {str(action).removeprefix("route53:"): str(statement["Resource"]) for action in actions}
    return found


def test_the_policy_grants_what_is_called_and_nothing_else() -> None:
    assert granted().keys() == called()
    assert {action for action, resource in granted().items() if resource == "*"} == ON_ANYTHING
    assert granted()["GetChange"] == "arn:aws:route53:::change/*"


def test_the_condition_allows_the_changes_that_are_made() -> None:
    (keys,) = CONDITION.values()

    assert set(keys["route53:ChangeResourceRecordSetsActions"]) == {action.value for action in ChangeAction}


def test_the_trust_policy_names_the_service_account_of_the_chart() -> None:
    (statement,) = TRUST["Statement"]

    assert statement["Condition"]["StringEquals"]["OIDC:sub"] == "system:serviceaccount:dns-system:dnsapi-route53"
