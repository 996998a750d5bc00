"""What helm runs beside the release: its test, and the release of finalizers after an uninstall."""

import ast
import shlex

from tests.charts.conftest import CHART, Render
from tests.charts.values import named, of_kind


def test_the_test_pod_asks_the_webhook_of_this_release(render: Render) -> None:
    pod = named(render(release="other"), "Pod", "other-check")
    container = pod["spec"]["containers"][0]

    assert pod["metadata"]["annotations"]["helm.sh/hook"] == "test"
    assert container["env"][0]["value"] == (
        "https://other-webhook.dns-system.svc/validate-dns-appthrust-io-v1alpha1-zone"
    )
    assert container["args"] == [(CHART / "files" / "check.py").read_text()]
    ast.parse(container["args"][0])


def test_finalizers_are_released_after_an_uninstall_only_where_somebody_asked_for_it(render: Render) -> None:
    released = render({"uninstall": {"release": True}})
    job = named(released, "Job", "dnsapi-release")
    rules = named(released, "ClusterRole", "dnsapi-release")["rules"]

    assert of_kind(render(), "Job") == []
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "post-delete"
    assert job["spec"]["template"]["spec"]["containers"][0]["args"] == shlex.split("release --all-namespaces --yes")
    assert {verb for rule in rules for verb in rule["verbs"]} == {"list", "patch"}


def test_the_account_of_the_release_is_there_before_its_job(render: Render) -> None:
    documents = render({"uninstall": {"release": True}})
    hooks = [one for one in documents if one["metadata"]["name"] == "dnsapi-release"]
    weights = {one["kind"]: int(one["metadata"]["annotations"]["helm.sh/hook-weight"]) for one in hooks}

    assert weights["Job"] == max(weights.values())
    assert len(weights) == 4
