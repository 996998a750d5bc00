"""A small world for one zone: API server and Route 53 in memory, caches, a clock, and core's part by hand."""

from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

import orjson

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItemStatus, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import (
    NAMESPACES,
    JsonObject,
    Namespace,
    ObjectKey,
    PartialObject,
    ResourceType,
)
from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.api.route53.payloads import ZoneClassParameters
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.roster import Roster
from libdnsapi.runtime.store import Store
from route53_controller.parameters import Parameters
from route53_controller.watches import ZONE_CLASS_INDEXES
from route53_controller.zoneunit.metrics import ZoneMetrics
from route53_controller.zoneunit.reconciler import Means, ZoneUnitReconciler
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from route53_controller.zoneunit.stores import SLICE_INDEXES, UNIT_INDEXES, Stores, claim_of
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from tests.fakes.route53 import ACCOUNT, FakeAccounts, FakeRoute53

DOMAIN = "example.com"
UNIT = ObjectKey("dns", "example-com")
CLASS = ObjectKey("platform", "public")
IDENTITY = ObjectKey("platform", "aws")
SETTINGS = ZoneUnitSettings(ROUTE53_CONTROLLER, ROUTE53_PROVIDER)
SETTLED = timedelta(seconds=90)


class Cache(Protocol):
    """A store or a roster of any kind."""

    def observe(self, raw: bytes) -> bool: ...
    def keys(self) -> list[ObjectKey]: ...
    def forget(self, key: ObjectKey) -> bool: ...


class PlainParameters:
    """Reads parameters that are in the storage version already."""

    async def read(self, zone_class: ZoneClass, provider: Provider | None) -> Parameters:
        """Return the parameters."""
        return ZoneClassParameters.model_validate(zone_class.spec.parameters)


class World:
    """One ZoneUnit with its surroundings."""

    def __init__(
        self,
        *,
        settings: ZoneUnitSettings = SETTINGS,
        parameters: JsonObject | None = None,
        metrics: ZoneMetrics | None = None,
    ) -> None:
        """Put an accepted class, a ready identity and a ZoneUnit without records there."""
        self.clock = FakeClock()
        self.kubernetes = FakeKubernetes(self.clock)
        self.route53 = FakeRoute53()
        self.accounts = FakeAccounts(self.route53)
        self.events: list[Event] = []
        self.settings = settings
        self.metrics = metrics or ZoneMetrics()
        self.stores = stores()
        self.put(NAMESPACES, {"metadata": {"name": "dns", "labels": {"team": "dns"}}})
        self.put_class(parameters or {})
        self.put_identity()
        self.put(ZONES, {"metadata": {"namespace": UNIT.namespace, "name": UNIT.name}, "spec": {}})
        self.put(ZONE_UNITS, unit_document())
        self.start()

    def start(self) -> None:
        """Start the controller, or start it again without its memory."""
        means = Means(
            self.kubernetes, self.stores, self.accounts, PlainParameters(), self, self.clock, lambda: 0.0, self.metrics
        )
        self.reconciler = ZoneUnitReconciler(means, self.settings)

    def emit(self, event: Event) -> None:
        """Take an Event."""
        self.events.append(event)

    # The surroundings.

    def put(self, resource: ResourceType, document: JsonObject) -> None:
        """Put an object there, in the API server and in the cache."""
        self.kubernetes.seed(resource, document)
        self.sync()

    def put_class(self, parameters: JsonObject, **spec: object) -> None:
        """Put the ZoneClass there."""
        document: JsonObject = {
            "metadata": {"namespace": CLASS.namespace, "name": CLASS.name, "generation": 1},
            "spec": {
                "provider": {"name": ROUTE53_PROVIDER, "version": "v1alpha1"},
                "controllerName": ROUTE53_CONTROLLER,
                "identityRef": {"name": IDENTITY.name},
                "parameters": parameters,
                "allowedZones": {"namespaces": {"from": "All"}},
                **spec,  # type: ignore[dict-item]
            },
        }
        self.put(ZONE_CLASSES, document)

    def put_identity(
        self,
        *,
        accepted: str = "True",
        ready: str = "True",
        reason: str = "",
        generation: int = 1,
        judged: int = 1,
        **spec: object,
    ) -> None:
        """Put the identity there with these conditions; "" leaves one out. `reason` is that of Ready.

        `judged` is the generation that the conditions are of.
        """
        conditions = [
            {
                "type": type_,
                "status": status,
                "reason": "Accepted" if type_ == "Accepted" else reason or "Ready",
                "message": "",
                "observedGeneration": judged,
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
            for type_, status in (("Accepted", accepted), ("Ready", ready))
            if status
        ]
        document: JsonObject = {
            "metadata": {"namespace": IDENTITY.namespace, "name": IDENTITY.name, "generation": generation},
            "spec": {"accountID": ACCOUNT, "region": "eu-central-1", "credentials": {"runtime": {}}, **spec},  # type: ignore[dict-item]
            "status": {"conditions": conditions},  # type: ignore[dict-item]
        }
        self.put(ROUTE53_IDENTITIES, document)

    def sync(self) -> None:
        """Bring the caches up to the API server's state."""
        for resource, store in self._caches():
            known = set(self.kubernetes.keys(resource))
            for key in known:
                store.observe(orjson.dumps(self.kubernetes.read(resource, key)))
            for key in set(store.keys()) - known:
                store.forget(key)

    def _caches(self) -> list[tuple[ResourceType, Cache]]:
        held = self.stores
        return [
            (ZONE_UNITS, held.units),
            (ZONE_UNIT_SLICES, held.slices),
            (ZONE_CLASSES, held.classes),
            (ROUTE53_IDENTITIES, held.identities),
            (NAMESPACES, held.namespaces),
            (PROVIDERS, held.providers),
            (ZONES, held.zones),
            (RECORD_SETS, held.record_sets),
        ]

    # Core's part.

    async def edit(self, resource: ResourceType, key: ObjectKey, change: JsonObject) -> None:
        """Change an object as core or a person would (a merge patch)."""
        await self.kubernetes.merge_patch(resource, key, change)
        self.sync()

    async def set_items(self, *items: JsonObject, resource: ResourceType = ZONE_UNITS, key: ObjectKey = UNIT) -> None:
        """Have a ledger object hold these items."""
        await self.edit(resource, key, {"spec": {"recordSets": list(items)}})

    async def annotate(self, **annotations: str | None) -> None:
        """Set or remove annotations of the ZoneUnit; `_` stands for `-`."""
        named = {f"dns.appthrust.io/{name.replace('_', '-')}": value for name, value in annotations.items()}
        await self.edit(ZONE_UNITS, UNIT, {"metadata": {"annotations": named}})  # type: ignore[dict-item]

    async def delete_unit(self) -> None:
        """Ask for the ZoneUnit's deletion."""
        await self.kubernetes.delete(ZONE_UNITS, UNIT)
        self.sync()

    def claim(self, name: str, namespace: str = "app", *, deleting: bool = False) -> None:
        """Put a RecordSet's metadata there."""
        metadata: JsonObject = {"namespace": namespace, "name": name}
        if deleting:
            metadata |= {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["x/y"]}
        self.put(RECORD_SETS, {"metadata": metadata, "spec": {}})

    # Running and looking.

    async def step(self) -> timedelta | None:
        """Reconcile once; return when the controller wants to look again."""
        result = await self.reconciler.reconcile(UNIT)
        self.sync()
        return result.requeue_after

    async def run(self, rounds: int = 30, settled: timedelta = SETTLED) -> None:
        """Reconcile and let time pass until the controller has nothing to do soon."""
        for _ in range(rounds):
            wait = await self.step()
            if wait is None or wait > settled:
                return
            self.clock.jump(wait)
        raise AssertionError("the controller does not come to rest")

    async def pass_time(self, duration: timedelta) -> None:
        """Let time pass and reconcile until at rest."""
        self.clock.jump(duration)
        await self.run()

    @property
    def unit(self) -> ZoneUnit:
        """The ZoneUnit as the API server has it."""
        return ZoneUnit.model_validate(self.kubernetes.read(ZONE_UNITS, UNIT))

    def slice(self, name: str) -> ZoneUnitSlice:
        """A slice as the API server has it."""
        return ZoneUnitSlice.model_validate(self.kubernetes.read(ZONE_UNIT_SLICES, ObjectKey(UNIT.namespace, name)))

    @property
    def zone_id(self) -> str:
        """The hosted zone that the unit's status names."""
        state = self.unit.status.provider.state if self.unit.status.provider else None
        return str((state or {}).get("hostedZoneID") or "")

    def item_status(self, name: str, namespace: str = "app") -> RecordSetItemStatus | None:
        """The status of an item, wherever it stands."""
        statuses = list(self.unit.status.record_sets)
        for key in self.kubernetes.keys(ZONE_UNIT_SLICES):
            statuses.extend(self.slice(key.name).status.record_sets)
        return next((s for s in statuses if s.key == ObjectKey(namespace, name)), None)

    def programmed(self, name: str, namespace: str = "app") -> str:
        """An item's Programmed as `Status Reason`, "" without one."""
        status = self.item_status(name, namespace)
        return _shown(status.conditions, "Programmed") if status else ""

    def all_programmed(self) -> dict[str, str]:
        """The Programmed of all items by claim name, as `Status Reason`."""
        statuses = list(self.unit.status.record_sets)
        for key in self.kubernetes.keys(ZONE_UNIT_SLICES):
            statuses.extend(self.slice(key.name).status.record_sets)
        return {status.key.name: _shown(status.conditions, "Programmed") for status in statuses}

    def accepted(self, name: str, namespace: str = "app") -> str:
        """An item's Accepted as `Status Reason`, "" without one."""
        status = self.item_status(name, namespace)
        return _shown(status.conditions, "Accepted") if status else ""

    def message(self, name: str, namespace: str = "app") -> str:
        """An item's Programmed message."""
        status = self.item_status(name, namespace)
        return next((c.message for c in status.conditions if c.type == "Programmed"), "") if status else ""

    def zone_condition(self, type_: str = "Programmed") -> str:
        """The zone's condition as `Status Reason`."""
        zone = self.unit.status.zone
        return _shown(zone.conditions, type_) if zone else ""

    def zone_message(self, type_: str = "Programmed") -> str:
        """The message of a zone's condition."""
        zone = self.unit.status.zone
        return next((c.message for c in zone.conditions if c.type == type_), "") if zone else ""

    def aggregate(self) -> str:
        """The unit's Programmed as `Status Reason`."""
        return _shown(self.unit.status.conditions, "Programmed")

    def state(self) -> JsonObject:
        """The unit's provider state."""
        return (self.unit.status.provider.state if self.unit.status.provider else None) or {}

    def values(self, name: str, type_: str = "A") -> tuple[str, ...] | None:
        """What Route 53 serves at a name and type; None where it serves nothing."""
        for key, found in self.route53.records(self.zone_id).items():
            if (key.name, key.type) == (name, type_):
                return found.values
        return None

    def reasons(self) -> list[str]:
        """The reasons of all Events so far."""
        return [event.reason for event in self.events]

    def quiet(self) -> None:
        """Forget the calls, writes and Events so far."""
        self.route53.calls.clear()
        self.kubernetes.requests.clear()
        self.events.clear()


def stores() -> Stores:
    """Return empty caches."""
    return Stores(
        units=Store(ZoneUnit, indexers=UNIT_INDEXES),
        slices=Store(ZoneUnitSlice, indexers=SLICE_INDEXES),
        classes=Store(ZoneClass, indexers=ZONE_CLASS_INDEXES),
        identities=Store(Route53Identity),
        namespaces=Store(Namespace),
        providers=Store(Provider),
        zones=Roster(PartialObject, claim_of),
        record_sets=Roster(PartialObject, claim_of),
    )


def unit_document(adoption: JsonObject | None = None, key: ObjectKey = UNIT) -> JsonObject:
    """Return a ZoneUnit without records."""
    zone: JsonObject = {
        "ref": {"namespace": key.namespace, "name": key.name},
        "observedGeneration": 1,
        "domainName": DOMAIN,
        "zoneClassRef": {"namespace": CLASS.namespace, "name": CLASS.name},
    }
    if adoption is not None:
        zone["adoption"] = adoption
    return {
        "metadata": {
            "namespace": key.namespace,
            "name": key.name,
            "generation": 1,
            "finalizers": ["dns.appthrust.io/zoneunit-finalizer"],
        },
        "spec": {"provider": {"name": ROUTE53_PROVIDER, "version": "v1alpha1"}, "zone": zone, "recordSets": []},
    }


def slice_document(name: str) -> JsonObject:
    """Return a slice without records."""
    return {
        "metadata": {"namespace": UNIT.namespace, "name": name, "generation": 1},
        "spec": {"zoneUnitRef": {"name": UNIT.name}, "recordSets": []},
    }


def a(name: str, *addresses: str, generation: int = 1, ttl: int = 300, claim: str = "", **more: object) -> JsonObject:
    """Return an A item of the claim app/<claim or name>."""
    body: JsonObject = {"a": {"addresses": list(addresses or ("192.0.2.1",))}}
    return item(name, "A", generation=generation, ttl=ttl, claim=claim, **body, **more)


def cname(name: str, target: str = "lb.example.net", claim: str = "", **more: object) -> JsonObject:
    """Return a CNAME item."""
    return item(name, "CNAME", ttl=300, claim=claim, cname={"target": target}, **more)


def item(name: str, type_: str, *, generation: int = 1, claim: str = "", **more: object) -> JsonObject:
    """Return an item of the ledger."""
    document: JsonObject = {
        "recordSetNamespace": "app",
        "recordSetName": claim or name.replace("@", "apex").replace("*", "any"),
        "observedGeneration": generation,
        "name": name,
        "type": type_,
    }
    return {**document, **more}  # type: ignore[dict-item]


def leaving(document: JsonObject) -> JsonObject:
    """Return an item whose deletion is requested."""
    return {**deepcopy(document), "deletionRequested": True}


def with_settings(**changes: object) -> ZoneUnitSettings:
    """Return the settings with some changed."""
    return replace(SETTINGS, **changes)  # type: ignore[arg-type]


def _shown(conditions: tuple[object, ...], type_: str) -> str:
    found = next((c for c in conditions if getattr(c, "type", "") == type_), None)
    return f"{getattr(found, 'status', '')} {getattr(found, 'reason', '')}" if found else ""
