"""Conditions as an API server gives them: there may be none yet, and an empty list may be null."""

from e2e.kube import Document


def conditions_of(document: Document) -> list[Document]:
    """Return an object's conditions; empty where it has no status, or null where a list should be.

    A definition that is only being accepted is served with `status: {conditions: null}` for a moment: Go writes an
    empty list without `omitempty` as null.
    """
    status: Document = document.get("status") or {}
    return list(status.get("conditions") or [])


def has_condition(document: Document, kind: str) -> bool:
    """Whether the condition is True, whatever generation it speaks of (definitions and nodes have no such field)."""
    return any(one["type"] == kind and one["status"] == "True" for one in conditions_of(document))
