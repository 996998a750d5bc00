"""One emulator process for the folder; each test starts from a reset state."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
from aiobotocore.config import AioConfig
from aiobotocore.session import AioSession, get_session

from e2e.route53.launch import emulator
from e2e.route53.remote import Remote

if TYPE_CHECKING:
    from types_aiobotocore_route53.client import Route53Client
    from types_aiobotocore_sts.client import STSClient

ONE_ATTEMPT = AioConfig(retries={"mode": "standard", "total_max_attempts": 1}, read_timeout=60)


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    with emulator(tmp_path_factory.mktemp("route53"), account_id="111111111111") as remote:
        yield remote


@pytest.fixture
def remote(started: Remote) -> Remote:
    started.reset()
    return started


@pytest.fixture(scope="session")
def session() -> AioSession:
    return get_session()


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as clients:
        yield clients


@pytest.fixture
def connect(remote: Remote, session: AioSession, stack: AsyncExitStack) -> "Callable[..., object]":
    """Open a client of a service; keyword arguments go to botocore."""

    async def connected(
        service: str, access_key: str = "AKIDTEST", token: str | None = None, config: AioConfig = ONE_ATTEMPT
    ) -> object:
        client = session.create_client(
            service,
            region_name="us-east-1",
            endpoint_url=remote.http,
            aws_access_key_id=access_key,
            aws_secret_access_key="secret",  # noqa: S106 — signatures are not checked
            aws_session_token=token,
            config=config,
        )
        return await stack.enter_async_context(client)

    return connected


@pytest.fixture
async def route53(connect: "Callable[..., object]") -> "Route53Client":
    return await connect("route53")


@pytest.fixture
async def sts(connect: "Callable[..., object]") -> "STSClient":
    return await connect("sts")


@pytest.fixture
async def zone(route53: "Route53Client") -> str:
    created = await route53.create_hosted_zone(Name="example.com", CallerReference="the zone")
    return created["HostedZone"]["Id"].removeprefix("/hostedzone/")
