"""Nothing that anybody sends makes the webhook fail or busy."""

import random
import time

import orjson
import pytest
import structlog
from pydantic import JsonValue

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from libdnsapi.runtime.metrics import Metrics
from tests.webhook.mutations import bodies
from tests.webhook.objects import (
    PROVIDER,
    creation,
    envelope,
    item,
    provider,
    record_set,
    schema,
    version_contract,
    zone,
    zone_unit,
)
from tests.webhook.running import Running
from webhook.dispatch import Dispatcher, Reply
from webhook.entries import Entry
from webhook.measures import Measures
from webhook.review import Review
from webhook.server import MAX_BODY
from webhook.validators.snapshot import Snapshot

SEED = 20261129
REQUESTS = 20_000
CPU_LIMIT = 0.1
RECORD_SET = "/validate-dns-appthrust-io-v1alpha1-recordset"
ZONE = "/validate-dns-appthrust-io-v1alpha1-zone"


class _Fixed:
    """A lookup with one snapshot."""

    def __init__(self, document: JsonObject) -> None:
        contract = compile_contract(Provider.model_validate(document), InterpretingEngine())
        self._snapshot = Snapshot(contracts={PROVIDER: contract}, ledger_writers=frozenset({"system:masters"}))

    async def gather(self, entry: Entry, review: Review) -> Snapshot:
        """Return the snapshot."""
        del entry, review
        return self._snapshot


def _dispatcher(document: JsonObject | None = None) -> Dispatcher:
    return Dispatcher(_Fixed(document or provider()), Measures(Metrics().registry))


async def test_twenty_thousand_strange_requests_get_a_clear_answer_each() -> None:
    dispatcher, slowest = _dispatcher(), (0.0, "")
    with structlog.testing.capture_logs() as logs:
        for path, body in bodies(random.Random(SEED), REQUESTS):  # noqa: S311 — no secret
            if len(body) > MAX_BODY:
                continue
            started = time.process_time()
            reply = await dispatcher.reply(path, body)
            seconds = time.process_time() - started
            if seconds > slowest[0]:
                reply, seconds = await _timed(dispatcher, path, body)
                slowest = max(slowest, (seconds, f"{path} {body[:200]!r}"))
            _is_clear(reply.status, reply.body)
    assert not logs
    assert slowest[0] < CPU_LIMIT, slowest


async def _timed(dispatcher: Dispatcher, path: str, body: bytes) -> tuple[Reply, float]:
    """Ask three times and return the answer with the least CPU time: what others do to the machine does not count."""
    replies, seconds = [], []
    for _ in range(3):
        started = time.process_time()
        replies.append(await dispatcher.reply(path, body))
        seconds.append(time.process_time() - started)
    return replies[0], min(seconds)


def _is_clear(status: int, body: bytes) -> None:
    answer = orjson.loads(body)
    if status == 400:
        assert answer["message"]
        return
    assert status == 200
    response = answer["response"]
    assert response["allowed"] or (response["status"]["message"] and response["status"]["code"] < 500)


async def test_strange_requests_get_through_https_too(webhook: Running) -> None:
    for path, body in bodies(random.Random(SEED + 1), 300):  # noqa: S311 — no secret
        status, _ = await webhook.post(path, body)
        assert status in {200, 400, 413}


MANY = 60_000
UNDESCRIBED: dict[str, JsonValue] = {f"p{number}": {"type": "x"} for number in range(MANY // 4)}
BULKY = {
    "items without a key": ("zoneunit", zone_unit(spec__recordSets=[{}] * MANY)),
    "items with many faults": ("zoneunit", zone_unit(spec__recordSets=[{"name": 1, "type": 1, "ttl": "x"}] * 5000)),
    "items that all are one": ("zoneunit", zone_unit(spec__recordSets=[item()] * 4900)),
    "addresses of the wrong type": ("recordset", record_set(spec__a={"addresses": [1] * MANY})),
    "labels of the wrong type": (
        "zone",
        zone(
            spec__allowedRecordSets=[
                {"namespaces": {"selector": {"matchLabels": dict.fromkeys(map(str, range(MANY)), 1)}}}
            ]
        ),
    ),
    "options that fit no schema": ("recordset", record_set(spec__options=dict.fromkeys(map(str, range(MANY)), 1))),
    "versions of the wrong type": ("provider", provider(spec__versions=[1] * MANY)),
    "versions with many faults": ("provider", provider(spec__versions=[{"a": 1}] * MANY)),
    "a schema with unknown types": (
        "provider",
        provider(
            spec__versions=[
                {
                    **version_contract("v1"),
                    "zone": {"schemas": {"adoption": schema(**UNDESCRIBED)}},
                }
            ]
        ),
    ),
}


@pytest.mark.parametrize("case", BULKY)
async def test_very_many_faults_cost_no_more_than_a_few(case: str) -> None:
    kind, document = BULKY[case]
    body = orjson.dumps(envelope(creation(document)))
    assert len(body) < MAX_BODY
    reply, seconds = await _timed(_dispatcher(), f"/validate-dns-appthrust-io-v1alpha1-{kind}", body)
    assert seconds < CPU_LIMIT
    assert orjson.loads(reply.body)["response"]["allowed"] is False


@pytest.mark.parametrize(
    "rule",
    [
        "self.spec.a.addresses.all(x, self.spec.a.addresses.all(y, self.spec.a.addresses.all(z, x != '' || y != z)))",
        "self.spec.a.addresses.map(x, self.spec.a.addresses.map(y, x + y + x + y)).size() >= 0",
    ],
)
async def test_a_rule_with_millions_of_steps_is_cut_off(rule: str) -> None:
    """Case 86."""
    version = {**version_contract("v1"), "storage": True}
    contract = version["recordSet"]
    assert isinstance(contract, dict)
    version["recordSet"] = {**contract, "validationRules": [{"rule": rule, "message": "costly"}]}
    addresses = [f"10.0.{number // 250}.{number % 250}" for number in range(400)]
    body = orjson.dumps(envelope(creation(record_set(spec__a={"addresses": [*addresses]}))))
    reply, seconds = await _timed(_dispatcher(provider(spec__versions=[version])), RECORD_SET, body)
    assert seconds < CPU_LIMIT
    assert "costly (the rule could not be evaluated" in orjson.loads(reply.body)["response"]["status"]["message"]


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|aa)+$", "((((a{1,100}){1,100}){1,100}){1,100})", "[a-z" * 200])
async def test_patterns_of_users_cost_no_time(pattern: str) -> None:
    rule = {
        "namespaces": {"selector": {"matchLabels": {"a": "b"}}},
        "records": [{"name": {"pattern": pattern}, "types": ["A"]}],
    }
    body = orjson.dumps(envelope(creation(zone(spec__allowedRecordSets=[rule] * 20))))  # type: ignore[list-item]
    reply, seconds = await _timed(_dispatcher(), ZONE, body)
    assert seconds < CPU_LIMIT
    _is_clear(reply.status, reply.body)
