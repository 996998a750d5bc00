"""Files of pinned modules: those that Go has are taken without the network, others are asked for again and again."""

from pathlib import Path

import pytest

from e2e.toolchain import gobuild, gomodule
from e2e.toolchain.gomodule import ModuleMissingError, module_folder

UNREACHABLE = '{"Error": "Get \\"https://proxy.example/x\\": dial tcp: i/o timeout"}'


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gobuild, "PAUSES_SECONDS", (0.0, 0.0))


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Have a shell script for a Go tool; `$COUNT` is the attempt."""
    path = folder / "go"
    path.write_text(f'#!/bin/sh\necho "$GOPROXY" >> "{folder}/asked"\nCOUNT=$(wc -l < "{folder}/asked")\n{script}\n')
    path.chmod(0o755)
    monkeypatch.setattr(gomodule, "go_command", lambda: str(path))


def test_a_module_that_go_has_needs_no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(monkeypatch, tmp_path, 'echo \'{"Dir": "/modules/x"}\'')
    assert module_folder(tmp_path, "x") == Path("/modules/x")
    assert (tmp_path / "asked").read_text() == "off\n"


def test_a_download_goes_on_after_the_network_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GOPROXY", raising=False)
    use(
        monkeypatch, tmp_path, f"[ $COUNT -lt 4 ] && echo '{UNREACHABLE}' && exit 1\necho '{{\"Dir\": \"/modules/x\"}}'"
    )
    assert module_folder(tmp_path, "x") == Path("/modules/x")
    assert (tmp_path / "asked").read_text() == "off\n\n\n\n"


def test_a_module_that_cannot_be_had_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(monkeypatch, tmp_path, 'echo \'{"Error": "x: unknown revision"}\'; exit 1')
    with pytest.raises(ModuleMissingError, match="go mod download x: x: unknown revision"):
        module_folder(tmp_path, "x")
