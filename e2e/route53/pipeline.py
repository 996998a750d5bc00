"""The way of a call: identification, rate limit, faults, latency, action, answer."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from fastapi import Request, Response

from e2e.route53 import connection, sts
from e2e.route53.call import Call, Handler, Reply
from e2e.route53.errors import AwsError, InvalidChangeBatchError, access_denied
from e2e.route53.faults import Fault
from e2e.route53.identities import Caller
from e2e.route53.journal import DONE, Entry
from e2e.route53.state import State
from e2e.route53.xml import NAMESPACE, document, element, wrap

ANONYMOUS: Final = Caller("", "anonymous", "")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A call that has arrived: what it is, and what it carries."""

    action: str
    handler: Handler
    query: Mapping[str, str]
    body: bytes
    namespace: str = NAMESPACE

    @property
    def is_sts(self) -> bool:
        """Whether it is a call of STS."""
        return self.namespace == sts.NAMESPACE


async def serve(state: State, request: Request, arrival: Arrival) -> Response:
    """Answer a call; every refusal becomes the XML error of its service."""
    try:
        caller = _identify(state, request, arrival)
    except AwsError as error:
        return _refused(state, arrival, error, _arrived(state, request, arrival, ""))
    entry = _arrived(state, request, arrival, caller.account_id)
    call = Call(arrival.action, state, caller, request.path_params, arrival.query, arrival.body, entry)
    try:
        answer = await _admitted(request, arrival, call)
    except (AwsError, InvalidChangeBatchError) as error:
        return _refused(state, arrival, error, entry)
    entry.outcome = entry.outcome or DONE
    return answer


def _arrived(state: State, request: Request, arrival: Arrival, account_id: str) -> Entry:
    state.counters.called(arrival.action, account_id)
    return state.journal.arrived(arrival.action, account_id, _zone_id(request.path_params), state.monotonic())


def _zone_id(path: Mapping[str, str]) -> str:
    return path.get("zone", path.get("id", ""))


def _identify(state: State, request: Request, arrival: Arrival) -> Caller:
    if arrival.is_sts and arrival.action in sts.UNSIGNED:
        return ANONYMOUS
    authorization = request.headers.get("authorization", "")
    return state.identities.caller(authorization, state.settings, state.default_account_id, state.now())


async def _admitted(request: Request, arrival: Arrival, call: Call) -> Response:
    state = call.state
    if not arrival.is_sts and not state.admit(call.caller.account_id):
        raise AwsError("Throttling", "Rate exceeded")
    zone_id = _zone_id(call.path)
    fault = state.faults.take(call.action, zone_id, call.caller.account_id, state.monotonic())
    async with _worked_on(state, call, zone_id):
        if state.settings.latency_seconds:
            await asyncio.sleep(state.settings.latency_seconds)
        if fault is None:
            return _answered(arrival.handler(call))
        return await _faulted(request, arrival, call, fault)


@asynccontextmanager
async def _worked_on(state: State, call: Call, zone_id: str) -> AsyncIterator[None]:
    """Refuse a batch while another one of its zone is worked on, where the settings say so."""
    if call.action != "ChangeResourceRecordSets" or not state.settings.prior_request_not_complete:
        yield
        return
    if zone_id in state.busy_zones:
        message = (
            "The request was rejected because Route 53 was still processing a prior request. "
            "Retry the request after the previous request has completed."
        )
        raise AwsError("PriorRequestNotComplete", message)
    state.busy_zones.add(zone_id)
    try:
        await asyncio.sleep(state.settings.batch_seconds)
        yield
    finally:
        state.busy_zones.discard(zone_id)


async def _faulted(request: Request, arrival: Arrival, call: Call, fault: Fault) -> Response:
    match fault.kind:
        case "timeout-before":
            call.entry.outcome = fault.kind
            return await connection.hold(request, fault.hold_seconds)
        case "timeout-after-apply":
            arrival.handler(call)
            call.entry.outcome = fault.kind
            return await connection.hold(request, fault.hold_seconds)
        case "close-connection":
            call.entry.outcome = fault.kind
            return connection.cut(request)
        case "truncated-body":
            answer = connection.TruncatedResponse(_answered(arrival.handler(call)))
            call.entry.outcome = fault.kind
            return answer
        case "delay" | "edit":
            await _before(call.state, fault)
            return _answered(arrival.handler(call))
        case "error" | "throttle" | "deny" | "http-500":
            raise _scripted(arrival, call, fault)


async def _before(state: State, fault: Fault) -> None:
    """Do what a fault does before the call goes on unharmed."""
    if fault.kind == "delay":
        await asyncio.sleep(fault.hold_seconds)
    elif fault.records is not None:
        state.edit(fault.records)


def _scripted(arrival: Arrival, call: Call, fault: Fault) -> AwsError:
    """Return the error of a fault that only refuses."""
    if fault.kind == "throttle":
        return AwsError("Throttling", "Rate exceeded")
    if fault.kind == "http-500":
        return AwsError("InternalFailure", "The request processing has failed because of an unknown error.", 500)
    if fault.kind == "deny":
        zone_id = call.path.get("zone", "")
        resource = f"arn:aws:route53:::hostedzone/{zone_id}" if zone_id else "*"
        return access_denied(call.caller.arn, call.action, resource, "sts" if arrival.is_sts else "route53")
    return AwsError(fault.code, fault.message, fault.status)


def _answered(reply: Reply) -> Response:
    return _response(reply.body, reply.status, reply.headers)


def _response(body: str, status: int, headers: Mapping[str, str]) -> Response:
    return Response(body.encode(), status, {**headers, "x-amzn-RequestId": str(uuid4())}, media_type="text/xml")


def _refused(state: State, arrival: Arrival, error: AwsError | InvalidChangeBatchError, entry: Entry) -> Response:
    entry.outcome = "InvalidChangeBatch" if isinstance(error, InvalidChangeBatchError) else error.code
    state.counters.refused(arrival.action, entry.outcome)
    if isinstance(error, InvalidChangeBatchError):
        return _invalid_batch(state, error.messages)
    return _error(error, arrival.namespace)


def _error(error: AwsError, namespace: str = NAMESPACE) -> Response:
    detail = wrap(
        "Error",
        element("Type", "Receiver" if error.receiver else "Sender"),
        element("Code", error.code),
        element("Message", error.message),
    )
    body = document("ErrorResponse", detail, element("RequestId", str(uuid4())), namespace=namespace)
    return _response(body, error.status, {})


def _invalid_batch(state: State, messages: list[str]) -> Response:
    """Write InvalidChangeBatch in the form the settings ask for: as any other error, or with a list of messages."""
    match state.settings.change_batch_messages:
        case "first":
            messages = messages[:1]
        case "vague":
            messages = ["The request contains an invalid change"]
        case "all":
            pass
    if state.settings.change_batch_error_form == "error-response":
        return _error(AwsError("InvalidChangeBatch", f"[{', '.join(messages)}]"))
    listed = wrap("Messages", *(element("Message", message) for message in messages))
    return _response(document("InvalidChangeBatch", listed, element("RequestId", str(uuid4()))), 400, {})
