"""The webhook's settings."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from webhook.main import main
from webhook.settings import WebhookSettings

FILES = ["--tls-cert-file", "tls.crt", "--tls-key-file", "tls.key"]


def _read(*arguments: str) -> WebhookSettings:
    return WebhookSettings(_cli_parse_args=list(arguments))


def test_options_are_kebab_case() -> None:
    settings = _read(*FILES, "--address", "127.0.0.1:0", "--ledger-writers", "a, b", "--controllers", "c")
    assert settings.host_and_port == ("127.0.0.1", 0)
    assert settings.tls_cert_file == Path("tls.crt")
    assert settings.ledger_writer_names == {"a", "b"}
    assert settings.controller_names == {"c"}


def test_an_ipv6_address_loses_its_brackets() -> None:
    assert _read(*FILES, "--address", "[::1]:9443").host_and_port == ("::1", 9443)


def test_by_default_only_administrators_restore_ledgers() -> None:
    assert _read(*FILES).ledger_writer_names == {"system:masters"}


def test_a_self_made_certificate_needs_no_files() -> None:
    settings = _read("--self-signed", "--self-signed-secret", "ns/tls", "--self-signed-names", "a.svc,127.0.0.1")
    assert str(settings.certificate_secret) == "ns/tls"
    assert settings.certificate_names == ("a.svc", "127.0.0.1")


def test_the_environment_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DNSAPI_WEBHOOK_ADDRESS", "127.0.0.2:1234")
    assert _read(*FILES).host_and_port == ("127.0.0.2", 1234)


def test_a_wrong_option_ends_the_process_with_a_line_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FILES, "--health-port", "x"]) == 2
    assert capsys.readouterr().err.startswith("python -m webhook: --health-port: Input should be a valid integer")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either --tls-cert-file with --tls-key-file, or --self-signed"),
        ([*FILES, "--self-signed"], "give either"),
        (FILES[:2], "--tls-cert-file and --tls-key-file go together"),
        ([*FILES, "--address", "nowhere"], "address"),
        (["--self-signed", "--self-signed-secret", "tls"], "self_signed_secret"),
    ],
)
def test_wrong_options_are_named(arguments: list[str], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        _read(*arguments)
