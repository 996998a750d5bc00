"""Random edits of claims: records appear, change and go, in two namespaces that contend for names; zones come and go.

Requests may fail while something is down; then nothing is owed. What is owed at the end is read from the API server.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

from e2e.claims import DNS
from e2e.kube import Document, Kube
from e2e.soak import owner
from e2e.soak.coverage import Coverage
from e2e.soak.requests import EXPECTED
from e2e.suite import manifests

NAMESPACE = "soak"
GUEST = "soak-guest"
"""Another namespace, whose claims ask for the same names of the same zones."""
NAMESPACES = (NAMESPACE, GUEST)
ZONES = 3
NAMES = 12
LOOK_EVERY = 8
"""Edits between two looks at what has come of them."""
_WEIGHTS = {"write": 90, "remove": 30, "contend": 15, "withdraw": 10, "burst": 4, "sweep": 3, "drop_zone": 1}


def domain(index: int) -> str:
    """Return the domain of a zone."""
    return f"zone{index}.soak.example.com"


def zone(index: int) -> Document:
    """Return a zone for both namespaces that is deleted at Route 53 when its claim goes."""
    return manifests.zone(NAMESPACE, f"zone{index}", domain(index), shared=True)


@dataclass(frozen=True)
class Draw:
    """What chance says of one edit: drawn whole, so that a request that fails does not change what follows."""

    choice: str
    zone: int
    number: int
    address: int
    ttl: int
    at_once: bool

    @classmethod
    def of(cls, chance: random.Random) -> "Draw":
        """Draw one."""
        (choice,) = chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))
        return cls(
            choice,
            zone=chance.randrange(ZONES),
            number=chance.randrange(NAMES),
            address=chance.randrange(1, 255),
            ttl=chance.randrange(60, 3600),
            at_once=chance.random() < 0.5,
        )


@dataclass
class Claims:
    """Edits with one generator; `done` and `failed` count them."""

    kube: Kube
    chance: random.Random
    done: int = 0
    failed: int = 0
    edits: Counter[str] = field(default_factory=Counter)
    """How often each claim was written, by kind/name."""
    coverage: Coverage = field(default_factory=Coverage)
    _leaving: set[int] = field(default_factory=set)

    def install(self, account_id: str) -> None:
        """Apply identity, classes and zones."""
        self.kube.apply_all(
            [
                manifests.namespace(manifests.PLATFORM),
                *(manifests.namespace(name, manifests.TEAM_LABEL) for name in NAMESPACES),
                manifests.identity(account_id),
                manifests.zone_class(manifests.DELETE, "Delete"),
                *(zone(index) for index in range(ZONES)),
            ]
        )

    def edit(self) -> None:
        """Make one random edit; where its zone is leaving, see to it that it goes and comes back."""
        draw = Draw.of(self.chance)
        edits = {
            "write": self._write,
            "remove": self._remove,
            "contend": self._contend,
            "withdraw": self._withdraw,
            "burst": self._burst,
            "sweep": lambda draw: self._sweep(draw.zone),
            "drop_zone": self._drop_zone,
        }
        guest = draw.choice in {"contend", "withdraw"}
        try:
            if draw.zone in self._leaving and not guest:  # a guest does not know that the zone is leaving
                self._bring_back(draw)
            else:
                edits[draw.choice](draw)
            self.done += 1
            if self.done % LOOK_EVERY == 0:
                self.coverage.look(
                    self.records(), *(self.kube.list(DNS, k, NAMESPACE) for k in ("Zone", "ZoneUnitSlice"))
                )
        except EXPECTED:
            self.failed += 1

    def records(self) -> list[Document]:
        """Return the record sets of both namespaces. Raises what a request raises."""
        return [one for name in NAMESPACES for one in self.kube.list(DNS, "RecordSet", name)]

    def settle(self) -> None:
        """See to it that every record has a zone that stays. Raises what a request raises.

        A zone that is being deleted waits for its records (the seed's restrict rule), so these go first; it is made
        anew when it has gone. A quick run may delete so much within ten minutes that the rest is held: its owner lets
        it go.
        """
        leaving = {
            one["metadata"]["name"]
            for one in self.kube.list(DNS, "Zone", NAMESPACE)
            if one["metadata"].get("deletionTimestamp")
        }
        for name in leaving:
            self._sweep(int(name.removeprefix("zone")))
        self.kube.apply_all(zone(index) for index in range(ZONES) if f"zone{index}" not in leaving)
        self._leaving.clear()
        owner.confirm(self.kube, NAMESPACE)

    def _write(self, draw: Draw) -> None:
        self.kube.apply(self._record(NAMESPACE, draw, draw.number))

    def _contend(self, draw: Draw) -> None:
        self.kube.apply(self._record(GUEST, draw, draw.number))

    def _burst(self, draw: Draw) -> None:
        for number in range(NAMES):
            self.kube.apply(self._record(NAMESPACE, draw, number))

    def _remove(self, draw: Draw) -> None:
        self.kube.delete(DNS, "RecordSet", NAMESPACE, f"zone{draw.zone}-host{draw.number}")

    def _withdraw(self, draw: Draw) -> None:
        self.kube.delete(DNS, "RecordSet", GUEST, f"guest-zone{draw.zone}-host{draw.number}")

    def _sweep(self, index: int) -> None:
        """Delete all records of a zone: its ledger objects empty and go."""
        for record in self.records():
            if record["spec"]["zoneRef"]["name"] == f"zone{index}":
                metadata = record["metadata"]
                self.kube.delete(DNS, "RecordSet", metadata["namespace"], metadata["name"])

    def _drop_zone(self, draw: Draw) -> None:
        """Delete a zone, its records before it or only later; it ends once they are gone, and comes back."""
        self.edits[f"Zone/zone{draw.zone}"] += 1
        if draw.at_once:
            self._sweep(draw.zone)
        self.kube.delete(DNS, "Zone", NAMESPACE, f"zone{draw.zone}")
        self._leaving.add(draw.zone)

    def _bring_back(self, draw: Draw) -> None:
        """Have a zone go that is leaving; once it has gone, make it anew under the same name, with records."""
        if self.kube.find(DNS, "Zone", NAMESPACE, f"zone{draw.zone}") is not None:
            self._sweep(draw.zone)
            return
        self.kube.apply(zone(draw.zone))
        self._leaving.discard(draw.zone)
        self._burst(draw)

    def _record(self, namespace: str, draw: Draw, number: int) -> Document:
        prefix = "guest-" if namespace == GUEST else ""
        record = manifests.record_set(
            namespace,
            f"{prefix}zone{draw.zone}-host{number}",
            {"namespace": NAMESPACE, "name": f"zone{draw.zone}"},
            {"name": f"host{number}", "type": "A", "ttl": draw.ttl, "a": {"addresses": [f"192.0.2.{draw.address}"]}},
        )
        self.edits[f"RecordSet/{record['metadata']['name']}"] += 1
        return record
