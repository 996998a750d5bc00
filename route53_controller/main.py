"""The Route 53 controller's process: settings in, parts put together, exit status out."""

import logging
from collections.abc import Sequence
from random import random

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, SECRETS, Namespace, ObjectKey, PartialObject, ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.conversion import ConversionClient
from libdnsapi.runtime.conversion import HttpConversionClient
from libdnsapi.runtime.informer import Informer, RosterInformer
from libdnsapi.runtime.launch import launch
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.options import run_with
from libdnsapi.runtime.workqueue import WorkQueue
from route53_controller.accounts import Accounts
from route53_controller.aws.connection import Connections
from route53_controller.aws.metrics import AwsMetrics
from route53_controller.aws.session import Sdk
from route53_controller.identity.apply import Applier as IdentityApplier
from route53_controller.identity.gather import Gatherer as IdentityGatherer
from route53_controller.identity.observe import Observer
from route53_controller.identity.reconciler import IdentityReconciler
from route53_controller.parameters import ClassParameters
from route53_controller.secrets import CachedSecrets, CredentialSecret, trim_secret
from route53_controller.settings import Route53Settings
from route53_controller.unit_watches import UnitCaches, UnitMappers
from route53_controller.use_watches import UseMappers
from route53_controller.watches import (
    IDENTITY_INDEXES,
    ZONE_CLASS_INDEXES,
    Caches,
    watch_identities,
    watch_zone_classes,
)
from route53_controller.zoneclass.apply import Applier as ZoneClassApplier
from route53_controller.zoneclass.gather import Gatherer as ZoneClassGatherer
from route53_controller.zoneclass.reconciler import ZoneClassReconciler
from route53_controller.zoneunit.inuse import InUseReconciler, UseKeeper, UseKey
from route53_controller.zoneunit.metrics import ZoneMetrics
from route53_controller.zoneunit.reconciler import Means, ZoneUnitReconciler
from route53_controller.zoneunit.stores import SLICE_INDEXES, UNIT_INDEXES, Claim, claim_of

NAME = "dnsapi-route53"
IDENTITY_CONTROLLER = "route53identity"
ZONE_CLASS_CONTROLLER = "zoneclass"
ZONE_UNIT_CONTROLLER = "zoneunit"
IN_USE_CONTROLLER = "in-use"
PARSED_LEDGERS = 2
"""Parsed ledger objects kept beside their bytes: half a MiB each, and planning keeps its own facts of them."""
LEDGERS_PER_PAGE = 10
"""Ledger objects in one page of a list: a hundred items each, a hundred times the size of others."""
IDENTITY_WORKERS = 4


def main(arguments: Sequence[str]) -> int:
    """Reconcile until a signal and return the exit status; exits with a usage message for a wrong option."""
    return run_with(Route53Settings, arguments, run)


def run(settings: Route53Settings) -> int:
    """Reconcile until a signal; return the exit status."""
    return launch(NAME, settings, lambda manager: assemble(settings, manager))


def assemble(settings: Route53Settings, manager: Manager) -> None:
    """Put the controllers, their shared caches and their AWS clients into the manager."""
    silence_sdk()
    conversions = HttpConversionClient(settings.conversion_addresses)
    manager.at_end(conversions.close)
    caches = shared_caches(manager, settings)
    accounts = make_accounts(manager, settings, caches)
    manager.at_end(accounts.aclose)
    parameters = class_parameters(settings, conversions)
    add_identities(manager, settings, caches, accounts)
    add_zone_classes(manager, settings, caches, parameters)
    add_zone_units(manager, settings, caches, accounts, parameters)


def silence_sdk() -> None:
    """Keep the SDK's own log lines out: they name roles, accounts and keys (case 78)."""
    for name in ("botocore", "aiobotocore"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def shared_caches(manager: Manager, settings: Route53Settings) -> Caches:
    """Add the informers that several controllers read.

    Those of Secrets are not waited for: where the right to read one namespace is missing, only its identities suffer.
    """
    caches = Caches(
        providers=manager.informer(PROVIDERS, Provider),
        zone_classes=manager.informer(ZONE_CLASSES, ZoneClass, indexers=ZONE_CLASS_INDEXES),
        identities=manager.informer(ROUTE53_IDENTITIES, Route53Identity, indexers=IDENTITY_INDEXES),
        secrets={namespace: secret_informer(manager, namespace) for namespace in settings.secret_namespaces},
    )
    for namespace, informer in caches.secrets.items():
        manager.show(informer)
        manager.runnable(f"secrets-{namespace}", informer.run)
    return caches


def secret_informer(manager: Manager, namespace: str) -> Informer[CredentialSecret]:
    """Make the cache of one namespace's Secrets, of which it keeps access keys alone."""
    return Informer(
        manager.client,
        SECRETS,
        CredentialSecret,
        namespace=namespace,
        trim=trim_secret,
        clock=manager.clock,
        metrics=manager.metrics,
    )


def make_accounts(manager: Manager, settings: Route53Settings, caches: Caches) -> Accounts:
    """Make the registry of AWS clients."""
    metrics = AwsMetrics(manager.metrics.registry)
    return Accounts(
        connections=Connections(Sdk(settings.timeouts, manager.clock), metrics),
        secrets=CachedSecrets(caches.secrets),
        limits=settings.request_limits,
        metrics=metrics,
        clock=manager.clock,
        permit=manager.confirm_leadership,
    )


def class_parameters(settings: Route53Settings, conversions: ConversionClient) -> ClassParameters:
    """Make the reader of class parameters."""
    return ClassParameters(
        default_engine(),
        conversions,
        provider_name=settings.provider_name,
        storage_version=settings.provider_version,
    )


def add_identities(manager: Manager, settings: Route53Settings, caches: Caches, accounts: Accounts) -> None:
    """Add the Route53Identity controller."""
    queue = manager.queue(IDENTITY_CONTROLLER)
    watch_identities(caches, queue.add)
    store = caches.identities.store
    gatherer = IdentityGatherer(
        store,
        accounts,
        CachedSecrets(caches.secrets),
        manager.clock,
        policy=settings.identity_policy,
        intervals=settings.credential_intervals,
        started_at=manager.clock.now(),
    )
    reconciler = IdentityReconciler(
        gatherer,
        Observer(accounts, manager.clock),
        IdentityApplier(manager.client, store, manager.recorder),
        accounts,
        manager.clock,
    )
    manager.controller(IDENTITY_CONTROLLER, reconciler, queue, workers=IDENTITY_WORKERS)

    def check_again(identity: ObjectKey) -> None:
        gatherer.doubt(identity)
        queue.add(identity)

    accounts.tell_mismatches(check_again)


def add_zone_classes(manager: Manager, settings: Route53Settings, caches: Caches, parameters: ClassParameters) -> None:
    """Add the ZoneClass controller."""
    queue = manager.queue(ZONE_CLASS_CONTROLLER)
    watch_zone_classes(caches, queue.add, settings.controller_name)
    store = caches.zone_classes.store
    gatherer = ZoneClassGatherer(
        store,
        caches.providers.store,
        caches.identities.store,
        parameters,
        manager.clock,
        settings.controller_name,
    )
    reconciler = ZoneClassReconciler(gatherer, ZoneClassApplier(manager.client, store, manager.recorder))
    manager.controller(ZONE_CLASS_CONTROLLER, reconciler, queue)


def add_zone_units(
    manager: Manager, settings: Route53Settings, shared: Caches, accounts: Accounts, parameters: ClassParameters
) -> None:
    """Add the ZoneUnit controller, and the one that frees classes and identities that no unit needs any more."""
    caches = unit_caches(manager, shared)
    stores = caches.stores
    queue = manager.queue(ZONE_UNIT_CONTROLLER)
    metrics = ZoneMetrics(manager.metrics.registry)
    means = Means(manager.client, stores, accounts, parameters, manager.recorder, manager.clock, random, metrics)
    reconciler = ZoneUnitReconciler(means, settings.zone_units)

    def ask(unit: ObjectKey) -> None:
        queue.add(unit)
        reconciler.hurry(unit)

    UnitMappers(caches, ask).attach()
    manager.controller(ZONE_UNIT_CONTROLLER, reconciler, queue, workers=settings.workers)

    uses: WorkQueue[UseKey] = WorkQueue(IN_USE_CONTROLLER, manager.clock, metrics=manager.metrics)
    UseMappers(caches, uses.add).attach()
    keeper = UseKeeper(manager.client, stores, settings.zone_units.controller_name)
    manager.controller(IN_USE_CONTROLLER, InUseReconciler(keeper, stores, manager.recorder), uses)


def unit_caches(manager: Manager, shared: Caches) -> UnitCaches:
    """Add the informers that only the ZoneUnit controller reads; claims are read as metadata only."""
    return UnitCaches(
        shared=shared,
        units=manager.informer(
            ZONE_UNITS, ZoneUnit, indexers=UNIT_INDEXES, parsed=PARSED_LEDGERS, page=LEDGERS_PER_PAGE
        ),
        slices=manager.informer(
            ZONE_UNIT_SLICES, ZoneUnitSlice, indexers=SLICE_INDEXES, parsed=PARSED_LEDGERS, page=LEDGERS_PER_PAGE
        ),
        namespaces=manager.informer(NAMESPACES, Namespace),
        zones=claims_informer(manager, ZONES),
        record_sets=claims_informer(manager, RECORD_SETS),
    )


def claims_informer(manager: Manager, resource: ResourceType) -> RosterInformer[PartialObject, Claim]:
    """Make the cache of one kind of claims, of which it keeps a little metadata."""
    return manager.roster(resource, PartialObject, claim_of, metadata_only=True)
