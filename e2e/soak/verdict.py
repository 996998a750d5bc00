"""What must hold when all is calm again: desired equals Route 53, and nothing else is there."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from e2e.claims import DNS, is_true, owner_name, summary, title, verdict
from e2e.kube import Document, Kube
from e2e.route53.remote import Remote
from e2e.soak.claims import NAMESPACE, NAMESPACES
from e2e.soak.coverage import CONFLICT

Key = tuple[str, str]
Held = tuple[int | None, tuple[str, ...]]
"""What a record set holds: TTL and sorted values."""
LEDGERS = ("ZoneUnit", "ZoneUnitSlice")
DOMAINS = ".soak.example.com."
EVENTS_ANYWAY, EVENTS_PER_EDIT, EVENTS_PER_LIFE = 40, 3, 12
"""More Event objects of one claim than these would be a storm: repetitions are series, not objects.

A Zone is not edited, it lives: a life is a hosted zone created and deleted (each submitted and in sync), a ledger, and
conditions on their way up and down again.
"""


@dataclass(frozen=True)
class Settled:
    """All that is compared at one moment."""

    zones: list[Document]
    records: list[Document]
    ledgers: list[Document]
    hosted: dict[str, list[str]]
    held: dict[str, dict[Key, Held]]

    @classmethod
    def read(cls, kube: Kube, emulator: Remote) -> "Settled":
        """Read claims, ledger and Route 53. Raises what a request raises."""
        hosted: dict[str, list[str]] = {}
        held: dict[str, dict[Key, Held]] = {}
        for found in emulator.zones():
            name, zone_id = str(found["name"]), str(found["id"])
            if name.endswith(DOMAINS):
                hosted.setdefault(name, []).append(zone_id)
                held[name] = _held(emulator, zone_id, name)
        zones = _of_kind(kube.list(DNS, "Zone", NAMESPACE), "Zone")
        records = [one for name in NAMESPACES for one in _of_kind(kube.list(DNS, "RecordSet", name), "RecordSet")]
        ledger_objects = [one for kind in LEDGERS for one in _of_kind(kube.list(DNS, kind, NAMESPACE), kind)]
        return cls(zones, records, ledger_objects, hosted, held)

    def problems(self) -> list[str]:
        """Return what does not hold, one line each."""
        found = [*self._unsettled(), *self._contended(), *self._hosted_zones(), *self._differences()]
        return [*found, *self._misplaced()]

    def _unsettled(self) -> list[str]:
        claims = [*self.zones, *(one for one in self.records if not _is_refused(one))]
        leaving = [one for one in self.records if _is_refused(one) and _is_leaving(one)]
        return [summary(one) for one in claims if _is_leaving(one) or not _is_well(one)] + list(map(summary, leaving))

    def _contended(self) -> list[str]:
        """Of all claims of a name one has it, and only then are others refused."""
        owners = Counter(_asked_for(one) for one in self.records if _is_well(one))
        asked = sorted({_asked_for(one) for one in self.records})
        return [f"{'/'.join(name)} has {owners[name]} owners" for name in asked if owners[name] != 1]

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
                (owner_name(one, domain), one["spec"]["type"]): _desired(one)
                for one in self.records
                if one["spec"]["zoneRef"]["name"] == zone["metadata"]["name"] and not _is_refused(one)
            }
            there = self.held.get(f"{domain}.", {})
            if wanted != there:
                found.append(f"{domain}: wanted and there differ in {sorted(set(wanted.items()) ^ set(there.items()))}")
        return found

    def _misplaced(self) -> list[str]:
        """Return where the ledger is not each claim that has its name, once, and nothing else, in objects of use."""
        placed = Counter(_key(item) for ledger in self.ledgers for item in _items(ledger))
        wanted = {title(one).removeprefix("RecordSet ") for one in self.records if not _is_refused(one)}
        zones = {one["metadata"]["name"] for one in self.zones}
        found = [f"{key} is {count} times in the ledger" for key, count in placed.items() if count > 1]
        found += [f"{key} is in the ledger for no claim" for key in sorted(placed.keys() - wanted)]
        found += [f"{key} is not in the ledger" for key in sorted(wanted - placed.keys())]
        return found + [f"{title(one)} {wrong}" for one in self.ledgers for wrong in _astray(one, zones)]


def _astray(ledger: Document, zones: set[str]) -> Iterable[str]:
    is_slice = ledger["kind"] == "ZoneUnitSlice"
    if (ledger["spec"]["zoneUnitRef"]["name"] if is_slice else ledger["metadata"]["name"]) not in zones:
        yield "is of no Zone"
    if is_slice and not _items(ledger):
        yield "is empty"


def storms(kube: Kube, edits: Mapping[str, int]) -> list[str]:
    """Return the claims that have more Events than their edits explain; `edits` counts by kind/name."""
    events = [one for name in NAMESPACES for one in kube.list("events.k8s.io/v1", "Event", name)]
    counts = Counter(f"{one['regarding'].get('kind')}/{one['regarding'].get('name')}" for one in events)
    return [
        f"{name} has {count} Events after {edits.get(name, 0)} edits"
        for name, count in counts.items()
        if count
        > EVENTS_ANYWAY + (EVENTS_PER_LIFE if name.startswith("Zone/") else EVENTS_PER_EDIT) * edits.get(name, 0)
    ]


def ledgers(kube: Kube) -> list[str]:
    """Return the ledger objects that are there, by kind/name."""
    return [f"{kind}/{one['metadata']['name']}" for kind in LEDGERS for one in kube.list(DNS, kind, NAMESPACE)]


def _of_kind(documents: list[Document], kind: str) -> list[Document]:
    return [one | {"apiVersion": DNS, "kind": kind} for one in documents]


def _is_well(claim: Document) -> bool:
    return is_true(claim, "Accepted") and is_true(claim, "Programmed")


def _is_refused(record: Document) -> bool:
    """Whether another claim has its name, and it says so, and claims nothing else."""
    return verdict(record, "Accepted") == CONFLICT and not is_true(record, "Programmed")


def _is_leaving(claim: Document) -> bool:
    return bool(claim["metadata"].get("deletionTimestamp"))


def _asked_for(record: Document) -> tuple[str, str, str]:
    spec = record["spec"]
    return spec["zoneRef"]["name"], spec["name"], spec["type"]


def _desired(record: Document) -> Held:
    return record["spec"]["ttl"], tuple(sorted(record["spec"]["a"]["addresses"]))


def _items(ledger: Document) -> list[Document]:
    return list(ledger["spec"].get("recordSets") or [])


def _key(item: Document) -> str:
    return f"{item['recordSetNamespace']}/{item['recordSetName']}"


def _held(emulator: Remote, zone_id: str, name: str) -> dict[Key, Held]:
    apex = {(name, "NS"), (name, "SOA")}
    return {
        (record.name, record.type): (record.ttl, tuple(sorted(record.values)))
        for record in emulator.records(zone_id)
        if (record.name, record.type) not in apex
    }
