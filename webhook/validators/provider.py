"""Provider (provider-contract, "Provider" and "Admission of a Provider")."""

from collections.abc import Iterator

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.admission import provider_problems
from libdnsapi.dns.problems import Problem
from webhook.answer import ALLOWED, Answer, in_use
from webhook.documents import object_at, text_at, value_at
from webhook.review import Operation, Review
from webhook.validators.outline import first_problem
from webhook.validators.payload import size_problems
from webhook.validators.snapshot import Snapshot, Usage

MAX_VALUES = 10_000
"""Values, however nested, in one Provider: its schemas above all."""


def validate_spec(review: Review, snapshot: Snapshot) -> Answer:
    """Check a new or edited Provider, and that no edit takes away what others use."""
    problems = _outline_problems(review) or provider_problems(review.object)
    if review.operation is not Operation.UPDATE:
        return Answer(problems)
    return Answer((*problems, *_version_problems(review, snapshot), *_storage_problems(review, snapshot)))


def _outline_problems(review: Review) -> tuple[Problem, ...]:
    """Refuse what is too large or too wrong to be looked at in full."""
    if not review.bulky:
        return ()
    first = first_problem(Provider, review.object)
    return (first,) if first else size_problems({"spec": review.object.get("spec")}, MAX_VALUES)


def validate_delete(review: Review, snapshot: Snapshot) -> Answer:
    """Refuse deletion of a Provider in use."""
    users = Usage()
    for usage in snapshot.usage.values():
        users = users.plus(usage)
    if not users.count:
        return ALLOWED
    return in_use(f"Provider {review.name} is still used by {_described(users)}; delete or move them first")


def _version_problems(review: Review, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield a problem for each used version that is removed or no longer served; case 71."""
    before, after = _versions(review.old), _versions(review.object)
    for name, old in before.items():
        users = snapshot.usage.get(name, Usage())
        if not users.count:
            continue
        if name not in after:
            yield Problem("spec.versions", f'version "{name}" cannot be removed: it is used by {_described(users)}')
        elif old.get("served") is True and after[name].get("served") is not True:
            text = f'version "{name}" must stay served: it is used by {_described(users)}'
            yield Problem(f"spec.versions[{list(after).index(name)}].served", text)


def _storage_problems(review: Review, snapshot: Snapshot) -> Iterator[Problem]:
    before, after = _storage(review.old), _storage(review.object)
    if before and after and before != after and snapshot.ledgers.count:
        yield Problem(
            "spec.versions",
            f'storage cannot move from "{before}" to "{after}": {_described(snapshot.ledgers)} '
            "would keep the old version, which is immutable there",
        )


def _versions(provider: JsonObject) -> dict[str, JsonObject]:
    """Return versions by name, in order; whatever is no version is left out."""
    found = value_at(provider, "spec", "versions")
    items = found if isinstance(found, list) else []
    return {text_at(item, "name"): object_at(item) for item in items if isinstance(item, dict)}


def _storage(provider: JsonObject) -> str:
    return next((name for name, version in _versions(provider).items() if version.get("storage") is True), "")


def _described(users: Usage) -> str:
    return f"{users.count} object{'' if users.count == 1 else 's'}, such as {users.example}"
