"""The open clients of one credential source, and the pool that shares them between identities.

A connection opens with its first call and closes when no identity uses it any more and its last call is done. It knows
which account its credentials belong to, and asks again when it can no longer be sure: other credentials (a refresh, a
rotation), or an answer that denies access. In steady state it asks nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from aiobotocore.credentials import AioCredentials

from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.credentials import CredentialSource
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.aws.metrics import AwsMetrics
from route53_controller.aws.session import Sdk
from route53_controller.aws.translation import translated

if TYPE_CHECKING:
    from types_aiobotocore_route53 import Route53Client
    from types_aiobotocore_sts import STSClient

WHO_AM_I = "sts:GetCallerIdentity"
_DOUBTED = "doubted"
"""No access key id: stands where one was, to have the account asked for again."""
_MESSAGES_EVENT = "before-parse.route-53.ChangeResourceRecordSets"


@dataclass(frozen=True, slots=True)
class Clients:
    """The two SDK clients of a source, and the credentials that both sign with; these may refresh themselves."""

    route53: "Route53Client"
    sts: "STSClient"
    credentials: AioCredentials | None

    async def key_id(self) -> str:
        """Return the access key id in use now, a refresh that is due included; raises what the SDK raises."""
        return "" if self.credentials is None else (await self.credentials.get_frozen_credentials()).access_key


class Connection:
    """Clients of one source, opened when needed; used from one event loop."""

    def __init__(self, source: CredentialSource, sdk: Sdk) -> None:
        """Open nothing yet."""
        self.timeouts = sdk.timeouts
        self._source = source
        self._sdk = sdk
        self._opening = asyncio.Lock()
        self._asking = asyncio.Lock()
        self._clients: Clients | None = None
        self._stack = AsyncExitStack()
        self._calls = 0
        self._retired = False
        self._worn = False
        self._account = ""
        self._confirmed_key = ""

    @asynccontextmanager
    async def use(self, operation: str, own_names: Collection[str] = ()) -> AsyncIterator[Clients]:
        """Lend the clients for one call; raises AwsError where the call, or opening them, fails.

        The whole call is bounded in time. `own_names` are the DNS names that it sends: an answer may repeat them.
        """
        self._calls += 1
        try:
            with translated(operation, own_names):
                async with asyncio.timeout(self.timeouts.whole.total_seconds()):
                    yield await self._opened()
        except AwsError as error:
            # Clients that were made without credentials would never find any.
            self._worn |= error.failure is AwsFailure.CREDENTIALS_UNAVAILABLE
            if error.failure is AwsFailure.ACCESS_DENIED:
                self.doubt()
            raise
        finally:
            self._calls -= 1
            await self._close_if_unused()

    async def account(self, *, fresh: bool = False) -> str:
        """Return the account id of the credentials; asked of STS once for each of them, or again if `fresh`.

        An answer that fails leaves the last good one in force for the same credentials.
        """
        async with self._asking:
            key = await self._key_id()
            if fresh or not key or key != self._confirmed_key:
                async with self.use(WHO_AM_I) as clients:
                    self._account = (await clients.sts.get_caller_identity())["Account"]
                self._confirmed_key = key
            return self._account

    async def _key_id(self) -> str:
        async with self.use(WHO_AM_I) as clients:
            return await clients.key_id()

    def doubt(self) -> None:
        """Have the account asked for again before the next call."""
        self._confirmed_key = _DOUBTED

    async def retire(self) -> None:
        """Close as soon as no call runs; a later call opens it for itself alone."""
        self._retired = True
        await self._close_if_unused()

    async def _opened(self) -> Clients:
        async with self._opening:
            if self._clients is None:
                self._clients = await self._open()
            return self._clients

    async def _open(self) -> Clients:
        session = self._sdk.session(self._source)
        async with AsyncExitStack() as stack:
            route53 = await stack.enter_async_context(session.create_client("route53", config=self._sdk.config))
            sts = await stack.enter_async_context(session.create_client("sts", config=self._sdk.config))
            route53.meta.events.register(_MESSAGES_EVENT, keep_messages)
            self._stack = stack.pop_all()
        return Clients(route53, sts, await session.get_credentials())

    async def _close_if_unused(self) -> None:
        if (self._retired or self._worn) and self._calls == 0 and self._clients is not None:
            self._clients, self._worn = None, False
            await self._stack.aclose()


def keep_messages(
    response_dict: Mapping[str, object], customized_response_dict: dict[str, object], **_: object
) -> None:
    """Keep all reasons of a rejected batch: of several `<Message>` elements the SDK's parser keeps none.

    An SDK event handler (`before-parse`); whatever is no such answer is left to the parser.
    """
    body = response_dict.get("body")
    if not isinstance(body, bytes) or b"<Messages>" not in body:
        return
    try:
        root = ET.fromstring(body)  # noqa: S314 — AWS's own answer over TLS; expat expands no external entities
    except ET.ParseError:
        return
    found = [node.text or "" for node in root.iter() if node.tag.rpartition("}")[2] == "Message"]
    customized_response_dict["Messages"] = found


class Connections:
    """Who uses which connection: identities with equal sources share one."""

    def __init__(self, sdk: Sdk, metrics: AwsMetrics) -> None:
        """Start with none."""
        self._sdk = sdk
        self._by_source: dict[CredentialSource, Connection] = {}
        self._in_use: dict[ObjectKey, CredentialSource] = {}
        self._closing: set[asyncio.Task[None]] = set()
        metrics.connections.set_function(lambda: float(len(self._by_source)))

    def partition(self, region: str) -> str | None:
        """Return the AWS partition of a region, None where there is none."""
        return self._sdk.partition(region)

    def of(self, user: ObjectKey, source: CredentialSource) -> Connection:
        """Return the connection of an identity that now has this source; the one it had before may close."""
        if self._in_use.get(user) != source:
            self.release(user)
            self._in_use[user] = source
        if source not in self._by_source:
            self._by_source[source] = Connection(source, self._sdk)
        return self._by_source[source]

    def release(self, user: ObjectKey) -> None:
        """Take notice that an identity is gone; its connection closes unless another one shares it."""
        source = self._in_use.pop(user, None)
        if source is None or source in self._in_use.values():
            return
        task = asyncio.create_task(self._by_source.pop(source).retire(), name="route53-connection-close")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def aclose(self) -> None:
        """Close all connections, each when its last call is done."""
        for user in list(self._in_use):
            self.release(user)
        await asyncio.gather(*self._closing)
