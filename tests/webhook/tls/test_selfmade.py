"""The shared self-made certificate: made once, renewed in time, trusted first."""

import asyncio
import base64
import random
from datetime import timedelta

import orjson
import pytest

from libdnsapi.api.meta import SECRETS, JsonObject, ObjectKey
from tests.fakes.clock import START, FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from webhook.tls.authority import AUTHORITY_LIFE, LEAF_LIFE, Authority, issued
from webhook.tls.pair import install, server_context
from webhook.tls.selfmade import RENEW_BEFORE, Material, SelfMadeSource, renewed
from webhook.tls.trust import CONFIGURATIONS, TrustPublisher

SECRET = ObjectKey("dns-system", "webhook-tls")
CONFIGURATION = ObjectKey("", "dnsapi-webhook")
NAMES = ("webhook.dns-system.svc",)
DAY = timedelta(days=1)


def _source(server: FakeKubernetes, clock: FakeClock, names: tuple[str, ...] = NAMES) -> SelfMadeSource:
    return SelfMadeSource(server, SECRET, names, TrustPublisher(server, CONFIGURATION.name), clock)


def _with_configuration(server: FakeKubernetes) -> FakeKubernetes:
    hooks: list[JsonObject] = [{"name": name, "clientConfig": {"url": "https://127.0.0.1/"}} for name in ("a", "b")]
    server.seed(CONFIGURATIONS, {"metadata": {"name": CONFIGURATION.name}, "webhooks": [*hooks]})
    return server


def _bundles(server: FakeKubernetes) -> list[bytes]:
    document = orjson.loads(orjson.dumps(server.read(CONFIGURATIONS, CONFIGURATION)))
    return [base64.b64decode(hook["clientConfig"]["caBundle"]) for hook in document["webhooks"]]


def _made(days: float = 0) -> Material:
    return renewed(None, NAMES, START + days * DAY)


async def test_the_first_replica_makes_the_secret_and_publishes_the_authority() -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    pair = await _source(server, clock).read()
    secret = server.read(SECRETS, SECRET)
    assert secret is not None
    data = secret["data"]
    assert isinstance(data, dict)
    assert base64.b64decode(str(data["tls.crt"])) == pair.certificate
    assert _bundles(server) == [base64.b64decode(str(data["ca.crt"]))] * 2


async def test_the_second_replica_serves_the_same_and_writes_nothing() -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    first = await _source(server, clock).read()
    before = server.writes()
    assert await _source(server, clock).read() == first
    assert server.writes() == before


async def test_a_bundle_that_was_written_away_comes_back() -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    source = _source(server, clock)
    await source.read()
    published = _bundles(server)
    _with_configuration(server)
    await source.read()
    assert _bundles(server) == published


async def test_a_configuration_that_is_not_there_yet_is_no_error() -> None:
    clock = FakeClock()
    server = FakeKubernetes(clock)
    source = _source(server, clock)
    await source.read()
    _with_configuration(server)
    await source.read()
    assert len(_bundles(server)) == 2


async def test_a_broken_secret_is_made_anew_and_keeps_its_labels() -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    server.seed(
        SECRETS,
        {
            "metadata": {"name": SECRET.name, "namespace": SECRET.namespace, "labels": {"a": "b"}},
            "data": {"ca.crt": "x", "ca.key": "eA==", "tls.crt": "eA==", "tls.key": "eA=="},
        },
    )
    pair = await _source(server, clock).read()
    secret = server.read(SECRETS, SECRET)
    assert secret is not None
    metadata = secret["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["labels"] == {"a": "b"}
    assert await _source(server, clock).read() == pair


@pytest.mark.parametrize(
    ("age", "same_leaf", "same_authority"),
    [
        (timedelta(), True, True),
        (LEAF_LIFE - RENEW_BEFORE - DAY, True, True),
        (LEAF_LIFE - RENEW_BEFORE + DAY, False, True),
        (AUTHORITY_LIFE - LEAF_LIFE - RENEW_BEFORE + DAY, False, False),
        (AUTHORITY_LIFE + DAY, False, False),
    ],
)
def test_leaf_and_authority_are_renewed_in_time(age: timedelta, same_leaf: bool, same_authority: bool) -> None:
    stored = _made()
    wanted = renewed(stored, NAMES, START + age)
    assert (wanted.pair == stored.pair, wanted.authority == stored.authority) == (same_leaf, same_authority)
    assert wanted.pair.expires < wanted.authority.expires


@pytest.mark.parametrize("other", ["leaf", "leaf key", "authority key"])
async def test_parts_that_do_not_belong_together_are_made_anew(other: str) -> None:
    clock, stranger = FakeClock(), _made()
    server = _with_configuration(FakeKubernetes(clock))
    await _source(server, clock).read()
    secret = server.read(SECRETS, SECRET)
    assert secret is not None
    data = secret["data"]
    assert isinstance(data, dict)
    strange = {
        "leaf": {"tls.crt": stranger.pair.certificate, "tls.key": stranger.pair.key},
        "leaf key": {"tls.key": stranger.pair.key},
        "authority key": {"ca.key": stranger.authority.key},
    }[other]
    data |= {name: base64.b64encode(value).decode() for name, value in strange.items()}
    server.seed(SECRETS, secret)
    pair = await _source(server, clock).read()
    install(server_context(), pair)
    assert _bundles(server)[0].count(b"BEGIN") >= 1
    assert issued(Authority(_bundles(server)[0], b""), pair)


def test_other_names_need_another_leaf() -> None:
    stored = _made()
    wanted = renewed(stored, ("other.dns-system.svc",), START)
    assert (wanted.pair == stored.pair, wanted.authority == stored.authority) == (False, True)


async def test_a_new_authority_is_trusted_before_its_leaf_is_served() -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    source = _source(server, clock)
    old = await source.read()
    old_bundle = _bundles(server)[0]
    clock.jump(AUTHORITY_LIFE - LEAF_LIFE)
    assert not clock.slept
    reading = asyncio.create_task(source.read())
    await clock.advance(timedelta(seconds=1))
    assert not reading.done()
    assert _bundles(server)[0].endswith(old_bundle)
    assert _bundles(server)[0] != old_bundle
    await clock.advance(timedelta(seconds=10))
    assert (await reading) != old


@pytest.mark.parametrize("broken", [None, {"data": {"tls.crt": "eA=="}}])
async def test_what_is_served_stays_trusted_when_its_secret_is_lost(broken: JsonObject | None) -> None:
    clock = FakeClock()
    server = _with_configuration(FakeKubernetes(clock))
    source = _source(server, clock)
    old = await source.read()
    old_bundle = _bundles(server)[0]
    if broken is None:
        await server.delete(SECRETS, SECRET)
    else:
        server.seed(SECRETS, {"metadata": {"name": SECRET.name, "namespace": SECRET.namespace}, **broken})

    reading = asyncio.create_task(source.read())
    await clock.advance(timedelta(seconds=1))
    assert not reading.done()
    await clock.advance(timedelta(seconds=10))

    assert await reading != old
    assert _bundles(server)[0].endswith(old_bundle)
    assert _bundles(server)[0] != old_bundle


def _damaged(pem: bytes, chance: random.Random) -> bytes:
    """Return PEM whose content has a few wrong bytes."""
    head, *content, tail = pem.splitlines()
    der = bytearray(base64.b64decode(b"".join(content)))
    for _ in range(chance.choice((1, 1, 2, 4))):
        der[chance.randrange(len(der))] = chance.randrange(256)
    return b"\n".join([head, base64.b64encode(bytes(der)), tail, b""])


@pytest.mark.filterwarnings("ignore:Parsed a serial number")
@pytest.mark.parametrize("part", ["ca.crt", "ca.key", "tls.crt", "tls.key"])
async def test_a_secret_damaged_anywhere_never_stops_a_replica(part: str) -> None:
    chance, clock = random.Random(part), FakeClock()  # noqa: S311 — the same damage each time
    server = _with_configuration(FakeKubernetes(clock))
    await _source(server, clock).read()
    whole = server.read(SECRETS, SECRET)
    assert whole is not None
    data = whole["data"]
    assert isinstance(data, dict)
    for _ in range(120):
        broken = base64.b64encode(_damaged(base64.b64decode(str(data[part])), chance)).decode()
        server.seed(SECRETS, {**whole, "data": {**data, part: broken}})

        install(server_context(), await _source(server, clock).read())
