"""The whole controller of identities on an API server and a Route 53 in memory."""

import base64
import logging
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from libdnsapi.api.meta import SECRETS, JsonObject, ObjectKey
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.leader import LeadershipLostError
from libdnsapi.runtime.reconciler import Result
from route53_controller.aws.api import HostedZone
from route53_controller.aws.credentials import CredentialSource, StaticKeys, credential_source
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.identity.apply import Applier
from route53_controller.identity.gather import Gatherer
from route53_controller.identity.observe import Observer
from route53_controller.identity.reconciler import IdentityReconciler
from route53_controller.secrets import CachedSecrets, CredentialSecret, static_keys, trim_secret
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from tests.fakes.route53 import FakeRoute53
from tests.route53_controller.identity.builders import identity

KEY = ObjectKey("platform", "main")
SECRET_KEY = ObjectKey("platform", "aws")
SECRET = {"credentials": {"secretRef": {"name": "aws"}}}
DISCOVERY = {"zoneDiscovery": {"enabled": True, "domains": ["example.com"]}}


def secret(access_key: str = "AKIAIOSFODNN7EXAMPLE") -> JsonObject:
    data = {"aws_access_key_id": access_key, "aws_secret_access_key": "secret", "unrelated": "x"}
    encoded: JsonObject = {key: base64.b64encode(value.encode()).decode() for key, value in data.items()}
    return {"metadata": {"namespace": "platform", "name": "aws"}, "data": encoded}


class World:
    """A cluster with one identity, and the account that its credentials act in."""

    def __init__(self, *, secret_namespaces: tuple[str, ...] = ("platform",)) -> None:
        self.clock = FakeClock()
        self.kubernetes = FakeKubernetes(clock=self.clock)
        self.route53_account = FakeRoute53()
        self.events: list[Event] = []
        self.released: list[ObjectKey] = []
        self.store = Informer(self.kubernetes, ROUTE53_IDENTITIES, Route53Identity).store
        self.informers = {
            namespace: Informer(self.kubernetes, SECRETS, CredentialSecret, namespace=namespace, trim=trim_secret)
            for namespace in secret_namespaces
        }
        self.secrets = CachedSecrets(self.informers)
        gatherer = Gatherer(self.store, self, self.secrets, self.clock, started_at=self.clock.now())
        applier = Applier(self.kubernetes, self.store, self)
        self.reconciler = IdentityReconciler(gatherer, Observer(self, self.clock), applier, self, self.clock)

    # What the controller asks of the registry of accounts and the recorder.

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def source(self, found: Route53Identity) -> CredentialSource:
        return credential_source(found, self._keys(found))

    def partition(self, region: str) -> str | None:
        return None if region.startswith("xx") else "aws"

    def route53(self, found: Route53Identity) -> FakeRoute53:
        self._keys(found)
        return self.route53_account

    def release(self, key: ObjectKey) -> None:
        self.released.append(key)

    def _keys(self, found: Route53Identity) -> StaticKeys | None:
        if found.spec.credentials.secret_ref is None:
            return None
        held = self.secrets.get(SECRET_KEY)
        if held is None:
            raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, "the Secret aws does not exist")
        return static_keys(held)

    # What tests do and see.

    def put(self, found: Route53Identity) -> None:
        self.store.observe(self.kubernetes.seed(ROUTE53_IDENTITIES, found))

    def put_secret(self, body: JsonObject) -> None:
        self.informers["platform"].store.observe(self.kubernetes.seed(SECRETS, body))
        self.informers["platform"].synced.set()

    async def reconcile(self) -> Result:
        return await self.reconciler.reconcile(KEY)

    def status(self) -> dict[str, Any]:
        stored: Any = self.kubernetes.read(ROUTE53_IDENTITIES, KEY)
        return dict(stored.get("status") or {})

    def conditions(self) -> dict[str, str]:
        return {each["type"]: each["reason"] for each in self.status()["conditions"]}

    def checks(self) -> int:
        return self.route53_account.calls["GetCallerIdentity"]


@pytest.mark.spec("R53-IS-002")
async def test_a_good_identity_becomes_ready_and_then_rests() -> None:
    world = World()
    world.put(identity())
    assert await world.reconcile() == Result(requeue_after=timedelta(minutes=10))
    assert world.conditions() == {"Accepted": "Accepted", "Ready": "Ready"}
    assert world.status()["lastCredentialCheckTime"] == "2026-01-01T00:00:00Z"
    assert world.status()["nextCredentialCheckTime"] == "2026-01-01T00:10:00Z"
    assert world.status()["accountID"] == "123456789012"
    assert [(event.type, event.reason) for event in world.events] == [("Normal", "Accepted"), ("Normal", "Ready")]


@pytest.mark.spec("R53-IS-020")
async def test_its_own_status_write_wakes_it_to_no_avail() -> None:
    """Case 87."""
    world = World()
    world.put(identity())
    await world.reconcile()
    writes, checks = world.kubernetes.writes().total(), world.checks()
    for _ in range(20):
        world.clock.jump(timedelta(milliseconds=333))
        await world.reconcile()
    assert (world.kubernetes.writes().total(), world.checks()) == (writes, checks) == (1, 1)


@pytest.mark.spec("R53-IS-009")
async def test_what_a_call_has_found_out_is_checked_at_once() -> None:
    """Credentials may be switched between two checks."""
    world = World()
    world.put(identity())
    await world.reconcile()
    world.route53_account.account_id = "999999999999"
    world.reconciler.gatherer.doubt(KEY)
    await world.reconcile()
    assert world.conditions()["Ready"] == "AccountMismatch"


@pytest.mark.spec("R53-IS-018")
async def test_credentials_are_checked_again_after_ten_minutes() -> None:
    world = World()
    world.put(identity())
    await world.reconcile()
    world.clock.jump(timedelta(minutes=10))
    await world.reconcile()
    assert world.checks() == 2
    assert world.status()["lastCredentialCheckTime"] == "2026-01-01T00:10:00Z"
    assert len(world.events) == 2


@pytest.mark.spec("R53-IS-018", "R53-IS-021")
async def test_an_outage_is_told_and_tried_again_after_a_minute() -> None:
    world = World()
    world.put(identity())
    world.route53_account.fail("GetCallerIdentity", AwsFailure.UNAVAILABLE, "AWS could not be reached")
    assert await world.reconcile() == Result(requeue_after=timedelta(minutes=1))
    assert world.conditions()["Ready"] == "ProviderUnavailable"
    world.clock.jump(timedelta(minutes=1))
    await world.reconcile()
    assert world.conditions()["Ready"] == "Ready"


@pytest.mark.spec("R53-ID-002", "R53-IS-017")
async def test_another_account_is_told_once_and_never_tried_again_by_itself() -> None:
    world = World()
    world.put(identity())
    world.route53_account.account_id = "999999999999"
    assert await world.reconcile() == Result()
    world.clock.jump(timedelta(days=1))
    assert await world.reconcile() == Result()
    assert world.conditions()["Ready"] == "AccountMismatch"
    assert "nextCredentialCheckTime" not in world.status()
    assert world.checks() == 1
    assert [event.reason for event in world.events] == ["Accepted", "AccountMismatch"]


@pytest.mark.spec("R53-IS-014", "R53-IS-019")
async def test_an_edit_is_checked_at_once() -> None:
    world = World()
    world.put(identity(spec={"accountID": "999999999999"}))
    await world.reconcile()
    assert world.conditions()["Ready"] == "AccountMismatch"
    edited = identity(generation=2)
    world.store.observe(world.kubernetes.seed(ROUTE53_IDENTITIES, edited))
    await world.reconcile()
    assert world.conditions() == {"Accepted": "Accepted", "Ready": "Ready"}
    assert world.status()["observedGeneration"] == 2


@pytest.mark.spec("R53-IS-001", "R53-IS-017")
async def test_a_refused_spec_costs_no_call_and_is_not_tried_again() -> None:
    world = World()
    world.put(identity(spec={"region": "xx-nowhere-1"}))
    assert await world.reconcile() == Result()
    assert world.conditions() == {"Accepted": "InvalidRegion"}
    assert world.checks() == 0
    assert [(event.type, event.reason) for event in world.events] == [("Warning", "InvalidRegion")]


@pytest.mark.spec("R53-CR-002", "R53-IS-019")
async def test_a_changed_secret_takes_effect_at_once() -> None:
    world = World()
    world.put(identity(spec=SECRET))
    world.put_secret(secret())
    await world.reconcile()
    assert world.checks() == 1
    world.put_secret(secret("AKIAIOSFODNN7EXAMPL2"))
    await world.reconcile()
    assert world.checks() == 2


@pytest.mark.spec("R53-IS-007")
async def test_a_missing_secret_is_told_and_mended_when_it_comes() -> None:
    world = World()
    world.put(identity(spec=SECRET))
    world.informers["platform"].synced.set()
    assert await world.reconcile() == Result(requeue_after=timedelta(minutes=1))
    assert world.conditions()["Ready"] == "CredentialUnavailable"
    world.put_secret(secret())
    await world.reconcile()
    assert world.conditions()["Ready"] == "Ready"


async def test_after_a_start_secrets_that_were_not_seen_yet_are_waited_for() -> None:
    world = World()
    world.put(identity(spec=SECRET))
    assert await world.reconcile() == Result(requeue_after=timedelta(seconds=1))
    assert world.status() == {}
    world.clock.jump(timedelta(seconds=31))
    await world.reconcile()
    assert world.conditions()["Ready"] == "CredentialUnavailable"


@pytest.mark.spec("R53-CR-003", "R53-IS-006")
async def test_secrets_of_namespaces_that_no_setting_names_are_denied() -> None:
    world = World(secret_namespaces=())
    world.put(identity(spec=SECRET))
    await world.reconcile()
    assert world.conditions() == {"Accepted": "DeniedByPolicy"}


@pytest.mark.spec("R53-DI-001")
async def test_discovery_lists_public_zones_at_and_below_the_domains_and_changes_nothing() -> None:
    world = World()
    account = world.route53_account
    for name in ("example.com", "a.example.com", "notexample.com", "example.org"):
        account.add_zone(name)
    account.add_zone("example.com", private=True)
    world.put(identity(spec=DISCOVERY))
    await world.reconcile()
    assert [zone["name"] for zone in world.status()["hostedZones"]] == ["a.example.com", "example.com"]
    assert world.status()["hostedZones"][0]["recordSetCount"] == 2
    assert "hostedZonesTruncated" not in world.status()
    assert set(account.calls) == {"GetCallerIdentity", "ListHostedZones"}


async def test_zones_of_another_account_are_not_listed() -> None:
    world = World()
    world.route53_account.add_zone("example.com")
    world.put(identity(spec=DISCOVERY))
    world.route53_account.account_id = "999999999999"
    await world.reconcile()

    assert set(world.route53_account.calls) == {"GetCallerIdentity"}


@pytest.mark.spec("R53-DI-001")
async def test_discovery_shows_five_hundred_zones_and_that_there_are_more() -> None:
    world = World()
    for number in range(502):
        world.route53_account.add_zone(f"z{number}.example.com")
    world.put(identity(spec=DISCOVERY))
    await world.reconcile()
    assert len(world.status()["hostedZones"]) == 500
    assert world.status()["hostedZonesTruncated"] is True


@pytest.mark.spec("R53-IS-012")
async def test_an_unforeseen_failure_is_a_reconcile_error_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    """Case 78."""
    world = World()
    world.put(identity())

    async def broken() -> str:
        raise RuntimeError("arn:aws:iam::123456789012:role/dns")

    world.route53_account.caller_account = broken  # type: ignore[method-assign]
    with caplog.at_level(logging.DEBUG):
        assert await world.reconcile() == Result(requeue_after=timedelta(minutes=1))
    assert world.conditions()["Ready"] == "ReconcileError"
    assert "arn:" not in str(world.status())
    assert "arn:" not in caplog.text


async def test_a_leader_that_was_frozen_says_nothing_of_credentials_that_it_may_not_check() -> None:
    world = World()
    world.put(identity(spec=DISCOVERY))
    await world.reconcile()
    before = world.status()
    world.clock.jump(timedelta(minutes=10))

    async def lost(**_: object) -> tuple[HostedZone, ...]:
        raise LeadershipLostError("the lease was not renewed in time")

    world.route53_account.list_hosted_zones = lost  # type: ignore[method-assign]
    with capture_logs() as logs, pytest.raises(LeadershipLostError):
        await world.reconcile()
    assert world.status() == before
    assert logs == []


async def test_an_identity_that_is_gone_is_forgotten() -> None:
    world = World()
    assert await world.reconcile() == Result()
    assert world.released == [KEY]


def test_of_a_secret_nothing_but_the_keys_is_kept() -> None:
    body = secret()
    body["metadata"]["annotations"] = {"last-applied": "everything"}  # type: ignore[index,call-overload]
    body["stringData"] = {"x": "y"}
    trim_secret(body)
    assert set(body) == {"metadata", "data"}
    assert set(body["data"]) == {"aws_access_key_id", "aws_secret_access_key"}  # type: ignore[arg-type]
    assert "annotations" not in body["metadata"]  # type: ignore[operator]
