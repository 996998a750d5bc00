"""What holds for every status: generations, condition types and reasons, name servers, public data."""

from collections.abc import Callable, Iterable, Iterator

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.references import ProviderPublic
from libdnsapi.api.reasons import ReasonTable, is_known
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract
from libdnsapi.dns.names import target_name_problem
from libdnsapi.dns.problems import Problem, all_at
from webhook.validators.payload import size_problems

ReasonCheck = Callable[[str, str, str], bool]
"""Whether a provider adds this reason: condition type, status, reason."""


def no_additional_reasons(type_: str, status: str, reason: str) -> bool:
    """Say that nothing is added to the core table."""
    del type_, status, reason
    return False


def additional_reasons(contract: Contract | None, target: Target, declared: str) -> ReasonCheck:
    """Return the check for reasons that the declared or the storage version knows.

    Both count: a provider controller speaks in the storage version, and its words reach claims of older ones.
    """
    versions = [] if contract is None else [contract.version(declared), contract.storage]
    known = [version for version in versions if version is not None]
    return lambda type_, status, reason: any(v.reason_is_known(target, type_, status, reason) for v in known)


def generation_problems(path: str, observed: int | None, generation: int) -> Iterator[Problem]:
    """Yield a problem when a status claims to have seen a generation that does not exist yet."""
    if observed is not None and observed > generation:
        yield Problem(
            f"{path}.observedGeneration", f"must be at most metadata.generation ({generation}), is {observed}"
        )


def condition_problems(
    path: str,
    conditions: Iterable[Condition],
    table: ReasonTable,
    generation: int | None,
    adds: ReasonCheck = no_additional_reasons,
) -> Iterator[Problem]:
    """Yield what is wrong with `<path>.conditions`.

    Without a generation (a ledger's items, whose claims have their own) generations are not compared.
    """
    seen: set[str] = set()
    for position, condition in enumerate(conditions):
        here = f"{path}.conditions[{position}]"
        if condition.type in seen:
            yield Problem(f"{here}.type", f'"{condition.type}" stands twice')
        seen.add(condition.type)
        yield from _condition_problems(here, condition, table, adds)
        if generation is not None:
            yield from generation_problems(here, condition.observed_generation, generation)


def _condition_problems(path: str, condition: Condition, table: ReasonTable, adds: ReasonCheck) -> Iterator[Problem]:
    if condition.type not in table:
        yield Problem(f"{path}.type", f'"{condition.type}" is unknown; known types: {", ".join(sorted(table))}')
        return
    if condition.status not in {"True", "False", "Unknown"}:
        yield Problem(f"{path}.status", "must be True, False or Unknown")
        return
    known = is_known(table, condition.type, condition.status, condition.reason)
    if not known and not adds(condition.type, condition.status, condition.reason):
        text = f'"{condition.reason}" is no reason for {condition.type}={condition.status}'
        yield Problem(f"{path}.reason", text)


def name_server_problems(path: str, names: Iterable[str] | None) -> Iterator[Problem]:
    """Yield what is wrong with `<path>.nameServers`: canonical names, none of them twice."""
    seen: set[str] = set()
    for position, name in enumerate(names or ()):
        here = f"{path}.nameServers[{position}]"
        if wrong := target_name_problem(name):
            yield Problem(here, wrong)
        canonical = name.rstrip(".").lower()
        if canonical in seen:
            yield Problem(here, f'"{name}" is listed twice')
        seen.add(canonical)


def data_problems(
    path: str, public: ProviderPublic | None, target: Target, contract: Contract | None
) -> tuple[Problem, ...]:
    """Check `<path>.provider.data` against the storage version; nothing to check while there is none."""
    storage = None if contract is None else contract.storage
    if storage is None or public is None or public.data is None:
        return ()
    found = size_problems({"data": public.data})
    if found:
        return all_at(f"{path}.provider", found)
    return all_at(f"{path}.provider.data", storage.status_data_problems(target, public.data))
