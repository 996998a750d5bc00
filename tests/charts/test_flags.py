"""Command lines of the chart are understood by the services: a renamed option is red here, not in a cluster."""

import importlib
from typing import Any

import pytest
from pydantic_settings import BaseSettings

from tests.charts.conftest import Render
from tests.charts.values import VALUES, arguments
from tools.values_schema import SETTINGS

MODULES = {"core": "core_controller", "route53": "route53_controller", "webhook": "webhook"}


def options(component: str) -> set[str]:
    """Return every option of a service, negations of switches included."""
    module = importlib.import_module(f"{MODULES[component]}.settings")
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BaseSettings) and value.__module__ == module.__name__
    ]
    fields = {name: field for cls in classes for name, field in cls.model_fields.items()}
    flags = {f"--{name.replace('_', '-')}" for name in fields}
    return flags | {f"--no-{name.replace('_', '-')}" for name, field in fields.items() if field.annotation is bool}


def kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


@pytest.mark.parametrize("component", MODULES)
def test_every_setting_of_the_chart_is_an_option_of_the_service(component: str) -> None:
    assert {f"--{kebab(name)}" for name in SETTINGS[component]} <= options(component)


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_every_argument_is_an_option_of_the_service(render: Render, values: dict[str, Any]) -> None:
    documents = render(values)
    deployed = [one for one in MODULES if values.get(one, {}).get("enabled", True)]
    for component in deployed:
        flags = {argument.partition("=")[0] for argument in arguments(documents, component)}

        assert flags <= options(component)
