"""Ledger objects as JSON documents: their halves, the entries in these, and the claims that entries are keyed by.

For what need not become models, which cost ten times as much for an object of a hundred items. Whatever does not have
the shape that the definition asks for reads as empty.
"""

from collections.abc import Iterator
from typing import Literal

from libdnsapi.api.meta import JsonObject, ObjectKey

Half = Literal["spec", "status"]
"""`spec` holds the items, which core writes, `status` the provider's entries for them."""


def entries(document: JsonObject, half: Half) -> Iterator[JsonObject]:
    """Yield the entries of `recordSets` in one half of a ledger object, in their order."""
    found = object_at(document, half).get("recordSets")
    return (entry for entry in (found if isinstance(found, list) else ()) if isinstance(entry, dict))


def claim_key(entry: JsonObject) -> ObjectKey:
    """Return the key of the claim that an item, or its status entry, belongs to."""
    return ObjectKey(str(entry.get("recordSetNamespace")), str(entry.get("recordSetName")))


def object_at(parent: JsonObject, name: str) -> JsonObject:
    """Return the object in a field, an empty one where there is none; it is not put in place."""
    found = parent.get(name)
    return found if isinstance(found, dict) else {}


def number_at(parent: JsonObject, name: str) -> int:
    """Return the whole number in a field, 0 where there is none."""
    found = parent.get(name)
    return found if isinstance(found, int) else 0
