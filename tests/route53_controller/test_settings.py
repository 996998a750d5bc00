from datetime import timedelta

import pytest
from pydantic import ValidationError

from route53_controller.settings import Route53Settings


def settings(*arguments: str) -> Route53Settings:
    return Route53Settings(_cli_parse_args=list(arguments))


@pytest.mark.spec("R53-BU-001", "R53-OB-001")
def test_the_defaults_are_the_documented_ones() -> None:
    found = settings()
    assert found.controller_name == "route53.dns.appthrust.io/controller"
    assert (found.provider_name, found.provider_version) == ("route53.dns.appthrust.io", "v1alpha1")
    assert (found.request_limits.rate, found.request_limits.burst) == (5, 10)
    assert found.drift_interval == timedelta(minutes=10)
    assert (found.max_delete_count, found.max_delete_percent) == (100, 50)
    assert (found.credential_intervals.recheck, found.credential_intervals.retry) == (
        timedelta(minutes=10),
        timedelta(minutes=1),
    )
    assert found.identity_policy.runtime_namespaces == ("*",)
    assert found.secret_namespaces == ()


@pytest.mark.spec("R53-OB-013")
def test_how_often_a_zone_is_looked_at_asked_about_and_tried_again_is_configuration() -> None:
    found = settings("--drift-interval=1h", "--change-poll-max=30s", "--retry-initial=5s", "--retry-max=5m").zone_units
    assert found.drift_interval == timedelta(hours=1)
    assert (found.change_poll_first, found.change_poll_limit) == (timedelta(seconds=2), timedelta(seconds=30))
    assert (found.retry_first, found.retry_limit) == (timedelta(seconds=5), timedelta(minutes=5))


@pytest.mark.parametrize("argument", ["--allowed-role-arns=", "--runtime-identity-namespaces="])
def test_an_empty_list_of_patterns_allows_all(argument: str) -> None:
    assert settings(argument).identity_policy == settings().identity_policy


def test_lists_are_separated_by_commas_or_repeated() -> None:
    found = settings(
        "--secret-namespaces=a, b,", "--runtime-identity-namespaces", "x", "--allowed-role-arns=arn:a,arn:b"
    )
    assert found.secret_namespaces == ("a", "b")
    assert found.identity_policy.runtime_namespaces == ("x",)
    assert found.identity_policy.role_arns == ("arn:a", "arn:b")


def test_environment_variables_have_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DNSAPI_ROUTE53_DRIFT_INTERVAL", "1h")
    assert settings().drift_interval == timedelta(hours=1)
    assert settings("--drift-interval=5m").drift_interval == timedelta(minutes=5)


@pytest.mark.parametrize(
    "argument", ["--requests-per-second=0", "--request-burst=0", "--max-delete-percent=101", "--drift-interval=0s"]
)
def test_impossible_values_are_refused(argument: str) -> None:
    with pytest.raises((ValidationError, SystemExit)):
        settings(argument)
