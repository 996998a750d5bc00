"""Which tags a class may set. Pure.

Sources: provider seed (ownership tag keys are reserved); Amazon Route 53 API Reference, Tag (key 1 to 128 characters,
value to 256); AWS General Reference, tag naming limits (50 tags a resource, the prefix `aws:` is AWS's own).
"""

from collections.abc import Mapping

from libdnsapi.api.names import RESERVED_TAG_KEYS

MAX_KEY = 128
MAX_VALUE = 256
MAX_TAGS = 50
_AWS_PREFIX = "aws:"


def reserved_tag_problem(tags: Mapping[str, str]) -> str:
    """Return which keys belong to the controller, "" where none does."""
    reserved = sorted(RESERVED_TAG_KEYS & tags.keys())
    if not reserved:
        return ""
    return f"spec.parameters.tags: {', '.join(reserved)} {'is' if len(reserved) == 1 else 'are'} set by the controller"


def tag_limit_problem(tags: Mapping[str, str]) -> str:
    """Return the first tag that Route 53 would refuse and why, "" where it takes all."""
    most = MAX_TAGS - len(RESERVED_TAG_KEYS)
    if len(tags) > most:
        return f"spec.parameters.tags: {len(tags)} tags; at most {most} fit beside the controller's own"
    problems = (_tag_problem(key, value) for key, value in sorted(tags.items()))
    return next((f"spec.parameters.tags: {problem}" for problem in problems if problem), "")


def _tag_problem(key: str, value: str) -> str:
    if not key or len(key) > MAX_KEY:
        return f"the key {key[:20]!r} must have 1 to {MAX_KEY} characters"
    if key.lower().startswith(_AWS_PREFIX):
        return f"the key {key!r} begins with {_AWS_PREFIX}, which AWS keeps for itself"
    if len(value) > MAX_VALUE:
        return f"the value of {key!r} must have at most {MAX_VALUE} characters"
    return ""
