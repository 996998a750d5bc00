"""The tags of a hosted zone: who it belongs to, and what its class adds. Source: provider seed (ownership tags)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libdnsapi.api import names
from libdnsapi.api.meta import ObjectKey


@dataclass(frozen=True, slots=True)
class TagChange:
    """Tags to set and keys to remove."""

    add: Mapping[str, str]
    remove: tuple[str, ...]


def desired_tags(zone: ObjectKey, zone_class: ObjectKey, class_tags: Mapping[str, str]) -> dict[str, str]:
    """Return all tags that a hosted zone shall have from us."""
    return {
        **class_tags,
        names.TAG_MANAGED_BY: "dns-api",
        names.TAG_ZONE_NAMESPACE: zone.namespace,
        names.TAG_ZONE_NAME: zone.name,
        names.TAG_ZONE_CLASS_NAMESPACE: zone_class.namespace,
        names.TAG_ZONE_CLASS_NAME: zone_class.name,
    }


def tag_change(desired: Mapping[str, str], observed: Mapping[str, str], ours: Sequence[str]) -> TagChange | None:
    """Return what must change: only tags that we set before are ever removed. None if nothing must."""
    add = {key: value for key, value in desired.items() if observed.get(key) != value}
    remove = tuple(sorted(key for key in ours if key not in desired and key in observed))
    return TagChange(add, remove) if add or remove else None


def former_owner(observed: Mapping[str, str], zone: ObjectKey) -> str:
    """Return the Zone that the tags name as owner if it is another one, "" otherwise."""
    if observed.get(names.TAG_MANAGED_BY) != "dns-api":
        return ""
    owner = ObjectKey(observed.get(names.TAG_ZONE_NAMESPACE, ""), observed.get(names.TAG_ZONE_NAME, ""))
    return "" if owner == zone else str(owner)
