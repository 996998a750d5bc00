"""Requests that no API server would send: valid ones with something wrong in a random place."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from tests.webhook import objects
from tests.webhook.generation import generated
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
    """Yield so many paths with bodies.

    Most are reviews that an API server could send, of objects that are strange inside; one in ten is no review at all.
    """
    for number in range(count):
        path = chance.choice(list(BY_PATH))
        document = objects.envelope(_review(chance, BY_PATH[path].resource.kind))
        if number % 10 == 0:
            yield path, _spoiled(chance, document, number)
        else:
            yield path, orjson.dumps(_strange(chance, document, number))


def spoiled(chance: random.Random, document: JsonObject, count: int) -> Iterator[bytes]:
    """Yield so many bodies with something wrong anywhere in this document."""
    return (_spoiled(chance, document, number) for number in range(count))


def _strange(chance: random.Random, document: JsonObject, number: int) -> JsonObject:
    """Put strange values into the objects under review, and sometimes make them up altogether."""
    copy: JsonObject = orjson.loads(orjson.dumps(document))
    request = copy["request"]
    assert isinstance(request, dict)
    inside = [found for name in ("object", "oldObject") if isinstance(found := request[name], dict)]
    for found in inside:
        if chance.random() < 0.5:
            _reinvent(chance, found)
    if number % 3:
        value = chance.choice(HUGE_BODIES if number % 400 == 1 else NASTY_BODIES)
        _spoil(chance, chance.choice(inside), orjson.loads(value))
    return copy


def _reinvent(chance: random.Random, document: JsonObject) -> None:
    """Exchange some fields of spec and status for ones made up from the schema."""
    for part in ("spec", "status"):
        made, kept = generated(chance, str(document["kind"]), part), document.get(part)
        if isinstance(made, dict) and isinstance(kept, dict):
            document[part] = {**made, **{name: kept[name] for name in kept if chance.random() < 0.6}}
        elif made and chance.random() < 0.5:
            document[part] = made


def _spoiled(chance: random.Random, document: JsonObject, number: int) -> bytes:
    """Put a strange value anywhere, and damage some bodies as bytes."""
    copy = orjson.loads(orjson.dumps(document))
    for _ in range(chance.randint(1, 3)):
        value = chance.choice(HUGE_BODIES if number % 400 == 0 else NASTY_BODIES)
        _spoil(chance, copy, orjson.loads(value))
    body = orjson.dumps(copy)
    return _damaged(chance, body) if number % 20 == 0 else body


def _review(chance: random.Random, kind: str) -> Review:
    document = BUILDERS[kind]()
    match chance.choice(("create", "create", "update", "update", "status", "delete")):
        case "create":
            return objects.creation(document)
        case "update":
            return objects.update(document, objects.changed(document, spec__note="changed"))
        case "status":
            return objects.status_update(document, deepcopy(STATUS))
        case _:
            return objects.deletion(document)


def _spoil(chance: random.Random, document: JsonValue, value: JsonValue) -> None:
    """Put a value at a random place: every place is as likely as any other."""
    places = list(_places(document))
    if places:
        holder, key = chance.choice(places)
        holder[key] = value  # type: ignore[index,call-overload]


def _places(document: JsonValue) -> Iterator[tuple[JsonObject | list[JsonValue], str | int]]:
    """Yield every place where a value stands: its holder, and its key or index."""
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        steps = holder.items() if isinstance(holder, dict) else enumerate(holder if isinstance(holder, list) else ())
        for key, inner in steps:
            assert isinstance(holder, dict | list)
            yield holder, key
            waiting.append(inner)


def _damaged(chance: random.Random, body: bytes) -> bytes:
    """Cut a body or overwrite some of its bytes."""
    if chance.random() < 0.5:
        return body[: chance.randrange(len(body))]
    spoiled = bytearray(body)
    for _ in range(chance.randint(1, 8)):
        spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)
