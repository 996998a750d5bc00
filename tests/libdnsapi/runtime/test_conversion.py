"""The HTTPS client of conversion webhooks, against a real TLS server on the loopback interface."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import orjson
import pytest
import trustme
from aiohttp import web
from aiohttp.test_utils import unused_port

from libdnsapi.api.dns.conversion import ConversionAnswer, ConversionCall
from libdnsapi.runtime.conversion import ANSWER_LIMIT, CACHED_BYTES, HttpConversionClient

HOST = "converter.dns-system.svc"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Service:
    """A conversion service that a test scripts."""

    def __init__(self, authority: trustme.CA, name: str = HOST) -> None:
        self.requests: list[web.Request] = []
        self.bundle = base64.b64encode(authority.cert_pem.bytes()).decode()
        self.handler: Handler = success
        self.port = 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(self._context)

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/{path:.*}", self._handle)
        runner = web.AppRunner(app)
        await runner.setup()
        self.port = unused_port()
        await web.TCPSite(runner, "127.0.0.1", self.port, ssl_context=self._context).start()
        return runner

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        self.requests.append(request)
        return await self.handler(request)

    def call(self, key: str = "k-1") -> ConversionCall:
        body = {"request": {"uid": key}}
        timeout = timedelta(seconds=5)
        return ConversionCall(key, "dns-system", "converter", 443, "/convert", self.bundle, timeout, body)

    def client(self) -> HttpConversionClient:
        return HttpConversionClient({"dns-system/converter": f"127.0.0.1:{self.port}"})


async def success(request: web.Request) -> web.StreamResponse:
    uid = orjson.loads(await request.read())["request"]["uid"]
    return web.json_response({"response": {"uid": uid, "result": {"status": "Success"}, "payload": {}}})


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    made = Service(trustme.CA())
    runner = await made.start()
    yield made
    await runner.cleanup()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[HttpConversionClient]:
    made = service.client()
    yield made
    await made.close()


@pytest.mark.spec("PC-CV-005", "PC-CV-008")
async def test_the_review_is_posted_and_the_answer_returned(service: Service, client: HttpConversionClient) -> None:
    answer = await client.post(service.call())

    assert (answer.status, answer.failure) == (200, "")
    assert orjson.loads(answer.body)["response"]["uid"] == "k-1"
    assert [(r.path, r.content_type) for r in service.requests] == [("/convert", "application/json")]


@pytest.mark.spec("PC-CV-007")
async def test_an_equal_call_is_answered_from_what_is_known(service: Service, client: HttpConversionClient) -> None:
    first = await client.post(service.call())

    assert await client.post(service.call()) == first
    await client.post(service.call("k-2"))
    assert len(service.requests) == 2


async def padded(request: web.Request) -> web.StreamResponse:
    uid = orjson.loads(await request.read())["request"]["uid"]
    payload = {"x": "y" * (ANSWER_LIMIT - 1024)}
    return web.json_response({"response": {"uid": uid, "result": {"status": "Success"}, "payload": payload}})


@pytest.mark.spec("PC-CV-007")
async def test_what_is_kept_stays_within_its_bounds_and_the_oldest_goes_first(
    service: Service, client: HttpConversionClient
) -> None:
    service.handler = padded
    fitting = CACHED_BYTES // ANSWER_LIMIT
    calls = [service.call(f"k-{n}") for n in range(fitting + 8)]
    for call in calls:
        await client.post(call)

    known = [client.known(call) is not None for call in calls]
    assert fitting <= sum(known) < len(calls)
    assert known == sorted(known)
    for call in calls:
        client.forget(call)
    await client.post(calls[0])
    assert client.known(calls[0]) is not None


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b'{"response": {"uid": "k-1", "result": {"status": "Failure", "retryable": true}}}',
        b'{"response": {"uid": "other", "result": {"status": "Success"}, "payload": {}}}',
        b'{"response": {"uid": "k-1", "result": {"status": "Success"}}}',
    ],
)
async def test_only_a_payload_for_this_request_is_kept(
    service: Service, client: HttpConversionClient, body: bytes
) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body)

    service.handler = handler
    await client.post(service.call())
    await client.post(service.call())

    assert len(service.requests) == 2


@pytest.mark.spec("PC-CV-006")
async def test_a_server_that_the_bundle_does_not_verify_is_not_trusted(
    service: Service, client: HttpConversionClient
) -> None:
    other = base64.b64encode(trustme.CA().cert_pem.bytes()).decode()

    answer = await client.post(replace(service.call(), ca_bundle=other))

    assert answer == ConversionAnswer(failure="the server's certificate is not verified by the Provider's caBundle")
    assert service.requests == []


@pytest.mark.spec("PC-CV-006")
async def test_a_certificate_for_another_name_is_not_trusted_whatever_the_address() -> None:
    made = Service(trustme.CA(), "other.dns-system.svc")
    runner = await made.start()
    client = made.client()

    answer = await client.post(made.call())

    assert "certificate" in answer.failure
    await client.close()
    await runner.cleanup()


@pytest.mark.parametrize("bundle", ["", "%%%", base64.b64encode(b"no pem").decode()])
async def test_a_broken_bundle_verifies_nothing(service: Service, client: HttpConversionClient, bundle: str) -> None:
    answer = await client.post(replace(service.call(), ca_bundle=bundle))

    assert answer.failure
    assert service.requests == []


@pytest.mark.spec("PC-CV-010")
async def test_a_service_that_does_not_answer_in_time_is_a_failure(
    service: Service, client: HttpConversionClient
) -> None:
    """Case 69."""
    released = asyncio.Event()

    async def handler(_: web.Request) -> web.StreamResponse:
        await released.wait()
        return web.Response()

    service.handler = handler
    answer = await client.post(replace(service.call(), timeout=timedelta(seconds=0.2)))
    released.set()

    assert answer == ConversionAnswer(failure="no answer within 0.2 s")


@pytest.mark.spec("PC-CV-010")
async def test_a_refused_connection_is_a_failure_without_an_address_in_it() -> None:
    """Case 69."""
    client = HttpConversionClient({"dns-system/converter": f"127.0.0.1:{unused_port()}"})
    bundle = base64.b64encode(trustme.CA().cert_pem.bytes()).decode()

    answer = await client.post(
        ConversionCall("k", "dns-system", "converter", 443, "/convert", bundle, timedelta(seconds=5), {})
    )
    await client.close()

    assert "connection failed" in answer.failure
    assert "127.0.0.1" not in answer.failure


async def test_redirects_are_not_followed(service: Service, client: HttpConversionClient) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": f"https://127.0.0.1:{service.port}/elsewhere"})

    service.handler = handler

    assert (await client.post(service.call())).status == 307
    assert len(service.requests) == 1


async def test_an_endless_answer_is_cut(service: Service, client: HttpConversionClient) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b"x" * (ANSWER_LIMIT + 100_000))

    service.handler = handler

    assert len((await client.post(service.call())).body) == ANSWER_LIMIT
