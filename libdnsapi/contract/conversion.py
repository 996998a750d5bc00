"""Conversion of provider-owned payloads to the storage version (provider-contract page, Conversion).

Served defaults, validation, conversion, storage defaults, validation: everything here is pure. Where a webhook
converts, `plan_conversion` returns the call, somebody else makes it, and `read_answer` goes on from there.
"""

import hashlib
from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import orjson
from pydantic import JsonValue, ValidationError

from libdnsapi.api.dns.conversion import (
    CONVERSION_REVIEW,
    DEFAULT_PATH,
    DEFAULT_PORT,
    DEFAULT_TIMEOUT,
    ConversionAnswer,
    ConversionAnswerReview,
    ConversionCall,
    ConversionResponse,
)
from libdnsapi.api.dns.provider import ConversionWebhook
from libdnsapi.api.meta import JsonObject
from libdnsapi.api.names import API_VERSION
from libdnsapi.contract.cel.engine import CelFailure, CelProblem, Deadline, Program, unlimited
from libdnsapi.contract.numbers import number_problem
from libdnsapi.contract.targets import PAYLOAD_FIELDS, Target
from libdnsapi.contract.versions import Contract, VersionContract
from libdnsapi.dns.problems import Problem, all_at

MAX_MESSAGE = 1024
_SUCCESS, _FAILURE = "Success", "Failure"
_OK = 200


@dataclass(frozen=True, slots=True)
class Converted:
    """The payload in the storage version: only fields that are present, defaults filled in."""

    payload: JsonObject


@dataclass(frozen=True, slots=True)
class InvalidPayload:
    """The payload does not match the schema of the version that it is written for."""

    message: str


@dataclass(frozen=True, slots=True)
class ConversionFailed:
    """The payload cannot be converted; trying again does not help."""

    message: str


@dataclass(frozen=True, slots=True)
class ConversionUnavailable:
    """The conversion service did not answer, or asks to be tried again."""

    message: str


@dataclass(frozen=True, slots=True)
class StorageNotResolved:
    """The Provider has no such served version, or no storage version."""

    message: str


ConversionOutcome = Converted | InvalidPayload | ConversionFailed | ConversionUnavailable | StorageNotResolved


@dataclass(frozen=True, slots=True)
class WebhookCall(ConversionCall):
    """A conversion that a webhook must make; `storage`, `target` and `given` are what its answer is read with."""

    uid: str
    storage: VersionContract
    target: Target
    given: frozenset[str]
    """The payload fields that were there to be converted."""


WebhookAnswer = ConversionAnswer


class ConversionClient(Protocol):
    """Whoever makes the calls."""

    async def post(self, call: ConversionCall) -> ConversionAnswer:
        """Make the call. Never raises for what the network or the service does: that is in the answer."""
        ...

    def known(self, call: ConversionCall) -> ConversionAnswer | None:
        """Return what an equal call was answered, where that is kept."""
        ...

    def forget(self, call: ConversionCall) -> None:
        """Keep nothing of what a call was answered: it cannot be used, and the service may give a better one."""
        ...


async def converted(client: ConversionClient, call: "WebhookCall") -> ConversionOutcome:
    """Make a call and read its answer; one that cannot be used is asked for anew the next time."""
    outcome = read_answer(call, await client.post(call))
    if not isinstance(outcome, Converted):
        client.forget(call)
    return outcome


def plan_conversion(
    contract: Contract,
    target: Target,
    version: str,
    payload: JsonObject,
    context: JsonObject,
    deadline: Deadline = unlimited,
) -> ConversionOutcome | WebhookCall:
    """Convert a payload to the storage version, or say which call does.

    `payload` holds the present fields of `PAYLOAD_FIELDS[target]`; `context` is {zone, recordSet} or {zoneClass}, each
    with the fields that the contract page lists.
    """
    served, storage = contract.version(version), contract.storage
    unresolved = _unresolved(contract, version, served, storage)
    if served is None or storage is None or unresolved:
        return StorageNotResolved(unresolved)
    payload = served.with_defaults(target, payload)
    problems = served.payload_problems(target, payload)
    if problems:
        return InvalidPayload(_listed(problems))
    if served.name == storage.name:
        return Converted(payload)
    return _Step(contract, target, served, storage, context).run(payload, deadline)


def _unresolved(
    contract: Contract, version: str, served: VersionContract | None, storage: VersionContract | None
) -> str:
    """Say what is missing between the versions; empty where nothing is."""
    provider = contract.provider.metadata.name
    if served is None:
        return f"Provider {provider} has no version {version}."
    if not served.served:
        return f"Provider {provider} no longer serves version {version}."
    return "" if storage is not None else f"Provider {provider} has no storage version."


@dataclass(frozen=True, slots=True)
class _Step:
    """One conversion between two versions."""

    contract: Contract
    target: Target
    served: VersionContract
    storage: VersionContract
    context: JsonObject

    def run(self, payload: JsonObject, deadline: Deadline) -> ConversionOutcome | WebhookCall:
        declared = self.served.targets.get(self.target)
        if declared is None or declared.declared.to_storage is None:
            return self._without_strategy(payload)
        webhook = declared.declared.to_storage.webhook
        if webhook is not None and declared.conversion is None:
            return self._call(webhook, payload)
        return self._by_cel(declared.conversion, payload, deadline)

    def _without_strategy(self, payload: JsonObject) -> ConversionOutcome:
        if not payload and not self._has_storage_payload():
            return Converted({})
        return ConversionFailed(f"{self.served.title} defines no conversion of a {self.target} payload.")

    def _has_storage_payload(self) -> bool:
        declared = self.storage.targets.get(self.target)
        return declared is not None and any(name in declared.declared.schemas for name in PAYLOAD_FIELDS[self.target])

    def _by_cel(
        self, program: Program | CelProblem | None, payload: JsonObject, deadline: Deadline
    ) -> ConversionOutcome:
        if program is None or isinstance(program, CelProblem):
            return ConversionFailed(f"{self.served.title} has a conversion that does not compile: {program}.")
        result = program.evaluate(self._bindings(payload), deadline)
        if isinstance(result, CelFailure):
            return ConversionFailed(f"The conversion of {self.served.title} failed: {result.message}.")
        return finished(self.storage, self.target, result.value, payload.keys())

    def _bindings(self, payload: JsonObject) -> JsonObject:
        fields: JsonObject = {name: payload.get(name, {}) for name in PAYLOAD_FIELDS[self.target]}
        return {
            **self.context,
            "self": fields,
            "target": self.target.value,
            "provider": self.contract.provider.to_json(),
            "fromVersion": self.served.declared.to_json(),
            "toVersion": self.storage.declared.to_json(),
        }

    def _call(self, webhook: ConversionWebhook, payload: JsonObject) -> WebhookCall:
        service, seconds = webhook.client_config.service, webhook.timeout_seconds
        request: JsonObject = {
            "provider": {"name": self.contract.provider.metadata.name},
            "target": self.target.value,
            "fromVersion": self.served.name,
            "toVersion": self.storage.name,
            "payload": payload,
            "context": self.context,
        }
        meta = self.contract.provider.metadata
        key = _digest([meta.uid, meta.generation, request])
        return WebhookCall(
            key=key,
            namespace=service.namespace,
            service=service.name,
            port=service.port or DEFAULT_PORT,
            path=service.path or DEFAULT_PATH,
            ca_bundle=webhook.client_config.ca_bundle or "",
            timeout=timedelta(seconds=seconds) if seconds else DEFAULT_TIMEOUT,
            body={"apiVersion": API_VERSION, "kind": CONVERSION_REVIEW, "request": {"uid": key, **request}},
            uid=key,
            storage=self.storage,
            target=self.target,
            given=frozenset(payload),
        )


def _digest(parts: list[JsonValue]) -> str:
    """Return a uid made of the content: equal requests of one generation are one request."""
    text = hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32]))


def read_answer(call: WebhookCall, answer: WebhookAnswer) -> ConversionOutcome:
    """Read what the webhook answered and finish the conversion in the storage version."""
    where = f"Conversion service {call.namespace}/{call.service}"
    if answer.failure:
        return ConversionUnavailable(f"{where} cannot be reached: {answer.failure[:MAX_MESSAGE]}.")
    if answer.is_outage:
        return ConversionUnavailable(f"{where} answered HTTP {answer.status}.")
    if answer.status != _OK:
        return ConversionFailed(f"{where} answered HTTP {answer.status}.")
    response = _response(call, answer.body)
    if response is None:
        return ConversionFailed(f"{where} gave a malformed answer.")
    return _finish_response(call, response, where)


def _response(call: WebhookCall, body: bytes) -> ConversionResponse | None:
    """Return the response if it is one, and one to this very request."""
    try:
        review = ConversionAnswerReview.model_validate_json(body)
    except ValidationError:
        return None
    ours = review.api_version == API_VERSION and review.kind == CONVERSION_REVIEW
    return review.response if ours and review.response.uid == call.uid else None


def _finish_response(call: WebhookCall, response: ConversionResponse, where: str) -> ConversionOutcome:
    result = response.result
    if result.status == _SUCCESS:
        return finished(call.storage, call.target, response.payload, call.given)
    if result.status != _FAILURE:
        return ConversionFailed(f"{where} gave a malformed answer.")
    told = ": ".join(part for part in (result.reason, result.message) if part)[:MAX_MESSAGE] or "no reason given"
    if result.retryable:
        return ConversionUnavailable(f"{where} asks to try again: {told}")
    return ConversionFailed(f"{where} refused the payload: {told}")


def finished(storage: VersionContract, target: Target, result: JsonValue, given: Container[str]) -> ConversionOutcome:
    """Take a conversion's result into the storage version: defaults, then validation.

    A null field is an absent one; so is an empty object in the place of a field that was not `given`, for a CEL
    expression sees one there: the conversion `self` must not turn a claim without adoption into one that adopts.
    """
    if not isinstance(result, dict):
        return ConversionFailed("The conversion gave no object.")
    unknown = sorted(set(result) - set(PAYLOAD_FIELDS[target]))
    if unknown:
        return ConversionFailed(f"The conversion gave unknown fields: {', '.join(unknown)[:MAX_MESSAGE]}.")
    if wrong := number_problem(result):
        return ConversionFailed(f"The conversion gave {wrong}.")
    payload = storage.with_defaults(
        target, {name: value for name, value in result.items() if value != {} or name in given}
    )
    problems = storage.payload_problems(target, payload)
    if problems:
        return ConversionFailed(f"The converted payload does not match {storage.title}: {_listed(problems)}")
    return Converted(payload)


def _listed(problems: tuple[Problem, ...]) -> str:
    return "; ".join(str(problem) for problem in all_at("spec", problems))
