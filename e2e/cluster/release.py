"""The charts in the cluster: installed and upgraded by helm, as an operator does, and tested by their own test."""

import json
import os
import subprocess

from e2e.cluster import images, network
from e2e.cluster.layout import ADDRESS, EMULATOR_PORT, SYSTEM, Layout
from e2e.cluster.node import Say
from e2e.cluster.programs import ClusterError
from e2e.helm import find_helm
from e2e.stack.layout import DUMMY_CREDENTIALS, ROOT
from e2e.stack.stack import endpoints

RELEASE = "dnsapi"
WAIT = ("--wait", "--timeout", "5m")


def install(layout: Layout, say: Say) -> None:
    """Install or upgrade both charts. Raises ClusterError with helm's words."""
    values = layout.config("values.json")
    values.write_text(json.dumps(_values()))
    _helm(layout, "upgrade", "--install", "dnsapi-crds", "charts/dnsapi-crds")
    namespace = ("--namespace", SYSTEM, "--create-namespace")
    _helm(layout, "upgrade", "--install", RELEASE, "charts/dnsapi", *namespace, "--values", str(values), *WAIT)
    say("charts installed, all pods ready")
    _helm(layout, "test", RELEASE, "--namespace", SYSTEM, "--timeout", "2m")
    say("helm test passed")


def uninstall(layout: Layout, say: Say) -> None:
    """Uninstall, with the job that releases finalizers. Raises ClusterError with helm's words."""
    options = ("--namespace", SYSTEM, "--reset-then-reuse-values", "--set", "uninstall.release=true")
    _helm(layout, "upgrade", RELEASE, "charts/dnsapi", *options, *WAIT)
    _helm(layout, "uninstall", RELEASE, "--namespace", SYSTEM, *WAIT)
    say("uninstalled")


def _values() -> dict[str, object]:
    environment = DUMMY_CREDENTIALS | dict(endpoints(f"http://{ADDRESS}:{EMULATOR_PORT}"))
    variables = [{"name": name, "value": value} for name, value in environment.items()]
    return {
        "global": {"image": {"registry": "docker.io/library", "tag": images.TAG}},
        "core": {"image": {"pullPolicy": "Never"}},
        "route53": {
            "image": {"pullPolicy": "Never"},
            "env": variables,
            "settings": {"changePollInitial": "500ms"},
        },
        "webhook": {"image": {"pullPolicy": "Never"}},
    }


def _helm(layout: Layout, *arguments: str) -> None:
    environment = dict(os.environ) | {"KUBECONFIG": str(layout.kubeconfig("admin"))}
    command = network.inside([str(find_helm()), *arguments])
    answer = subprocess.run(  # noqa: S603 — composed here
        command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT
    )
    if answer.returncode != 0:
        raise ClusterError(f"helm {' '.join(arguments[:3])}: {answer.stderr.strip()}")
