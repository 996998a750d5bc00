"""Merge patches that replace: what a merge patch must say so that nothing of the old value stays. Pure."""

from pydantic import JsonValue


def replacing(old: JsonValue, new: JsonValue) -> JsonValue:
    """Return what a merge patch must say so that the new value replaces the old one, members that go included."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    replaced: dict[str, JsonValue] = dict.fromkeys(old.keys() - new.keys())
    return replaced | {key: replacing(old.get(key), value) for key, value in new.items() if old.get(key) != value}
