"""Health, readiness and metrics over HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import orjson
import pytest

from libdnsapi.runtime.errors import CannotListenError
from libdnsapi.runtime.health import HealthServer, PortsFileError, write_ports
from libdnsapi.runtime.metrics import Metrics


@pytest.fixture
async def health() -> AsyncIterator[HealthServer]:
    metrics = Metrics()
    metrics.cached_objects.labels("zones").set(7)
    health = HealthServer(metrics.registry, "127.0.0.1", 0)
    await health.start()
    yield health
    await health.stop()


async def ask(health: HealthServer, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{health.port}{path}") as response,
    ):
        return response.status, await response.text()


async def test_a_process_without_checks_is_ready(health: HealthServer) -> None:
    assert await ask(health, "/healthz") == (200, "ok\n")
    assert await ask(health, "/readyz") == (200, "ok\n")


async def test_a_failed_check_is_named(health: HealthServer) -> None:
    problems = {"cache": "not complete yet"}
    health.add_readiness("cache", lambda: problems["cache"])
    health.add_readiness("other", lambda: "")
    assert await ask(health, "/readyz") == (503, "[-]cache failed: not complete yet\n[+]other ok\nnot ready\n")
    assert (await ask(health, "/healthz"))[0] == 200
    problems["cache"] = ""
    assert await ask(health, "/readyz") == (200, "ok\n")
    assert await ask(health, "/readyz?verbose") == (200, "[+]cache ok\n[+]other ok\nok\n")


async def test_metrics_are_served(health: HealthServer) -> None:
    status, text = await ask(health, "/metrics")
    assert status == 200
    assert 'dnsapi_informer_objects{resource="zones"} 7.0' in text


async def test_a_taken_port_is_an_error(health: HealthServer) -> None:
    second = HealthServer(Metrics().registry, "127.0.0.1", health.port)
    with pytest.raises(CannotListenError) as raised:
        await second.start()
    await second.stop()
    told = f"cannot listen on 127.0.0.1:{health.port}, see --health-host, --health-port: address already in use"
    assert str(raised.value) == told


async def test_a_host_that_is_no_name_is_an_error() -> None:
    server = HealthServer(Metrics().registry, "a" * 80)
    with pytest.raises(CannotListenError, match="see --health-host, --health-port: the host is no name"):
        await server.start()


def test_ports_are_written_whole(tmp_path: Path) -> None:
    write_ports(tmp_path / "ports.json", {"health": 1234})
    assert orjson.loads((tmp_path / "ports.json").read_bytes()) == {"health": 1234}
    assert len(list(tmp_path.iterdir())) == 1


def test_a_ports_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(PortsFileError, match=r"ports\.json cannot be written, see --ports-file: No such file"):
        write_ports(tmp_path / "none" / "ports.json", {"health": 1})


@pytest.mark.parametrize("path", ["", "."])
def test_a_ports_file_without_a_name_is_told(path: str) -> None:
    with pytest.raises(PortsFileError, match=r"\. names no file, see --ports-file"):
        write_ports(Path(path), {"health": 1})
