"""Names of other objects: legal ones only (Kubernetes documentation, "Object Names and IDs")."""

from collections.abc import Iterator

from libdnsapi.api.dns.references import FullRef, LocalRef, NameRef, is_namespace_name, is_object_name
from libdnsapi.dns.problems import Problem


def name_problem(text: str) -> str | None:
    """Return why no object can have this name, None if one can."""
    if is_object_name(text):
        return None
    return (
        'is no legal object name: use lower-case letters, digits, "-" and ".", '
        "beginning and ending with a letter or digit"
    )


def namespace_problem(text: str) -> str | None:
    """Return why no namespace can have this name, None if one can."""
    if is_namespace_name(text):
        return None
    return (
        'is no legal namespace name: use at most 63 lower-case letters, digits and "-", '
        "beginning and ending with a letter or digit"
    )


def reference_problems(path: str, reference: LocalRef | FullRef | NameRef) -> Iterator[Problem]:
    """Yield what is wrong with a reference's namespace and name."""
    namespace = None if isinstance(reference, NameRef) else reference.namespace
    if namespace and (wrong := namespace_problem(namespace)):
        yield Problem(f"{path}.namespace", wrong)
    if wrong := name_problem(reference.name):
        yield Problem(f"{path}.name", wrong)
