from pathlib import Path

import pytest

from e2e.leaks import leaks, leaks_in, main
from e2e.stack.layout import ACCOUNT_ID, DUMMY_CREDENTIALS, Layout

SECRETS = {
    "the stack's access key": DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
    "the stack's secret key": DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    "an access key of a session": "ASIA" + "A" * 16,
    "the account": f"account {ACCOUNT_ID}, refused",
    "a role": "arn:aws:iam::1:role/x",
    "a token": "eyJ" + "a" * 30 + "." + "b" * 30,
    "a key file": "-----BEGIN EC PRIVATE KEY-----",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_is_found_and_not_repeated(secret: str) -> None:
    (found,) = leaks_in(f'{{"event": "refused", "error": "{secret}"}}')

    assert secret not in found


@pytest.mark.parametrize("text", ["hosted zone Z0123456789ABC", "1234567890123", "serial 2026112901", "e2e/route53"])
def test_ordinary_words_are_no_secrets(text: str) -> None:
    assert leaks_in(text) == []


def test_the_logs_of_every_service_are_read(tmp_path: Path) -> None:
    log = Layout(tmp_path).log("route53_controller")
    log.parent.mkdir(parents=True)
    log.write_text(f"refused by {ACCOUNT_ID}\n")

    assert leaks(tmp_path) == ["route53_controller.log: an account id after 'refused by '"]


def test_the_logs_of_further_replicas_are_read(tmp_path: Path) -> None:
    log = Layout(tmp_path).log("core_controller-second")
    log.parent.mkdir(parents=True)
    log.write_text(f"refused by {ACCOUNT_ID}\n")

    assert leaks(tmp_path) == ["core_controller-second.log: an account id after 'refused by '"]


def test_a_directory_without_logs_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert f"{tmp_path} holds no logs of a stack" in capsys.readouterr().err
