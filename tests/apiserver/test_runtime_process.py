"""A whole process, from its options to its exit status, beside a real API server."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from e2e.kube import Kube
from e2e.polling import eventually

PROGRAM = """
import sys
from libdnsapi.api.meta import NAMESPACES, Namespace
from libdnsapi.runtime.launch import launch
from libdnsapi.runtime.settings import RuntimeSettings
settings = RuntimeSettings(_cli_parse_args=sys.argv[1:])
sys.exit(launch("process-test", settings, lambda manager: manager.informer(NAMESPACES, Namespace) and None))
"""


@contextmanager
def started(kubeconfig: Path, tmp_path: Path, more: Sequence[str] = ()) -> Iterator["subprocess.Popen[bytes]"]:
    options = ["--kubeconfig", str(kubeconfig), "--health-host", "127.0.0.1", "--health-port", "0"]
    options += ["--ports-file", str(tmp_path / "ports"), "--lease-namespace", "default", *more]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, *options], stderr=log)  # noqa: S603 — our own program
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def process(kubeconfig: Path, tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with started(kubeconfig, tmp_path) as running:
        yield running


def get(directory: Path, path: str) -> str:
    try:
        port = json.loads((directory / "ports").read_text())["health"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
            return str(response.read().decode())
    except OSError:
        return ""


def holder(kube: Kube) -> str | None:
    lease = kube.find("coordination.k8s.io/v1", "Lease", "default", "process-test")
    return str(lease["spec"].get("holderIdentity", "")) if lease else None


def test_it_starts_leads_and_ends_as_told(process: "subprocess.Popen[bytes]", kube: Kube, tmp_path: Path) -> None:
    eventually(lambda: get(tmp_path, "/readyz"), lambda text: text == "ok\n")
    eventually(lambda: holder(kube), bool)
    assert get(tmp_path, "/debug") == ""
    metrics = get(tmp_path, "/metrics")
    assert 'leader_election_master_status{name="process-test"} 1.0' in metrics
    assert 'rest_client_requests_total{code="200",method="GET"}' in metrics
    resident = next(line for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if "VmRSS" in line)
    assert int(resident.split()[1]) < 90 * 1024
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    assert holder(kube) == ""
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["caches are full", "leading", "lease released", "stopped"]


def test_the_debug_page_is_there_where_it_is_asked_for(kubeconfig: Path, tmp_path: Path) -> None:
    with started(kubeconfig, tmp_path, ["--debug-page", "--no-leader-elect"]):
        eventually(lambda: get(tmp_path, "/readyz"), lambda text: text == "ok\n")
        page = json.loads(get(tmp_path, "/debug"))

    (cache,) = page["caches"]
    assert (cache["name"], cache["synced"], cache["stuck"]) == ("namespaces", True, False)
    assert cache["objects"] > 0
    assert cache["size_bytes"] > 100 * cache["objects"]
    assert int(cache["resource_version"]) > 0
    assert {"informer-namespaces", "events", "leadership"} <= {task["name"] for task in page["tasks"]["shown"]}
    assert page["problems"] == []
