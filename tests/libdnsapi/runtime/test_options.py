"""The command lines of the services: help in people's words, and one line for each thing that is wrong."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

import core_controller.main
import route53_controller.main
import webhook.main
from core_controller.settings import CoreSettings
from libdnsapi.runtime.options import duration_text, run_with
from route53_controller.settings import Route53Settings

Main = Callable[[Sequence[str]], int]
MAINS: dict[str, Main] = {
    "core_controller": core_controller.main.main,
    "route53_controller": route53_controller.main.main,
    "webhook": webhook.main.main,
}
PYTHONIC = re.compile(r"timedelta|PosixPath|Path,|tuple|dict|None|\b(str|int|float|True|False)\b|\d:\d\d:\d\d")
"""How Python writes kinds and values."""


@pytest.mark.parametrize("service", MAINS)
def test_help_is_written_in_words_that_one_types(service: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        MAINS[service](["--help"])
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert PYTHONIC.findall(told) == []
    assert f"usage: python -m {service} [OPTION ...]" in told
    assert "(default: 15s)" in told
    assert f"DNSAPI_{service.removesuffix('_controller').upper()}_LOG_LEVEL" in told


@pytest.mark.parametrize("service", MAINS)
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--health-port", "x"], "--health-port: Input should be a valid integer"),
        (["--shutdown-grace", "soon"], "--shutdown-grace: must be a duration, such as 90s"),
        (["--kube-request-timeout", ""], "--kube-request-timeout: must be a duration, such as 90s"),
        (["--log-level", "loud"], "--log-level: Input should be 'debug', 'info', 'warning' or 'error'"),
        (["--shutdown-grace", "99999999999999999h"], "--shutdown-grace: must be a duration of at most 8784h"),
        (["--shutdown-grace", "9" * 400], "--shutdown-grace: must be a duration of at most 8784h"),
        (["--lease-duration", "600000h"], "--lease-duration: must be a duration of at most 8784h"),
        (["--kube-request-timeout", "P367D"], "--kube-request-timeout: must be a duration of at most 8784h"),
        (["--lease-duration", "5s"], "--lease-duration must be longer than --lease-renew-deadline"),
    ],
)
def test_a_wrong_value_is_told_in_a_line_that_names_the_option(
    service: str, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert MAINS[service]([*_least(service), *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"python -m {service}: {told}")


def test_records_do_not_go_before_their_gateway_has_lost_its_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    assert core_controller.main.main(["--gateway-address-grace=-PT5M"]) == 2
    assert "--gateway-address-grace: Input should be greater than or equal to 0" in capsys.readouterr().err


@pytest.mark.parametrize("service", MAINS)
def test_an_option_that_is_not_known_is_named(service: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        MAINS[service]([*_least(service), "--colour", "red"])
    assert ended.value.code == 2
    assert "unrecognized arguments: --colour red" in capsys.readouterr().err


def test_a_value_that_may_be_secret_is_not_repeated(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DNSAPI_CORE_WORKERS", "hunter2")
    assert core_controller.main.main([]) == 2
    told = capsys.readouterr().err
    assert "--workers" in told
    assert "hunter2" not in told


def test_lists_of_the_environment_are_written_as_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DNSAPI_ROUTE53_SECRET_NAMESPACES", "a, b")
    monkeypatch.setenv("DNSAPI_ROUTE53_ALLOWED_ROLE_ARNS", '["arn:a"]')
    read: list[Route53Settings] = []
    assert run_with(Route53Settings, ["--runtime-identity-namespaces=x,y"], lambda s: read.append(s) or 0) == 0
    assert read[0].secret_namespaces == ("a", "b")
    assert read[0].allowed_role_arns == ("arn:a",)
    assert read[0].runtime_identity_namespaces == ("x", "y")


@pytest.mark.parametrize(("arguments", "variable"), [(["--conversion-addresses", "a/b"], "{}"), ([], "a/b=c:1")])
def test_names_and_values_that_cannot_be_taken_apart_are_named(
    arguments: list[str], variable: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DNSAPI_CORE_CONVERSION_ADDRESSES", variable)
    assert run_with(CoreSettings, arguments, lambda _: 0) == 2
    told = "python -m core_controller: --conversion-addresses: must be NAME=VALUE, in an environment variable "
    assert capsys.readouterr().err == told + '{"NAME": "VALUE"}\n'


@pytest.mark.parametrize(("arguments", "variable"), [(["--secret-namespaces", '["a'], "b"), ([], "[a,b]")])
def test_a_list_that_cannot_be_taken_apart_is_not_called_a_map(
    arguments: list[str], variable: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DNSAPI_ROUTE53_SECRET_NAMESPACES", variable)
    assert run_with(Route53Settings, arguments, lambda _: 0) == 2
    told = 'python -m route53_controller: --secret-namespaces: must be A,B,... or ["A", "B"]\n'
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(), "0s"),
        (timedelta(minutes=10), "10m"),
        (timedelta(seconds=90), "1m30s"),
        (timedelta(milliseconds=100), "100ms"),
        (timedelta(days=1, seconds=1), "24h1s"),
    ],
)
def test_a_duration_is_written_as_it_is_typed(duration: timedelta, text: str) -> None:
    assert duration_text(duration) == text


def _least(service: str) -> list[str]:
    """Return the options without which a service is not started."""
    return ["--self-signed"] if service == "webhook" else []
