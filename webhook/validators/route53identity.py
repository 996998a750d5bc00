"""Route53Identity (provider seed, Route53Identity; beyond-the-seeds 7 and 10).

Whether credentials work is the controller's business; here stands only what the object alone decides.
"""

from collections.abc import Iterator

from libdnsapi.api.reasons import ROUTE53_IDENTITY_REASONS
from libdnsapi.api.route53.identity import (
    ACCOUNT_ID_WORDS,
    REGION_WORDS,
    ROLE_ARN_WORDS,
    SESSION_NAME_WORDS,
    Credentials,
    Route53Identity,
    ZoneDiscovery,
)
from libdnsapi.dns.names import domain_name_problem
from libdnsapi.dns.problems import Problem
from webhook.answer import Answer
from webhook.review import Review
from webhook.validators import shape, statuses
from webhook.validators.references import reference_problems
from webhook.validators.snapshot import Snapshot

_PLAIN_WORDS = {
    "spec.accountID": ACCOUNT_ID_WORDS,
    "spec.region": REGION_WORDS,
    "roleARN": ROLE_ARN_WORDS,
    "sessionName": SESSION_NAME_WORDS,
}


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited identity."""
    del snapshot
    identity = shape.read(Route53Identity, review.object, bulky=review.bulky)
    if isinstance(identity, tuple):
        return Answer(tuple(_in_plain_words(problem) for problem in identity))
    problems = (
        *_credentials_problems(identity.spec.credentials),
        *_discovery_problems(identity.spec.zone_discovery),
    )
    return Answer(problems)


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check an identity's status."""
    del snapshot
    identity = shape.read(Route53Identity, review.object, bulky=review.bulky)
    if isinstance(identity, tuple):
        return Answer(identity)
    status, generation = identity.status, identity.metadata.generation
    problems = (
        *statuses.generation_problems("status", status.observed_generation, generation),
        *statuses.condition_problems("status", status.conditions, ROUTE53_IDENTITY_REASONS, generation),
    )
    return Answer(problems)


def _credentials_problems(credentials: Credentials) -> Iterator[Problem]:
    path = "spec.credentials"
    given = [source for source in (credentials.runtime, credentials.secret_ref) if source is not None]
    if len(given) != 1:
        yield Problem(path, "must have exactly one of runtime and secretRef")
    if credentials.secret_ref is not None:
        yield from reference_problems(f"{path}.secretRef", credentials.secret_ref)


def _discovery_problems(discovery: ZoneDiscovery | None) -> Iterator[Problem]:
    seen: set[str] = set()
    for position, domain in enumerate((discovery.domains if discovery else None) or ()):
        wrong = domain_name_problem(domain) or ("is listed twice" if domain in seen else None)
        seen.add(domain)
        if wrong:
            yield Problem(f"spec.zoneDiscovery.domains[{position}]", wrong)


def _in_plain_words(problem: Problem) -> Problem:
    """Say what a pattern means instead of printing it."""
    if not problem.message.startswith("must match"):
        return problem
    words = _PLAIN_WORDS.get(problem.path) or _PLAIN_WORDS.get(problem.path.rpartition(".")[2])
    return Problem(problem.path, words) if words else problem
