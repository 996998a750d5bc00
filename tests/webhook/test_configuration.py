"""The ValidatingWebhookConfiguration as data."""

import base64

import pytest
import yaml

from libdnsapi.api.meta import JsonObject
from webhook.configuration import configuration, main, service_client, to_yaml, url_client
from webhook.entries import BY_PATH

CORE = "system:serviceaccount:dns-system:core"


def _hooks(*accounts: str) -> dict[str, JsonObject]:
    hooks = configuration(url_client("https://127.0.0.1:9443/"), b"PEM", accounts)["webhooks"]
    assert isinstance(hooks, list)
    return {str(hook["name"]): hook for hook in hooks if isinstance(hook, dict)}


@pytest.mark.spec("CORE-AR-026", "PC-AM-001")
def test_every_kind_has_one_entry_and_deletions_their_own() -> None:
    assert list(_hooks()) == [
        "provider.validate.dns.appthrust.io",
        "delete-provider.validate.dns.appthrust.io",
        "zoneclass.validate.dns.appthrust.io",
        "zone.validate.dns.appthrust.io",
        "recordset.validate.dns.appthrust.io",
        "zoneunit.validate.dns.appthrust.io",
        "delete-zoneunit.validate.dns.appthrust.io",
        "zoneunitslice.validate.dns.appthrust.io",
        "delete-zoneunitslice.validate.dns.appthrust.io",
        "route53identity.validate.route53.dns.appthrust.io",
        "dnsprovider.validate.externaldns.k8s.io",
        "clusterdnsprovider.validate.externaldns.k8s.io",
        "zone.warn.dns.appthrust.io",
        "delete-zone.warn.dns.appthrust.io",
        "recordset.warn.dns.appthrust.io",
        "dnsprovider.warn.externaldns.k8s.io",
        "clusterdnsprovider.warn.externaldns.k8s.io",
    ]


def test_only_entries_that_warn_may_be_ignored() -> None:
    for name, hook in _hooks().items():
        assert hook["failurePolicy"] == ("Ignore" if ".warn." in name else "Fail")
        assert hook["sideEffects"] == "None"


@pytest.mark.parametrize(
    ("name", "operations", "resources"),
    [
        ("provider.validate.dns.appthrust.io", ["CREATE", "UPDATE"], ["providers"]),
        ("zone.validate.dns.appthrust.io", ["CREATE", "UPDATE"], ["zones", "zones/status"]),
        ("delete-zoneunit.validate.dns.appthrust.io", ["DELETE"], ["zoneunits"]),
        ("zone.warn.dns.appthrust.io", ["UPDATE"], ["zones"]),
        ("recordset.warn.dns.appthrust.io", ["CREATE", "UPDATE"], ["recordsets"]),
    ],
)
def test_rules_name_operations_and_resources(name: str, operations: list[str], resources: list[str]) -> None:
    rules = _hooks()[name]["rules"]
    assert isinstance(rules, list)
    assert isinstance(rules[0], dict)
    assert (rules[0]["operations"], rules[0]["resources"]) == (operations, resources)


@pytest.mark.parametrize(
    ("name", "conditions"),
    [
        ("zone.validate.dns.appthrust.io", ["not-by-our-controllers", "not-being-deleted", "spec-or-status-changes"]),
        ("zoneunit.validate.dns.appthrust.io", ["not-by-our-controllers", "spec-annotations-or-status-change"]),
        ("delete-zoneunit.validate.dns.appthrust.io", ["not-by-our-controllers"]),
        ("zone.warn.dns.appthrust.io", ["not-by-our-controllers", "not-being-deleted", "spec-or-status-changes"]),
        ("delete-zone.warn.dns.appthrust.io", ["not-by-our-controllers"]),
    ],
)
def test_conditions_skip_what_must_never_wait_for_the_webhook(name: str, conditions: list[str]) -> None:
    found = _hooks(CORE)[name]["matchConditions"]
    assert isinstance(found, list)
    assert [condition["name"] for condition in found if isinstance(condition, dict)] == conditions


def test_without_accounts_nobody_is_skipped() -> None:
    assert _hooks()["delete-zoneunit.validate.dns.appthrust.io"]["matchConditions"] == []


def test_every_path_is_one_of_the_table() -> None:
    for hook in _hooks().values():
        config = hook["clientConfig"]
        assert isinstance(config, dict)
        assert str(config["url"]).removeprefix("https://127.0.0.1:9443") in BY_PATH
        assert base64.b64decode(str(config["caBundle"])) == b"PEM"


def test_the_service_form_has_no_bundle_unless_given() -> None:
    hooks = configuration(service_client("dns-system", "webhook"), b"", [])["webhooks"]
    assert isinstance(hooks, list)
    first = hooks[0]
    assert isinstance(first, dict)
    assert first["clientConfig"] == {
        "service": {
            "namespace": "dns-system",
            "name": "webhook",
            "path": "/validate-dns-appthrust-io-v1alpha1-provider",
            "port": 443,
        }
    }


def test_the_yaml_is_the_same_document() -> None:
    document = configuration(service_client("dns-system", "webhook"), b"PEM", [CORE])
    assert yaml.safe_load(to_yaml(document)) == document


def test_the_command_prints_what_its_options_say(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--service-namespace", "dns-system", "--service-name", "webhook", "--controllers", CORE])
    assert yaml.safe_load(capsys.readouterr().out) == configuration(
        service_client("dns-system", "webhook"), b"", [CORE]
    )


def test_the_command_wants_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "exactly one of --url and --service-namespace" in capsys.readouterr().err
