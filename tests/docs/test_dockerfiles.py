"""The three Dockerfiles are one recipe, and what they promise about the image at run time."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = {"core": "core_controller", "route53": "route53_controller", "webhook": "webhook"}


def recipe(component: str) -> str:
    """Return a Dockerfile with its component's names replaced; description and ports are its own."""
    text = (ROOT / f"Dockerfile.{component}").read_text()
    text = re.sub(r"image.description=.*", "", re.sub(r"^EXPOSE .*$", "EXPOSE", text, flags=re.MULTILINE))
    return re.sub(rf"\b({MODULES[component]}|{component})\b", "COMPONENT", text)


@pytest.mark.parametrize("component", ["route53", "webhook"])
def test_they_differ_in_names_alone(component: str) -> None:
    assert recipe(component) == recipe("core")


@pytest.mark.parametrize("component", MODULES)
def test_an_image_runs_as_a_number_without_a_shell_and_from_the_lock(component: str) -> None:
    build, _, final = (ROOT / f"Dockerfile.{component}").read_text().rpartition("FROM ")

    assert "uv sync --frozen --no-dev" in build
    assert "\nUSER 65532:65532\n" in final
    assert f'\nENTRYPOINT ["python", "-m", "{MODULES[component]}"]\n' in final


@pytest.mark.parametrize("component", MODULES)
def test_nothing_has_to_be_compiled_at_a_start(component: str) -> None:
    build, _, final = (ROOT / f"Dockerfile.{component}").read_text().rpartition("FROM ")

    assert "UV_COMPILE_BYTECODE=1" in build
    assert "compileall -q /app" in build
    assert 'sysconfig.get_path("stdlib")' in final
