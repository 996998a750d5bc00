"""Random edits of claims: records appear, change and go; now and then a whole zone does.

Requests may fail while something is down; then nothing is owed. What is owed at the end is read from the API server.
"""

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from e2e.claims import DNS
from e2e.kube import Document, Kube
from e2e.soak.requests import EXPECTED
from e2e.suite import manifests

NAMESPACE = "soak"
ZONES = 3
NAMES = 12
_WEIGHTS = {"write": 12, "remove": 4, "burst": 1, "drop_zone": 1}


def domain(index: int) -> str:
    """Return the domain of a zone."""
    return f"zone{index}.soak.example.com"


def zone(index: int) -> Document:
    """Return a zone that is deleted at Route 53 when its claim goes."""
    return manifests.zone(NAMESPACE, f"zone{index}", domain(index))


@dataclass
class Claims:
    """Edits with one generator; `done` and `failed` count them."""

    kube: Kube
    chance: random.Random
    done: int = 0
    failed: int = 0
    edits: Counter[str] = field(default_factory=Counter)
    """How often each claim was written, by kind/name."""

    def install(self, account_id: str) -> None:
        """Apply identity, classes and zones."""
        self.kube.apply_all(
            [
                manifests.namespace(manifests.PLATFORM),
                manifests.namespace(NAMESPACE),
                manifests.identity(account_id),
                manifests.zone_class(manifests.DELETE, "Delete"),
                *(zone(index) for index in range(ZONES)),
            ]
        )

    def edit(self) -> None:
        """Make one random edit."""
        (choice,) = self.chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))
        edits = {
            "write": self._write,
            "remove": self._remove,
            "burst": self._burst,
            "drop_zone": self._drop_zone,
        }
        index = self.chance.randrange(ZONES)
        try:
            edits[choice](index)
            self.done += 1
        except EXPECTED:
            self.failed += 1

    def settle(self) -> None:
        """See to it that every record has a zone that stays. Raises what a request raises.

        A zone that is being deleted waits for its records (the seed's restrict rule), so these go first; it is made
        anew when it has gone.
        """
        leaving = {
            one["metadata"]["name"]
            for one in self.kube.list(DNS, "Zone", NAMESPACE)
            if one["metadata"].get("deletionTimestamp")
        }
        for record in self.kube.list(DNS, "RecordSet", NAMESPACE) if leaving else ():
            if record["spec"]["zoneRef"]["name"] in leaving:
                self.kube.delete(DNS, "RecordSet", NAMESPACE, record["metadata"]["name"])
        self.kube.apply_all(zone(index) for index in range(ZONES) if f"zone{index}" not in leaving)

    def _write(self, index: int) -> None:
        self.kube.apply(self._record(index, self.chance.randrange(NAMES)))

    def _burst(self, index: int) -> None:
        for number in range(NAMES):
            self.kube.apply(self._record(index, number))

    def _remove(self, index: int) -> None:
        self.kube.delete(DNS, "RecordSet", NAMESPACE, f"zone{index}-host{self.chance.randrange(NAMES)}")

    def _drop_zone(self, index: int) -> None:
        """Delete a zone; it ends once its records are gone from Route 53, and comes back empty or with them."""
        self.edits[f"Zone/zone{index}"] += 1
        self.kube.delete(DNS, "Zone", NAMESPACE, f"zone{index}")
        with suppress(*EXPECTED):
            self.kube.apply(zone(index))

    def _record(self, index: int, number: int) -> Document:
        address = f"192.0.2.{self.chance.randrange(1, 255)}"
        record = manifests.a_record(NAMESPACE, f"zone{index}-host{number}", f"zone{index}", (address,))
        record["spec"]["name"] = f"host{number}"
        self.edits[f"RecordSet/{record['metadata']['name']}"] += 1
        return record
