"""How deep a payload may be nested: parsers stop at some two hundred levels, and ledgers hold it some levels deeper."""

from pydantic import JsonValue

DEEPEST = 100
"""Levels of objects and lists."""


def nesting_problem(value: JsonValue) -> str | None:
    """Say that a payload is nested too deep: a claim with it could be read, and the ledger of its zone could not."""
    return f"must not be nested more than {DEEPEST} levels deep" if _is_deeper(value, DEEPEST) else None


def _is_deeper(value: JsonValue, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)
