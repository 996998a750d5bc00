"""Claims that were stored while the webhook was away: odd characters and odd references."""

import pytest
from pydantic import JsonValue

from tests.core_controller.zoneunit.objects import Body, record_set
from tests.core_controller.zoneunit.reading import message, words
from tests.core_controller.zoneunit.world import World


def claim_with(field: str, value: JsonValue) -> Body:
    """Return the claim www with one field of its spec exchanged."""
    resource, body = record_set("www")
    spec = body["spec"]
    assert isinstance(spec, dict)
    return resource, body | {"spec": spec | {field: value}}


@pytest.mark.parametrize("field", ["name", "provider", "zoneRef"])
async def test_what_was_stored_past_admission_moves_no_terminal(served: World, field: str) -> None:
    hostile = "\x1b[2J\u202e"
    bad: dict[str, JsonValue] = {"name": hostile, "provider": {"name": hostile, "version": hostile}}
    bad["zoneRef"] = {"name": hostile}
    served.put(claim_with(field, bad[field]))
    await served.settle()
    assert words(served)["Accepted"][0] != "True"
    assert message(served).isprintable()
