"""Label selectors: would Kubernetes take them (Kubernetes documentation, "Labels and Selectors")."""

import re
from collections.abc import Iterator

from libdnsapi.api.selectors import LabelSelector, LabelSelectorRequirement
from libdnsapi.dns.problems import Problem
from webhook.validators.references import name_problem

_PART = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
PART_MAX_LENGTH = 63


def selector_problems(path: str, selector: LabelSelector) -> Iterator[Problem]:
    """Yield what is wrong with a selector's keys, values and expressions; an empty selector is none of it."""
    for key, value in selector.match_labels.items():
        if wrong := _key_problem(key):
            yield Problem(f"{path}.matchLabels[{key}]", wrong)
        if wrong := _value_problem(value):
            yield Problem(f"{path}.matchLabels[{key}]", wrong)
    for position, requirement in enumerate(selector.match_expressions):
        yield from _requirement_problems(f"{path}.matchExpressions[{position}]", requirement)


def _requirement_problems(path: str, requirement: LabelSelectorRequirement) -> Iterator[Problem]:
    if wrong := _key_problem(requirement.key):
        yield Problem(f"{path}.key", wrong)
    takes_values = requirement.operator in {"In", "NotIn"}
    if takes_values and not requirement.values:
        yield Problem(f"{path}.values", f"must not be empty with operator {requirement.operator}")
    if not takes_values and requirement.values:
        yield Problem(f"{path}.values", f"must be empty with operator {requirement.operator}")
    for position, value in enumerate(requirement.values):
        if wrong := _value_problem(value):
            yield Problem(f"{path}.values[{position}]", wrong)


def _key_problem(key: str) -> str | None:
    prefix, slash, name = key.rpartition("/")
    if (slash and name_problem(prefix)) or len(name) > PART_MAX_LENGTH or not _PART.fullmatch(name):
        return f'"{key}" is no label key: write name or domain/name, such as appthrust.io/tenant'
    return None


def _value_problem(value: str) -> str | None:
    if value and (len(value) > PART_MAX_LENGTH or not _PART.fullmatch(value)):
        return f'"{value}" is no label value: at most 63 letters, digits, "-", "_" and "."'
    return None
