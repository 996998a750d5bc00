"""A new certificate is taken up while requests go on."""

import asyncio
import contextlib
import ssl
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from libdnsapi.runtime.clock import SystemClock
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import creation, record_set
from tests.webhook.running import Running, fresh_pair, running, until
from webhook.measures import Measures
from webhook.tls.authority import LEAF_LIFE, new_authority, new_leaf
from webhook.tls.files import FileSource
from webhook.tls.keeper import Keeper
from webhook.tls.pair import CertificateError, Pair, install, leaf, server_context

PATH = "/validate-dns-appthrust-io-v1alpha1-recordset"
REVIEW = creation(record_set())
FAST = {"tls_interval": "PT0.02S"}


async def _served_serial(webhook: Running) -> int:
    """Return the serial number that a new connection is shown."""
    context = ssl.create_default_context(cadata=webhook.authority.certificate.decode())
    reader, writer = await asyncio.open_connection("127.0.0.1", webhook.port, ssl=context)
    tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
    der = tls.getpeercert(binary_form=True)
    assert der is not None
    writer.close()
    await reader.read()
    return x509.load_der_x509_certificate(der).serial_number


async def _until_served(webhook: Running, serial: int) -> None:
    async def served() -> bool:
        return await _served_serial(webhook) == serial

    await until(served)


async def _failed_reload(webhook: Running) -> bool:
    _, metrics = await webhook.health("/metrics")
    return 'dnsapi_webhook_certificate_reloads_total{outcome="failed"}' in metrics


async def test_a_new_certificate_is_served_and_no_request_is_dropped(cluster: FakeKubernetes, tmp_path: Path) -> None:
    async with running(cluster, tmp_path, **FAST) as webhook:
        answered: list[bool] = []
        stop = asyncio.Event()

        async def keep_asking() -> None:
            while not stop.is_set():
                answered.append((await webhook.review(PATH, REVIEW))["allowed"] is True)

        asking = asyncio.create_task(keep_asking())
        for _ in range(3):
            pair = fresh_pair(webhook.authority)
            webhook.write_pair(pair)
            await _until_served(webhook, leaf(pair.certificate).serial_number)
        stop.set()
        await asking
        assert answered
        assert all(answered)


async def test_a_mismatched_pair_leaves_the_old_certificate_in_place(cluster: FakeKubernetes, tmp_path: Path) -> None:
    async with running(cluster, tmp_path, **FAST) as webhook:
        before = await _served_serial(webhook)
        webhook.write_pair(Pair(fresh_pair(webhook.authority).certificate, fresh_pair(webhook.authority).key))
        await until(lambda: _failed_reload(webhook))
        assert await _served_serial(webhook) == before
        pair = fresh_pair(webhook.authority)
        webhook.write_pair(pair)
        await _until_served(webhook, leaf(pair.certificate).serial_number)


async def test_a_certificate_that_expires_is_told_once() -> None:
    clock = FakeClock()
    authority = new_authority(clock.now())

    pair = new_leaf(authority, ["127.0.0.1"], clock.now() - LEAF_LIFE + timedelta(hours=1))

    class Same:
        async def read(self) -> Pair:
            return pair

    keeper = Keeper(Same(), clock, Measures(CollectorRegistry()))
    with capture_logs() as logs:
        await keeper.load()
        assert [entry["log_level"] for entry in logs] == ["info"]
        clock.jump(timedelta(hours=2))
        await keeper.load()
        await keeper.load()
    assert [entry["log_level"] for entry in logs] == ["info", "error"]
    assert "expired" in logs[1]["event"]


async def test_an_expired_certificate_makes_the_pod_unready_until_a_new_one_is_there(
    cluster: FakeKubernetes, tmp_path: Path
) -> None:
    async with running(cluster, tmp_path, **FAST) as webhook:
        webhook.write_pair(new_leaf(webhook.authority, ["127.0.0.1"], SystemClock().now() - 2 * LEAF_LIFE))

        await until(lambda: _readiness(webhook, 503))
        assert "[-]certificate failed: missing or expired" in (await webhook.health("/readyz"))[1].splitlines()

        webhook.write_pair(fresh_pair(webhook.authority))
        await until(lambda: _readiness(webhook, 200))


async def _readiness(webhook: Running, status: int) -> bool:
    return (await webhook.health("/readyz"))[0] == status


async def test_old_tls_is_refused(cluster: FakeKubernetes, tmp_path: Path) -> None:
    async with running(cluster, tmp_path) as webhook:
        context = ssl.create_default_context(cadata=webhook.authority.certificate.decode())
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(ssl.SSLError):
            await asyncio.open_connection("127.0.0.1", webhook.port, ssl=context)


@pytest.mark.parametrize(
    ("certificate", "message"),
    [(b"", "the certificate is not valid PEM"), (b"nonsense", "the certificate is not valid PEM")],
)
def test_a_broken_certificate_is_named(certificate: bytes, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        leaf(certificate)


def test_certificate_and_key_must_belong_together() -> None:
    authority = new_authority(SystemClock().now())
    one, other = fresh_pair(authority), fresh_pair(authority)
    with pytest.raises(CertificateError, match="cannot be used together"):
        install(server_context(), Pair(one.certificate, other.key))


def _of_type(authority: trustme.CA, key_type: trustme.KeyType) -> Pair:
    made = authority.issue_cert("webhook.test", key_type=key_type)
    return Pair(b"".join(pem.bytes() for pem in made.cert_chain_pems), made.private_key_pem.bytes())


def _shown(context: ssl.SSLContext, authority: trustme.CA, name: str | None) -> int:
    """Return the serial number of the certificate that a client with or without a server's name is shown."""
    client = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
    client.check_hostname = name is not None
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(to_client, to_server, server_hostname=name)
    serving = context.wrap_bio(to_server, to_client, server_side=True)
    for side in (asking, serving) * 3:
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    der = asking.getpeercert(binary_form=True)
    assert der is not None
    assert asking.selected_alpn_protocol() is None
    return x509.load_der_x509_certificate(der).serial_number


@pytest.mark.parametrize("name", ["webhook.test", None])
@pytest.mark.parametrize("types", [("ECDSA", "RSA"), ("RSA", "ECDSA"), ("ECDSA", "ECDSA")])
def test_a_certificate_with_another_type_of_key_takes_the_place_of_the_old_one(
    types: tuple[str, str], name: str | None
) -> None:
    authority, context = trustme.CA(), server_context()
    for key_type in types:
        pair = _of_type(authority, trustme.KeyType[key_type])
        install(context, pair)
        assert _shown(context, authority, name) == leaf(pair.certificate).serial_number


async def test_a_full_disk_leaves_the_old_certificate_in_place(
    cluster: FakeKubernetes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(cluster, tmp_path, **FAST) as webhook:
        before = await _served_serial(webhook)
        with monkeypatch.context() as patched:
            patched.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
            pair = fresh_pair(webhook.authority)
            webhook.write_pair(pair)
            await until(lambda: _failed_reload(webhook))
            assert await _served_serial(webhook) == before
        await _until_served(webhook, leaf(pair.certificate).serial_number)


async def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"cannot read .*tls\.crt: No such file or directory"):
        await FileSource(tmp_path / "tls.crt", tmp_path / "tls.key").read()


def test_a_pair_knows_when_it_expires() -> None:
    now = FakeClock().now()
    assert new_leaf(new_authority(now), ["a.svc"], now).expires > now
