"""Conditions are read from whatever an API server serves while an object is being accepted."""

import pytest

from e2e.conditions import conditions_of, has_condition
from e2e.kube import Document

TRUE = {"type": "Established", "status": "True"}
FALSE = {"type": "Established", "status": "False"}


@pytest.mark.parametrize(
    ("document", "established"),
    [
        ({}, False),
        ({"status": None}, False),
        ({"status": {}}, False),
        ({"status": {"conditions": None, "acceptedNames": {"plural": ""}}}, False),
        ({"status": {"conditions": []}}, False),
        ({"status": {"conditions": [FALSE]}}, False),
        ({"status": {"conditions": [{"type": "NamesAccepted", "status": "True"}]}}, False),
        ({"status": {"conditions": [TRUE]}}, True),
    ],
)
def test_no_status_and_null_lists_mean_that_nothing_is_said_yet(document: Document, established: bool) -> None:
    assert has_condition(document, "Established") is established
    assert isinstance(conditions_of(document), list)
