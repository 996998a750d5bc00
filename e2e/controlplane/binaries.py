"""Find the three programs of the control plane, each by itself, in a fixed order.

`KUBEBUILDER_ASSETS`, then our cache, then `go build` from the public modules, then the official archives (checked
against their published checksums); else an error that lists these ways.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from e2e.controlplane.download import DownloadError, download
from e2e.toolchain.cache import cache_root, digest
from e2e.toolchain.gobuild import GoProgram, build, go_command
from e2e.toolchain.progress import ProgramError

_HERE = Path(__file__).parent
NAMES = ("etcd", "kube-apiserver", "kube-controller-manager")


class BinariesMissingError(RuntimeError):
    """No way led to a control plane program; the message lists the ways and why each failed."""


@dataclass(frozen=True)
class Binaries:
    """Paths of the three programs."""

    etcd: Path
    apiserver: Path
    controller_manager: Path


def kubernetes_version() -> str:
    """Return the pinned version of k8s.io/kubernetes, such as v1.36.3."""
    return _pinned(_HERE / "kubernetes" / "go.mod", "k8s.io/kubernetes")


def programs() -> tuple[GoProgram, ...]:
    """Return the three programs as they are built from our pinned modules."""
    version = kubernetes_version()
    major, minor, _ = version.removeprefix("v").split(".", 2)
    stamp = "k8s.io/component-base/version"
    flags = (
        f"-s -w -X {stamp}.gitVersion={version} -X {stamp}.gitMajor={major} -X {stamp}.gitMinor={minor}"
        f" -X {stamp}.gitTreeState=clean"
    )
    commands = "k8s.io/kubernetes/cmd"
    return (
        GoProgram("etcd", _HERE / "etcd", "."),
        GoProgram("kube-apiserver", _HERE / "kubernetes", f"{commands}/kube-apiserver", flags),
        GoProgram("kube-controller-manager", _HERE / "kubernetes", f"{commands}/kube-controller-manager", flags),
    )


def cache_directory() -> Path:
    """Return the folder of the cache that holds what these pins and flags build."""
    all_programs = programs()
    pins = sorted({pin for program in all_programs for pin in program.pins})
    return cache_root() / "controlplane" / digest(pins, *(program.ldflags for program in all_programs))


def find_binaries(environ: Mapping[str, str] = os.environ) -> Binaries:
    """Return the three programs, building or downloading what is missing.

    Raises BinariesMissingError.
    """
    etcd, apiserver, controller_manager = (_find(program, environ) for program in programs())
    return Binaries(etcd, apiserver, controller_manager)


def _find(program: GoProgram, environ: Mapping[str, str]) -> Path:
    assets = environ.get("KUBEBUILDER_ASSETS")
    if assets and (Path(assets) / program.name).is_file():
        return Path(assets) / program.name
    target = cache_directory() / program.name
    if target.is_file():
        return target
    tried = [_assets_verdict(program, assets), f"our cache: {target} is not there"]
    go = go_command()
    if go is None:
        tried.append("go build: the Go tool is not installed")
    else:
        try:
            return build(program, target, go)
        except ProgramError as error:
            tried.append(f"go build: {error}")
    try:
        return download(program.name, kubernetes_version(), target)
    except DownloadError as error:
        tried.append(f"official archives: {error}")
    raise BinariesMissingError(_explain(program.name, tried))


def _assets_verdict(program: GoProgram, assets: str | None) -> str:
    if not assets:
        return "KUBEBUILDER_ASSETS: not set"
    return f"KUBEBUILDER_ASSETS: {assets} holds no {program.name}"


def _explain(name: str, tried: list[str]) -> str:
    ways = "\n".join(f"  {number}. {verdict}" for number, verdict in enumerate(tried, start=1))
    return (
        f"no {name} for the local control plane. Tried, in this order:\n{ways}\n"
        f"Set KUBEBUILDER_ASSETS to a folder with {', '.join(NAMES)}, or install Go (https://go.dev/doc/install),"
        " or run where the archives can be downloaded."
    )


def _pinned(go_mod: Path, module: str) -> str:
    found = re.search(rf"^(?:require )?\s*{re.escape(module)} (v\S+)", go_mod.read_text(), re.MULTILINE)
    if found is None:
        raise BinariesMissingError(f"{go_mod} pins no version of {module}")
    return found.group(1)
