"""The items of a ZoneUnit or ZoneUnitSlice: keys, names, and what an item never changes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Protocol

from pydantic import JsonValue

from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.reasons import RECORD_SET_REASONS
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract
from libdnsapi.dns.names import record_name_problem
from libdnsapi.dns.problems import Problem
from webhook.documents import text_at, value_at
from webhook.validators import statuses
from webhook.validators.references import name_problem, namespace_problem

Identity = tuple[str, str]
"""Record name and type."""
MAX_PROBLEMS = 200
"""Problems of one ledger that are looked for; thousands of items may be wrong in the same way."""


class Keyed(Protocol):
    """Anything with the key of a claim."""

    @property
    def key(self) -> ObjectKey:
        """The claim's namespace and name."""
        ...


def enough(*found: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the first MAX_PROBLEMS of these problems, and look for no more."""
    return tuple(islice(chain(*found), MAX_PROBLEMS))


def item_problems(items: Sequence[RecordSetItem], old: JsonObject) -> Iterator[Problem]:
    """Yield what is wrong with spec.recordSets; `old` is the stored object, empty for a new one."""
    yield from key_problems("spec", items)
    before = _identities(value_at(old, "spec", "recordSets"))
    for position, item in enumerate(items):
        path = f"spec.recordSets[{position}]"
        yield from _name_problems(path, item)
        name, type_ = before.get(item.key, (item.name, item.type.value))
        if (name, type_) != (item.name, item.type.value):
            text = f"item {item.key} must keep its name and type ({name} {type_}); a new claim needs a new item"
            yield Problem(path, text)


def key_problems(path: str, items: Iterable[Keyed]) -> Iterator[Problem]:
    """Yield a problem for each key that stands twice in `<path>.recordSets`."""
    seen: set[ObjectKey] = set()
    for position, item in enumerate(items):
        if item.key in seen:
            yield Problem(f"{path}.recordSets[{position}]", f"item {item.key} stands twice")
        seen.add(item.key)


def item_status_problems(
    items: Sequence[RecordSetItemStatus], contract: Contract | None, declared: str
) -> Iterator[Problem]:
    """Yield what is wrong with status.recordSets, by the rules of a RecordSet's own status."""
    yield from key_problems("status", items)
    adds = statuses.additional_reasons(contract, Target.RECORD_SET, declared)
    for position, item in enumerate(items):
        path = f"status.recordSets[{position}]"
        yield from statuses.condition_problems(path, item.conditions, RECORD_SET_REASONS, None, adds)
        yield from statuses.data_problems(path, item.provider, Target.RECORD_SET, contract)


def _name_problems(path: str, item: RecordSetItem) -> Iterator[Problem]:
    checks = {
        "name": record_name_problem(item.name, item.type),
        "recordSetNamespace": namespace_problem(item.record_set_namespace),
        "recordSetName": name_problem(item.record_set_name),
    }
    for field, wrong in checks.items():
        if wrong:
            yield Problem(f"{path}.{field}", wrong)


def _identities(items: JsonValue) -> dict[ObjectKey, Identity]:
    """Read keys and identities of stored items, whatever else is in them."""
    return {
        ObjectKey(text_at(item, "recordSetNamespace"), text_at(item, "recordSetName")): (
            text_at(item, "name"),
            text_at(item, "type"),
        )
        for item in (items if isinstance(items, list) else [])
    }
