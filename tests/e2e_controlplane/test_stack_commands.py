"""The services' command lines of the local stack: the chart's own, with local addresses."""

import sys
from pathlib import Path

import pytest

from e2e.kube import load_documents
from e2e.stack import Stack
from e2e.stack.charts import Rendered
from e2e.stack.demo import documents
from e2e.stack.layout import Layout
from e2e.stack.services import CORE, ROUTE53, SERVICES, WEBHOOK, Ports, Runner, Service, replaced
from e2e.toolchain import daemons

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
PORTS = Ports({"core_controller": 1001, "route53_controller": 1002, "webhook": 1003}, 1004)
CHART = ("--health-host=0.0.0.0", "--health-port=8080", "--lease-name=x", "--address=0.0.0.0:9443")


@pytest.mark.parametrize(
    ("arguments", "local", "expected"),
    [
        (["--a=1", "--b=2"], {"--a": "9"}, ["--b=2", "--a=9"]),
        (["--a=1", "--a=2"], {"--a": "9"}, ["--a=9"]),
        (["--switch"], {"--a": "9"}, ["--switch", "--a=9"]),
        ([], {"--a": "9", "--b": "8"}, ["--a=9", "--b=8"]),
    ],
)
def test_local_values_replace_the_charts(arguments: list[str], local: dict[str, str], expected: list[str]) -> None:
    assert replaced(arguments, local) == expected


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_a_service_listens_on_the_loopback_address_only(service: Service, tmp_path: Path) -> None:
    arguments = _runner(tmp_path).arguments(service)
    assert not [one for one in arguments if one.startswith("--health") and "127.0.0.1" not in one and "port" not in one]
    assert f"--health-port={PORTS.health[service.name]}" in arguments
    assert "--lease-name=x" in arguments


def test_the_webhook_serves_the_stacks_certificate(tmp_path: Path) -> None:
    arguments = _runner(tmp_path).arguments(WEBHOOK)
    assert "--address=127.0.0.1:1004" in arguments
    assert f"--tls-cert-file={tmp_path / 'tls' / 'webhook' / 'tls.crt'}" in arguments


def test_only_the_route_53_controller_gets_aws_settings(tmp_path: Path) -> None:
    runner = _runner(tmp_path)
    assert not [name for name in runner.environment(CORE) if name.startswith("AWS_")]
    assert runner.environment(ROUTE53)["AWS_ENDPOINT_URL_ROUTE_53"] == "http://127.0.0.1:1"


def test_webhook_rules_keep_their_paths_at_the_local_address() -> None:
    text = """
    kind: ValidatingWebhookConfiguration
    webhooks: [{clientConfig: {caBundle: Yg==, service: {name: w, namespace: n, path: /validate-x}}}]
    """
    (configuration,) = Rendered(tuple(load_documents(text))).webhooks("127.0.0.1:1004")
    client = configuration["webhooks"][0]["clientConfig"]
    assert client == {"caBundle": "Yg==", "url": "https://127.0.0.1:1004/validate-x"}


def test_the_quickstart_holds_all_seven_types_and_an_alias() -> None:
    specs = [one["spec"] for one in documents() if one["kind"] == "RecordSet"]
    assert {spec["type"] for spec in specs} == {"A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"}
    assert [spec["options"]["alias"]["dnsName"] for spec in specs if "options" in spec]


def test_whatever_was_started_in_the_directory_goes_with_the_stack(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    names = ("core_controller-second", "route53_controller", "route53-emulator")
    started = [daemons.start(name, SLEEPER, layout.pids, log=layout.log(name)) for name in names]
    assert Stack.down(tmp_path) == list(names)
    assert not [one.name for one in started if one.alive]
    assert Stack.down(tmp_path) == []


def _runner(directory: Path) -> Runner:
    arguments = {service.name: CHART for service in SERVICES}
    return Runner(Layout(directory), PORTS, arguments, {"AWS_ENDPOINT_URL_ROUTE_53": "http://127.0.0.1:1"})
