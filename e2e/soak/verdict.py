"""What must hold when all is calm again: desired equals Route 53, and nothing else is there."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from e2e.claims import DNS, is_true, owner_name, summary
from e2e.kube import Document, Kube
from e2e.route53.remote import Remote
from e2e.soak.claims import NAMESPACE

Key = tuple[str, str]
DOMAINS = ".soak.example.com."
EVENTS_ANYWAY, EVENTS_PER_EDIT = 40, 3
"""More Event objects of one claim than these would be a storm: repetitions are series, not objects."""


@dataclass(frozen=True)
class Settled:
    """All that is compared at one moment."""

    zones: list[Document]
    records: list[Document]
    hosted: dict[str, list[str]]
    held: dict[str, dict[Key, tuple[str, ...]]]

    @classmethod
    def read(cls, kube: Kube, emulator: Remote) -> "Settled":
        """Read claims and Route 53. Raises what a request raises."""
        hosted: dict[str, list[str]] = {}
        held: dict[str, dict[Key, tuple[str, ...]]] = {}
        for found in emulator.zones():
            name, zone_id = str(found["name"]), str(found["id"])
            if name.endswith(DOMAINS):
                hosted.setdefault(name, []).append(zone_id)
                held[name] = _held(emulator, zone_id, name)
        zones, records = (kube.list(DNS, kind, NAMESPACE) for kind in ("Zone", "RecordSet"))
        return cls(_of_kind(zones, "Zone"), _of_kind(records, "RecordSet"), hosted, held)

    def problems(self) -> list[str]:
        """Return what does not hold, one line each."""
        return [*self._unsettled(), *self._hosted_zones(), *self._differences()]

    def _unsettled(self) -> list[str]:
        claims = [*self.zones, *self.records]
        return [summary(one) for one in claims if one["metadata"].get("deletionTimestamp") or not _is_well(one)]

    def _hosted_zones(self) -> list[str]:
        wanted = {f"{one['spec']['domainName']}." for one in self.zones}
        found = [f"{name} has {len(ids)} hosted zones" for name, ids in self.hosted.items() if len(ids) != 1]
        found += [f"{name} has a hosted zone and no Zone" for name in sorted(self.hosted.keys() - wanted)]
        return found + [f"{name} has no hosted zone" for name in sorted(wanted - self.hosted.keys())]

    def _differences(self) -> list[str]:
        found = []
        for zone in self.zones:
            domain = zone["spec"]["domainName"]
            wanted = {
                (owner_name(one, domain), one["spec"]["type"]): tuple(sorted(one["spec"]["a"]["addresses"]))
                for one in self.records
                if one["spec"]["zoneRef"]["name"] == zone["metadata"]["name"]
            }
            there = self.held.get(f"{domain}.", {})
            if wanted != there:
                found.append(f"{domain}: wanted and there differ in {sorted(set(wanted.items()) ^ set(there.items()))}")
        return found


def storms(kube: Kube, edits: Mapping[str, int]) -> list[str]:
    """Return the claims that have more Events than their edits explain; `edits` counts by kind/name."""
    events = kube.list("events.k8s.io/v1", "Event", NAMESPACE)
    counts = Counter(f"{one['regarding'].get('kind')}/{one['regarding'].get('name')}" for one in events)
    return [
        f"{name} has {count} Events after {edits.get(name, 0)} edits"
        for name, count in counts.items()
        if count > EVENTS_ANYWAY + EVENTS_PER_EDIT * edits.get(name, 0)
    ]


def ledgers(kube: Kube) -> list[str]:
    """Return the ledger objects that are there, by kind/name."""
    kinds = ("ZoneUnit", "ZoneUnitSlice")
    return [f"{kind}/{one['metadata']['name']}" for kind in kinds for one in kube.list(DNS, kind, NAMESPACE)]


def _of_kind(documents: list[Document], kind: str) -> list[Document]:
    return [one | {"apiVersion": DNS, "kind": kind} for one in documents]


def _is_well(claim: Document) -> bool:
    return is_true(claim, "Accepted") and is_true(claim, "Programmed")


def _held(emulator: Remote, zone_id: str, name: str) -> dict[Key, tuple[str, ...]]:
    apex = {(name, "NS"), (name, "SOA")}
    return {
        (record.name, record.type): tuple(sorted(record.values))
        for record in emulator.records(zone_id)
        if (record.name, record.type) not in apex
    }
