"""Fields that never change (core seed); repeated from the CRDs so that the answer tells what to do instead."""

from collections.abc import Iterator

from libdnsapi.dns.problems import Problem
from webhook.documents import value_at
from webhook.review import Operation, Review


def immutable_problems(review: Review, *fields: str) -> Iterator[Problem]:
    """Yield one problem for each of these fields of spec that an update changes; compared as written."""
    if review.operation is not Operation.UPDATE:
        return
    for name in fields:
        before, after = value_at(review.old, "spec", name), value_at(review.object, "spec", name)
        if before != after:
            yield Problem(f"spec.{name}", f"is immutable{_was(before)}; create another object and delete this one")


def _was(before: object) -> str:
    return f" (it is {before})" if isinstance(before, str) and before else ""
