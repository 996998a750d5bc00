"""The quickstart example on the local stack: apply it, watch until all is Programmed, read it back from Route 53."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from e2e.claims import DNS, is_true, owner_name, summary
from e2e.kube import Document, Kube, load_documents
from e2e.polling import eventually
from e2e.route53.remote import Remote
from e2e.route53_records import Route53Reader
from e2e.stack.layout import ROOT

QUICKSTART = ROOT / "examples" / "quickstart"
WITHIN_SECONDS = 180.0
_CLAIMS = ("Zone", "RecordSet")
_POLL_SECONDS = 0.05

Key = tuple[str, str, str]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One claim: where it is published, what Route 53 returns for it, seconds from its apply to Programmed."""

    name: str
    type: str
    values: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Result:
    """What the demo found. `missing` names claims that Route 53 does not answer for."""

    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    calls: dict[str, int]
    seconds: float


class DemoError(RuntimeError):
    """The example did not become Programmed; the message lists the claims with their conditions."""


def documents(folder: Path = QUICKSTART) -> list[Document]:
    """Return the example's manifests in the order of their files."""
    return [one for file in sorted(folder.glob("*.yaml")) for one in load_documents(file.read_text())]


def run(kube: Kube, emulator: Remote, say: Say) -> Result:
    """Apply the example anew and wait until all of it is Programmed. Raises DemoError."""
    manifests = documents()
    remove(kube, manifests, say)
    emulator.reset_counters()
    applied, programmed = _apply_and_wait(kube, manifests)
    calls = emulator.calls()
    claims = {_key(one): _get(kube, one) for one in manifests if one["kind"] in _CLAIMS}
    seconds = {key: programmed[key] - applied[key] for key in programmed}
    rows, missing = _read_back(emulator, claims, seconds)
    total = max(programmed.values()) - min(applied.values())
    return Result(rows, missing, calls, total)


def remove(kube: Kube, manifests: list[Document], say: Say) -> None:
    """Delete what an earlier run left, records before the zone, and wait until it is gone."""
    left = [one for one in reversed(manifests) if kube.find(*_address(one))]
    if not left:
        return
    say("removing the example that an earlier run left")
    for kinds in (("RecordSet",), ("Zone",), ("ZoneClass", "Route53Identity"), ("Namespace",)):
        some = [one for one in left if one["kind"] in kinds]
        for one in some:
            kube.delete(*_address(one))
        for one in some:
            eventually(partial(_gone, kube, one), within=WITHIN_SECONDS, what=f"the end of {_key(one)}")


def _gone(kube: Kube, document: Document) -> bool:
    return kube.find(*_address(document)) is None


def _apply_and_wait(kube: Kube, manifests: list[Document]) -> tuple[dict[Key, float], dict[Key, float]]:
    applied: dict[Key, float] = {}
    for one in manifests:
        applied[_key(one)] = time.monotonic()
        kube.apply(one, manager="quickstart")
    waiting = {_key(one) for one in manifests if one["kind"] in _CLAIMS}
    programmed: dict[Key, float] = {}
    deadline = time.monotonic() + WITHIN_SECONDS
    while waiting - programmed.keys():
        seen = [one for kind in _CLAIMS for one in _list(kube, kind) if _key(one) in waiting]
        now = time.monotonic()
        programmed |= {_key(one): now for one in seen if is_true(one, "Programmed") and _key(one) not in programmed}
        if now > deadline:
            raise DemoError("not Programmed in time:\n" + "\n".join(f"  {summary(one)}" for one in seen))
        time.sleep(_POLL_SECONDS)
    return {key: applied[key] for key in waiting}, programmed


def _read_back(
    emulator: Remote, claims: dict[Key, Document], seconds: dict[Key, float]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    (zone_key, zone), *_ = [item for item in claims.items() if item[0][0] == "Zone"]
    domain, zone_id = zone["spec"]["domainName"], zone["status"]["provider"]["data"]["hostedZoneID"]
    reader = Route53Reader(emulator.http)
    try:
        answers = reader.records(zone_id)
        servers = tuple(reader.name_servers(zone_id))
    finally:
        reader.close()
    rows, missing = [Row(f"{domain}.", "zone", servers, seconds[zone_key])], []
    for key, claim in claims.items():
        if key[0] == "RecordSet":
            identity = (owner_name(claim, domain), claim["spec"]["type"])
            answer = answers.get(identity)
            if answer:
                rows.append(Row(*identity, answer.shown(), seconds[key]))
            else:
                missing.append(" ".join(identity))
    return tuple(rows), tuple(missing)


def _list(kube: Kube, kind: str) -> list[Document]:
    return [one | {"kind": kind} for one in kube.list(DNS, kind)]


def _get(kube: Kube, document: Document) -> Document:
    return kube.get(*_address(document))


def _address(document: Document) -> tuple[str, str, str, str]:
    metadata = document["metadata"]
    return document["apiVersion"], document["kind"], metadata.get("namespace", ""), metadata["name"]


def _key(document: Document) -> Key:
    return _address(document)[1:]
