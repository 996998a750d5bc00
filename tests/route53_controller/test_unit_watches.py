"""Which ZoneUnits, classes and identities each change asks for."""

from typing import TYPE_CHECKING, Any

import pytest

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, JsonObject, Namespace, ObjectKey, PartialObject, ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.informer import Informer, RosterInformer
from route53_controller.unit_watches import UnitCaches, UnitMappers
from route53_controller.use_watches import UseMappers
from route53_controller.watches import IDENTITY_INDEXES, ZONE_CLASS_INDEXES, Caches
from route53_controller.zoneunit.stores import SLICE_INDEXES, UNIT_INDEXES, Claim, claim_of
from tests.fakes.kubernetes import FakeKubernetes
from tests.route53_controller.identity.builders import identity
from tests.route53_controller.zoneclass.builders import provider, zone_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from route53_controller.zoneunit.inuse import UseKey

UNIT, OTHER = ObjectKey("team", "example-com"), ObjectKey("team", "example-org")
LEAVING = "2026-01-01T00:00:00Z"


def changed(document: JsonObject, **changes: Any) -> JsonObject:  # noqa: ANN401 — parts of JSON documents
    """Return a copy in which paths such as `metadata__generation` are set."""
    result: Any = {**document}
    for path, value in changes.items():
        *parents, last = path.split("__")
        at = result
        for parent in parents:
            at[parent] = {**at.get(parent, {})}
            at = at[parent]
        at[last] = value
    return dict(result)


def unit(name: str, class_name: str) -> JsonObject:
    return {
        "metadata": {"namespace": "team", "name": name, "uid": name, "generation": 1},
        "spec": {
            "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
            "zone": {
                "ref": {"namespace": "team", "name": name},
                "domainName": name.replace("-", "."),
                "zoneClassRef": {"namespace": "platform", "name": class_name},
            },
        },
    }


SLICE: JsonObject = {
    "metadata": {"namespace": "team", "name": "example-com-0", "uid": "slice", "generation": 1},
    "spec": {"zoneUnitRef": {"name": "example-com"}},
}
CLAIM: JsonObject = {"metadata": {"namespace": "team", "name": "www", "uid": "claim"}}
ZONE: JsonObject = {"metadata": {"namespace": "team", "name": "example-com", "uid": "zone"}}
NAMESPACE: JsonObject = {"metadata": {"name": "team", "uid": "ns"}}
IDENTITY, CLASS = identity().to_json(), zone_class().to_json()
OTHER_CLASS = zone_class(name="other", spec={"identityRef": {"name": "x"}, "provider": {"name": "p", "version": "v"}})


class World:
    """Two units of two classes; `asked` has the units and `uses` what else a change asked for."""

    def __init__(self) -> None:
        self.kubernetes = FakeKubernetes()
        client = self.kubernetes
        shared = Caches(
            providers=Informer(client, PROVIDERS, Provider),
            zone_classes=Informer(client, ZONE_CLASSES, ZoneClass, indexers=ZONE_CLASS_INDEXES),
            identities=Informer(client, ROUTE53_IDENTITIES, Route53Identity, indexers=IDENTITY_INDEXES),
            secrets={},
        )
        self.caches = UnitCaches(
            shared=shared,
            units=Informer(client, ZONE_UNITS, ZoneUnit, indexers=UNIT_INDEXES),
            slices=Informer(client, ZONE_UNIT_SLICES, ZoneUnitSlice, indexers=SLICE_INDEXES),
            namespaces=Informer(client, NAMESPACES, Namespace),
            zones=RosterInformer(client, ZONES, PartialObject, claim_of),
            record_sets=RosterInformer(client, RECORD_SETS, PartialObject, claim_of),
        )
        self.asked: list[ObjectKey] = []
        self.uses: list[UseKey] = []
        self.put(ZONE_UNITS, unit("example-com", "public"), unit("example-org", "other"))
        self.put(ZONE_UNIT_SLICES, SLICE)
        self.put(ZONE_CLASSES, CLASS, OTHER_CLASS.to_json())
        self.put(ROUTE53_IDENTITIES, IDENTITY)
        self.put(PROVIDERS, provider().to_json())
        self.put(ZONES, ZONE)
        self.put(RECORD_SETS, CLAIM)
        self.put(NAMESPACES, NAMESPACE)
        UnitMappers(self.caches, self.asked.append).attach()
        UseMappers(self.caches, self.uses.append).attach()

    def put(self, resource: ResourceType, *documents: JsonObject) -> None:
        stores: dict[ResourceType, Callable[[bytes], bool]] = {
            ZONE_UNITS: self.caches.units.store.observe,
            ZONE_UNIT_SLICES: self.caches.slices.store.observe,
            ZONE_CLASSES: self.caches.shared.zone_classes.store.observe,
            ROUTE53_IDENTITIES: self.caches.shared.identities.store.observe,
            PROVIDERS: self.caches.shared.providers.store.observe,
            ZONES: self.caches.zones.store.observe,
            RECORD_SETS: self.caches.record_sets.store.observe,
            NAMESPACES: self.caches.namespaces.store.observe,
        }
        for document in documents:
            stores[resource](self.kubernetes.seed(resource, document))


OWNER = {"apiVersion": "v1", "kind": "ZoneUnit", "name": "example-com", "uid": "unit", "controller": True}
CONDITION = {
    "type": "Ready",
    "status": "True",
    "reason": "Ready",
    "message": "",
    "observedGeneration": 1,
    "lastTransitionTime": LEAVING,
}


@pytest.mark.parametrize(
    ("resource", "document", "asked"),
    [
        (ZONE_UNITS, changed(unit("example-com", "public"), metadata__generation=2), {UNIT}),
        (ZONE_UNITS, changed(unit("example-com", "public"), metadata__annotations={"a": "b"}), {UNIT}),
        (ZONE_UNITS, changed(unit("example-com", "public"), status__observedGeneration=1), set()),
        (ZONE_UNIT_SLICES, changed(SLICE, metadata__generation=2), {UNIT}),
        (ZONE_UNIT_SLICES, changed(SLICE, status__observedGeneration=1), set()),
        (ZONE_UNIT_SLICES, changed(SLICE, metadata__ownerReferences=[OWNER]), {UNIT}),
        (ZONE_CLASSES, changed(CLASS, metadata__generation=2), {UNIT}),
        (ZONE_CLASSES, changed(CLASS, status__conditions=[]), set()),
        (ROUTE53_IDENTITIES, changed(IDENTITY, status__conditions=[CONDITION]), {UNIT}),
        (ROUTE53_IDENTITIES, changed(IDENTITY, status__lastCredentialCheckTime=LEAVING), set()),
        (PROVIDERS, changed(provider().to_json(), metadata__generation=2), {UNIT}),
        (NAMESPACES, changed(NAMESPACE, metadata__labels={"dns": "yes"}), {UNIT, OTHER}),
        (NAMESPACES, changed(NAMESPACE, metadata__annotations={"dns": "yes"}), set()),
        (ZONES, changed(ZONE, metadata__labels={"a": "b"}), set()),
        (ZONES, changed(ZONE, metadata__deletionTimestamp=LEAVING, metadata__finalizers=["f"]), {UNIT}),
        (RECORD_SETS, changed(CLAIM, metadata__deletionTimestamp=LEAVING, metadata__finalizers=["f"]), set()),
    ],
)
def test_a_change_asks_for_the_units_that_it_bears_on(
    resource: ResourceType, document: JsonObject, asked: set[ObjectKey]
) -> None:
    world = World()
    world.put(resource, document)
    assert set(world.asked) == asked


def test_a_leaving_claim_asks_for_units_that_are_leaving_themselves() -> None:
    world = World()
    leaving = changed(
        unit("example-com", "public"), metadata__deletionTimestamp=LEAVING, metadata__finalizers=["dns/x"]
    )
    world.put(ZONE_UNITS, leaving)
    world.asked.clear()
    world.put(RECORD_SETS, changed(CLAIM, metadata__deletionTimestamp=LEAVING, metadata__finalizers=["f"]))
    assert world.asked == [UNIT]


def test_a_unit_that_is_gone_asks_for_those_of_its_domain() -> None:
    world = World()
    namesake = unit("example-com-2", "other")
    world.put(ZONE_UNITS, changed(namesake, spec__zone__domainName="example.com"))
    world.asked.clear()
    world.caches.units.store.forget(UNIT)
    assert set(world.asked) == {UNIT, ObjectKey("team", "example-com-2")}


@pytest.mark.spec("R53-HD-009")
def test_a_unit_that_lets_go_of_its_zone_frees_its_class_and_identity() -> None:
    world = World()
    held = changed(unit("example-com", "public"), status={"provider": {"state": {"hostedZoneID": "Z1"}}})
    world.put(ZONE_UNITS, held)
    assert world.uses == []
    world.put(ZONE_UNITS, unit("example-com", "public"))
    assert [str(use) for use in world.uses] == ["ZoneClass platform/public", "Route53Identity platform/main"]


def test_a_class_that_turns_to_another_identity_frees_the_one_before() -> None:
    world = World()
    world.put(ZONE_CLASSES, changed(CLASS, metadata__generation=2, spec__identityRef={"name": "second"}))
    assert {str(use) for use in world.uses} == {
        "ZoneClass platform/public",
        "Route53Identity platform/main",
        "Route53Identity platform/second",
    }


@pytest.mark.spec("CORE-RS-017", "R53-UI-005")
def test_of_a_claim_only_what_events_need_is_kept() -> None:
    world = World()
    kept = world.caches.record_sets.store
    world.put(RECORD_SETS, changed(CLAIM, metadata__labels={"a": "b"}, metadata__annotations={"a": "b"}))
    assert (kept.digest(ObjectKey("team", "www")), kept.size_bytes()) == (Claim("claim", leaving=False), 0)
    world.put(RECORD_SETS, changed(CLAIM, metadata__deletionTimestamp=LEAVING, metadata__finalizers=["f"]))
    assert kept.digest(ObjectKey("team", "www")) == Claim("claim", leaving=True)
