"""What is edited is decided by the seed alone, and a zone that leaves comes back while the run goes on."""

import random
from collections import Counter
from typing import cast

from e2e.kube import Document, Kube, KubeError
from e2e.soak.claims import NAMESPACES, Claims

EDITS = 3000


class Cluster:
    """Objects by kind, namespace and name; a zone goes once no record names it. Some requests fail."""

    def __init__(self, failing: int = 0) -> None:
        self.objects: dict[tuple[str, str, str], Document] = {}
        self.failing = failing
        self.asked = 0
        self.made: Counter[str] = Counter()
        self.applied: list[str] = []

    def apply(self, document: Document) -> Document:
        self._ask()
        metadata = document["metadata"]
        key = (document["kind"], metadata["namespace"], metadata["name"])
        if key not in self.objects:
            self.made[metadata["name"]] += 1
        held = self.objects.get(key, {"metadata": {"uid": f"{self.asked}", "generation": 1}})["metadata"]
        self.objects[key] = {**document, "metadata": {**held, **metadata}}
        self.applied.append(metadata["name"])
        return self.objects[key]

    def apply_all(self, documents: list[Document]) -> list[Document]:
        return [self.apply(one) for one in documents]

    def find(self, _version: str, kind: str, namespace: str, name: str) -> Document | None:
        self._ask()
        return self.objects.get((kind, namespace, name))

    def list(self, _version: str, kind: str, namespace: str) -> list[Document]:
        self._ask()
        return [one for (of, where, _), one in self.objects.items() if (of, where) == (kind, namespace)]

    def delete(self, _version: str, kind: str, namespace: str, name: str) -> None:
        self._ask()
        if kind == "RecordSet":
            self.objects.pop((kind, namespace, name), None)
        elif (kind, namespace, name) in self.objects:
            self.objects[kind, namespace, name]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        for key, one in list(self.objects.items()):
            if one["metadata"].get("deletionTimestamp") and not self._records_of(key[2]):
                del self.objects[key]

    def _records_of(self, zone: str) -> int:
        return sum(one["spec"]["zoneRef"]["name"] == zone for key, one in self.objects.items() if key[0] == "RecordSet")

    def _ask(self) -> None:
        self.asked += 1
        if self.failing and self.asked % self.failing == 0:
            raise KubeError(503, "ServiceUnavailable", "down", {})


def edited(seed: int, failing: int = 0) -> tuple[Cluster, Claims]:
    cluster = Cluster(failing)
    claims = Claims(cast("Kube", cluster), random.Random(seed))  # noqa: S311 — replayable on purpose
    for _ in range(EDITS):
        claims.edit()
    return cluster, claims


def lives(cluster: Cluster) -> int:
    """How often zones were made; 0 where one of them never came back."""
    made = [cluster.made[f"zone{index}"] for index in range(3)]
    return sum(made) if all(count >= 2 for count in made) else 0


def test_the_same_seed_makes_the_same_edits() -> None:
    assert edited(1)[0].applied == edited(1)[0].applied
    assert edited(1)[0].applied != edited(2)[0].applied


def test_zones_come_back_again_and_again_and_both_namespaces_have_records() -> None:
    cluster, claims = edited(3)

    assert lives(cluster) >= 10
    assert all(cluster.list("", "RecordSet", name) for name in NAMESPACES)
    assert claims.failed == 0


def test_zones_come_back_although_requests_fail() -> None:
    cluster, claims = edited(4, failing=7)

    assert claims.failed > 100
    assert lives(cluster) >= 10
