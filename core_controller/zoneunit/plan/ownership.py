"""Who owns a name: existing items first, then the oldest claim (core seed, ZoneUnit; beyond-the-seeds 2).

Everything is decided inside one owner name, because that is all a conflict can reach: same type, CNAME
exclusivity, and the Provider's pair rules.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from core_controller.zoneunit.plan.retention import Fate, fate
from core_controller.zoneunit.snapshot import ClaimFacts, NameGroup, OwnerState, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import Verdict
from libdnsapi.api.dns.bodies import CONTENT_FIELDS, RecordType
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import refused, undecided
from libdnsapi.contract.conversion import Converted


@dataclass(frozen=True, slots=True)
class Owner:
    """One holder of the name: an item of the ledger, or a claim accepted in this very pass."""

    key: ObjectKey
    item: RecordSetItem
    state: OwnerState


@dataclass(frozen=True, slots=True)
class Clash:
    """Why a claim cannot have its name, and whose item stands in its way."""

    verdict: Verdict
    owner: ObjectKey


def seniority(facts: ClaimFacts) -> tuple[datetime, ObjectKey]:
    """Return what claims without an item are ordered by: age, then namespace/name."""
    created = facts.claim.metadata.creation_timestamp or datetime.max.replace(tzinfo=UTC)
    return created, facts.claim.key


def desired_item(facts: ClaimFacts) -> RecordSetItem:
    """Return the ledger item that an accepted claim asks for, its payload in the storage version."""
    spec = facts.claim.spec
    payload = facts.conversion.payload if isinstance(facts.conversion, Converted) else {}
    content = {
        field: getattr(spec, field)
        for field in CONTENT_FIELDS
        if field not in {"options", "adoption"} and getattr(spec, field) is not None
    }
    content |= {field: value for field, value in payload.items() if isinstance(value, dict)}
    return RecordSetItem(
        record_set_namespace=facts.claim.metadata.namespace,
        record_set_name=facts.claim.metadata.name,
        observed_generation=facts.claim.metadata.generation,
        name=spec.name,
        type=spec.type,
        **content,
    )


def newest_places(items: tuple[PlacedItem, ...]) -> dict[ObjectKey, PlacedItem]:
    """Return one place a key: during a move an item stands twice, and the newer generation counts."""
    found: dict[ObjectKey, PlacedItem] = {}
    for placed in items:
        if placed.item is None:
            continue
        old = found.get(placed.item.key)
        if old is None or placed.generation > old.generation:
            found[placed.item.key] = placed
    return found


def leaving(item: RecordSetItem) -> RecordSetItem:
    """Return the item with its deletion requested."""
    return item.model_copy(update={"deletion_requested": True})


def holders(snapshot: UnitSnapshot, group: NameGroup, evicted: frozenset[ObjectKey] = frozenset()) -> list[Owner]:
    """Return the items that hold the name now; evicted ones and those whose claim goes or changed are leaving.

    The item of a deleted claim whose record set stays, or of which that is not decided, holds the name until it is out
    of the ledger: nothing may take the record set over from it.
    """
    going = evicted | {facts.claim.key for facts in group.claims if _goes(snapshot, facts)}
    found = []
    for key, placed in newest_places(group.items).items():
        state = group.owners.get(key, OwnerState.MISSING)
        if placed.item is not None:
            goes = key in going or state is OwnerState.REPLACED
            found.append(Owner(key, leaving(placed.item) if goes else placed.item, state))
    return found


def _goes(snapshot: UnitSnapshot, facts: ClaimFacts) -> bool:
    """Whether a claim is being deleted and its record set with it."""
    return facts.claim.metadata.deleting and fate(snapshot, facts.claim) is Fate.GOES


def excluded_items(snapshot: UnitSnapshot, group: NameGroup) -> tuple[PlacedItem, ...]:
    """Return the items that cannot stand beside another claim's item which has the better right to the name.

    That cannot come about by this controller alone, but by a ledger that was restored or edited. The better right is
    the provider's mark, then age. An item whose claim is not back yet is left alone.
    """
    claims = {facts.claim.key: facts for facts in group.claims if not facts.claim.metadata.deleting}
    ranks = []
    for key, placed in newest_places(group.items).items():
        item = placed.item
        if item is not None and not item.is_leaving and key in claims and group.owners[key] is OwnerState.PRESENT:
            ranks.append((not placed.is_marked, seniority(claims[key]), placed))
    kept: list[PlacedItem] = []
    found: list[PlacedItem] = []
    for _, _, placed in sorted(ranks, key=lambda rank: rank[:2]):
        excluded = any(_excludes(snapshot, other, placed) for other in kept)
        (found if excluded else kept).append(placed)
    return tuple(found)


def _excludes(snapshot: UnitSnapshot, better: PlacedItem, placed: PlacedItem) -> bool:
    """Whether an item has to go for another one: same type, or a CNAME is among them.

    What the provider has programmed beside a CNAME is not undone for a rule: the provider may have another. Nor is
    anything while the Provider or the Zone, which say whether there is such a rule, cannot be seen.
    """
    if better.item is None or placed.item is None:
        return False
    if better.item.type is placed.item.type:
        return True
    stands = placed.is_marked or placed.is_programmed or not _knows_the_rules(snapshot)
    return not stands and _is_excluded_by_cname(snapshot, placed.item, better.item)


def _knows_the_rules(snapshot: UnitSnapshot) -> bool:
    return snapshot.zone is not None and snapshot.contract is not None and snapshot.contract.storage is not None


def conflict(snapshot: UnitSnapshot, candidate: RecordSetItem, owners: list[Owner]) -> Clash | None:
    """Return why a claim that has no item yet cannot join the holders of the name, or None."""
    for owner in owners:
        if owner.item.is_leaving and owner.key.namespace == candidate.record_set_namespace:
            continue  # handover inside one namespace: the provider swaps both in one batch
        finding = _clash(snapshot, candidate, owner)
        if finding is not None:
            return finding
    return None


def pair_conflict(snapshot: UnitSnapshot, wanted: RecordSetItem, owners: list[Owner]) -> Clash | None:
    """Return why an edited item may no longer stand beside the other holders of its name, or None."""
    for owner in owners:
        finding = _clash(snapshot, wanted, owner) if owner.item.type is not wanted.type else None
        if finding is not None:
            return finding
    return None


def _clash(snapshot: UnitSnapshot, candidate: RecordSetItem, owner: Owner) -> Clash | None:
    if candidate.type is owner.item.type:
        return Clash(_taken(candidate, owner), owner.key)
    if _is_excluded_by_cname(snapshot, candidate, owner.item):
        return Clash(_taken(candidate, owner), owner.key)
    finding = _pair_finding(snapshot, candidate, owner.item)
    if finding is None:
        return None
    words = f"{_words(candidate)} cannot stand beside RecordSet {owner.key}: {finding}"
    return Clash(refused(Reason.RECORD_SET_CONFLICT, words), owner.key)


def _taken(candidate: RecordSetItem, owner: Owner) -> Verdict:
    if owner.state is OwnerState.MISSING and not owner.item.is_leaving:
        return undecided(
            Reason.OWNER_STATE_NOT_RESOLVED,
            f"{_words(candidate)} is held in the ledger for RecordSet {owner.key}, which has not come back yet. If it "
            "is gone for good, create it again and delete it: that frees the name.",
        )
    if owner.item.is_leaving:
        return refused(
            Reason.RECORD_SET_CONFLICT,
            f"{_words(candidate)} is still being cleaned up for RecordSet {owner.key}; it is free after that.",
        )
    clash = "" if candidate.type is owner.item.type else f" (type {owner.item.type.value}, and a CNAME stands alone)"
    return refused(
        Reason.RECORD_SET_CONFLICT, f"{_words(candidate)} is already allocated to RecordSet {owner.key}{clash}."
    )


def _words(item: RecordSetItem) -> str:
    return f"RecordSet type={item.type.value} name={item.name}"


def _is_excluded_by_cname(snapshot: UnitSnapshot, one: RecordSetItem, other: RecordSetItem) -> bool:
    return RecordType.CNAME in {one.type, other.type} and not _may_coexist(snapshot, one, other)


def _may_coexist(snapshot: UnitSnapshot, one: RecordSetItem, other: RecordSetItem) -> bool:
    storage = snapshot.contract.storage if snapshot.contract is not None else None
    if storage is None or snapshot.zone is None:
        return False
    return storage.coexistence_allowed(one.to_json(), other.to_json(), snapshot.zone.to_json())


def _pair_finding(snapshot: UnitSnapshot, one: RecordSetItem, other: RecordSetItem) -> str | None:
    storage = snapshot.contract.storage if snapshot.contract is not None else None
    if storage is None or snapshot.zone is None:
        return None
    problems = storage.pair_problems(one.to_json(), other.to_json(), snapshot.zone.to_json())
    return problems[0].message if problems else None


def claim_of_item(claim: RecordSet | None, item: RecordSetItem, zone_key: ObjectKey) -> OwnerState:
    """Return what became of an item's claim, given the claim of that key, if any."""
    if claim is None:
        return OwnerState.MISSING
    same = claim.zone_key == zone_key and claim.spec.name == item.name and claim.spec.type is item.type
    return OwnerState.PRESENT if same else OwnerState.REPLACED
