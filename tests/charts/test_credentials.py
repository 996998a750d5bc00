"""How the controller gets at AWS: the chart's values for each way, and that no other component gets any of it."""

import pytest

from tests.charts.conftest import Render
from tests.charts.values import COMPONENTS, VALUES, deployed, named


def test_irsa_is_an_annotation_of_the_controllers_account(render: Render) -> None:
    documents = render(VALUES["IRSA"])

    assert named(documents, "ServiceAccount", "dnsapi-route53")["metadata"]["annotations"] == {
        "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/dnsapi"
    }
    assert "annotations" not in named(documents, "ServiceAccount", "dnsapi-core")["metadata"]


def test_static_keys_come_from_a_secret_by_name(render: Render) -> None:
    environment = {
        one["name"]: one for one in deployed(render(VALUES["static keys"]), "route53")["containers"][0]["env"]
    }

    assert environment["AWS_REGION"]["value"] == "eu-central-1"
    assert environment["AWS_ACCESS_KEY_ID"]["valueFrom"] == {
        "secretKeyRef": {"name": "aws-keys", "key": "aws_access_key_id"}
    }
    assert environment["AWS_SECRET_ACCESS_KEY"]["valueFrom"] == {
        "secretKeyRef": {"name": "aws-keys", "key": "aws_secret_access_key"}
    }


def test_pod_identity_needs_nothing_in_the_chart(render: Render) -> None:
    documents = render()

    assert "env" not in deployed(documents, "route53")["containers"][0]
    assert "annotations" not in named(documents, "ServiceAccount", "dnsapi-route53")["metadata"]


@pytest.mark.parametrize("values", ["IRSA", "static keys"])
def test_nobody_but_the_provider_controller_gets_credentials(render: Render, values: str) -> None:
    documents = render(VALUES[values] | {"sources": {"enabled": True}})

    for component in sorted(set(COMPONENTS) - {"route53"}):
        assert "env" not in deployed(documents, component)["containers"][0]
