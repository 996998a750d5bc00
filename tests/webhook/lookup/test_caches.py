"""What the webhook keeps of the cluster."""

import asyncio

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER
from libdnsapi.runtime.manager import Manager
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import (
    NOW,
    PROVIDER,
    changed,
    cluster_dns_provider,
    condition,
    dns_provider,
    record_set,
    zone,
)
from webhook.lookup.caches import Caches, caches
from webhook.settings import WebhookSettings


def _filled(server: FakeKubernetes) -> tuple[Manager, Caches]:
    settings = WebhookSettings.model_validate({"self_signed": True, "health_port": 0, "health_host": "127.0.0.1"})
    manager = Manager("webhook", server, settings)
    return manager, caches(manager)


async def _read(server: FakeKubernetes) -> Caches:
    manager, found = _filled(server)
    process = asyncio.create_task(manager.run())
    try:
        await asyncio.wait_for(found.complete(), 90)
    finally:
        manager.stop()
        await process
    return found


async def test_caches_are_complete_only_when_every_kind_was_listed() -> None:
    """A Provider whose users are not known yet would look unused."""
    _, found = _filled(FakeKubernetes())
    waiting = asyncio.create_task(found.complete())
    for event in found.synced:
        await asyncio.sleep(0)
        assert not waiting.done()
        event.set()
    await asyncio.wait_for(waiting, 90)


async def test_users_of_a_provider_are_counted_by_version() -> None:
    server = FakeKubernetes()
    server.seed(ZONES, zone())
    server.seed(RECORD_SETS, record_set())
    server.seed(RECORD_SETS, record_set(metadata__name="api", spec__provider__version="v1beta1"))
    usage = (await _read(server)).usage(PROVIDER)
    assert {version: users.count for version, users in usage.items()} == {"v1": 2, "v1beta1": 1}


async def test_a_record_set_is_held_by_its_verdict_or_its_finalizer() -> None:
    server = FakeKubernetes()
    accepted: JsonObject = {"conditions": [condition("Accepted", "True", "Accepted")]}
    refused: JsonObject = {"conditions": [condition("Accepted", "False", "NotAllowedByZone")]}
    server.seed(RECORD_SETS, record_set(metadata__name="accepted", status=accepted))
    server.seed(RECORD_SETS, record_set(metadata__name="rejected", status=refused))
    retained = record_set(metadata__name="retained", metadata__finalizers=[RECORDSET_FINALIZER], status=refused)
    server.seed(RECORD_SETS, retained)
    server.seed(RECORD_SETS, changed(retained, metadata__name="leaving", metadata__deletionTimestamp=NOW))
    known = (await _read(server)).record_sets.of(ObjectKey("app", "example-com"))
    assert {one.key.name: (one.held, one.leaving) for one in known} == {
        "accepted": (True, False),
        "rejected": (False, False),
        "retained": (True, False),
        "leaving": (True, True),
    }


async def test_pipelines_of_both_kinds_are_known_by_owner_id_and_filter() -> None:
    server = FakeKubernetes()
    server.seed(DNS_PROVIDERS, dns_provider())
    server.seed(CLUSTER_DNS_PROVIDERS, cluster_dns_provider(spec__registry={"txtOwnerId": "mine"}))
    known = (await _read(server)).pipelines.values()
    assert {(one.kind, one.owner_id, one.include, one.exclude) for one in known} == {
        ("DNSProvider", "app/team", ("app.example.com",), ("internal.app.example.com",)),
        ("ClusterDNSProvider", "mine", ("prod.example.com",), ()),
    }
