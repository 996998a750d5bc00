"""Requests that no API server would send: valid ones with something wrong in a random place."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from tests.webhook import objects
from webhook.entries import BY_PATH
from webhook.review import Review

BUILDERS: dict[str, Callable[[], JsonObject]] = {
    "Provider": objects.provider,
    "ZoneClass": objects.zone_class,
    "Zone": objects.zone,
    "RecordSet": objects.record_set,
    "ZoneUnit": objects.zone_unit,
    "ZoneUnitSlice": objects.zone_unit_slice,
    "Route53Identity": objects.identity,
    "DNSProvider": objects.dns_provider,
    "ClusterDNSProvider": objects.cluster_dns_provider,
}
STATUS: JsonObject = {
    "observedGeneration": 1,
    "conditions": [objects.condition("Accepted", "True", "Accepted")],
    "provider": {"data": {}},
}


def _deep(depth: int) -> JsonValue:
    found: JsonValue = {}
    for _ in range(depth):
        found = {"a": found}
    return found


NASTY: list[JsonValue] = [
    None,
    True,
    0,
    -1,
    2**63,
    1e308,
    "",
    " ",
    ".",
    "*",
    "@",
    "\u0000",
    "\u2028",
    "ü" * 300,
    "a" * 5000,
    "(" * 1000,
    "(a{1000}){1000}",
    "(((a+)+)+)+$",
    "self." + "a." * 2000 + "a",
    "[" * 500,
    "self.spec.all(x, self.spec.all(y, true))",
    [],
    [[]],
    [None] * 500,
    ["a"] * 10_000,
    [{}] * 10_000,
    {},
    {"": ""},
    {"a" * 1000: {}},
    {str(number): number for number in range(5000)},
    _deep(20),
    _deep(75),
]
HUGE: list[JsonValue] = ["x" * 900_000, ["1.1.1.1"] * 80_000, "\\" * 400_000, "(" * 900_000, [{"a": 1}] * 80_000]


NASTY_BODIES = [orjson.dumps(value) for value in NASTY]
HUGE_BODIES = [orjson.dumps(value) for value in HUGE]


def bodies(chance: random.Random, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield so many paths with bodies."""
    for number in range(count):
        path = chance.choice(list(BY_PATH))
        kind = BY_PATH[path].resource.kind
        yield path, _spoiled(chance, objects.envelope(_review(chance, kind)), number)


def spoiled(chance: random.Random, document: JsonObject, count: int) -> Iterator[bytes]:
    """Yield so many bodies with something wrong in this document."""
    return (_spoiled(chance, document, number) for number in range(count))


def _spoiled(chance: random.Random, document: JsonObject, number: int) -> bytes:
    copy = orjson.loads(orjson.dumps(document))
    for _ in range(chance.randint(1, 3)):
        value = chance.choice(HUGE_BODIES if number % 400 == 0 else NASTY_BODIES)
        _spoil(chance, copy, orjson.loads(value))
    body = orjson.dumps(copy)
    return _damaged(chance, body) if number % 10 == 0 else body


def _review(chance: random.Random, kind: str) -> Review:
    document = BUILDERS[kind]()
    match chance.choice(("create", "update", "status", "delete")):
        case "create":
            return objects.creation(document)
        case "update":
            return objects.update(document, objects.changed(document, spec__note="changed"))
        case "status":
            return objects.status_update(document, deepcopy(STATUS))
        case _:
            return objects.deletion(document)


def _spoil(chance: random.Random, document: JsonValue, value: JsonValue) -> None:
    """Put a value at a random place: somewhere inside, seldom near the top."""
    at = document
    while True:
        keys: list[str] | range = list(at) if isinstance(at, dict) else range(len(at) if isinstance(at, list) else 0)
        if not keys:
            return
        key = chance.choice(keys)
        inner = at[key]  # type: ignore[index,call-overload]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.1:
            at[key] = value  # type: ignore[index,call-overload]
            return
        at = inner


def _damaged(chance: random.Random, body: bytes) -> bytes:
    """Cut a body or overwrite some of its bytes."""
    if chance.random() < 0.5:
        return body[: chance.randrange(len(body))]
    spoiled = bytearray(body)
    for _ in range(chance.randint(1, 8)):
        spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)
