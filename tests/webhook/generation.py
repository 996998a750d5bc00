"""Objects made up from the models' own JSON schemas: right in shape, and strange in everything else."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

from pydantic import JsonValue

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.externaldns.dnsprovider import ClusterDNSProvider, DNSProvider
from libdnsapi.api.meta import JsonObject, KubernetesObject
from libdnsapi.api.route53.identity import Route53Identity

MODELS: Mapping[str, type[KubernetesObject]] = {
    model.__name__: model
    for model in (
        Provider,
        ZoneClass,
        Zone,
        RecordSet,
        ZoneUnit,
        ZoneUnitSlice,
        Route53Identity,
        DNSProvider,
        ClusterDNSProvider,
    )
}
MAX_DEPTH = 12
WORDS = (
    *("", "a", "www", "@", "*", "*.a", "_acme-challenge", "a_b", "Example.COM.", "bücher.example", "example.com"),
    *("a..b", "-a", "a" * 64, ".".join(["a" * 63] * 4), "ns.example.net", ".", "app", "app/team", "example.dns"),
    *("192.0.2.1", "192.0.2.256", "1.2.3", "2001:db8::1", "fe80::1%eth0", "::ffff:192.0.2.1", "https://a.example/"),
    *("A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS", "SRV", "issue", "letsencrypt.org", "v=spf1 -all", 'say "hi"'),
    *("True", "False", "Unknown", "Accepted", "Programmed", "Ready", "2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    *("v1", "v1beta1", "v0", "example.dns.appthrust.io", "example.dns.appthrust.io/controller", "Same", "Selector"),
    *("111122223333", "eu-central-1", "arn:aws:iam::111122223333:role/dns", "public", "true", "ledger", "txt", "sync"),
    *("self.spec.ttl > 1", "self.x", "has(self.spec.options)", "1 +", "self", "require-ttl", "/convert", "LS0tLS0="),
    *("[a-z]+", "(a+)+b", "(?i)[\\pL]{100}", "a|ab", "(", "\u0000", "\u2028", "\ud7ff", "🙂", " ", "\n", "a" * 300),
)
NUMBERS = (-(2**63), -1, 0, 1, 2, 3, 60, 255, 256, 300, 65535, 65536, 2**31 - 1, 2**31, 2**63, 1.5, 1e308)


def generated(chance: random.Random, kind: str, part: str) -> JsonValue:
    """Return a made-up `spec` or `status` of a kind, an empty object where the kind has no such part."""
    schema = _schema(kind)
    properties = cast("JsonObject", schema["properties"])
    wanted = properties.get(part)
    definitions = cast("JsonObject", schema.get("$defs", {}))
    return _Maker(chance, definitions).value(wanted, 0) if isinstance(wanted, dict) else {}


@cache
def _schema(kind: str) -> JsonObject:
    return MODELS[kind].model_json_schema(by_alias=True)


class _Maker:
    """Makes values of one schema."""

    def __init__(self, chance: random.Random, definitions: JsonObject) -> None:
        self._chance = chance
        self._definitions = definitions

    def value(self, schema: JsonObject, depth: int) -> JsonValue:
        """Return a value; once in a while one of another type than the schema asks for."""
        if self._chance.random() < 0.02:
            return self._chance.choice((None, True, 1, "x", [], {}, [{}], {"a": {}}))
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self.value(cast("JsonObject", self._definitions[reference.rpartition("/")[2]]), depth)
        options = schema.get("anyOf")
        if isinstance(options, list):
            return self.value(cast("JsonObject", self._chance.choice(options)), depth)
        return self._of_type(schema, depth)

    def _of_type(self, schema: JsonObject, depth: int) -> JsonValue:
        words = schema.get("enum")
        if isinstance(words, list) and self._chance.random() < 0.9:
            return self._chance.choice(words)
        makers: Mapping[JsonValue, Callable[[], JsonValue]] = {
            "object": lambda: self._object(schema, depth + 1),
            "array": lambda: self._array(schema, depth + 1),
            "integer": lambda: self._chance.choice(NUMBERS),
            "number": lambda: self._chance.choice(NUMBERS),
            "boolean": lambda: self._chance.random() < 0.5,
            "null": lambda: None,
        }
        return makers.get(schema.get("type"), lambda: self._chance.choice(WORDS))()

    def _object(self, schema: JsonObject, depth: int) -> JsonValue:
        required = schema.get("required")
        needed = set(required) if isinstance(required, list) else set()
        likely = 0.6 if depth < MAX_DEPTH else 0.0
        properties = cast("JsonObject", schema.get("properties", {}))
        found: JsonObject = {
            name: self.value(inner, depth)
            for name, inner in properties.items()
            if isinstance(inner, dict) and self._chance.random() < (0.97 if name in needed else likely)
        }
        if not properties:
            further = schema.get("additionalProperties")
            inner = further if isinstance(further, dict) else {"type": "string"}
            found = {self._chance.choice(WORDS): self.value(inner, depth) for _ in range(self._chance.randint(0, 3))}
        return found

    def _array(self, schema: JsonObject, depth: int) -> JsonValue:
        length = 200 if self._chance.random() < 0.005 else self._chance.randint(0, 3)
        items = schema.get("items")
        inner = items if isinstance(items, dict) else {}
        return [self.value(inner, depth) for _ in range(length if depth < MAX_DEPTH else 0)]
