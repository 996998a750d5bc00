"""Route 53 and STS through aiobotocore, behind the Protocols of `api`: the adapter.

Each call makes sure that the credentials belong to the identity's account, waits for the account's budget, is
counted, and is sent again only where `retries` says so.
"""

import random as system_random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from libdnsapi.runtime.backoff import Random
from libdnsapi.runtime.clock import Clock
from route53_controller.aws import retries, shapes, wire
from route53_controller.aws.api import (
    ACCOUNT_WIDE,
    Change,
    ChangeInfo,
    CreatedHostedZone,
    HostedZone,
    Priority,
    RecordKey,
    RecordPage,
)
from route53_controller.aws.connection import WHO_AM_I, Connection
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.aws.metrics import SUCCESS, Meter
from route53_controller.aws.retries import RetryPolicy
from route53_controller.aws.throttle import Budget

if TYPE_CHECKING:
    from types_aiobotocore_route53 import Route53Client as SdkClient

R = TypeVar("R")

TAGS_PER_CALL = 10
Permit = Callable[[], None]
"""Raises where this process may act no more."""
_SLOW_DOWN = frozenset({AwsFailure.THROTTLED, AwsFailure.PRIOR_REQUEST_NOT_COMPLETE})


def always() -> None:
    """Permit everything."""


def ignored() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Account:
    """Whom the calls are made for: the account that they must reach, its budget, and the identity's meter.

    `permit` is asked last of all before a call is sent: a process that was frozen may have lost its lease meanwhile,
    and what it meant to send would arrive after the next leader has looked for it.
    """

    id: str
    budget: Budget
    meter: Meter
    permit: Permit = always
    on_mismatch: Callable[[], None] = ignored
    """Told when the credentials turn out to belong to another account."""


@dataclass(frozen=True, slots=True)
class Call:
    """How one call is made: its action, the hosted zone whose turn it takes, its priority and its retries."""

    action: str
    zone: str = ACCOUNT_WIDE
    priority: Priority = Priority.USER
    retry: RetryPolicy = retries.READ
    names: tuple[str, ...] = ()
    """The DNS names that it sends: what is said of them may be told as it is."""
    surely: bool = False
    """Whether STS is asked first whose credentials these are: in the wrong account this call would do harm unseen."""


@dataclass(frozen=True, slots=True)
class AwsClient:
    """One identity's Route 53 and STS: `api.Route53` and `api.Sts`."""

    connection: Connection
    account: Account
    clock: Clock
    random: Random = field(default=system_random.random)

    async def caller_account(self) -> str:
        """Ask STS which account the credentials belong to now."""
        started = self.clock.monotonic()
        outcome = SUCCESS
        try:
            return await self.connection.account(fresh=True)
        except AwsError as error:
            outcome = error.failure.value
            raise
        finally:
            self.account.meter.called(WHO_AM_I, outcome, self.clock.monotonic() - started)

    async def get_hosted_zone(self, zone_id: str, *, priority: Priority = Priority.USER) -> HostedZone:
        """Return one hosted zone with its name servers."""
        call = Call("GetHostedZone", zone_id, priority)

        async def send(sdk: "SdkClient") -> HostedZone:
            answer = await sdk.get_hosted_zone(Id=zone_id)
            delegation: Mapping[str, object] = answer.get("DelegationSet") or {}
            return shapes.hosted_zone(answer["HostedZone"], shapes.texts(delegation.get("NameServers")))

        return await self._send(call, send)

    async def list_hosted_zones_by_name(
        self, name: str, *, priority: Priority = Priority.USER
    ) -> tuple[HostedZone, ...]:
        """Return all hosted zones of exactly this name, public and private."""
        call = Call("ListHostedZonesByName", ACCOUNT_WIDE, priority, retries.PAGE)
        found: list[HostedZone] = []
        start: dict[str, str] = {"DNSName": wire.name_to_wire(name)}
        while True:

            async def send(sdk: "SdkClient", start: Mapping[str, str] = start) -> shapes.ZonePage:
                return shapes.zone_page(await sdk.list_hosted_zones_by_name(**start))

            page = await self._send(call, send)
            found += [zone for zone in page.zones if zone.name == name]
            if page.next_name != name:
                return tuple(found)
            start = {"DNSName": wire.name_to_wire(name), "HostedZoneId": page.next_id}

    async def list_hosted_zones(
        self,
        *,
        limit: int,
        priority: Priority = Priority.DRIFT,
        matching: Callable[[HostedZone], bool] | None = None,
    ) -> tuple[HostedZone, ...]:
        """Return the account's hosted zones, of those that match at most `limit` + 1 (one more shows truncation)."""
        call = Call("ListHostedZones", ACCOUNT_WIDE, priority, retries.PAGE)
        found: list[HostedZone] = []
        marker = ""
        while True:

            async def send(sdk: "SdkClient", marker: str = marker) -> shapes.ZonePage:
                return shapes.zone_page(
                    await (sdk.list_hosted_zones(Marker=marker) if marker else sdk.list_hosted_zones())
                )

            page = await self._send(call, send)
            found += [zone for zone in page.zones if matching is None or matching(zone)]
            if not page.next_id or len(found) > limit:
                return tuple(found[: limit + 1])
            marker = page.next_id

    async def create_hosted_zone(self, name: str, caller_reference: str) -> CreatedHostedZone:
        """Create a public hosted zone."""

        async def send(sdk: "SdkClient") -> CreatedHostedZone:
            answer = await sdk.create_hosted_zone(Name=wire.name_to_wire(name), CallerReference=caller_reference)
            servers = answer["DelegationSet"]["NameServers"]
            zone = shapes.hosted_zone(answer["HostedZone"], servers)
            return CreatedHostedZone(zone, shapes.change_info(answer["ChangeInfo"]))

        call = Call("CreateHostedZone", name, retry=retries.WRITE, names=(name,), surely=True)
        return await self._send(call, send)

    async def delete_hosted_zone(self, zone_id: str) -> ChangeInfo:
        """Delete a hosted zone that has only its apex NS and SOA."""

        async def send(sdk: "SdkClient") -> ChangeInfo:
            return shapes.change_info((await sdk.delete_hosted_zone(Id=zone_id))["ChangeInfo"])

        return await self._send(Call("DeleteHostedZone", zone_id, retry=retries.WRITE), send)

    async def list_tags(self, zone_id: str, *, priority: Priority = Priority.USER) -> dict[str, str]:
        """Return a hosted zone's tags."""

        async def send(sdk: "SdkClient") -> dict[str, str]:
            answer = await sdk.list_tags_for_resource(ResourceType="hostedzone", ResourceId=zone_id)
            return {tag["Key"]: tag.get("Value", "") for tag in answer["ResourceTagSet"].get("Tags", ())}

        return await self._send(Call("ListTagsForResource", zone_id, priority), send)

    async def change_tags(self, zone_id: str, add: dict[str, str], remove: Sequence[str]) -> None:
        """Set and remove tags, in chunks of ten (the API's limit)."""
        chunks = zip_longest(_chunks(list(add.items())), _chunks(list(remove)))
        for added, removed in chunks:
            await self._change_tags(zone_id, added or (), removed or ())

    async def list_record_sets(
        self, zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        """Return one page of record sets in Route 53's order, from `start` on."""
        request = shapes.page_request(zone_id, start, max_items)

        async def send(sdk: "SdkClient") -> RecordPage:
            return shapes.record_page(await sdk.list_resource_record_sets(**request))

        return await self._send(Call("ListResourceRecordSets", zone_id, priority, retries.PAGE), send)

    async def change_record_sets(self, zone_id: str, changes: Sequence[Change]) -> ChangeInfo:
        """Submit one atomic batch."""
        batch = [shapes.change_shape(change) for change in changes]

        async def send(sdk: "SdkClient") -> ChangeInfo:
            answer = await sdk.change_resource_record_sets(HostedZoneId=zone_id, ChangeBatch={"Changes": batch})
            return shapes.change_info(answer["ChangeInfo"])

        call = Call("ChangeResourceRecordSets", zone_id, retry=retries.WRITE, names=shapes.sent_names(changes))
        return await self._send(call, send)

    async def get_change(
        self, change_id: str, *, zone_id: str = ACCOUNT_WIDE, priority: Priority = Priority.USER
    ) -> ChangeInfo:
        """Return how far a change has got; it takes the turn of this hosted zone."""

        async def send(sdk: "SdkClient") -> ChangeInfo:
            return shapes.change_info((await sdk.get_change(Id=change_id))["ChangeInfo"])

        return await self._send(Call("GetChange", zone_id, priority), send)

    def hurry(self, zone_id: str) -> None:
        """Have calls for this hosted zone that wait for the budget go with the changes of users."""
        self.account.budget.hurry(zone_id)

    async def _change_tags(self, zone_id: str, add: Sequence[tuple[str, str]], remove: Sequence[str]) -> None:
        request = shapes.tags_request(zone_id, add, remove)

        async def send(sdk: "SdkClient") -> None:
            await sdk.change_tags_for_resource(**request)

        await self._send(Call("ChangeTagsForResource", zone_id, retry=retries.WRITE), send)

    async def _send(self, call: Call, send: "Callable[[SdkClient], Awaitable[R]]") -> R:
        """Make a call, again where its policy allows, each time through the budget."""
        failures = 0
        while True:
            await self._confirm_account(surely=call.surely)
            await self.account.budget.acquire(call.priority, call.zone)
            self.account.permit()
            try:
                return await self._attempt(call, send)
            except AwsError as error:
                if not call.retry.allows(error.failure, failures):
                    raise
            await self.clock.sleep(retries.PAUSES.delay(failures, self.random))
            failures += 1

    async def _attempt(self, call: Call, send: "Callable[[SdkClient], Awaitable[R]]") -> R:
        """Make a call once; count it and let the budget learn from the answer."""
        started = self.clock.monotonic()
        outcome = SUCCESS
        try:
            async with self.connection.use(f"route53:{call.action}", call.names) as clients:
                return await send(clients.route53)
        except AwsError as error:
            outcome = error.failure.value
            raise
        finally:
            if outcome in _SLOW_DOWN:
                self.account.budget.slow_down()
            elif outcome == SUCCESS:
                self.account.budget.speed_up()
            self.account.meter.called(call.action, outcome, self.clock.monotonic() - started)

    async def _confirm_account(self, *, surely: bool) -> None:
        """Refuse to act in an account that is not the identity's; asked of STS where the connection is not sure."""
        account = await self.caller_account() if surely else await self.connection.account()
        if account != self.account.id:
            self.connection.doubt()
            self.account.on_mismatch()
            raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, "the credentials belong to another AWS account")


def _chunks(items: list[R]) -> list[list[R]]:
    return [items[start : start + TAGS_PER_CALL] for start in range(0, len(items), TAGS_PER_CALL)]
