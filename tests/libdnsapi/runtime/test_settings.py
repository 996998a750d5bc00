"""Settings come from options, then the environment, then defaults."""

from datetime import timedelta

import pytest
from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

from libdnsapi.runtime.settings import RuntimeSettings


class ServiceSettings(RuntimeSettings):
    """A service's own settings."""

    model_config = SettingsConfigDict(env_prefix="DNSAPI_CORE_")

    inline_record_sets: int = 100
    """How many."""


def parse(*arguments: str) -> ServiceSettings:
    return ServiceSettings(_cli_parse_args=list(arguments))


def test_options_are_fields_in_kebab_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    settings = parse("--health-port", "0", "--inline-record-sets=5", "--no-leader-elect", "--kubeconfig", "/k")
    assert (settings.health_port, settings.inline_record_sets) == (0, 5)
    assert not settings.leader_elect
    assert settings.kubeconfig == "/k"
    assert settings.shutdown_grace == timedelta(seconds=20)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7.5", 7.5), ("0", 0), ("90s", 90), ("1h30m", 5400), ("1m0.5s", 60.5), ("250ms", 0.25), ("PT1M", 60)],
)
def test_durations_are_written_as_go_does_or_as_seconds_or_in_iso_8601(text: str, seconds: float) -> None:
    assert parse("--shutdown-grace", text).shutdown_grace == timedelta(seconds=seconds)


def test_the_environment_is_read_and_options_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/from/env")
    monkeypatch.setenv("DNSAPI_CORE_LOG_LEVEL", "debug")
    monkeypatch.setenv("DNSAPI_CORE_HEALTH_PORT", "1")
    settings = parse("--health-port", "2")
    assert (settings.kubeconfig, settings.log_level, settings.health_port) == ("/from/env", "debug", 2)


@pytest.mark.parametrize(
    "arguments", [["--health-port", "70000"], ["--log-level", "loud"], ["--lease-duration", "soon"]]
)
def test_nonsense_is_refused(arguments: list[str]) -> None:
    with pytest.raises(ValidationError):
        parse(*arguments)
