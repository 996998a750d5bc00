"""The provider-owned part of a claim: its size, then its schema, then the Provider's rules over the whole object."""

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import Deadline
from libdnsapi.contract.schema.payload import holds_more_than
from libdnsapi.contract.targets import Target, payload_of
from libdnsapi.contract.versions import VersionContract
from libdnsapi.dns.problems import Problem, all_at
from webhook.documents import object_at

MAX_VALUES = 5000
"""Values, however nested, in one payload: many more than any provider needs, few enough to describe every fault."""


def payload_problems(
    version: VersionContract | None, target: Target, document: JsonObject, deadline: Deadline
) -> tuple[Problem, ...]:
    """Check payload and rules against a version; nothing to check without one.

    Rules are written for payloads that fit the schema, so they are asked only about those.
    """
    if version is None:
        return ()
    payload = payload_of(target, object_at(document, "spec"))
    found = size_problems(payload) or version.payload_problems(target, payload)
    return all_at("spec", found) if found else version.rule_problems(target, document, deadline)


def size_problems(payload: JsonObject, limit: int = MAX_VALUES) -> tuple[Problem, ...]:
    """Return a problem for each member that holds too many values."""
    text = f"must have at most {limit} values in all"
    return tuple(Problem(name, text) for name, value in payload.items() if holds_more_than(value, limit))
