"""Names of other objects: legal ones only (Kubernetes documentation, "Object Names and IDs")."""

import re
from collections.abc import Iterator

from libdnsapi.api.dns.references import FullRef, LocalRef, NameRef
from libdnsapi.dns.problems import Problem

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAMESPACE = re.compile(_LABEL)
_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*")
NAMESPACE_MAX_LENGTH = 63
NAME_MAX_LENGTH = 253


def name_problem(text: str) -> str | None:
    """Return why no object can have this name (RFC 1123 subdomain), None if one can."""
    if len(text) > NAME_MAX_LENGTH or not _NAME.fullmatch(text):
        return (
            'is no legal object name: use lower-case letters, digits, "-" and ".", '
            "beginning and ending with a letter or digit"
        )
    return None


def namespace_problem(text: str) -> str | None:
    """Return why no namespace can have this name (RFC 1123 label), None if one can."""
    if len(text) > NAMESPACE_MAX_LENGTH or not _NAMESPACE.fullmatch(text):
        return (
            'is no legal namespace name: use at most 63 lower-case letters, digits and "-", '
            "beginning and ending with a letter or digit"
        )
    return None


def reference_problems(path: str, reference: LocalRef | FullRef | NameRef) -> Iterator[Problem]:
    """Yield what is wrong with a reference's namespace and name."""
    namespace = None if isinstance(reference, NameRef) else reference.namespace
    if namespace and (wrong := namespace_problem(namespace)):
        yield Problem(f"{path}.namespace", wrong)
    if wrong := name_problem(reference.name):
        yield Problem(f"{path}.name", wrong)
