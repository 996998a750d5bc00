"""The server side of conversion."""

import random
from collections import Counter

import orjson
import pytest

from libdnsapi.api.meta import JsonObject
from tests.webhook.mutations import spoiled
from webhook.conversion.review import MalformedConversionError, converted
from webhook.conversion.table import CONVERSIONS, ConversionError, Route

ROUTE = Route("example.dns.appthrust.io", "Zone", "v1beta1", "v1")


def _body(route: Route = ROUTE, **request: object) -> bytes:
    return orjson.dumps(
        {
            "apiVersion": "dns.appthrust.io/v1alpha1",
            "kind": "ProviderConversionReview",
            "request": {
                "uid": "u",
                "provider": {"name": route.provider},
                "target": route.target,
                "fromVersion": route.from_version,
                "toVersion": route.to_version,
                "payload": {"adoption": {"zone": "Z1"}},
                "context": {"zone": {"domainName": "example.com"}},
                **request,
            },
        }
    )


def _renamed(payload: JsonObject, context: JsonObject) -> JsonObject:
    adoption = payload["adoption"]
    assert isinstance(adoption, dict)
    zone = context["zone"]
    assert isinstance(zone, dict)
    return {"adoption": {"id": adoption["zone"], "domain": zone["domainName"]}}


def _impossible(payload: JsonObject, context: JsonObject) -> JsonObject:
    raise ConversionError(f"{len(payload)} and {len(context)} cannot be said in v1")


@pytest.mark.spec("PC-CV-013")
def test_a_known_conversion_answers_with_the_payload() -> None:
    assert converted(_body(), {ROUTE: _renamed}) == {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "ProviderConversionReview",
        "response": {
            "uid": "u",
            "result": {"status": "Success"},
            "payload": {"adoption": {"id": "Z1", "domain": "example.com"}},
        },
    }


@pytest.mark.parametrize(
    ("route", "reason", "message"),
    [
        (ROUTE, "ConversionFailed", "1 and 1 cannot be said in v1"),
        (
            ROUTE._replace(from_version="v7"),
            "UnknownConversion",
            'this service converts no Zone of Provider "example.dns.appthrust.io" from version "v7" to "v1"',
        ),
    ],
)
def test_what_cannot_be_converted_is_a_failure_for_good(route: Route, reason: str, message: str) -> None:
    response = converted(_body(route), {ROUTE: _impossible})["response"]
    assert response == {
        "uid": "u",
        "result": {"status": "Failure", "reason": reason, "message": message, "retryable": False},
    }


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "is not a dns.appthrust.io/v1alpha1 ProviderConversionReview"),
        (b"{}", "is not a dns.appthrust.io/v1alpha1 ProviderConversionReview"),
        (_body(uid=""), "request.uid is missing"),
    ],
)
def test_a_body_without_a_review_has_nobody_to_answer(body: bytes, message: str) -> None:
    with pytest.raises(MalformedConversionError, match=message):
        converted(body)


def test_the_built_in_provider_has_one_version_and_so_no_conversion() -> None:
    assert not CONVERSIONS


@pytest.mark.parametrize("request_part", [{"payload": []}, {"payload": None}, {"context": "zone"}])
def test_a_payload_or_context_that_is_no_object_is_a_failure_for_good(request_part: JsonObject) -> None:
    response = converted(_body(**request_part), {ROUTE: _renamed})["response"]
    assert response == {
        "uid": "u",
        "result": {
            "status": "Failure",
            "reason": "InvalidRequest",
            "message": "request.payload and request.context must be objects",
            "retryable": False,
        },
    }


def test_a_faulty_conversion_fails_the_payload_and_not_the_service() -> None:
    response = converted(_body(payload={}), {ROUTE: _renamed})["response"]
    assert isinstance(response, dict)
    assert response["result"] == {
        "status": "Failure",
        "reason": "InternalError",
        "message": "the conversion of this payload is faulty (KeyError)",
        "retryable": False,
    }


def test_any_body_is_answered_or_called_malformed() -> None:
    chance = random.Random(3)  # noqa: S311 — no secret
    outcomes = Counter(_outcome(body) for body in spoiled(chance, orjson.loads(_body()), 400))
    assert set(outcomes) == {"Success", "Failure", "malformed"}


def _outcome(body: bytes) -> str:
    try:
        response = converted(body, {ROUTE: _renamed})["response"]
    except MalformedConversionError as error:
        return "malformed" if str(error) else "silent"
    assert isinstance(response, dict)
    result = response["result"]
    assert isinstance(result, dict)
    return str(result["status"])
