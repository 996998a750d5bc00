"""The provider-owned part of a claim: first its schema, then the Provider's rules over the whole object."""

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import Deadline
from libdnsapi.contract.targets import Target, payload_of
from libdnsapi.contract.versions import VersionContract
from libdnsapi.dns.problems import Problem, all_at
from webhook.documents import object_at


def payload_problems(
    version: VersionContract | None, target: Target, document: JsonObject, deadline: Deadline
) -> tuple[Problem, ...]:
    """Check payload and rules against a version; nothing to check without one.

    Rules are written for payloads that fit the schema, so they are asked only about those.
    """
    if version is None:
        return ()
    found = version.payload_problems(target, payload_of(target, object_at(document, "spec")))
    return all_at("spec", found) if found else version.rule_problems(target, document, deadline)
