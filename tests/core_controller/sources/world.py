"""A whole sources controller on an API server in memory, with a clock that the tests move."""

import asyncio
from collections.abc import Container
from datetime import timedelta
from typing import Any

import orjson

from core_controller.sources.endpoints import Evaluation, Hold
from core_controller.sources.run import SourcesSettings, add_sources
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey, ResourceType
from libdnsapi.api.names import ROUTE53_PROVIDER
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.events import EVENTS
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.settings import RuntimeSettings
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes

CRDS = ResourceType(
    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False
)
GATEWAY_GROUP = "gateway.networking.k8s.io"
HTTP_ROUTES = ResourceType(GATEWAY_GROUP, "v1", "HTTPRoute", "httproutes")
GATEWAYS = ResourceType(GATEWAY_GROUP, "v1", "Gateway", "gateways")
SERVICES = ResourceType("", "v1", "Service", "services")
ENDPOINT_SLICES = ResourceType("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices")
NODES = ResourceType("", "v1", "Node", "nodes", namespaced=False)
INGRESSES = ResourceType("networking.k8s.io", "v1", "Ingress", "ingresses")
DNS_ENDPOINTS = ResourceType("externaldns.k8s.io", "v1alpha1", "DNSEndpoint", "dnsendpoints")
PREFIX = "external-dns.kubernetes.io/"
Document = dict[str, Any]


class World:
    """The API server and the controller; `start` and `stop` are a process's life, so restarting is both."""

    def __init__(self, **settings: object) -> None:
        self.clock = FakeClock()
        self.api = FakeKubernetes(self.clock)
        self.settings = SourcesSettings(**settings)
        self._task: asyncio.Task[int] | None = None
        for namespace in ("default", "apps", "infra", "dns"):
            self.put(
                NAMESPACES, {"metadata": {"name": namespace, "labels": {"kubernetes.io/metadata.name": namespace}}}
            )

    def use(self, clock: Clock) -> None:
        """Go by another clock from the next start on."""
        self.clock = clock  # type: ignore[assignment] - the fake one's `advance` is then not to be called
        self.api.clock = clock

    async def start(self, *, settled: bool = True) -> None:
        runtime = RuntimeSettings(
            _cli_parse_args=[], health_host="127.0.0.1", health_port=0, leader_elect=False, log_level="error"
        )
        self.manager = Manager("dnsapi-sources", self.api, runtime, clock=self.clock)
        add_sources(self.manager, self.settings)
        self._task = asyncio.create_task(self.manager.run())
        if settled:
            await self.settle()

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def stop(self) -> None:
        self.manager.stop()
        assert self._task is not None
        while not self._task.done():
            await self.clock.advance(timedelta(seconds=1))
        assert self._task.result() == 0

    async def settle(self, seconds: float = 3) -> None:
        """Let everything that is due happen; a few seconds pass."""
        await settle(100)
        for _ in range(int(seconds * 2)):
            await self.clock.advance(timedelta(seconds=0.5))
            await settle(50)

    # Objects.

    def put(self, resource: ResourceType, body: Document) -> None:
        """Create an object or replace its spec, status and metadata, as its owners would."""
        key = ObjectKey(body["metadata"].get("namespace", ""), body["metadata"]["name"])
        existing = self.api.read(resource, key)
        if existing is None:
            self.api.seed(resource, body)
            return
        changed = {**existing, **body, "metadata": {**existing["metadata"], **body["metadata"]}}
        changed["metadata"]["generation"] = body["metadata"].get("generation", 1)
        self.api.seed(resource, changed)

    async def delete(self, resource: ResourceType, namespace: str, name: str) -> None:
        await self.api.delete(resource, ObjectKey(namespace, name))

    def install(self, *kinds: ResourceType) -> None:
        """Have the cluster serve kinds, as their CustomResourceDefinitions say."""
        for kind in kinds:
            self.put(
                CRDS,
                {
                    "metadata": {"name": f"{kind.plural}.{kind.group}"},
                    "spec": {
                        "group": kind.group,
                        "names": {"plural": kind.plural, "kind": kind.kind},
                        "scope": "Namespaced" if kind.namespaced else "Cluster",
                        "versions": [{"name": kind.version, "served": True}],
                    },
                },
            )

    def zone(self, domain: str, name: str = "", namespace: str = "dns", provider: str = ROUTE53_PROVIDER) -> None:
        self.put(
            ZONES,
            {
                "metadata": {"name": name or domain.replace(".", "-"), "namespace": namespace},
                "spec": {
                    "domainName": domain,
                    "zoneClassRef": {"name": "class"},
                    "provider": {"name": provider, "version": "v1alpha1"},
                },
            },
        )

    def cluster_provider(self, name: str, zone: str, **spec: object) -> None:
        body = {"type": "dns-api", "zones": {"refs": [{"namespace": "dns", "name": zone}]}, **spec}
        self.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": name}, "spec": body})

    def provider(self, namespace: str, name: str, zone: str, **spec: object) -> None:
        body = {"type": "dns-api", "zones": {"refs": [{"namespace": "dns", "name": zone}]}, **spec}
        self.put(DNS_PROVIDERS, {"metadata": {"name": name, "namespace": namespace}, "spec": body})

    # What came of it.

    def records(self) -> dict[str, list[str]]:
        """Return `namespace/name TYPE` → values, an alias as `alias <target>`."""
        found = {}
        for key in self.api.keys(RECORD_SETS):
            record = self.api.read(RECORD_SETS, key)
            assert record is not None
            spec = record["spec"]
            found[f"{key.namespace}/{spec['name']} {spec['type']}"] = values_of(spec)
        return found

    def record_sets(self) -> list[Document]:
        return [found for key in self.api.keys(RECORD_SETS) if (found := self.api.read(RECORD_SETS, key))]

    def events(self) -> list[tuple[str, str]]:
        """Return `kind/name` and reason of all events."""
        read = [self.api.read(EVENTS, key) for key in self.api.keys(EVENTS)]
        return [(f"{one['regarding']['kind']}/{one['regarding']['name']}", one["reason"]) for one in read if one]

    def notes(self) -> str:
        return orjson.dumps([self.api.read(EVENTS, key) for key in self.api.keys(EVENTS)]).decode()

    def recordset_writes(self) -> int:
        return sum(count for (_, plural), count in self.api.writes().items() if plural == "recordsets")


class EveryHold(Container[Hold]):
    """All holds there may be: their grace time is over."""

    def __contains__(self, hold: object) -> bool:
        return True


def lapsed(*, grace_over: bool) -> Container[Hold]:
    """Return the holds whose grace time is over: all or none."""
    return EveryHold() if grace_over else frozenset()


def published_values(evaluation: Evaluation) -> dict[str, tuple[str, ...]]:
    """Return the values that an object publishes by name, types put together."""
    found: dict[str, tuple[str, ...]] = {}
    for endpoint in evaluation.endpoints:
        found[endpoint.name] = found.get(endpoint.name, ()) + endpoint.values
    return found


def values_of(spec: Document) -> list[str]:
    if "options" in spec:
        return [f"alias {spec['options']['alias']['dnsName']}"]
    body = spec[spec["type"].lower()]
    return [body["target"]] if "target" in body else list(next(iter(body.values())))


def gateway(
    name: str = "gw", namespace: str = "infra", addresses: tuple[str, ...] = ("192.0.2.1",), **extra: object
) -> Document:
    listeners = extra.pop(
        "listeners",
        [{"name": "http", "port": 80, "protocol": "HTTP", "allowedRoutes": {"namespaces": {"from": "All"}}}],
    )
    return {
        "metadata": {"name": name, "namespace": namespace, "annotations": extra.pop("annotations", {})},
        "spec": {"listeners": listeners},
        "status": {"addresses": [{"type": "IPAddress", "value": value} for value in addresses]},
    }


def http_route(name: str = "web", namespace: str = "apps", hosts: tuple[str, ...] = (), **extra: object) -> Document:
    parent = {"name": extra.get("gateway", "gw"), "namespace": "infra"}
    generation = extra.get("generation", 1)
    return {
        "metadata": {
            "name": name,
            "namespace": namespace,
            "generation": generation,
            "annotations": {PREFIX + key: value for key, value in extra.get("annotations", {}).items()},
            "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {"parentRefs": [parent], "hostnames": list(hosts)},
        "status": {
            "parents": [
                {
                    "parentRef": parent,
                    "controllerName": "example.net/controller",
                    "conditions": [
                        {
                            "type": "Accepted",
                            "status": extra.get("accepted", "True"),
                            "observedGeneration": extra.get("observed", generation),
                        }
                    ],
                }
            ]
        },
    }


def load_balancer(name: str, *, hostname: str = "", ip: str = "192.0.2.7") -> Document:
    """Return a Service of type LoadBalancer with this name, at a host or else an address."""
    ingress = {"hostname": hostname} if hostname else {"ip": ip}
    return {
        "metadata": {"name": "svc", "namespace": "apps", "annotations": {PREFIX + "hostname": name}},
        "spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1"},
        "status": {"loadBalancer": {"ingress": [ingress]}},
    }


def as_json(document: Document) -> JsonObject:
    return document
