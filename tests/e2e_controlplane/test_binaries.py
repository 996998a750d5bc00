"""Where the control plane's programs are looked for, and what is said when they are nowhere."""

from pathlib import Path

import pytest

from e2e.controlplane import BinariesMissingError, binaries, find_binaries
from e2e.controlplane.download import DownloadError


def _program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_kubebuilder_assets_win_over_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DNSAPI_CACHE", str(tmp_path / "cache"))
    for name in binaries.NAMES:
        _program(binaries.cache_directory() / name)
    assets = _program(tmp_path / "assets" / "etcd").parent
    found = find_binaries({"KUBEBUILDER_ASSETS": str(assets)})
    assert found.etcd == assets / "etcd"
    assert found.apiserver == binaries.cache_directory() / "kube-apiserver"


def test_the_error_lists_every_way_when_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, version: str, target: Path) -> Path:
        raise DownloadError("not reachable")

    monkeypatch.setenv("DNSAPI_CACHE", str(tmp_path))
    monkeypatch.setattr(binaries, "go_command", lambda: None)
    monkeypatch.setattr(binaries, "download", refuse)
    with pytest.raises(BinariesMissingError) as missing:
        find_binaries({"KUBEBUILDER_ASSETS": str(tmp_path)})
    text = str(missing.value)
    for way in ("KUBEBUILDER_ASSETS", "our cache", "go build", "official archives", "install Go"):
        assert way in text


def test_the_programs_carry_the_pinned_version() -> None:
    flags = binaries.programs()[1].ldflags
    assert f"gitVersion={binaries.kubernetes_version()}" in flags
