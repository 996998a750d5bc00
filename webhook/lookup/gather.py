"""From caches (and, where a stale answer could do harm, from the API server) to one snapshot per review."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from pydantic import ValidationError

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS
from libdnsapi.api.meta import ObjectKey, PartialObject
from libdnsapi.contract.cel.engine import Deadline
from libdnsapi.contract.versions import Contract
from libdnsapi.dns.names import fqdn_problem
from libdnsapi.runtime.errors import KubernetesError, NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from webhook.documents import object_at, text_at
from webhook.entries import Entry
from webhook.lookup.caches import Caches
from webhook.lookup.contracts import Contracts
from webhook.review import Operation, Review
from webhook.validators.snapshot import Snapshot

RULES_LIMIT = 0.05
"""Seconds of CPU that a Provider's rules may take for one object; what they have not said by then is refused.

CPU, not time on the wall: a busy machine must not turn good objects away.
"""


class ClusterLookup:
    """The Lookup of a running webhook."""

    def __init__(
        self,
        client: Kubernetes,
        caches: Caches,
        contracts: Contracts,
        *,
        controllers: frozenset[str],
        ledger_writers: frozenset[str],
    ) -> None:
        """Keep where to look, and who may write what."""
        self._client = client
        self._caches = caches
        self._contracts = contracts
        self._controllers = controllers
        self._ledger_writers = ledger_writers

    async def gather(self, entry: Entry, review: Review) -> Snapshot:
        """Return what the entry's rules read; raises KubernetesError where a deletion's owner cannot be looked up."""
        found = self._preview(entry, review) if entry.warns else await self._gathered(entry, review)
        return replace(
            found, controllers=self._controllers, ledger_writers=self._ledger_writers, deadline=cpu_deadline()
        )

    async def _gathered(self, entry: Entry, review: Review) -> Snapshot:
        match entry.resource.kind, review.operation:
            case "Provider", Operation.UPDATE | Operation.DELETE:
                name = review.name
                return Snapshot(usage=self._caches.usage(name), ledgers=self._caches.ledgers(name))
            case "DNSProvider" | "ClusterDNSProvider", _:
                return Snapshot(pipelines=tuple(self._caches.pipelines.values()))
            case "ZoneUnit" | "ZoneUnitSlice", Operation.DELETE:
                return Snapshot(owner=await self._owner(entry, review), namespace_leaving=self._leaving(review))
            case "ZoneUnitSlice", _:
                return self._slice(review)
            case "RecordSet", Operation.CREATE:
                zone = await self._zone(review)
                labels = self._labels([review.namespace])
                return Snapshot(contracts=await self._declared(review), zone=zone, labels=labels)
            case _:
                return Snapshot(contracts=await self._declared(review))

    async def _zone(self, review: Review) -> Zone | None:
        """Return a RecordSet's Zone; the live one where the cached one would have its name refused."""
        zone = self._cached_zone(review)
        if zone is None or not fqdn_problem(text_at(review.object, "spec", "name"), zone.spec.domain_name):
            return zone
        try:
            return Zone.model_validate_json(await self._client.get(ZONES, zone.key))
        except (KubernetesError, ValidationError):
            return None

    def _cached_zone(self, review: Review) -> Zone | None:
        namespace = text_at(review.object, "spec", "zoneRef", "namespace") or review.namespace
        return self._caches.zones.fitting(ObjectKey(namespace, text_at(review.object, "spec", "zoneRef", "name")))

    def _slice(self, review: Review) -> Snapshot:
        key = ObjectKey(review.namespace, text_at(review.object, "spec", "zoneUnitRef", "name"))
        unit = self._caches.units.fitting(key)
        name = "" if unit is None else unit.spec.provider.name
        return Snapshot(unit=unit, contracts=self._known_contracts(name))

    def _preview(self, entry: Entry, review: Review) -> Snapshot:
        if entry.resource in (DNS_PROVIDERS, CLUSTER_DNS_PROVIDERS):
            return Snapshot(pipelines=tuple(self._caches.pipelines.values()))
        if entry.resource == RECORD_SETS:
            return self._record_set_preview(review)
        record_sets = self._caches.record_sets.of(review.key)
        return Snapshot(record_sets=record_sets, labels=self._labels(known.key.namespace for known in record_sets))

    def _record_set_preview(self, review: Review) -> Snapshot:
        zone = self._cached_zone(review)
        if zone is None:
            return Snapshot()
        return Snapshot(
            zone=zone,
            record_sets=self._caches.record_sets.named(zone.key, text_at(review.object, "spec", "name")),
            labels=self._labels([review.namespace]),
            contracts=self._known_contracts(zone.spec.provider.name),
        )

    async def _declared(self, review: Review) -> dict[str, Contract]:
        """Return the contract of the Provider that the object names; the freshest one where refusal is at stake."""
        name, version = (text_at(review.object, "spec", "provider", part) for part in ("name", "version"))
        if review.is_status:
            return self._known_contracts(name)
        contract = await self._contracts.current(name, version)
        return {} if contract is None else {name: contract}

    def _known_contracts(self, name: str) -> dict[str, Contract]:
        contract = self._contracts.cached(name)
        return {} if contract is None else {name: contract}

    async def _owner(self, entry: Entry, review: Review) -> PartialObject | None:
        """Ask the API server itself: a deletion that a stale cache let through could not be taken back."""
        if entry.resource == ZONE_UNITS:
            resource, reference = ZONES, object_at(review.old, "spec", "zone", "ref")
        else:
            resource, reference = ZONE_UNITS, object_at(review.old, "spec", "zoneUnitRef")
        namespace, name = text_at(reference, "namespace") or review.namespace, text_at(reference, "name")
        if not name:
            return None
        try:
            raw = await self._client.get(resource, ObjectKey(namespace, name), metadata_only=True)
        except NotFoundError:
            return None
        return PartialObject.model_validate_json(raw)

    def _leaving(self, review: Review) -> bool:
        """Whether the namespace is known to be deleted; an older cache only means that its deletion is tried again."""
        namespace = self._caches.namespaces.fitting(ObjectKey("", review.namespace))
        return namespace is not None and namespace.metadata.deleting

    def _labels(self, namespaces: Iterable[str]) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for name in set(namespaces):
            namespace = self._caches.namespaces.fitting(ObjectKey("", name))
            found[name] = {} if namespace is None else namespace.metadata.labels
        return found


def cpu_deadline(cpu: Callable[[], float] = time.thread_time) -> Deadline:
    """Return the deadline of rules that begin now; `cpu` tells the seconds of CPU that this thread has taken."""
    end = cpu() + RULES_LIMIT
    return lambda: cpu() > end
