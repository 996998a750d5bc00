"""ZoneClass (core seed, ZoneClass; beyond-the-seeds 7 for domainNames)."""

import re
from collections.abc import Iterator

from libdnsapi.api.dns.zoneclass import (
    CONTROLLER_NAME_MESSAGE,
    CONTROLLER_NAME_PATTERN,
    AllowedZones,
    NamespacesFrom,
    ZoneClass,
)
from libdnsapi.api.reasons import ZONE_CLASS_REASONS
from libdnsapi.contract.targets import Target
from libdnsapi.dns.names import domain_name_problem
from libdnsapi.dns.problems import Problem
from webhook.answer import Answer
from webhook.review import Review
from webhook.validators import payload, shape
from webhook.validators.immutability import immutable_problems
from webhook.validators.providers import declared_version
from webhook.validators.references import reference_problems
from webhook.validators.selectors import selector_problems
from webhook.validators.snapshot import Snapshot
from webhook.validators.statuses import condition_problems

_CONTROLLER_NAME = re.compile(CONTROLLER_NAME_PATTERN)


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited ZoneClass."""
    zone_class = shape.read(ZoneClass, review.object, bulky=review.bulky)
    if isinstance(zone_class, tuple):
        return Answer(zone_class)
    declared = declared_version(zone_class.spec.provider, Target.ZONE_CLASS, snapshot)
    problems = (
        *immutable_problems(review, "provider", "controllerName"),
        *declared.problems,
        *reference_problems("spec.identityRef", zone_class.spec.identity_ref),
        *_controller_name_problems(zone_class.spec.controller_name),
        *_allowed_zones_problems(zone_class.spec.allowed_zones),
        *payload.payload_problems(declared.version, Target.ZONE_CLASS, review.object, snapshot.deadline),
    )
    return Answer(problems, (*declared.warnings, *_warnings(zone_class.spec.allowed_zones.namespaces)))


def validate_status(review: Review, snapshot: Snapshot) -> Answer:
    """Check the status that a provider controller wrote; its reasons are the core table's alone."""
    del snapshot
    zone_class = shape.read(ZoneClass, review.object, bulky=review.bulky)
    if isinstance(zone_class, tuple):
        return Answer(zone_class)
    generation = zone_class.metadata.generation
    return Answer(tuple(condition_problems("status", zone_class.status.conditions, ZONE_CLASS_REASONS, generation)))


def _controller_name_problems(name: str) -> Iterator[Problem]:
    if not _CONTROLLER_NAME.fullmatch(name):
        yield Problem("spec.controllerName", CONTROLLER_NAME_MESSAGE)


def _allowed_zones_problems(allowed: AllowedZones) -> Iterator[Problem]:
    path = "spec.allowedZones"
    if allowed.namespaces.from_ == "Selector" and allowed.namespaces.selector is None:
        yield Problem(f"{path}.namespaces.selector", "is required when from is Selector")
    if allowed.namespaces.selector is not None:
        yield from selector_problems(f"{path}.namespaces.selector", allowed.namespaces.selector)
    seen: set[str] = set()
    for position, domain in enumerate(allowed.domain_names or ()):
        wrong = domain_name_problem(domain) or ("is listed twice" if domain in seen else None)
        seen.add(domain)
        if wrong:
            yield Problem(f"{path}.domainNames[{position}]", wrong)


def _warnings(namespaces: NamespacesFrom) -> Iterator[str]:
    if namespaces.selector is not None and namespaces.from_ != "Selector":
        yield "spec.allowedZones.namespaces.selector has no effect unless from is Selector"
