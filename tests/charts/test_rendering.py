from collections import Counter
from typing import Any

import pytest
import yaml

from tests.charts.conftest import CHART, Render, RenderError
from tests.charts.values import VALUES, arguments, named, of_kind, pods


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_every_object_is_named_once_and_says_what_it_belongs_to(render: Render, values: dict[str, Any]) -> None:
    documents = render(values)
    keys = Counter((one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]) for one in documents)

    assert max(keys.values()) == 1
    assert {one["metadata"]["labels"]["app.kubernetes.io/part-of"] for one in documents} == {"dnsapi"}
    assert {one["metadata"]["labels"]["app.kubernetes.io/instance"] for one in documents} == {"dnsapi"}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_pods_fit_the_restricted_standard_and_write_nothing_to_their_image(
    render: Render, values: dict[str, Any]
) -> None:
    for pod in pods(render(values)):
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert {"emptyDir", "secret"} >= {
            kind for volume in pod.get("volumes", []) for kind in volume if kind != "name"
        }
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "readOnlyRootFilesystem": True,
            }


def test_a_platform_may_assign_users_to_all_pods(render: Render) -> None:
    """As OpenShift does. Helm cannot take a chart's default away by null below `global`."""
    values = {"global": {"platformAssignsUsers": True}, "uninstall": {"release": True}, "sources": {"enabled": True}}
    found = pods(render(values))

    assert len(found) > 5
    for pod in found:
        assert pod["securityContext"] == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_containers_have_resources_and_services_all_three_probes(render: Render, values: dict[str, Any]) -> None:
    for pod in pods(render(values)):
        for container in pod["containers"]:
            assert {"cpu", "memory"} == container["resources"]["requests"].keys()
            assert "memory" in container["resources"]["limits"]
            if "restartPolicy" in pod:  # a hook, which runs to its end
                continue
            ports = {port["name"] for port in container["ports"]}
            probes = [container[probe]["httpGet"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")]

            assert {probe["port"] for probe in probes} <= ports


def test_budgets_and_selectors_meet_the_pods_of_their_component_alone(render: Render) -> None:
    documents = render()
    for deployment in of_kind(documents, "Deployment"):
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        selector = deployment["spec"]["selector"]["matchLabels"]
        budget = named(documents, "PodDisruptionBudget", deployment["metadata"]["name"])

        assert selector.items() <= labels.items()
        assert selector == budget["spec"]["selector"]["matchLabels"]
        assert selector["app.kubernetes.io/component"] == labels["app.kubernetes.io/component"]


def test_the_built_in_provider_is_the_file_and_outlives_the_release(render: Render) -> None:
    (provider,) = of_kind(render(), "Provider")
    file = yaml.safe_load((CHART / "charts" / "route53" / "files" / "provider.yaml").read_text())

    assert provider["spec"] == file["spec"]
    assert provider["metadata"]["name"] == file["metadata"]["name"]
    assert provider["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}


def test_a_second_provider_controller_brings_no_second_provider(render: Render) -> None:
    assert of_kind(render(VALUES["a second provider controller"]), "Provider") == []


def test_settings_become_flags(render: Render) -> None:
    found = arguments(render(VALUES["everything set"]), "route53")

    assert found == [
        "--health-host=0.0.0.0",
        "--health-port=8080",
        "--lease-namespace=dns-system",
        "--allowed-role-arns=arn:aws:iam::123456789012:role/dns-*",
        "--controller-name=example.org/second",
        "--debug-page",
        "--drift-interval=1h30m",
        "--log-level=info",
        "--max-delete-count=0",
        "--requests-per-second=2.5",
        "--secret-namespaces=team-a,team-b",
        "--log-format=console",
    ]


def test_images_come_from_the_registry_by_tag_or_digest(render: Render) -> None:
    documents = of_kind(render(VALUES["everything set"]), "Deployment")
    images = [pod["containers"][0]["image"] for pod in pods(documents)]

    assert images == [
        "registry.example/dns/dnsapi-core:1.2.3",
        "registry.example/dns/dnsapi-route53@sha256:" + "a" * 64,
        "registry.example/dns/dnsapi-core:1.2.3",
        "registry.example/dns/dnsapi-webhook:1.2.3",
    ]


def test_a_registry_may_end_with_a_slash(render: Render) -> None:
    deployments = of_kind(render({"global": {"image": {"registry": "registry.example/dns/"}}}), "Deployment")

    assert all("//" not in pod["containers"][0]["image"] for pod in pods(deployments))


def test_ipv6_only_clusters_are_served(render: Render) -> None:
    found = arguments(render(VALUES["IPv6 only"]), "webhook")

    assert "--health-host=::" in found
    assert "--address=[::]:9443" in found


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a misspelt setting": ({"core": {"settings": {"logLevl": "info"}}}, "'/settings'"),
    "an unknown component": ({"cloudflare": {"enabled": True}}, "additional properties 'cloudflare' not allowed"),
    "a word for a number": ({"route53": {"replicas": "two"}}, "'/replicas'"),
    "an unknown kind of certificate": ({"webhook": {"tls": {"mode": "none"}}}, "'/tls/mode'"),
    "a digest that is none": ({"core": {"image": {"digest": "latest"}}}, "'/image/digest'"),
    "secrets of all namespaces": (
        {"route53": {"settings": {"secretNamespaces": ["*"]}}},
        "'/settings/secretNamespaces",
    ),
    "an unknown source": (
        {"sources": {"enabled": True, "settings": {"source": ["gateway"]}}},
        "'/settings/source",
    ),
    "a role that is none": ({"route53": {"aws": {"roleARN": "dnsapi"}}}, "'/aws/roleARN'"),
    "a label that selects the pods": (
        {"core": {"podLabels": {"app.kubernetes.io/name": "other"}}},
        "'/podLabels/app.kubernetes.io~1name'",
    ),
    "no issuer": ({"webhook": {"tls": {"mode": "certManager"}}}, "needs webhook.tls.certManager.issuerRef"),
    "no authority": ({"webhook": {"tls": {"mode": "secret"}}}, "needs webhook.tls.secretName and webhook.tls.caBundle"),
}


@pytest.mark.parametrize(("values", "message"), WRONG.values(), ids=WRONG.keys())
def test_wrong_values_stop_the_installation_and_are_named(render: Render, values: dict[str, Any], message: str) -> None:
    with pytest.raises(RenderError) as refusal:
        render(values)

    assert message in str(refusal.value)
