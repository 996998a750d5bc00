"""Both halves of a conversion by webhook: core's client and our server speak to each other over verified HTTPS."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.conversion import (
    ConversionFailed,
    ConversionOutcome,
    ConversionUnavailable,
    Converted,
    WebhookCall,
    plan_conversion,
    read_answer,
)
from libdnsapi.contract.targets import Target
from libdnsapi.runtime.clock import SystemClock
from libdnsapi.runtime.conversion import HttpConversionClient
from tests.fakes.kubernetes import FakeKubernetes
from tests.libdnsapi.contract.providers import contract, document, new_version, old_version
from tests.webhook.running import Running, running
from webhook.conversion.table import CONVERSIONS, ConversionError, Route
from webhook.tls.authority import Authority, new_authority, new_leaf

HOST = "converter.dns-system.svc"
ROUTE = Route("test.example", "RecordSet", "v1", "v2")
CONTEXT: JsonObject = {"zone": {"domainName": "example.com"}, "recordSet": {"type": "A"}}


def _commented(payload: JsonObject, context: JsonObject) -> JsonObject:
    options, zone = payload["options"], context["zone"]
    assert isinstance(options, dict)
    assert isinstance(zone, dict)
    if options["note"] == "unspeakable":
        raise ConversionError("this note cannot be said in v2")
    return {"options": {"comment": f"{options['note']} {zone['domainName']}"}}


@pytest.fixture
async def server(
    cluster: FakeKubernetes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Running, Authority]]:
    """A webhook that serves as the Service that the Provider names."""
    monkeypatch.setitem(CONVERSIONS, ROUTE, _commented)  # type: ignore[arg-type]
    authority = new_authority(SystemClock().now())
    pair = new_leaf(authority, [HOST, "127.0.0.1"], SystemClock().now())
    certificate, key = tmp_path / "own.crt", tmp_path / "own.key"
    certificate.write_bytes(pair.certificate)
    key.write_bytes(pair.key)
    options = {"tls_cert_file": certificate, "tls_key_file": key}
    async with running(cluster, tmp_path, authority=authority, **options) as webhook:
        yield webhook, authority


async def _converted(
    server: tuple[Running, Authority], note: str, trusted: Authority | None = None
) -> ConversionOutcome:
    webhook, authority = server
    old: dict[str, Any] = old_version()
    bundle = base64.b64encode((trusted or authority).certificate).decode()
    old["recordSet"]["conversion"]["toStorage"]["webhook"]["clientConfig"]["caBundle"] = bundle
    payload: JsonObject = {"options": {"note": note}}
    call = plan_conversion(contract(document(old, new_version())), Target.RECORD_SET, "v1", payload, CONTEXT)
    assert isinstance(call, WebhookCall)
    client = HttpConversionClient({"dns-system/converter": f"127.0.0.1:{webhook.port}"})
    try:
        return read_answer(call, await client.post(call))
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("note", "outcome"),
    [
        ("seen", Converted({"options": {"comment": "seen example.com"}})),
        (
            "unspeakable",
            ConversionFailed(
                "Conversion service dns-system/converter refused the payload: ConversionFailed: this note cannot be "
                "said in v2"
            ),
        ),
    ],
)
async def test_core_reads_what_the_webhook_answers(
    server: tuple[Running, Authority], note: str, outcome: ConversionOutcome
) -> None:
    """Case 69."""
    assert await _converted(server, note) == outcome


async def test_an_output_that_storage_refuses_fails_for_good(server: tuple[Running, Authority]) -> None:
    outcome = await _converted(server, "much too long for")
    assert isinstance(outcome, ConversionFailed)
    assert "spec.options.comment" in outcome.message


async def test_a_server_of_another_authority_is_not_believed(server: tuple[Running, Authority]) -> None:
    outcome = await _converted(server, "seen", trusted=new_authority(SystemClock().now()))
    assert isinstance(outcome, ConversionUnavailable)
    assert "not verified by the Provider's caBundle" in outcome.message
