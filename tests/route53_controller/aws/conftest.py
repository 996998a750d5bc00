"""The emulator as a process of its own, and the adapter in front of it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from e2e.route53.launch import emulator
from e2e.route53.remote import Remote
from tests.route53_controller.aws.adapter import Adapter


@pytest.fixture(scope="session")
def emulator_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    with emulator(tmp_path_factory.mktemp("route53")) as remote:
        yield remote


@pytest.fixture
def remote(emulator_process: Remote, monkeypatch: pytest.MonkeyPatch) -> Remote:
    emulator_process.reset()
    for service in ("ROUTE_53", "STS"):
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", emulator_process.http)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return emulator_process


@pytest.fixture
async def adapter(remote: Remote) -> AsyncIterator[Adapter]:
    made = Adapter(remote)
    yield made
    await made.connections.aclose()
