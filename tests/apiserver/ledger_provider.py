"""A provider controller for tests on the real API server: each step serves the ledgers of one namespace once."""

from typing import Any

from e2e.kube import Kube, KubeError
from tests.apiserver.manifests import API, Document

FINALIZER = "example.dns.appthrust.io/zoneunit-finalizer"
SINCE = "2026-01-01T00:00:00Z"
KINDS = ("ZoneUnit", "ZoneUnitSlice")


def step(kube: Kube, namespace: str) -> None:
    """Program all items, complete all deletions, hold and release finalizers; a conflict is left to the next step."""
    ledgers = [ledger for kind in KINDS for ledger in kube.list(API, kind, namespace)]
    ending = any(ledger["kind"] == "ZoneUnit" and _deleting(ledger) for ledger in ledgers)
    busy = any(not item.get("deletionRequested") for ledger in ledgers for item in _items(ledger))
    for ledger in ledgers:
        try:
            _serve(kube, ledger, over=ending and not busy)
        except KubeError as error:
            if error.status not in (404, 409):
                raise


def _serve(kube: Kube, ledger: Document, *, over: bool) -> None:
    held = FINALIZER in ledger["metadata"].get("finalizers", [])
    empty_slice = ledger["kind"] == "ZoneUnitSlice" and not _items(ledger)
    if (over or empty_slice) and held:
        _write(kube, ledger, finalizers=[f for f in ledger["metadata"]["finalizers"] if f != FINALIZER])
    elif not over and not empty_slice and not held and not _deleting(ledger):
        _write(kube, ledger, finalizers=[*ledger["metadata"].get("finalizers", []), FINALIZER])
    else:
        status = _status(ledger)
        if status != ledger.get("status"):
            kube.request("PUT", _path(kube, ledger) + "/status", {**ledger, "status": status})


def _write(kube: Kube, ledger: Document, finalizers: list[str]) -> None:
    kube.replace({**ledger, "metadata": {**ledger["metadata"], "finalizers": finalizers}})


def _path(kube: Kube, ledger: Document) -> str:
    meta = ledger["metadata"]
    return kube.path(API, ledger["kind"], meta["namespace"], meta["name"])


def _deleting(ledger: Document) -> bool:
    return "deletionTimestamp" in ledger["metadata"]


def _items(ledger: Document) -> list[Document]:
    found: list[Document] = ledger["spec"].get("recordSets", [])
    return found


def _status(ledger: Document) -> Document:
    status: Document = {
        "observedGeneration": ledger["metadata"]["generation"],
        "recordSets": [_entry(item) for item in _items(ledger)],
    }
    if ledger["kind"] == "ZoneUnit":
        zone = ledger["spec"]["zone"]
        status["zone"] = {
            "nameServers": ["ns-1.example.net"],
            "provider": {"data": {"hostedZoneID": "Z1"}},
            "conditions": _conditions(zone.get("observedGeneration", 0)),
        }
    return {name: value for name, value in status.items() if value != []}


def _entry(item: Document) -> Document:
    entry: dict[str, Any] = {name: item[name] for name in ("recordSetNamespace", "recordSetName")}
    entry["observedGeneration"] = item.get("observedGeneration", 0)
    entry["conditions"] = _conditions(entry["observedGeneration"])
    entry["provider"] = {"state": {"mark": "ours"}}
    if item.get("deletionRequested"):
        entry["deletionCompleted"] = True
    return entry


def _conditions(generation: int) -> list[Document]:
    common = {"status": "True", "observedGeneration": generation, "lastTransitionTime": SINCE, "message": "as asked"}
    return [{"type": one, "reason": one, **common} for one in ("Accepted", "Programmed")]
