"""Conversion to the storage version: by CEL, by webhook, and every failure row of the contract page."""

from typing import Any

import orjson
import pytest

from libdnsapi.api.dns.conversion import ConversionCall
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.conversion import (
    ConversionFailed,
    ConversionOutcome,
    ConversionUnavailable,
    Converted,
    InvalidPayload,
    StorageNotResolved,
    WebhookAnswer,
    WebhookCall,
    converted,
    plan_conversion,
    read_answer,
)
from libdnsapi.contract.targets import Target
from tests.libdnsapi.contract.providers import BUNDLE, cel, contract, document, new_version, old_version, webhook

ZONE_CONTEXT: JsonObject = {"zone": {"namespace": "app", "name": "z", "domainName": "a.example"}}
RECORD_CONTEXT: JsonObject = {
    **ZONE_CONTEXT,
    "recordSet": {"namespace": "app", "name": "www", "recordName": "www", "type": "A"},
}


def zone(version: str, payload: JsonObject, provider: dict[str, Any] | None = None) -> ConversionOutcome | WebhookCall:
    return plan_conversion(contract(provider), Target.ZONE, version, payload, ZONE_CONTEXT)


def by_cel(expression: str) -> ConversionOutcome | WebhookCall:
    provider = document()
    provider["spec"]["versions"][0]["zone"]["conversion"] = cel(expression)
    return zone("v1", {"adoption": {"id": "1"}}, provider)


@pytest.mark.spec("PC-CV-003")
def test_in_the_storage_version_only_defaults_are_filled_in() -> None:
    assert zone("v2", {"adoption": {"zoneId": "Z1"}}) == Converted({"adoption": {"zoneId": "Z1", "why": "asked"}})
    assert zone("v2", {}) == Converted({})


@pytest.mark.spec("PC-CV-004")
def test_an_old_payload_is_converted_by_cel_and_gets_the_storage_versions_defaults() -> None:
    assert zone("v1", {"adoption": {"id": "1"}}) == Converted({"adoption": {"zoneId": "Z1", "why": "asked"}})


def test_a_null_or_missing_field_of_the_result_means_no_payload() -> None:
    assert zone("v1", {}) == Converted({})


@pytest.mark.spec("PC-CV-004")
def test_what_a_claim_leaves_out_stays_left_out_where_the_conversion_hands_on_what_it_sees() -> None:
    """An expression sees an empty object there; in the ledger that would ask for an adoption."""
    provider = document()
    provider["spec"]["versions"][0]["zone"]["conversion"] = cel("self")
    assert zone("v1", {}, provider) == Converted({})
    call = record_call()
    assert read_answer(call, answered(call, GOOD | {"adoption": {}})) == Converted(GOOD)


def test_an_empty_object_that_was_given_is_converted_as_one() -> None:
    provider = document()
    provider["spec"]["versions"][0]["recordSet"]["conversion"] = cel("self")
    planned = plan_conversion(contract(provider), Target.RECORD_SET, "v1", {"options": {}}, RECORD_CONTEXT)
    assert planned == Converted({"options": {}})


def test_a_class_is_converted_with_its_own_context() -> None:
    planned = plan_conversion(contract(), Target.ZONE_CLASS, "v1", {"parameters": {"mode": "slow"}}, {"zoneClass": {}})

    assert planned == Converted({"parameters": {"speed": "slow"}})


def test_the_expression_sees_target_versions_provider_and_context() -> None:
    expression = (
        "{'adoption': {'zoneId': 'Z' + target + fromVersion.name + toVersion.name"
        " + provider.metadata.name + zone.domainName}}"
    )

    assert by_cel(expression) == Converted({"adoption": {"zoneId": "ZZonev1v2test.examplea.example", "why": "asked"}})


def test_omit_drops_an_entry() -> None:
    assert by_cel("{'adoption': {'zoneId': 'Z1', 'why': omit()}}") == Converted(
        {"adoption": {"zoneId": "Z1", "why": "asked"}}
    )


@pytest.mark.spec("PC-CV-001", "PC-CV-009")
def test_input_that_does_not_match_the_served_version_is_invalid() -> None:
    found = zone("v1", {"adoption": {"id": 1, "x": 2}})

    assert isinstance(found, InvalidPayload)
    assert set(found.message.split("; ")) == {
        "spec.adoption.id: must be of type string",
        "spec.adoption.x: is not a known field (known: id)",
    }


@pytest.mark.spec("PC-CV-012")
@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("{'adoption': {'zoneId': self.adoption.nope}}", "no such key: nope"),
        ("self.adoption.id", "The conversion gave no object"),
        ("{'adoption': {'zoneId': 'x'}}", "does not match Provider test.example version v2"),
        ("{'adoption': {}}", "spec.adoption.zoneId: is required"),
        ("{'adoption': 'x'}", "spec.adoption: must be an object"),
        ("{'options': {}}", "unknown fields: options"),
        ("nosuch()", "does not compile"),
        ("{'adoption': {'zoneId': [0.0 / 0.0]}}", "gave a number that is not finite"),
        ("{'adoption': {'zoneId': {'x': -1.0 / 0.0}}}", "gave a number that is not finite"),
        ("{'adoption': {'zoneId': uint(9223372036854775807) + 1u}}", "gave an integer of more than 64 bits"),
    ],
)
def test_a_conversion_that_cannot_succeed_has_failed(expression: str, part: str) -> None:
    found = by_cel(expression)

    assert isinstance(found, ConversionFailed)
    assert part in found.message


def test_without_a_strategy_only_nothing_at_all_can_be_converted() -> None:
    old, new = old_version(), new_version()
    del old["zone"]["conversion"]

    assert isinstance(zone("v1", {}, document(old, new)), ConversionFailed)

    del new["zone"]["schemas"]["adoption"]
    assert zone("v1", {}, document(old, new)) == Converted({})
    assert isinstance(zone("v1", {"adoption": {"id": "1"}}, document(old, new)), ConversionFailed)


@pytest.mark.parametrize(
    ("provider", "version", "message"),
    [
        (document(), "v9", "Provider test.example has no version v9."),
        (document({**old_version(), "served": False}, new_version()), "v1", "no longer serves version v1."),
        (document({**new_version(), "storage": False}), "v2", "has no storage version."),
    ],
)
def test_a_missing_or_unserved_version_is_not_resolved(provider: dict[str, Any], version: str, message: str) -> None:
    """Case 69: an un-served version is an open question, not a refusal."""
    found = zone(version, {}, provider)

    assert isinstance(found, StorageNotResolved)
    assert found.message.endswith(message)


def record_call(note: str = "hi", provider: dict[str, Any] | None = None) -> WebhookCall:
    payload: JsonObject = {"options": {"note": note}}
    planned = plan_conversion(contract(provider), Target.RECORD_SET, "v1", payload, RECORD_CONTEXT)
    assert isinstance(planned, WebhookCall)
    return planned


def test_a_webhook_has_the_time_that_its_provider_gives_it() -> None:
    provider = document()
    provider["spec"]["versions"][0]["recordSet"]["conversion"] = webhook(timeoutSeconds=3)
    assert record_call(provider=provider).timeout.total_seconds() == 3


@pytest.mark.spec("PC-CV-005")
def test_a_webhook_call_carries_the_review_of_the_contract_page() -> None:
    call = record_call()

    assert (call.host, call.port, call.path, call.timeout.total_seconds()) == (
        "converter.dns-system.svc",
        443,
        "/convert",
        10,
    )
    assert call.ca_bundle == BUNDLE
    assert call.body == {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "ProviderConversionReview",
        "request": {
            "uid": call.uid,
            "provider": {"name": "test.example"},
            "target": "RecordSet",
            "fromVersion": "v1",
            "toVersion": "v2",
            "payload": {"options": {"note": "hi"}},
            "context": RECORD_CONTEXT,
        },
    }


@pytest.mark.spec("PC-CV-007")
def test_equal_calls_of_one_generation_have_one_key_and_others_have_their_own() -> None:
    edited = document()
    edited["metadata"]["generation"] = 4

    assert record_call().key == record_call().key
    assert len({record_call().key, record_call("other").key, record_call(provider=edited).key}) == 3


def answered(call: WebhookCall, payload: object = None, **change: Any) -> WebhookAnswer:  # noqa: ANN401 — any JSON value
    response: dict[str, Any] = {"uid": call.uid, "result": {"status": "Success"}, "payload": payload}
    review = {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "ProviderConversionReview",
        "response": {**response, **change.pop("response", {})},
        **change,
    }
    return WebhookAnswer(200, orjson.dumps(review))


def failed(**result: Any) -> dict[str, Any]:  # noqa: ANN401 — any JSON value
    return {"response": {"result": {"status": "Failure", **result}, "payload": None}}


GOOD = {"options": {"comment": "hi"}}


def test_a_good_answer_is_the_payload_in_the_storage_version() -> None:
    call = record_call()

    assert read_answer(call, answered(call, GOOD)) == Converted(GOOD)


@pytest.mark.spec("PC-CV-010", "PC-CV-012")
@pytest.mark.parametrize(
    ("answer", "kind", "part"),
    [
        (WebhookAnswer(failure="no answer within 10 s"), ConversionUnavailable, "cannot be reached: no answer within"),
        (WebhookAnswer(503, b"busy"), ConversionUnavailable, "answered HTTP 503"),
        (WebhookAnswer(429, b"busy"), ConversionUnavailable, "answered HTTP 429"),
        (WebhookAnswer(408, b""), ConversionUnavailable, "answered HTTP 408"),
        (WebhookAnswer(404, b""), ConversionFailed, "answered HTTP 404"),
        (WebhookAnswer(302, b""), ConversionFailed, "answered HTTP 302"),
        (WebhookAnswer(200, b"not json"), ConversionFailed, "malformed answer"),
        (WebhookAnswer(200, b"[]"), ConversionFailed, "malformed answer"),
        (answered(record_call(), GOOD, kind="Other"), ConversionFailed, "malformed answer"),
        (answered(record_call(), GOOD, response={"uid": "else"}), ConversionFailed, "malformed answer"),
        (answered(record_call(), GOOD, response={"result": {"status": "Maybe"}}), ConversionFailed, "malformed answer"),
        (answered(record_call(), None), ConversionFailed, "gave no object"),
        (answered(record_call(), {"options": {"comment": "x" * 21}}), ConversionFailed, "spec.options.comment"),
        (answered(record_call(), {"parameters": {}}), ConversionFailed, "unknown fields: parameters"),
        (
            answered(record_call(), **failed(reason="Busy", message="later", retryable=True)),
            ConversionUnavailable,
            "asks to try again: Busy: later",
        ),
        (answered(record_call(), **failed(reason="No", message="never")), ConversionFailed, "refused the payload: No"),
        (answered(record_call(), **failed()), ConversionFailed, "no reason given"),
    ],
)
def test_what_goes_wrong_at_the_webhook_is_told_apart(
    answer: WebhookAnswer, kind: type[ConversionOutcome], part: str
) -> None:
    """Case 69."""
    found = read_answer(record_call(), answer)

    assert isinstance(found, kind)
    assert part in str(found)


class Keeping:
    """A client that keeps every answer."""

    def __init__(self, *answers: WebhookAnswer) -> None:
        self.answers = list(answers)
        self.kept: dict[str, WebhookAnswer] = {}

    async def post(self, call: ConversionCall) -> WebhookAnswer:
        if call.key not in self.kept:
            self.kept[call.key] = self.answers[0]
        return self.kept[call.key]

    def known(self, call: ConversionCall) -> WebhookAnswer | None:
        return self.kept.get(call.key)

    def forget(self, call: ConversionCall) -> None:
        self.kept.pop(call.key, None)


@pytest.mark.spec("PC-CV-014")
async def test_an_answer_that_storage_refuses_is_asked_for_anew() -> None:
    """A conversion service that is mended needs no new Provider generation."""
    call = record_call()
    client = Keeping(answered(call, {"options": {"comment": "x" * 21}}))
    assert isinstance(await converted(client, call), ConversionFailed)

    client.answers = [answered(call, GOOD)]

    assert await converted(client, call) == Converted(GOOD)
    client.answers = []
    assert await converted(client, call) == Converted(GOOD)
