"""Bounds of one request: whatever it holds, the answer is clear and cheap."""

import random

import orjson
import pytest
from pydantic import JsonValue

from libdnsapi.contract.admission import MAX_WORDS
from tests.webhook.judging import CPU_LIMIT, dispatcher, is_clear, timed
from tests.webhook.mutations import bodies
from tests.webhook.objects import (
    changed,
    cluster_dns_provider,
    condition,
    creation,
    envelope,
    item,
    provider,
    record_set,
    schema,
    status_update,
    update,
    version_contract,
    zone,
    zone_unit,
)
from tests.webhook.running import Running
from tests.webhook.storms import storm
from webhook.server import MAX_BODY

RECORD_SET = "/validate-dns-appthrust-io-v1alpha1-recordset"
ZONE = "/validate-dns-appthrust-io-v1alpha1-zone"


async def test_strange_requests_get_a_clear_answer_each() -> None:
    await storm(seed=1, requests=600)


WRONG_TYPES = ("", "text/plain", "application/yaml", "application/x-www-form-urlencoded", "json", "*/*", "\u00e9")


async def test_strange_requests_get_through_https_too(webhook: Running) -> None:
    chance = random.Random(2)  # noqa: S311 — no secret
    for path, body in bodies(chance, 150):
        kind = chance.choice(("application/json", "application/json; charset=utf-8", "APPLICATION/JSON", *WRONG_TYPES))
        status, answer = await webhook.post(path, body, kind)
        assert orjson.loads(answer)
        assert status in ({415} if kind in WRONG_TYPES else {200, 400, 413})


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
    reply, seconds = await timed(dispatcher(), f"/validate-dns-appthrust-io-v1alpha1-{kind}", body)
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
    reply, seconds = await timed(dispatcher(provider(spec__versions=[version])), RECORD_SET, body)
    assert seconds < CPU_LIMIT
    assert "costly (the rule could not be evaluated" in orjson.loads(reply.body)["response"]["status"]["message"]


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|aa)+$", "((((a{1,100}){1,100}){1,100}){1,100})", "[a-z" * 200])
async def test_patterns_of_users_cost_no_time(pattern: str) -> None:
    rule = {
        "namespaces": {"selector": {"matchLabels": {"a": "b"}}},
        "records": [{"name": {"pattern": pattern}, "types": ["A"]}],
    }
    body = orjson.dumps(envelope(creation(zone(spec__allowedRecordSets=[rule] * 20))))  # type: ignore[list-item]
    reply, seconds = await timed(dispatcher(), ZONE, body)
    assert seconds < CPU_LIMIT
    is_clear(reply.status, reply.body)


@pytest.mark.parametrize("pattern", [r"\pL{{200}}x{}", r"((\pL|\pN|[^a]){{1,1000}})x{}", "(a{{1,100}}){{1,9}}{}"])
async def test_a_thousand_costly_patterns_cost_no_more_than_one(pattern: str) -> None:
    records: list[JsonValue] = [{"name": {"pattern": pattern.format(number)}, "types": ["A"]} for number in range(1000)]
    rules: list[JsonValue] = [
        {"namespaces": {"selector": {"matchLabels": {"a": "b"}}}, "records": records[start : start + 100]}
        for start in range(0, 1000, 100)
    ]
    body = orjson.dumps(envelope(creation(zone(spec__allowedRecordSets=rules))))
    reply, seconds = await timed(dispatcher(), ZONE, body)
    assert seconds < CPU_LIMIT
    is_clear(reply.status, reply.body)


async def test_a_hundred_costly_rules_share_one_bound() -> None:
    """Case 86."""
    rule = "self.spec.a.addresses.map(x, self.spec.a.addresses.map(y, x + y + x + y)).size() >= 0"
    rules: list[JsonValue] = [{"rule": f"{rule} && {number} >= 0", "message": f"m{number}"} for number in range(100)]
    version = {**version_contract("v1"), "storage": True}
    contract = version["recordSet"]
    assert isinstance(contract, dict)
    version["recordSet"] = {**contract, "validationRules": rules}
    addresses = [f"10.0.{number // 250}.{number % 250}" for number in range(400)]
    body = orjson.dumps(envelope(creation(record_set(spec__a={"addresses": [*addresses]}))))
    reply, seconds = await timed(dispatcher(provider(spec__versions=[version])), RECORD_SET, body)
    assert seconds < CPU_LIMIT
    assert "the expression took too long" in orjson.loads(reply.body)["response"]["status"]["message"]


async def test_a_filter_is_held_against_thousands_of_pipelines_in_time() -> None:
    filters: dict[str, JsonValue] = {"include": [f"z{number}.example.com" for number in range(100)]}
    body = orjson.dumps(envelope(creation(cluster_dns_provider(spec__domainFilter=filters))))
    reply, seconds = await timed(dispatcher(), "/warn-externaldns-k8s-io-v1alpha1-clusterdnsprovider", body)
    assert seconds < CPU_LIMIT
    assert orjson.loads(reply.body)["response"]["warnings"]


@pytest.mark.parametrize(
    ("part", "words"),
    [("(1+2*3-4/5)+", 12), ("(['a','b','c','d'].exists(x, x == 'a') ? 1 : 2)+", 37), ("size([1,2,3,4,5,6])+", 17)],
)
async def test_as_much_cel_as_a_provider_may_have_is_compiled_in_time(part: str, words: int) -> None:
    count = (MAX_WORDS - 200) // (20 * words + 3)
    rules: list[JsonValue] = [{"rule": part * 20 + f"{number} > 0", "message": "m"} for number in range(count)]
    version = {**version_contract("v1"), "storage": True}
    contract = version["recordSet"]
    assert isinstance(contract, dict)
    version["recordSet"] = {**contract, "validationRules": rules}
    body = orjson.dumps(envelope(creation(provider(spec__versions=[version]))))
    reply, seconds = await timed(dispatcher(), "/validate-dns-appthrust-io-v1alpha1-provider", body)
    assert orjson.loads(reply.body)["response"]["allowed"] is True
    assert seconds < CPU_LIMIT


@pytest.mark.parametrize("operation", ["create", "update", "status"])
async def test_a_full_ledger_is_reviewed_in_time(operation: str) -> None:
    """Six times as many items as are placed in one object; the limit of a body is what ends this."""
    names = [f"r{number}" for number in range(600)]
    conditions: list[JsonValue] = [condition(type_, "True", type_) for type_ in ("Accepted", "Programmed")]
    results: list[JsonValue] = [
        {"recordSetNamespace": "app", "recordSetName": name, "conditions": conditions, "provider": {"data": {}}}
        for name in names
    ]
    status: dict[str, JsonValue] = {"observedGeneration": 1, "recordSets": results}
    unit = zone_unit(spec__recordSets=[item(name) for name in names], status=status)
    review = {
        "create": creation(unit),
        "update": update(unit, changed(unit, spec__recordSets=[item(name) for name in names[1:]])),
        "status": status_update(unit, {**status, "observedGeneration": 2}),
    }[operation]
    body = orjson.dumps(envelope(review))
    assert len(body) < MAX_BODY
    reply, seconds = await timed(dispatcher(), "/validate-dns-appthrust-io-v1alpha1-zoneunit", body)
    assert orjson.loads(reply.body)["response"]["allowed"] is True
    assert seconds < CPU_LIMIT
