import pytest

from tests.charts.conftest import Render, RenderError
from tests.charts.values import VALUES, arguments, named, of_kind

NAME = "dnsapi-webhook"
KIND = "ValidatingWebhookConfiguration"


def test_controllers_are_skipped_by_the_names_of_their_accounts(render: Render) -> None:
    documents = render(VALUES["everything set"])
    expected = (
        "!(request.userInfo.username in ['system:serviceaccount:dns-system:own-core',"
        " 'system:serviceaccount:dns-system:dnsapi-route53', 'system:serviceaccount:other:provider'])"
    )

    for hook in named(documents, KIND, NAME)["webhooks"]:
        assert hook["matchConditions"][0]["expression"] == expected
    assert any(
        argument.startswith("--controllers=system:serviceaccount:dns-system:own-core,")
        for argument in arguments(documents, "webhook")
    )


def test_each_entry_calls_the_service_that_is_installed_beside_it(render: Render) -> None:
    documents = render()
    service = named(documents, "Service", NAME)

    for hook in named(documents, KIND, NAME)["webhooks"]:
        target = hook["clientConfig"]["service"]
        assert (target["namespace"], target["name"]) == ("dns-system", service["metadata"]["name"])
        assert target["port"] == service["spec"]["ports"][0]["port"]
        assert "caBundle" not in hook["clientConfig"]


def test_an_existing_certificate_is_mounted_and_its_authority_trusted(render: Render) -> None:
    documents = render(VALUES["an existing certificate"])
    found = arguments(documents, "webhook")

    assert {hook["clientConfig"]["caBundle"] for hook in named(documents, KIND, NAME)["webhooks"]} == {"Q0E="}
    assert "--tls-cert-file=/tls/tls.crt" in found
    assert "--self-signed" not in found


@pytest.mark.parametrize("drain", ["20s", 20, "1m", "1h", "0m45s", 1000000])
def test_a_pod_is_given_the_time_to_drain(render: Render, drain: str | int) -> None:
    values = {"webhook": {"settings": {"drain": drain}}}

    with pytest.raises(RenderError, match=r"must be shorter than webhook.terminationGracePeriodSeconds \(30\)"):
        render(values)


@pytest.mark.parametrize("drain", ["19s", 19, "500ms", "19.9s", 0, None])
def test_a_drain_that_fits_is_taken(render: Render, drain: str | int | None) -> None:
    assert of_kind(render({"webhook": {"settings": {"drain": drain}}}), "Deployment")


def test_cert_manager_makes_the_certificate_and_injects_its_authority(render: Render) -> None:
    documents = render(VALUES["cert-manager"])
    certificate = named(documents, "Certificate", NAME)

    assert certificate["spec"]["dnsNames"] == ["dnsapi-webhook.dns-system.svc"]
    assert certificate["spec"]["secretName"] == "dnsapi-webhook-tls"
    assert named(documents, KIND, NAME)["metadata"]["annotations"] == {
        "cert-manager.io/inject-ca-from": "dns-system/dnsapi-webhook"
    }


def test_the_chart_can_create_its_provider_before_anybody_answers(render: Render) -> None:
    hooks = {hook["name"]: hook for hook in named(render(), KIND, NAME)["webhooks"]}
    conditions = {
        one["name"]: one["expression"] for one in hooks["provider.validate.dns.appthrust.io"]["matchConditions"]
    }

    assert conditions["not-the-built-in-provider"] == (
        "request.operation != 'CREATE' || request.name != 'route53.dns.appthrust.io'"
    )


def test_only_warnings_are_left_out_while_nobody_answers(render: Render) -> None:
    policies = {hook["name"]: hook["failurePolicy"] for hook in named(render(), KIND, NAME)["webhooks"]}

    assert all((policy == "Ignore") == (".warn." in name) for name, policy in policies.items())
