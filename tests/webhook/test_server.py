"""The running webhook: HTTPS, limits, paths, caches, readiness."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import orjson
import pytest

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey
from tests.fakes.faults import Fault, refused
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import (
    NOW,
    PROVIDER,
    changed,
    condition,
    creation,
    deletion,
    envelope,
    item,
    provider,
    record_set,
    update,
    zone,
    zone_class,
    zone_unit,
    zone_unit_slice,
)
from tests.webhook.running import Running, running, until
from webhook.review import Review
from webhook.server import LARGE_BODY, MAX_BODY, listening_socket

if TYPE_CHECKING:
    from pydantic import JsonValue

VALIDATE = "/validate-dns-appthrust-io-v1alpha1-"
WARN = "/warn-dns-appthrust-io-v1alpha1-"


async def test_a_valid_record_set_is_allowed(webhook: Running) -> None:
    response = await webhook.review(f"{VALIDATE}recordset", creation(record_set()))
    assert response == {"uid": response["uid"], "allowed": True}


async def test_a_bad_one_is_refused_with_path_and_rule(webhook: Running) -> None:
    response = await webhook.review(f"{VALIDATE}recordset", creation(record_set(spec__name="WWW", spec__ttl=None)))
    status = response["status"]
    assert isinstance(status, dict)
    assert (response["allowed"], status["code"]) == (False, 422)
    assert "spec.name: must be lower case: write www" in str(status["message"])
    assert "spec.ttl: is required" in str(status["message"])


async def test_a_provider_that_the_cache_has_not_seen_yet_is_asked_for(webhook: Running) -> None:
    webhook.server.seed(PROVIDERS, provider(metadata__name="brand-new"))
    webhook.server.cut_watches()
    response = await webhook.review(f"{VALIDATE}zone", creation(zone(spec__provider__name="brand-new")))
    assert response["allowed"] is True


async def test_an_object_of_a_missing_provider_is_refused(webhook: Running) -> None:
    response = await webhook.review(f"{VALIDATE}zoneclass", creation(zone_class(spec__provider__name="absent")))
    assert "does not exist" in str(response["status"])


async def test_metadata_of_a_broken_object_may_change(webhook: Running) -> None:
    """Case 72."""
    old = record_set(spec__provider__version="gone")
    response = await webhook.review(f"{VALIDATE}recordset", update(old, changed(old, metadata__finalizers=["a"])))
    assert response["allowed"] is True


@pytest.mark.parametrize(("leaving", "allowed"), [(None, False), (NOW, True)])
async def test_a_ledger_is_kept_while_its_zone_lives(webhook: Running, leaving: str | None, allowed: bool) -> None:
    webhook.server.seed(ZONES, zone(metadata__deletionTimestamp=leaving, metadata__finalizers=["x"]))
    response = await webhook.review(f"{VALIDATE}zoneunit", deletion(zone_unit()))
    assert response["allowed"] is allowed


@pytest.mark.spec("CORE-ZU-028")
async def test_an_orphaned_ledger_may_go(webhook: Running) -> None:
    assert (await webhook.review(f"{VALIDATE}zoneunit", deletion(zone_unit())))["allowed"] is True
    assert (await webhook.review(f"{VALIDATE}zoneunitslice", deletion(zone_unit_slice())))["allowed"] is True


async def test_a_slice_is_kept_while_its_unit_lives(webhook: Running) -> None:
    webhook.server.seed(ZONE_UNITS, zone_unit())
    response = await webhook.review(f"{VALIDATE}zoneunitslice", deletion(zone_unit_slice()))
    assert "belongs to ZoneUnit app/example-com" in str(response["status"])


async def test_a_name_too_long_for_its_zone_is_refused_by_the_zone_as_it_is_now(webhook: Running) -> None:
    """Case 81; the cache may still show a Zone that was deleted and made anew."""
    long = zone(spec__domainName=".".join(["a" * 62, "a" * 63, "a" * 61]))
    claim = creation(record_set(spec__name=".".join(["a" * 33, "a" * 31])))
    webhook.server.seed(ZONES, long)

    async def refused_by_the_cache() -> bool:
        response = await webhook.review(f"{VALIDATE}recordset", claim)
        return "must be at most 253 characters with the zone's name" in str(response.get("status"))

    await until(refused_by_the_cache)
    webhook.server.fail(Fault(refused(404, "NotFound"), "get", ZONES))
    assert (await webhook.review(f"{VALIDATE}recordset", claim))["allowed"] is True


async def test_a_leaving_namespace_takes_ledgers_with_it_in_any_order(webhook: Running) -> None:
    webhook.server.seed(ZONES, zone())
    webhook.server.seed(ZONE_UNITS, zone_unit())
    leaving = {"name": "app", "deletionTimestamp": NOW, "finalizers": ["kubernetes"]}
    webhook.server.seed(NAMESPACES, {"metadata": leaving})  # type: ignore[dict-item]

    async def allowed() -> bool:
        answers = [
            await webhook.review(f"{VALIDATE}{kind}", deletion(document))
            for kind, document in (("zoneunit", zone_unit()), ("zoneunitslice", zone_unit_slice()))
        ]
        return all(answer["allowed"] for answer in answers)

    await until(allowed)


async def test_a_deletion_whose_owner_cannot_be_looked_up_is_refused(webhook: Running) -> None:
    webhook.server.seed(ZONES, zone())
    webhook.server.fail(Fault(verb="get", resource=ZONES, error=refused(503, "ServiceUnavailable")))
    response = await webhook.review(f"{VALIDATE}zoneunit", deletion(zone_unit()))
    assert "could not be checked" in str(response["status"])


async def test_a_used_provider_cannot_be_deleted(webhook: Running) -> None:
    webhook.server.seed(ZONES, zone())
    webhook.server.seed(RECORD_SETS, record_set())
    await _until(webhook, f"{VALIDATE}provider", "is still used by 2 objects, such as Zone app/example-com")


async def test_the_users_of_a_provider_are_forgotten_when_they_go(webhook: Running) -> None:
    webhook.server.seed(ZONES, zone())
    await _until(webhook, f"{VALIDATE}provider", "is still used by 1 object")
    await webhook.server.delete(ZONES, ObjectKey("app", "example-com"))
    await _until(webhook, f"{VALIDATE}provider", "")


async def test_a_shrinking_policy_is_previewed(webhook: Running) -> None:
    claim = record_set(metadata__namespace="tenant", spec__zoneRef__namespace="app")
    webhook.server.seed(RECORD_SETS, claim)
    review = update(zone(), zone(spec__allowedRecordSets=None))
    response = await _warned(webhook, f"{WARN}zone", review)
    assert response["allowed"] is True
    assert "1 RecordSet will no longer be allowed" in str(response["warnings"])


async def test_a_claim_on_a_taken_name_is_previewed(webhook: Running) -> None:
    webhook.server.seed(ZONES, zone())
    webhook.server.seed(RECORD_SETS, _accepted(record_set()))
    review = creation(record_set(metadata__name="second"))
    response = await _warned(webhook, f"{WARN}recordset", review)
    assert "A www in Zone app/example-com belongs to RecordSet app/www." in str(response["warnings"])


async def test_previews_never_refuse(webhook: Running) -> None:
    assert (await webhook.review(f"{WARN}recordset", creation(record_set(spec=None))))["allowed"] is True
    document = envelope(creation(record_set()))
    for field, wrong in (("object", []), ("oldObject", 1), ("operation", "PATCH")):
        strange = orjson.dumps({**document, "request": {**_request(document), field: wrong}})
        status, answer = await webhook.post(f"{WARN}recordset", strange)
        assert (status, orjson.loads(answer)["response"]["allowed"]) == (200, True)


@pytest.mark.parametrize("name", ["..", ".", "a/../b", "%2e%2e", "a?b#c"])
async def test_a_provider_of_an_impossible_name_is_missing_and_leaves_nothing_in_the_cache(
    webhook: Running, name: str
) -> None:
    response = await webhook.review(f"{VALIDATE}zone", creation(zone(spec__provider__name=name)))
    assert f'Provider "{name}" does not exist' in str(response["status"])
    _, metrics = await webhook.health("/metrics")
    assert 'dnsapi_informer_objects{resource="providers"} 1.0' in metrics


@pytest.mark.parametrize(("kind", "document"), [("zoneunit", zone_unit()), ("zoneunitslice", zone_unit_slice())])
async def test_the_deletion_of_a_ledger_that_the_request_does_not_show_is_refused(
    webhook: Running, kind: str, document: JsonObject
) -> None:
    webhook.server.seed(ZONES, zone())
    webhook.server.seed(ZONE_UNITS, zone_unit())
    asked = envelope(deletion(document))
    body = orjson.dumps({**asked, "request": {**_request(asked), "oldObject": None}})
    _, answer = await webhook.post(f"{VALIDATE}{kind}", body)
    assert "does not show" in orjson.loads(answer)["response"]["status"]["message"]


async def test_whatever_was_stored_while_no_webhook_ran_can_be_deleted(webhook: Running) -> None:
    stored = provider(spec__display={"name": "x" * (3 * MAX_BODY // 2 - 100_000)})
    body = orjson.dumps(envelope(deletion(stored)))
    assert MAX_BODY < len(body) < LARGE_BODY

    status, answer = await webhook.post(f"{VALIDATE}provider", body)

    assert (status, orjson.loads(answer)["response"]["allowed"]) == (200, True)


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"", "application/json", 400),
        (b'{"a": "\xff"}', "application/json; charset=utf-8", 400),
        (b"{}", "text/plain", 415),
        (b"{}", "application/x-www-form-urlencoded", 415),
        (b" " * (MAX_BODY + 1), "application/json", 413),
    ],
)
async def test_a_body_that_is_no_review_is_the_clients_fault(
    webhook: Running, body: bytes, content_type: str, status: int
) -> None:
    found, answer = await webhook.post(f"{VALIDATE}zone", body, content_type)
    assert found == status
    assert orjson.loads(answer)["message"]


async def test_a_long_body_is_refused_even_when_its_length_is_not_announced(webhook: Running) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY // 65536 + 1):
            yield b" " * 65536

    url = webhook.url(f"{VALIDATE}zone")
    async with webhook.session.post(url, data=chunks(), headers={"Content-Type": "application/json"}) as answer:
        assert answer.status == 413


async def test_a_ledger_that_keeps_a_whole_zone_in_one_object_is_reviewed(webhook: Running) -> None:
    """An update carries it twice; the Go implementation has no slices."""
    items: list[JsonValue] = [item(f"r{number}", options={"kept": "x" * 1000}) for number in range(1000)]
    old, new = zone_unit(spec__recordSets=items[1:]), zone_unit(spec__recordSets=items)
    body = orjson.dumps(envelope(update(old, new)))
    assert MAX_BODY < len(body) < LARGE_BODY

    found, answer = await webhook.post(f"{VALIDATE}zoneunit", body)

    assert found == 200
    assert orjson.loads(answer)["response"]["allowed"] is True


async def test_a_review_of_the_wrong_shape_is_denied_under_its_uid(webhook: Running) -> None:
    document = envelope(creation(zone()))
    request = document["request"]
    assert isinstance(request, dict)
    request["object"] = []
    status, body = await webhook.post(f"{VALIDATE}zone", orjson.dumps(document))
    response = orjson.loads(body)["response"]
    assert (status, response["uid"], response["allowed"]) == (200, request["uid"], False)
    assert "request.object is not a JSON object" in response["status"]["message"]


async def test_deep_nesting_is_denied(webhook: Running) -> None:
    body = orjson.dumps(envelope(creation(zone(spec__adoption={"id": "DEEP"}))))
    for depth in (100, 300, 900, 2000, 9000):
        nested = body.replace(b'"DEEP"', b'{"a":' * depth + b"{}" + b"}" * depth)
        status, answer = await webhook.post(f"{VALIDATE}zone", nested)
        response = orjson.loads(answer)["response"]
        assert (status, response["allowed"]) == (200, False)
        assert "nested" in response["status"]["message"] or depth < 1000


@pytest.mark.spec("PC-CV-013")
async def test_conversion_is_served_beside_admission(webhook: Running) -> None:
    body = {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "ProviderConversionReview",
        "request": {"uid": "u", "provider": {"name": PROVIDER}, "target": "Zone", "fromVersion": "a", "toVersion": "b"},
    }
    status, answer = await webhook.post("/convert", orjson.dumps(body))
    assert status == 200
    assert orjson.loads(answer)["response"]["result"]["reason"] == "UnknownConversion"
    assert (await webhook.post("/convert", b"{}"))[0] == 400


async def test_a_pod_that_goes_serves_on_until_the_service_knows(cluster: FakeKubernetes, tmp_path: Path) -> None:
    async with running(cluster, tmp_path, drain="PT0.5S") as webhook:
        webhook.stop()
        await until(lambda: _unready(webhook))
        async with (
            aiohttp.ClientSession() as session,
            session.post(webhook.url(f"{VALIDATE}zone"), json=envelope(creation(zone())), ssl=webhook.trust) as answer,
        ):
            assert answer.status == 200


async def _unready(webhook: Running) -> bool:
    return (await webhook.health("/readyz"))[0] == 503


def test_answers_do_not_wait_for_full_packets() -> None:
    with listening_socket("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


async def test_other_paths_are_not_found(webhook: Running) -> None:
    assert (await webhook.post("/validate", b"{}"))[0] == 404


async def test_readiness_and_metrics_tell_about_the_certificate(webhook: Running) -> None:
    await webhook.review(f"{VALIDATE}recordset", creation(record_set()))
    status, text = await webhook.health("/readyz?verbose")
    assert status == 200
    assert {"[+]https ok", "[+]certificate ok"} <= set(text.splitlines())
    _, metrics = await webhook.health("/metrics")
    assert "dnsapi_webhook_certificate_days_left 89." in metrics
    assert (
        'dnsapi_webhook_reviews_total{path="/validate-dns-appthrust-io-v1alpha1-recordset",verdict="allowed"} 1.0'
        in metrics
    )


def _request(document: JsonObject) -> JsonObject:
    request = document["request"]
    assert isinstance(request, dict)
    return request


def _accepted(document: JsonObject) -> JsonObject:
    return changed(document, status={"conditions": [condition("Accepted", "True", "Accepted")]})


async def _warned(webhook: Running, path: str, review: Review) -> JsonObject:
    """Ask until the caches are so far that there are warnings, and return the answer."""
    answers: list[JsonObject] = []

    async def warns() -> bool:
        answers.append(await webhook.review(path, review))
        return bool(answers[-1].get("warnings"))

    await until(warns)
    return answers[-1]


async def _until(webhook: Running, path: str, message: str) -> None:
    """Ask for the Provider's deletion until the answer has this message, "" for none."""

    async def says_so() -> bool:
        response = await webhook.review(path, deletion(provider()))
        return (message in str(response.get("status", ""))) if message else response["allowed"] is True

    await until(says_so)
