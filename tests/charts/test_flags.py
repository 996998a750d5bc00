"""Command lines of the chart are read by the services' own settings: a renamed option is red here, not in a cluster."""

import importlib
from typing import Any

import pytest
from pydantic_settings import BaseSettings

from tests.charts.conftest import Render
from tests.charts.values import VALUES, arguments, deployed
from tools.values_schema import SETTINGS
from webhook.server import SHUTDOWN_SECONDS

MODULES = {
    "core": "core_controller",
    "route53": "route53_controller",
    "webhook": "webhook",
    "sources": "core_controller",
}
ENDS = ("ge", "le")


def settings_class(component: str) -> type[BaseSettings]:
    """Return the one settings class that a service defines."""
    module = importlib.import_module(f"{MODULES[component]}.settings")
    (found,) = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BaseSettings) and value.__module__ == module.__name__
    ]
    return found


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


@pytest.mark.parametrize("component", MODULES)
def test_every_setting_of_the_chart_is_an_option_of_the_service(component: str) -> None:
    assert {snake(name) for name in SETTINGS[component]} <= settings_class(component).model_fields.keys()


@pytest.mark.parametrize("component", MODULES)
def test_the_chart_takes_the_whole_numbers_that_the_service_takes(component: str) -> None:
    for name, schema in SETTINGS[component].items():
        field = settings_class(component).model_fields[snake(name)]
        if field.annotation is int:
            least, most = (next((getattr(at, end) for at in field.metadata if hasattr(at, end)), None) for end in ENDS)
            assert (name, schema.get("minimum"), schema.get("maximum")) == (name, least, most)


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_the_services_read_their_command_lines(render: Render, values: dict[str, Any]) -> None:
    documents = render(values)
    installed = [one for one in MODULES if values.get(one, {}).get("enabled", one != "sources")]

    for component in installed:
        settings_class(component)(_cli_parse_args=arguments(documents, component))


def test_what_is_set_arrives(render: Render) -> None:
    documents = render(VALUES["everything set"])
    route53: Any = settings_class("route53")(_cli_parse_args=arguments(documents, "route53"))
    webhook: Any = settings_class("webhook")(_cli_parse_args=arguments(documents, "webhook"))

    assert route53.secret_namespaces == ("team-a", "team-b")
    assert route53.drift_interval.total_seconds() == 5400
    assert route53.requests_per_second == 2.5
    assert webhook.leader_elect is False
    assert webhook.webhook_configuration == "dnsapi-webhook"


def test_numbers_of_a_values_file_arrive_as_numbers(render: Render) -> None:
    documents = render(VALUES["large numbers, as a file of values gives them"])
    core: Any = settings_class("core")(_cli_parse_args=arguments(documents, "core"))
    route53: Any = settings_class("route53")(_cli_parse_args=arguments(documents, "route53"))

    assert core.ledger_object_bytes == 1048576
    assert route53.max_delete_count == 1234567
    assert route53.drift_interval.total_seconds() == 3600000
    assert route53.requests_per_second == 2.5


def test_a_webhook_that_is_told_to_end_answers_until_the_nodes_know(render: Render) -> None:
    documents = render()
    webhook: Any = settings_class("webhook")(_cli_parse_args=arguments(documents, "webhook"))
    grace = deployed(documents, "webhook")["terminationGracePeriodSeconds"]

    assert 0 < webhook.drain.total_seconds() + SHUTDOWN_SECONDS < grace


def test_an_empty_list_of_ledger_writers_names_nobody(render: Render) -> None:
    documents = render(VALUES["nobody else writes ledgers"])
    webhook: Any = settings_class("webhook")(_cli_parse_args=arguments(documents, "webhook"))

    assert webhook.ledger_writer_names == frozenset()


def test_the_sources_get_their_options(render: Render) -> None:
    documents = render(VALUES["everything set"])
    sources: Any = settings_class("sources")(_cli_parse_args=arguments(documents, "sources"))

    assert sources.enabled == {"sources"}
    assert sources.source == ("gateway-httproute", "gateway-grpcroute", "service", "crd")
    assert sources.gateway_address_grace.total_seconds() == 600
    assert sources.pipeline_namespace == "dns-system"


@pytest.mark.parametrize("component", ["core", "route53"])
def test_the_lease_has_the_name_that_the_role_grants(component: str) -> None:
    lease = importlib.import_module(f"{MODULES[component]}.main").NAME

    assert lease == f"dnsapi-{component}"


def test_the_sources_have_a_lease_of_their_own() -> None:
    assert importlib.import_module("core_controller.main").SOURCES_NAME == "dnsapi-sources"
