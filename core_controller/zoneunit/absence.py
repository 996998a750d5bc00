"""Whether what a pass saw nowhere really is not there: asked of the server, not of the caches, before anyone is let go.

A claim that is let go without an item leaves its record set behind if an old cache merely did not show the slice, and a
Zone its hosted zone if it did not show the ZoneUnit. Such claims are few (they got a finalizer and then no item), so
a look at the whole ledger costs nothing that counts.
"""

import orjson

from core_controller.zoneunit.caches import Caches
from core_controller.zoneunit.documents import claim_key, entries
from core_controller.zoneunit.plan.actions import Plan, SetFinalizers
from core_controller.zoneunit.plan.placement import unit_label
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import ZONE_UNIT_LABEL
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes

SLICES_A_PAGE = 20
"""A slice has a quarter of a megabyte at most, so a page stays small."""


async def unfounded_releases(
    client: Kubernetes, caches: Caches, unit: ObjectKey, plan: Plan
) -> tuple[SetFinalizers, ...]:
    """Return the releases of a plan that rest on not having seen what is there; the caches have been shown it."""
    releases = [action for action in plan.actions if isinstance(action, SetFinalizers) and action.unplaced]
    claims = frozenset(action.key for action in releases if action.resource is RECORD_SETS)
    placed = await _still_placed(client, caches, unit, claims)
    has_ledger = len(claims) < len(releases) and await _is_there(client, caches, unit)
    return tuple(
        action for action in releases if (action.key in placed if action.resource is RECORD_SETS else has_ledger)
    )


async def _is_there(client: Kubernetes, caches: Caches, unit: ObjectKey) -> bool:
    try:
        caches.units.observe(await client.get(ZONE_UNITS, unit))
    except NotFoundError:
        return False
    return True


async def _still_placed(
    client: Kubernetes, caches: Caches, unit: ObjectKey, claims: frozenset[ObjectKey]
) -> frozenset[ObjectKey]:
    """Return those claims that have an item in the live ledger; the caches have been shown where."""
    if not claims:
        return frozenset()
    found: set[ObjectKey] = set()
    try:
        raw = await client.get(ZONE_UNITS, unit)
        if held := claims & _claims_of_items(raw):
            caches.units.observe(raw)
            found |= held
    except NotFoundError:
        caches.units.forget(unit)
    token, more = "", True
    while more:
        page = await client.list_page(
            ZONE_UNIT_SLICES,
            namespace=unit.namespace,
            label_selector=f"{ZONE_UNIT_LABEL}={unit_label(unit.name)}",
            limit=SLICES_A_PAGE,
            continue_token=token,
        )
        for piece in page.items:
            if held := claims & _claims_of_items(piece.raw):
                caches.slices.observe(piece.raw)
                found |= held
        token, more = page.continue_token, bool(page.continue_token)
    return frozenset(found)


def _claims_of_items(raw: bytes) -> set[ObjectKey]:
    return {claim_key(entry) for entry in entries(orjson.loads(raw), "spec")}
