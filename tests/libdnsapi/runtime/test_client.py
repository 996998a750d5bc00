"""The client against a server that misbehaves as real ones do."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from libdnsapi.api.meta import SECRETS, JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime import errors, transport
from libdnsapi.runtime.backoff import Backoff
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import ConnectionSettingsError
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reflector import PAUSES, Pace
from libdnsapi.runtime.rest import RawObject
from libdnsapi.runtime.transport import Endpoint
from tests.fakes.clock import FakeClock

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
ONE = ObjectKey("ns", "one")
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
FAST = Pace(timedelta(seconds=20), Backoff(timedelta(milliseconds=10), timedelta(milliseconds=50)))


def status(code: int, reason: str, message: str = "because", **fields: object) -> web.Response:
    document = {"kind": "Status", "code": code, "reason": reason, "message": message, **fields}
    return web.json_response(document, status=code)


class Script:
    """A server that gives one prepared answer after another, the last one for ever, and remembers requests."""

    def __init__(self) -> None:
        self.answers: list[Answer | web.Response] = []
        self.requests: list[tuple[str, str, bytes, str]] = []
        self.authorizations: list[str] = []
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self.server = TestServer(app)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.requests.append((request.method, request.path_qs, body, request.headers.get("Content-Type", "")))
        self.authorizations.append(request.headers.get("Authorization", ""))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, web.Response):
            return web.Response(body=answer.body, status=answer.status, headers=answer.headers)
        return await answer(request)


class Token:
    """Credentials that change when they are renewed."""

    def __init__(self, url: str) -> None:
        self.endpoint = Endpoint(url)
        self.renewals = 0

    async def authorization(self) -> str:
        return f"Bearer {self.renewals}"

    async def renew(self) -> None:
        self.renewals += 1


@pytest.fixture
async def script() -> AsyncIterator[Script]:
    script = Script()
    await script.server.start_server()
    yield script
    await script.server.close()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
async def client(script: Script, metrics: Metrics) -> AsyncIterator[KubernetesClient]:
    url = str(script.server.make_url("")).rstrip("/")
    client = KubernetesClient(Token(url), field_manager="dnsapi", metrics=metrics, limit=timedelta(seconds=2))
    yield client
    await client.close()


TERMINATING = {"causes": [{"reason": "NamespaceTerminating"}]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (status(404, "NotFound"), errors.NotFoundError),
        (status(409, "AlreadyExists"), errors.AlreadyExistsError),
        (status(409, "Conflict"), errors.ConflictError),
        (status(403, "Forbidden"), errors.ForbiddenError),
        (status(403, "Forbidden", details=TERMINATING), errors.NamespaceTerminatingError),
        (status(422, "Invalid"), errors.InvalidError),
        (status(400, "BadRequest"), errors.InvalidError),
        (status(410, "Expired"), errors.GoneError),
        (status(413, "RequestEntityTooLarge"), errors.TooLargeError),
        (status(500, "InternalError", "etcdserver: request is too large"), errors.TooLargeError),
        (status(429, "TooManyRequests"), errors.ThrottledError),
        (status(503, "ServiceUnavailable"), errors.UnavailableError),
        (status(418, "Teapot"), errors.KubernetesError),
        (web.Response(status=502, text="<html>bad gateway</html>"), errors.UnavailableError),
        (web.Response(status=200, text="[]"), errors.UnavailableError),
        (web.Response(status=302, headers={"Location": "/elsewhere"}), errors.KubernetesError),
    ],
)
async def test_every_status_is_one_error(
    script: Script, client: KubernetesClient, answer: web.Response, expected: type[errors.KubernetesError]
) -> None:
    script.answers = [answer]
    with pytest.raises(errors.KubernetesError) as raised:
        await client.get(WIDGETS, ONE)
    assert type(raised.value) is expected
    assert len(script.requests) == 1


async def test_the_errors_text_is_the_servers_message_and_short(script: Script, client: KubernetesClient) -> None:
    script.answers = [status(422, "Invalid", "x" * 5000)]
    with pytest.raises(errors.InvalidError) as raised:
        await client.get(WIDGETS, ONE)
    assert raised.value.message == "x" * 1024
    script.answers = [web.Response(status=502, text="secret-token")]
    with pytest.raises(errors.UnavailableError) as unavailable:
        await client.get(WIDGETS, ONE)
    assert "secret-token" not in str(unavailable.value)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("17", 17), ("0", 0), ("86400", 300), ("9" * 30, 300), ("9" * 5000, 300), ("\u00b2", 1), ("-5", 1), ("soon", 1)],
    ids=["seconds", "none", "a day", "for ever", "more digits than a number has", "no digit", "negative", "a word"],
)
async def test_retry_after_is_kept_within_reason(
    script: Script, client: KubernetesClient, asked: str, kept: int
) -> None:
    script.answers = [web.Response(status=429, text="slow down", headers={"Retry-After": asked})]
    with pytest.raises(errors.ThrottledError) as raised:
        await client.get(WIDGETS, ONE)
    assert raised.value.retry_after == timedelta(seconds=kept)


class Lost(Token):
    """Credentials of a plugin or a file that fails for now, at first or when they should be renewed."""

    def __init__(self, url: str, *, later: bool) -> None:
        super().__init__(url)
        self.later = later

    async def authorization(self) -> str:
        if not self.later:
            raise RuntimeError("hunter2")
        return await super().authorization()

    async def renew(self) -> None:
        raise ConnectionSettingsError("kubeconfig x cannot be used")


@pytest.mark.parametrize("later", [False, True])
async def test_credentials_that_cannot_be_had_for_now_are_no_end(script: Script, metrics: Metrics, later: bool) -> None:
    script.answers = [status(401, "Unauthorized")]
    credentials = Lost(str(script.server.make_url("")).rstrip("/"), later=later)
    client = KubernetesClient(credentials, field_manager="x", metrics=metrics)
    with pytest.raises(errors.UnavailableError) as raised:
        await client.get(WIDGETS, ONE)
    assert raised.value.reason == "NoCredentials"
    assert "hunter2" not in str(raised.value)
    with pytest.raises(errors.UnavailableError):
        await anext(client.watch(WIDGETS, resource_version="1", lifetime=timedelta(seconds=9)))
    await client.close()


async def test_no_server_and_a_silent_server_are_unavailable(script: Script, metrics: Metrics) -> None:
    async def silence(_: web.Request) -> web.Response:
        await asyncio.sleep(5)
        return web.Response()

    script.answers = [silence]
    url = str(script.server.make_url("")).rstrip("/")
    client = KubernetesClient(Token(url), field_manager="x", metrics=metrics, limit=timedelta(milliseconds=50))
    with pytest.raises(errors.UnavailableError) as raised:
        await client.get(WIDGETS, ONE)
    assert raised.value.reason == "Timeout"
    await script.server.close()
    with pytest.raises(errors.UnavailableError, match="no connection to the API server \\(connection refused\\)"):
        await client.get(WIDGETS, ONE)
    failed = metrics.registry.get_sample_value("rest_client_requests_total", {"code": "<error>", "method": "GET"})
    assert failed == 2
    await client.close()


def test_refused_credentials_are_told_in_words() -> None:
    body = b'{"kind": "Status", "code": 401, "reason": "Unauthorized", "message": "Unauthorized"}'
    told = "the API server does not accept the credentials: have they expired, or are they of another cluster?"
    assert errors.from_response(401, body).message == told


def test_a_refusal_names_the_fields() -> None:
    body = b"""{"code": 422, "reason": "Invalid", "message": "no", "details": {"causes": [
        {"reason": "FieldValueInvalid", "message": "x", "field": "spec.recordSets[3].ttl"}, {"message": "y"}]}}"""
    refused = errors.from_response(422, body)
    assert isinstance(refused, errors.InvalidError)
    assert refused.fields == ("spec.recordSets[3].ttl",)


async def test_a_refused_token_is_renewed_once(script: Script, client: KubernetesClient) -> None:
    script.answers = [status(401, "Unauthorized"), web.json_response({"metadata": {"name": "one"}})]
    await client.get(WIDGETS, ONE)
    assert script.authorizations == ["Bearer 0", "Bearer 1"]
    script.answers = [status(401, "Unauthorized")]
    with pytest.raises(errors.UnauthorizedError):
        await client.get(WIDGETS, ONE)
    assert len(script.requests) == 4


async def test_requests_have_the_paths_and_types_of_the_api(script: Script, client: KubernetesClient) -> None:
    script.answers = [web.json_response({"metadata": {"name": "one", "managedFields": [{}]}})]
    body: JsonObject = {"metadata": {"name": "one"}}
    assert await client.create(WIDGETS, "ns", body) == b'{"metadata":{"name":"one"}}'
    await client.replace(WIDGETS, ONE, body, subresource="status", dry_run=True)
    await client.merge_patch(WIDGETS, ONE, body)
    await client.json_patch(SECRETS, ONE, [{"op": "test", "path": "/a", "value": 1}])
    await client.apply(WIDGETS, ONE, body, force=True)
    await client.delete(WIDGETS, ObjectKey("", "one"), uid="u", propagation="Foreground")
    prefix = "/apis/example.org/v1/namespaces/ns/widgets"
    assert [(method, path, kind) for method, path, _, kind in script.requests] == [
        ("POST", f"{prefix}?fieldManager=dnsapi", "application/json"),
        ("PUT", f"{prefix}/one/status?fieldManager=dnsapi&dryRun=All", "application/json"),
        ("PATCH", f"{prefix}/one?fieldManager=dnsapi", "application/merge-patch+json"),
        ("PATCH", "/api/v1/namespaces/ns/secrets/one?fieldManager=dnsapi", "application/json-patch+json"),
        ("PATCH", f"{prefix}/one?fieldManager=dnsapi&force=true", "application/apply-patch+yaml"),
        ("DELETE", "/apis/example.org/v1/widgets/one", "application/json"),
    ]
    assert json.loads(script.requests[0][2]) == {"apiVersion": "example.org/v1", "kind": "Widget", **body}
    assert json.loads(script.requests[5][2])["preconditions"] == {"uid": "u"}


def listed(version: str, *names: str) -> web.Response:
    items = [{"metadata": {"name": name, "namespace": "ns", "resourceVersion": version}} for name in names]
    return web.json_response({"metadata": {"resourceVersion": version}, "items": items})


def line(kind: str, version: str, name: str = "one") -> bytes:
    metadata = {"name": name, "namespace": "ns", "resourceVersion": version}
    return json.dumps({"type": kind, "object": {"metadata": metadata}}).encode() + b"\n"


def streamed(*lines: bytes, hold: asyncio.Event | None = None, cut: bool = False) -> Answer:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for part in lines:
            await response.write(part)
        if hold is not None:
            await hold.wait()
        if cut and request.transport is not None:
            request.transport.abort()
        return response

    return answer


EXPIRED = b'{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n'
HUGE = b'{"type":"ADDED","object":{"a":"' + b"x" * 4_300_000 + b'"}}\n'


@pytest.mark.parametrize(
    ("fault", "lists"),
    [
        (status(410, "Expired"), 2),
        (streamed(EXPIRED), 2),
        (streamed(line("ADDED", "11", "two"), EXPIRED), 2),
        (web.Response(status=429, text="busy", headers={"Retry-After": "0"}), 1),
        (web.Response(status=502, text="<html>"), 1),
        (streamed(), 1),
        (streamed(line("ADDED", "11", "two"), cut=True), 1),
        (streamed(b'{"type":"ADDED","object":{"meta', cut=True), 1),
        (streamed(b"not json\n"), 1),
        (streamed(HUGE), 1),
    ],
)
async def test_the_reflector_recovers(
    script: Script, client: KubernetesClient, fault: Answer | web.Response, lists: int
) -> None:
    hold = asyncio.Event()
    good = streamed(line("ADDED", "30", "good"), hold=hold)
    again: list[Answer | web.Response] = [listed("20", "one")] if lists == 2 else []
    script.answers = [listed("10", "one"), fault, *again, good]
    informer = Informer(client, WIDGETS, KubernetesObject, pace=FAST)
    arrived = asyncio.Event()
    informer.add_listener(lambda change: arrived.set() if change.key.name == "good" else None)
    task = asyncio.create_task(informer.run())
    async with asyncio.timeout(60):
        await arrived.wait()
    assert sum("watch=true" not in path for _, path, _, _ in script.requests) == lists
    task.cancel()
    hold.set()
    await asyncio.wait([task])


async def test_a_silent_watch_is_cut(script: Script, client: KubernetesClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "SILENCE_MARGIN", timedelta(seconds=-19.9))
    hold = asyncio.Event()
    script.answers = [streamed(hold=hold)]
    watch = client.watch(WIDGETS, resource_version="1", lifetime=timedelta(seconds=20))
    with pytest.raises(errors.UnavailableError) as raised:
        await anext(watch)
    assert raised.value.reason == "Timeout"
    hold.set()


async def test_a_server_of_empty_streams_is_not_hammered(script: Script, client: KubernetesClient) -> None:
    script.answers = [listed("10"), streamed()]
    clock = FakeClock()
    informer = Informer(client, WIDGETS, KubernetesObject, pace=Pace(), clock=clock)
    task = asyncio.create_task(informer.run())
    async with asyncio.timeout(60):
        while not clock.slept:  # noqa: ASYNC110 — the answers come through a socket
            await asyncio.sleep(0.01)
    assert len(script.requests) == 2
    (pause,) = clock.slept
    assert PAUSES.first <= pause <= 2 * PAUSES.first
    task.cancel()
    await asyncio.wait([task])


async def test_a_watch_asks_for_bookmarks_and_a_limited_time(script: Script, client: KubernetesClient) -> None:
    script.answers = [streamed(line("BOOKMARK", "12"))]
    stream = client.watch(
        WIDGETS, namespace="ns", label_selector="a=b", resource_version="7", lifetime=timedelta(seconds=90)
    )
    events = [event async for event in stream]
    assert [event.type for event in events] == ["BOOKMARK"]
    assert script.requests[0][1] == (
        "/apis/example.org/v1/namespaces/ns/widgets"
        "?watch=true&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=90&labelSelector=a%3Db"
    )


async def test_lists_come_in_pages_of_compact_objects(script: Script, client: KubernetesClient) -> None:
    script.answers = [
        web.json_response(
            {
                "metadata": {"resourceVersion": "5", "continue": "t"},
                "items": [{"metadata": {"name": "a", "managedFields": [1]}}],
            }
        )
    ]
    page = await client.list_page(WIDGETS, limit=1, continue_token="s")  # noqa: S106 — a page
    assert page.items == [RawObject(ObjectKey("", "a"), "", b'{"metadata":{"name":"a"}}')]
    assert (page.resource_version, page.continue_token) == ("5", "t")
    assert script.requests[0][1] == "/apis/example.org/v1/widgets?limit=1&continue=s"


@pytest.mark.parametrize(
    "answer",
    [{}, {"items": []}, {"metadata": {"resourceVersion": "5"}}, {"metadata": {"resourceVersion": "5"}, "items": [1]}],
    ids=["nothing", "no version", "no items", "no objects"],
)
async def test_an_answer_that_is_no_list_does_not_count_as_an_empty_one(
    script: Script, client: KubernetesClient, answer: JsonObject
) -> None:
    script.answers = [web.json_response(answer)]
    with pytest.raises(errors.UnavailableError) as raised:
        await client.list_page(WIDGETS)
    assert raised.value.reason == "Unreadable"


async def test_a_list_of_none_is_empty(script: Script, client: KubernetesClient) -> None:
    script.answers = [web.json_response({"metadata": {"resourceVersion": "5"}, "items": None})]
    assert (await client.list_page(WIDGETS)).items == []


@pytest.mark.parametrize("name", ["", ".", ".."])
async def test_a_name_that_would_lead_to_something_else_is_of_no_object(
    script: Script, client: KubernetesClient, name: str
) -> None:
    script.answers = [web.json_response({"metadata": {"name": "x", "resourceVersion": "5"}})]
    with pytest.raises(errors.NotFoundError):
        await client.get(WIDGETS, ObjectKey("ns", name))
    with pytest.raises(errors.NotFoundError):
        await client.merge_patch(WIDGETS, ObjectKey("ns", name), {})
    assert script.requests == []


async def test_a_list_of_nameless_objects_is_none(script: Script, client: KubernetesClient) -> None:
    named: JsonObject = {"metadata": {"name": "one"}}
    script.answers = [web.json_response({"metadata": {"resourceVersion": "7"}, "items": [named, {}]})]
    with pytest.raises(errors.UnavailableError):
        await client.list_page(WIDGETS)
