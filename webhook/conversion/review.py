"""ProviderConversionReview (provider-contract, "Conversion"): read, convert, answer. Pure."""

from collections.abc import Mapping

import orjson

from libdnsapi.api.meta import JsonObject
from libdnsapi.api.names import API_VERSION
from webhook.conversion.table import CONVERSIONS, ConversionError, Convert, Route
from webhook.documents import object_at, parsed, text_at

KIND = "ProviderConversionReview"
MESSAGE_LIMIT = 1024


class MalformedConversionError(ValueError):
    """The body is no ProviderConversionReview, and there is nobody to answer."""


def converted(body: bytes, table: Mapping[Route, Convert] = CONVERSIONS) -> JsonObject:
    """Return the review that answers the body; raises MalformedConversionError where it has no uid to answer."""
    request = _request(body)
    uid = text_at(request, "uid")
    if not uid:
        raise MalformedConversionError("request.uid is missing")
    route = Route(
        text_at(request, "provider", "name"),
        text_at(request, "target"),
        text_at(request, "fromVersion"),
        text_at(request, "toVersion"),
    )
    convert = table.get(route)
    if convert is None:
        return _failure(uid, "UnknownConversion", _unknown(route))
    payload, context = request.get("payload"), request.get("context")
    if not isinstance(payload, dict) or not isinstance(context, dict):
        return _failure(uid, "InvalidRequest", "request.payload and request.context must be objects")
    try:
        return _answer(uid, {"status": "Success"}, convert(payload, context))
    except ConversionError as error:
        return _failure(uid, "ConversionFailed", str(error))
    except Exception as error:  # a fault of a conversion fails this payload; asked again it would fail again
        return _failure(uid, "InternalError", f"the conversion of this payload is faulty ({type(error).__name__})")


def _request(body: bytes) -> JsonObject:
    try:
        document = parsed(body)
    except orjson.JSONDecodeError as error:
        raise MalformedConversionError(f"the body is not valid JSON: {error.msg}") from None
    named = isinstance(document, dict) and document.get("apiVersion") == API_VERSION and document.get("kind") == KIND
    if not named:
        raise MalformedConversionError(f"the body is not a {API_VERSION} {KIND}")
    return object_at(document, "request")


def _unknown(route: Route) -> str:
    return (
        f'this service converts no {route.target or "payload"} of Provider "{route.provider}" '
        f'from version "{route.from_version}" to "{route.to_version}"'
    )


def _failure(uid: str, reason: str, message: str) -> JsonObject:
    result: JsonObject = {
        "status": "Failure",
        "reason": reason,
        "message": message[:MESSAGE_LIMIT],
        "retryable": False,
    }
    return _answer(uid, result, None)


def _answer(uid: str, result: JsonObject, payload: JsonObject | None) -> JsonObject:
    response: JsonObject = {"uid": uid, "result": result}
    if payload is not None:
        response["payload"] = payload
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}
