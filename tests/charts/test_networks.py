"""Who may connect to what, as the chart's NetworkPolicies say."""

from typing import Any

from e2e.kube import Document
from tests.charts.conftest import Render
from tests.charts.values import VALUES, named, of_kind


def open_ports(policy: Document) -> list[int]:
    return [port["port"] for rule in policy["spec"]["ingress"] for port in rule["ports"]]


def test_pods_are_reached_on_the_ports_that_they_serve_and_on_no_other(render: Render) -> None:
    documents = render(VALUES["sources"])
    for deployment in of_kind(documents, "Deployment"):
        container = deployment["spec"]["template"]["spec"]["containers"][0]
        policy = named(documents, "NetworkPolicy", deployment["metadata"]["name"])

        assert open_ports(policy) == [port["containerPort"] for port in container["ports"]]
        assert policy["spec"]["podSelector"] == {"matchLabels": deployment["spec"]["selector"]["matchLabels"]}
        assert policy["spec"]["policyTypes"] == ["Ingress"]


def test_what_pods_connect_to_is_named_where_egress_is_held_back(render: Render) -> None:
    documents = render(VALUES["everything set"])
    core = named(documents, "NetworkPolicy", "dnsapi-core")["spec"]
    route53 = named(documents, "NetworkPolicy", "dnsapi-route53")["spec"]

    assert core["policyTypes"] == ["Ingress", "Egress"]
    assert [port["port"] for port in core["egress"][0]["ports"]] == [53, 53, 443, 16443]
    assert core["egress"][1:] == [{"ports": [{"port": 9000}]}]
    assert {"ipBlock": {"cidr": "169.254.170.23/32"}} in route53["egress"][1]["to"]


def test_health_ports_can_be_kept_for_the_monitoring(render: Render) -> None:
    rules: list[dict[str, Any]] = named(render(VALUES["everything set"]), "NetworkPolicy", "dnsapi-webhook")["spec"][
        "ingress"
    ]

    assert rules[0]["from"] == [{"namespaceSelector": {"matchLabels": {"monitoring": "true"}}}]
    assert "from" not in rules[1]


def test_clusters_that_want_none_get_none(render: Render) -> None:
    assert of_kind(render({"global": {"networkPolicy": {"enabled": False}}}), "NetworkPolicy") == []
