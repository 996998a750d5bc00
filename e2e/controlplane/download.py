"""Download control plane programs from where the Kubernetes project publishes them, checked by their checksums.

etcd and kube-apiserver come from the envtest archive of controller-tools (SHA-512 in its index), which lacks
kube-controller-manager; that one comes from the release server (SHA-256 beside it).
"""

import hashlib
import http.client
import io
import platform
import tarfile
import urllib.request
from pathlib import Path

import yaml

from e2e.toolchain.progress import say

_INDEX = "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml"
_RELEASES = "https://dl.k8s.io"
_TIMEOUT_SECONDS = 20


class DownloadError(RuntimeError):
    """Nothing could be downloaded, or it was not what its checksum says."""


def download(name: str, version: str, target: Path) -> Path:
    """Write program `name` of Kubernetes `version` (such as v1.36.3) to the file `target`.

    Raises DownloadError.
    """
    say(f"downloading {name} for Kubernetes {version} (kept in {target.parent})")
    try:
        content = _release_program(name, version) if name == "kube-controller-manager" else _envtest(name, version)
    except (OSError, http.client.HTTPException, LookupError, tarfile.TarError, yaml.YAMLError) as error:
        raise DownloadError(f"not reachable or not readable ({type(error).__name__})") from error
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_bytes(content)
    partial.chmod(0o755)
    return partial.replace(target)


def _release_program(name: str, version: str) -> bytes:
    url = f"{_RELEASES}/{version}/bin/{_system()}/{_machine()}/{name}"
    content = _get(url)
    _check(hashlib.sha256(content).hexdigest(), _get(f"{url}.sha256").decode().split()[0], url)
    return content


def _envtest(name: str, version: str) -> bytes:
    index = yaml.safe_load(_get(_INDEX))
    releases = index.get("releases", {}) if isinstance(index, dict) else {}
    release = _closest(sorted(releases), version)
    archive = releases[release][f"envtest-{release}-{_system()}-{_machine()}.tar.gz"]
    content = _get(archive["selfLink"])
    _check(hashlib.sha512(content).hexdigest(), archive["hash"], archive["selfLink"])
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        member = tar.extractfile(f"controller-tools/envtest/{name}")
        if member is None:
            raise DownloadError(f"the envtest archive holds no {name}")
        return member.read()


def _closest(releases: list[str], version: str) -> str:
    """Envtest archives exist for some patch releases only: the same minor version will do."""
    minor = version.rpartition(".")[0] + "."
    same = [release for release in releases if release.startswith(minor)]
    if version in releases:
        return version
    if not same:
        raise DownloadError(f"no envtest archive for Kubernetes {minor}x")
    return max(same, key=lambda release: [int(part) for part in release.removeprefix("v").split(".")[:3]])


def _check(actual: str, expected: str, url: str) -> None:
    if actual != expected:
        raise DownloadError(f"checksum of {url} does not match")


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 — https constants above
        content: bytes = answer.read()
        return content


def _system() -> str:
    return platform.system().lower()


def _machine() -> str:
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
