"""Short ways to read what a world has come to."""

from libdnsapi.api.meta import ObjectKey
from tests.core_controller.zoneunit.objects import ZONE
from tests.core_controller.zoneunit.world import World

WWW = ObjectKey("platform", "www")
TEAM_WWW = ObjectKey("team", "www")
PROGRAMMED = {"Accepted": ("True", "Accepted"), "Programmed": ("True", "Programmed")}


def words(world: World, key: ObjectKey = WWW) -> dict[str, tuple[str, str]]:
    """Return a RecordSet's conditions as (status, reason)."""
    return {c.type: (c.status, c.reason) for c in world.record_set(key).status.conditions}


def zone_words(world: World, key: ObjectKey = ZONE) -> dict[str, tuple[str, str]]:
    """Return a Zone's conditions as (status, reason)."""
    return {c.type: (c.status, c.reason) for c in world.zone(key).status.conditions}


def message(world: World, key: ObjectKey = WWW, type_: str = "Accepted") -> str:
    """Return the message of a RecordSet's condition."""
    found = world.condition(world.record_set(key), type_)
    return found.message if found is not None else ""


def zone_message(world: World, type_: str = "Accepted") -> str:
    """Return the message of the Zone's condition."""
    found = world.condition(world.zone(ZONE), type_)
    return found.message if found is not None else ""


def items(world: World, unit: ObjectKey = ZONE) -> dict[str, str]:
    """Return every item of a unit and its slices by claim name: "live", "leaving" or "not allowed"."""
    ledgers = [world.unit(unit), *(piece for piece in world.slices() if piece.unit_key == unit)]
    return {
        item.record_set_name: "leaving" if item.is_leaving else "live" if item.is_allowed else "not allowed"
        for ledger in ledgers
        for item in ledger.spec.record_sets
    }
