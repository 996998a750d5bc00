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
    assert {"ipBlock": {"cidr": "169.254.170.23/32"}} in [
        peer for rule in route53["egress"] for peer in rule.get("to", [])
    ]


def test_pods_of_hooks_get_where_they_must_when_egress_is_held_back(render: Render) -> None:
    documents = render(VALUES["everything set"])
    check, release = named(documents, "Pod", "dnsapi-check"), named(documents, "Job", "dnsapi-release")

    for labels, name in (
        (check["metadata"]["labels"], "dnsapi-check"),
        (release["spec"]["template"]["metadata"]["labels"], "dnsapi-release"),
    ):
        policy = named(documents, "NetworkPolicy", name)
        assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
        assert {53, 443, 16443, 9443} <= {port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]}
        assert policy["metadata"]["annotations"]["helm.sh/hook"] in {"test", "post-delete"}


def test_hooks_bring_no_policy_where_egress_is_free(render: Render) -> None:
    policies = of_kind(render({"uninstall": {"release": True}}), "NetworkPolicy")

    assert {one["metadata"]["name"] for one in policies} == {"dnsapi-core", "dnsapi-route53", "dnsapi-webhook"}


def test_health_ports_can_be_kept_for_the_monitoring(render: Render) -> None:
    rules: list[dict[str, Any]] = named(render(VALUES["everything set"]), "NetworkPolicy", "dnsapi-webhook")["spec"][
        "ingress"
    ]

    assert rules[0]["from"] == [{"namespaceSelector": {"matchLabels": {"monitoring": "true"}}}]
    assert "from" not in rules[1]


def test_clusters_that_want_none_get_none(render: Render) -> None:
    assert of_kind(render({"global": {"networkPolicy": {"enabled": False}}}), "NetworkPolicy") == []
