"""A provider controller for tests: it accepts and programs all that the ledger says, at once, and cleans up."""

from dataclasses import dataclass, field

import orjson

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem, RecordSetItemStatus, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import NotFoundError
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes

FINALIZER = "example.dns.appthrust.io/zoneunit-finalizer"


@dataclass
class FakeProvider:
    """Programs items; `external` is what stands at the imaginary DNS service, by (unit, name, type)."""

    api: FakeKubernetes
    clock: FakeClock
    external: dict[tuple[ObjectKey, str, str], ObjectKey] = field(default_factory=dict)
    deleted: list[tuple[ObjectKey, str, str]] = field(default_factory=list)
    zone_verdict: tuple[str, str] = ("True", "Accepted")
    zone_programmed: tuple[str, str] = ("True", "Programmed")
    item_verdicts: dict[ObjectKey, tuple[tuple[str, str], tuple[str, str]]] = field(default_factory=dict)
    """(status, reason) of Accepted and of Programmed for a claim's item; by default all is well."""
    deleted_under_a_claim: list[tuple[ObjectKey, str, str]] = field(default_factory=list)
    """What was deleted although a live claim had it."""
    cleans: bool = True
    programs: bool = True
    observes: bool = True
    """Whether it says which generation of a ledger object it has looked at."""
    _newest: dict[tuple[ObjectKey, ObjectKey], int] = field(default_factory=dict)

    async def step(self) -> bool:
        """Bring every ledger object up to date; say whether anything changed."""
        before = sum(self.api.writes().values())
        self._newest = self._generations()
        for key in self.api.keys(ZONE_UNIT_SLICES):
            await self._serve(ZONE_UNIT_SLICES, key)
        for key in self.api.keys(ZONE_UNITS):
            await self._serve(ZONE_UNITS, key)
        return sum(self.api.writes().values()) != before

    async def _serve(self, resource: ResourceType, key: ObjectKey) -> None:
        document = self.api.read(resource, key)
        if document is None:
            return
        ledger = (ZoneUnit if resource is ZONE_UNITS else ZoneUnitSlice).model_validate_json(orjson.dumps(document))
        unit = ledger.key if isinstance(ledger, ZoneUnit) else ledger.unit_key
        ending = self._ending(ledger, unit)
        if ending and FINALIZER in ledger.metadata.finalizers and self.cleans:
            await self._finalizers(resource, document, [f for f in ledger.metadata.finalizers if f != FINALIZER])
            return
        if not ledger.metadata.deleting and FINALIZER not in ledger.metadata.finalizers and self._works(ledger):
            await self._finalizers(resource, document, [*ledger.metadata.finalizers, FINALIZER])
            document = self.api.read(resource, key) or document
        status = self._status(ledger, unit)
        if document.get("status", {}) != status:
            await self.api.replace(resource, key, document | {"status": status}, subresource="status")

    def _works(self, ledger: ZoneUnit | ZoneUnitSlice) -> bool:
        return self.programs and (isinstance(ledger, ZoneUnit) or bool(ledger.spec.record_sets))

    def _ending(self, ledger: ZoneUnit | ZoneUnitSlice, unit: ObjectKey) -> bool:
        """Only what is left by everybody ends: an item that nobody asked to delete is served on.

        What stands there without an item is nobody's, and holds up nothing.
        """
        deleting = ledger.metadata.deleting
        if isinstance(ledger, ZoneUnitSlice):
            return deleting and not ledger.spec.record_sets
        waiting = any(where[0] == unit and (unit, owner) in self._newest for where, owner in self.external.items())
        return deleting and all(i.is_leaving for i in ledger.spec.record_sets) and not waiting

    async def _finalizers(self, resource: ResourceType, document: JsonObject, finalizers: list[str]) -> None:
        metadata = document["metadata"]
        assert isinstance(metadata, dict)
        key = ObjectKey(str(metadata["namespace"]), str(metadata["name"]))
        body = document | {"metadata": metadata | {"finalizers": list(finalizers)}}
        try:
            await self.api.replace(resource, key, body)
        except NotFoundError:
            return

    def _status(self, ledger: ZoneUnit | ZoneUnitSlice, unit: ObjectKey) -> JsonObject:
        old = {status.key: status for status in ledger.status.record_sets}
        found = (self._entry(unit, item, old.get(item.key)) for item in ledger.spec.record_sets)
        entries = [entry for entry in found if entry is not None]
        status: JsonObject = {"recordSets": entries}
        if self.observes:
            status["observedGeneration"] = ledger.metadata.generation
        if isinstance(ledger, ZoneUnit) and self.programs:
            was = ledger.status.zone.conditions if ledger.status.zone else ()
            generation = ledger.spec.zone.observed_generation or 0
            conditions = self._conditions(was, generation, self.zone_verdict, self.zone_programmed)
            status["zone"] = {
                "nameServers": ["ns-1.example.net", "ns-2.example.net"],
                "provider": {"data": {"hostedZoneID": "Z123"}, "state": {"internal": True}},
                "conditions": [c.to_json() for c in conditions],
            }
        return status

    def _entry(self, unit: ObjectKey, item: RecordSetItem, old: RecordSetItemStatus | None) -> JsonObject | None:
        """Act on one item and return its status entry; an old half is left as it is."""
        if self._is_old_half(unit, item):
            return old.to_json() if old is not None else None
        entry: JsonObject = {
            "recordSetNamespace": item.record_set_namespace,
            "recordSetName": item.record_set_name,
            "observedGeneration": item.observed_generation,
        }
        conditions = list(old.conditions) if old is not None else []
        if item.is_leaving:
            if self.cleans:
                self._clean(unit, item)
                entry["deletionCompleted"] = True
        elif self.programs:
            if item.is_allowed:
                self.external[(unit, item.name, item.type.value)] = item.key
            entry["provider"] = {"state": {"mark": "ours"}, "data": {}}
            verdicts = self.item_verdicts.get(item.key, (("True", "Accepted"), ("True", "Programmed")))
            conditions = self._conditions(tuple(conditions), item.observed_generation or 0, *verdicts)
        entry["conditions"] = [c.to_json() for c in conditions]
        return entry

    def _is_old_half(self, unit: ObjectKey, item: RecordSetItem) -> bool:
        """Whether a newer generation of the item stands elsewhere in its unit, as during a move."""
        return self._newest.get((unit, item.key), 0) > (item.observed_generation or 0)

    def _generations(self) -> dict[tuple[ObjectKey, ObjectKey], int]:
        """Return the newest generation of each item of each unit, in whatever ledger object it stands.

        Read once a step: what a step writes is no spec.
        """
        newest: dict[tuple[ObjectKey, ObjectKey], int] = {}
        for resource, model in ((ZONE_UNITS, ZoneUnit), (ZONE_UNIT_SLICES, ZoneUnitSlice)):
            for key in self.api.keys(resource):
                ledger = model.model_validate_json(orjson.dumps(self.api.read(resource, key)))
                unit = ledger.unit_key if isinstance(ledger, ZoneUnitSlice) else ledger.key
                for item in ledger.spec.record_sets:
                    found = newest.get((unit, item.key), 0)
                    newest[unit, item.key] = max(found, item.observed_generation or 0)
        return newest

    def _clean(self, unit: ObjectKey, item: RecordSetItem) -> None:
        where = (unit, item.name, item.type.value)
        if self.external.get(where) == item.key:
            del self.external[where]
            self.deleted.append(where)
            if self._has_live_claim(unit, item):
                self.deleted_under_a_claim.append(where)

    def _has_live_claim(self, unit: ObjectKey, item: RecordSetItem) -> bool:
        document = self.api.read(RECORD_SETS, item.key)
        if document is None:
            return False
        claim = RecordSet.model_validate_json(orjson.dumps(document))
        same = (claim.zone_key, claim.spec.name, claim.spec.type) == (unit, item.name, item.type)
        return same and not claim.metadata.deleting

    def _conditions(
        self, old: tuple[Condition, ...], generation: int, accepted: tuple[str, str], programmed: tuple[str, str]
    ) -> list[Condition]:
        made = []
        for type_, (status, reason) in (("Accepted", accepted), ("Programmed", programmed)):
            before = next((c for c in old if c.type == type_), None)
            same = before is not None and before.status == status
            since = before.last_transition_time if before is not None and same else self.clock.now()
            made.append(
                Condition(
                    type=type_,
                    status=status,
                    observed_generation=generation,
                    last_transition_time=since,
                    reason=reason,
                    message=f"{reason} by the test provider",
                )
            )
        return made
