from pathlib import Path

import pytest

from e2e.helm import HelmMissingError, binary, find_helm


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DNSAPI_CACHE", str(tmp_path))
    return tmp_path


def without(monkeypatch: pytest.MonkeyPatch, *, go: bool = False, path: Path | None = None) -> None:
    monkeypatch.setenv("PATH", str(path or "/nonexistent"))
    if not go:
        monkeypatch.setattr(binary, "go_command", lambda: None)


def fake_helm(folder: Path, version: str) -> Path:
    program = folder / "helm"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    return program


def test_a_named_helm_wins() -> None:
    assert find_helm({"HELM": "/opt/helm"}) == Path("/opt/helm")


def test_the_cache_is_keyed_by_what_the_module_pins(cache: Path) -> None:
    target = binary.cached_path()
    target.parent.mkdir(parents=True)
    target.touch()

    assert find_helm({}) == target
    assert target.is_relative_to(cache / "helm")


def test_an_installed_helm_of_the_pinned_major_version_will_do(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_helm(cache, binary.helm_version())
    without(monkeypatch, path=cache)

    assert find_helm({}) == program


def test_without_any_helm_the_error_lists_the_ways(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_helm(cache, "v2.17.0")
    without(monkeypatch, path=cache)

    with pytest.raises(HelmMissingError) as error:
        find_helm({})

    message = str(error.value)
    assert "our cache:" in message
    assert "the Go tool is not installed" in message
    assert "is v2.17.0, not v4" in message


def test_the_pin_is_a_version_of_helm_four() -> None:
    assert binary.helm_version().startswith("v4.")
