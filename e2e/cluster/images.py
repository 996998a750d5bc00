"""Build the three images with podman and hand them to containerd.

Where no image registry can be reached, the base image is made of a Debian tree and this machine's Python, and named as
in the Dockerfiles: then it proves the Dockerfiles, not the base.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from e2e.cluster.layout import PAUSE, Layout
from e2e.cluster.node import Say, ctr
from e2e.cluster.programs import ClusterError, pause_program
from e2e.stack.layout import ROOT

BASE = "docker.io/library/python:3.13-slim-bookworm"
COMPONENTS = ("core", "route53", "webhook")
TAG = "e2e"
_LIBRARIES = (
    "ca-certificates,libssl3,libffi8,zlib1g,libbz2-1.0,liblzma5,libsqlite3-0,libreadline8,libncursesw6,libuuid1,tzdata"
)
_UNUSED = ("test", "idlelib", "tkinter", "turtledemo", "lib2to3")


def name(component: str) -> str:
    """Return the name that the chart's default values give to an image, with our tag."""
    return f"docker.io/library/dnsapi-{component}:{TAG}"


def build(layout: Layout, say: Say) -> None:
    """Build base, components and the sandbox image. Raises ClusterError, ProgramError."""
    layout.storage.mkdir(parents=True, exist_ok=True)
    if not _exists(layout, BASE):
        say("no base image: making one of a Debian tree and this machine's Python (about a minute)")
        _base(layout)
    _pause(layout)
    for component in COMPONENTS:
        say(f"building {name(component)}")
        options = ["--isolation=chroot", "--network=host", "--format=docker", *_mounts()]
        _podman(layout, "build", *options, "--file", f"Dockerfile.{component}", "--tag", name(component), ".")


def load(layout: Layout, say: Say) -> None:
    """Import all images into the cluster's containerd. Raises ClusterError."""
    archive = layout.storage / "images.tar"
    images = [PAUSE, *(name(component) for component in COMPONENTS)]
    archive.unlink(missing_ok=True)
    _podman(layout, "save", "--multi-image-archive", "--output", str(archive), *images)
    ctr(layout, "images", "import", str(archive))
    archive.unlink()
    say(f"{len(images)} images in the cluster")


def sizes(layout: Layout) -> dict[str, int]:
    """Return the bytes of each image over its base."""
    found = {
        one: int(_podman(layout, "image", "inspect", "--format", "{{.Size}}", one)) for one in map(name, COMPONENTS)
    }
    base = int(_podman(layout, "image", "inspect", "--format", "{{.Size}}", BASE))
    return {image: size - base for image, size in found.items()}


def _base(layout: Layout) -> None:
    tree = layout.storage / "base"
    shutil.rmtree(tree, ignore_errors=True)
    _run(["debootstrap", "--variant=minbase", f"--include={_LIBRARIES}", "bookworm", str(tree)])
    local = tree / "usr" / "local"
    library = f"python{sys.version_info.major}.{sys.version_info.minor}"
    prefix = Path(sys.base_prefix)
    ignored = shutil.ignore_patterns("__pycache__", "site-packages", "config-*", *_UNUSED)
    shutil.copytree(prefix / "lib", local / "lib", ignore=ignored, symlinks=True, dirs_exist_ok=True)
    (local / "lib" / library / "site-packages").mkdir(exist_ok=True)
    shutil.copy(Path(sys.base_prefix) / "bin" / library, local / "bin" / library)
    for link in ("python", "python3"):
        (local / "bin" / link).symlink_to(library)
    pip = local / "bin" / "pip"
    pip.write_text('#!/bin/sh\nexec python -m pip "$@"\n')
    pip.chmod(0o755)
    for command in (["ldconfig"], [f"/usr/local/bin/{library}", "-m", "ensurepip"]):
        _run(["chroot", str(tree), *command])
    for compiled in local.rglob("__pycache__"):  # the official image has none
        shutil.rmtree(compiled)
    archive = layout.storage / "base.tar"
    _run(["tar", "--directory", str(tree), "--create", "--file", str(archive), "."])
    _podman(layout, "import", str(archive), BASE)
    archive.unlink()
    shutil.rmtree(tree)


def _pause(layout: Layout) -> None:
    if _exists(layout, PAUSE):
        return
    context = layout.storage / "pause"
    context.mkdir(exist_ok=True)
    shutil.copy(pause_program(), context / "pause")
    (context / "Dockerfile").write_text('FROM scratch\nCOPY pause /pause\nUSER 65535:65535\nENTRYPOINT ["/pause"]\n')
    _podman(layout, "build", "--isolation=chroot", "--tag", PAUSE, str(context))


def _mounts() -> list[str]:
    """Return what lets pip and uv reach the package index as this machine does."""
    wanted = [Path("/etc/pip.conf"), Path("/etc/ssl/certs")]
    mounts = [f"--volume={path}:{path}:ro" for path in wanted if path.exists()]
    authority = os.environ.get("SSL_CERT_FILE")
    return [*mounts, f"--env=SSL_CERT_FILE={authority}"] if authority else mounts


def _exists(layout: Layout, image: str) -> bool:
    try:
        _podman(layout, "image", "inspect", "--format", "{{.Id}}", image)
    except ClusterError:
        return False
    return True


def _podman(layout: Layout, *arguments: str) -> str:
    own = [f"--root={layout.storage / 'podman'}", f"--runroot={layout.runtime / 'podman'}"]
    return _run(["podman", "--storage-driver=overlay", *own, *arguments])


def _run(command: Sequence[str]) -> str:
    answer = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603 — composed here
    if answer.returncode != 0:
        raise ClusterError(f"{' '.join(command[:6])} …: {answer.stderr.strip()[-2000:]}")
    return answer.stdout.strip()


def remove(layout: Layout, table: Path = Path("/proc/mounts")) -> list[Path]:
    """Remove what clusters of this directory and their images keep on the disk, and return what that was.

    Raises ClusterError where something below is still mounted: removing would reach into it.
    """
    kept = [path for path in (layout.directory, layout.storage, layout.runtime) if path.exists()]
    mounts = [line.split()[1] for line in table.read_text().splitlines()]
    for path in kept:
        if held := [mount for mount in mounts if Path(mount).is_relative_to(path)]:
            raise ClusterError(f"{held[0]} is still mounted; end what uses it, or unmount it")
    for path in kept:
        shutil.rmtree(path)
    return kept
