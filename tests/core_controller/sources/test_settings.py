"""The options of the sources controller."""

import pytest
from pydantic import ValidationError

from core_controller.settings import CoreSettings
from core_controller.sources.settings import ALL_SOURCES


def read(*arguments: str) -> CoreSettings:
    return CoreSettings(_cli_parse_args=list(arguments))


@pytest.mark.spec("GW-DN-001")
def test_all_kinds_are_read_by_default() -> None:
    assert read().source == ALL_SOURCES


@pytest.mark.parametrize("arguments", [("--source", "service,ingress"), ("--source", "service", "--source", "ingress")])
def test_kinds_are_named_one_by_one_or_with_commas(arguments: tuple[str, ...]) -> None:
    assert read(*arguments).source == ("service", "ingress")


@pytest.mark.parametrize(("text", "seconds"), [("60", 60), ("90s", 90), ("1m30s", 90)])
def test_durations_are_written_as_elsewhere(text: str, seconds: int) -> None:
    assert read("--gateway-address-grace", text).gateway_address_grace.total_seconds() == seconds


@pytest.mark.parametrize(
    "arguments",
    [
        ("--source", "unknown"),
        ("--label-filter", "a=1 b"),
        ("--fqdn-template", "{{ .Name"),
        ("--exclude-target-net", "10.0.0.0/33"),
    ],
)
@pytest.mark.spec("GW-DN-003", "SRC-EP-018")
def test_wrong_options_are_refused_at_the_start(arguments: tuple[str, ...]) -> None:
    with pytest.raises((ValidationError, SystemExit)):
        read(*arguments)


@pytest.mark.spec("SRC-EP-017")
def test_networks_are_read() -> None:
    nets = read("--exclude-target-net", "10.0.0.0/8,2001:db8::/32").rules().nets

    assert [str(net) for net in nets.excluded] == ["10.0.0.0/8", "2001:db8::/32"]
