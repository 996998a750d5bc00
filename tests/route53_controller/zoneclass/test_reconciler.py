"""The whole controller of classes on an API server in memory, with the Provider that the chart installs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from libdnsapi.api.dns.conversion import ConversionAnswer, ConversionCall
from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.contract.cel import default_engine
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.reconciler import Result
from route53_controller.parameters import ClassParameters
from route53_controller.watches import IDENTITY_INDEXES, ZONE_CLASS_INDEXES, Caches, watch_zone_classes
from route53_controller.zoneclass.apply import Applier
from route53_controller.zoneclass.gather import Gatherer
from route53_controller.zoneclass.reconciler import ZoneClassReconciler
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from tests.route53_controller.identity.builders import identity
from tests.route53_controller.zoneclass.builders import provider, zone_class
from tests.route53_controller.zoneclass.test_plan import accepted_identity

KEY = ObjectKey("platform", "public")


@dataclass
class NoConversions:
    """A conversion service that is down."""

    asked: list[ConversionCall] = field(default_factory=list)

    async def post(self, call: ConversionCall) -> ConversionAnswer:
        self.asked.append(call)
        return ConversionAnswer(failure="refused")

    def known(self, call: ConversionCall) -> ConversionAnswer | None:
        return None

    def forget(self, call: ConversionCall) -> None:
        """Nothing is kept."""


class World:
    """A cluster with a class, its Provider and its identity."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.kubernetes = FakeKubernetes(clock=self.clock)
        self.events: list[Event] = []
        self.patient: list[tuple[Event, Callable[[], bool]]] = []
        self.asked: list[ObjectKey] = []
        self.caches = Caches(
            providers=Informer(self.kubernetes, PROVIDERS, Provider),
            zone_classes=Informer(self.kubernetes, ZONE_CLASSES, ZoneClass, indexers=ZONE_CLASS_INDEXES),
            identities=Informer(self.kubernetes, ROUTE53_IDENTITIES, Route53Identity, indexers=IDENTITY_INDEXES),
            secrets={},
        )
        controller = "route53.dns.appthrust.io/controller"
        watch_zone_classes(self.caches, self.asked.append, controller)
        parameters = ClassParameters(
            default_engine(),
            NoConversions(),
            provider_name="route53.dns.appthrust.io",
            storage_version="v1alpha1",
        )
        classes = self.caches.zone_classes.store
        gatherer = Gatherer(
            classes, self.caches.providers.store, self.caches.identities.store, parameters, self.clock, controller
        )
        self.reconciler = ZoneClassReconciler(gatherer, Applier(self.kubernetes, classes, self))

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def emit_if_it_stays(self, event: Event, stands: Callable[[], bool]) -> None:
        self.patient.append((event, stands))

    def let_time_pass(self) -> None:
        """Tell what was put off and still stands."""
        self.events += [event for event, stands in self.patient if stands()]
        self.patient.clear()

    def put(self, *found: ZoneClass | Provider | Route53Identity) -> "World":
        for each in found:
            match each:
                case ZoneClass():
                    self.caches.zone_classes.store.observe(self.kubernetes.seed(ZONE_CLASSES, each))
                case Provider():
                    self.caches.providers.store.observe(self.kubernetes.seed(PROVIDERS, each))
                case Route53Identity():
                    self.caches.identities.store.observe(self.kubernetes.seed(ROUTE53_IDENTITIES, each))
        return self

    async def reason(self) -> str:
        await self.reconciler.reconcile(KEY)
        stored: Any = self.kubernetes.read(ZONE_CLASSES, KEY)
        conditions = stored.get("status", {}).get("conditions", [])
        return str(conditions[0]["reason"]) if conditions else ""


@pytest.mark.spec("CORE-ZC-015", "R53-ZC-005", "R53-ZC-008")
async def test_a_good_class_is_accepted_once() -> None:
    world = World().put(provider(), accepted_identity(), zone_class())
    assert await world.reason() == "Accepted"
    assert await world.reason() == "Accepted"
    assert world.kubernetes.writes().total() == 1
    assert [(event.type, event.reason) for event in world.events] == [("Normal", "Accepted")]


@pytest.mark.spec("CORE-ZC-008", "R53-ZC-007")
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"parameters": {"zoneCreationPolicy": "Maybe"}}, "InvalidParameters"),
        ({"parameters": {"unknown": 1}}, "InvalidParameters"),
        ({"parameters": {"tags": {"appthrust.io/zone-name": "x"}}}, "DeniedByPolicy"),
        ({"provider": {"name": "other.example", "version": "v1"}}, "InvalidProvider"),
        ({"provider": {"name": "route53.dns.appthrust.io", "version": "v9"}}, "InvalidProvider"),
        ({"identityRef": {"name": "missing"}}, "IdentityNotResolved"),
        ({"controllerName": "example.org/other"}, ""),
    ],
)
async def test_a_class_is_judged_by_its_provider_and_identity(spec: dict[str, object], reason: str) -> None:
    world = World().put(provider(), accepted_identity(), zone_class(spec=spec))
    assert await world.reason() == reason


async def test_a_missing_provider_is_waited_for() -> None:
    world = World().put(accepted_identity(), zone_class())
    assert await world.reason() == "ProviderStorageVersionNotResolved"
    assert await world.reconciler.reconcile(KEY) == Result()
    world.put(provider())
    assert world.asked.count(KEY) == 3
    assert await world.reason() == "Accepted"


@pytest.mark.spec("R53-ID-001")
async def test_an_identity_asks_for_its_classes_only_when_its_acceptance_changes() -> None:
    world = World().put(provider(), zone_class(), zone_class(name="other", spec={"identityRef": {"name": "x"}}))
    world.asked.clear()
    world.put(identity())
    world.put(accepted_identity())
    checked = accepted_identity()
    world.put(checked.model_copy(update={"status": checked.status.model_copy(update={"account_id": "123456789012"})}))
    assert world.asked == [KEY, KEY]


@pytest.mark.spec("CORE-ZC-014", "PC-WR-001", "R53-ZC-001")
async def test_a_class_of_another_controller_is_not_even_asked_for() -> None:
    world = World().put(zone_class(spec={"controllerName": "example.org/other"}))
    assert world.asked == []


async def test_an_identity_that_was_merely_not_looked_at_yet_is_told_by_no_event() -> None:
    """Class and identity come with one `kubectl apply`, in either order."""
    world = World().put(provider(), zone_class())
    assert await world.reason() == "IdentityNotResolved"
    world.put(identity())
    assert await world.reason() == "IdentityNotResolved"
    world.put(accepted_identity())
    assert await world.reason() == "Accepted"
    world.let_time_pass()
    assert [(event.type, event.reason) for event in world.events] == [("Normal", "Accepted")]


async def test_an_identity_that_stays_away_is_told_once() -> None:
    world = World().put(provider(), zone_class())
    await world.reason()
    assert world.events == []
    world.let_time_pass()
    await world.reason()
    world.let_time_pass()
    assert [(event.type, event.reason) for event in world.events] == [("Warning", "IdentityNotResolved")]
