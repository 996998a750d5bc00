"""One version of a Provider: names, identity, record types, and the parts that have checks of their own."""

from collections.abc import Iterator

from libdnsapi.api.dns.provider import ProviderVersion
from libdnsapi.contract.admission.conversions import conversion_problems
from libdnsapi.contract.admission.expressions import rule_problems, switch_problems
from libdnsapi.contract.admission.reasons import reason_problems
from libdnsapi.contract.admission.schemas import schema_problems
from libdnsapi.contract.cel.engine import CelEngine
from libdnsapi.contract.environments import OBJECT, PAIR
from libdnsapi.contract.targets import SECTIONS, Target, section
from libdnsapi.dns.problems import Problem, all_at
from libdnsapi.dns.validations import RecordSetValidation, ZoneUnitValidation


def version_problems(version: ProviderVersion, storage: ProviderVersion | None, engine: CelEngine) -> Iterator[Problem]:
    """Yield every finding about one version; `storage` is the Provider's storage version where there is one."""
    yield from _name_problems(version)
    yield from _identity_problems(version)
    yield from _type_problems(version)
    for target in Target:
        yield from all_at(SECTIONS[target], _target_problems(version, target, engine))
        yield from all_at(SECTIONS[target], conversion_problems(version, storage, target, engine))
    yield from _record_set_problems(version, engine)
    yield from _unit_problems(version, engine)


def _name_problems(version: ProviderVersion) -> Iterator[Problem]:
    if not version.name.strip():
        yield Problem("name", "must not be blank")


def _identity_problems(version: ProviderVersion) -> Iterator[Problem]:
    if version.identity is None:
        return
    resource = version.identity.resource
    for name, value in (("group", resource.group), ("kind", resource.kind)):
        if not value.strip():
            yield Problem(f"identity.resource.{name}", "must not be blank")
    if resource.scope != "Namespaced":
        yield Problem("identity.resource.scope", "must be Namespaced")


def _type_problems(version: ProviderVersion) -> Iterator[Problem]:
    types = version.record_set.supported_types if version.record_set else ()
    for index, type_ in enumerate(types):
        if type_ in types[:index]:
            yield Problem(f"recordSet.supportedTypes[{index}]", f"repeats {type_}")


def _target_problems(version: ProviderVersion, target: Target, engine: CelEngine) -> Iterator[Problem]:
    declared = section(version, target)
    if declared is None:
        return
    yield from schema_problems(declared.schemas)
    yield from rule_problems(declared.rules, engine, OBJECT)
    yield from reason_problems(declared.reasons, target)


def _record_set_problems(version: ProviderVersion, engine: CelEngine) -> Iterator[Problem]:
    if version.record_set is not None:
        known = frozenset(RecordSetValidation)
        yield from all_at("recordSet", switch_problems(version.record_set.disable_validations, known, engine, OBJECT))


def _unit_problems(version: ProviderVersion, engine: CelEngine) -> Iterator[Problem]:
    if version.zone_unit is not None:
        known = frozenset(ZoneUnitValidation)
        yield from all_at("zoneUnit", switch_problems(version.zone_unit.disable_validations, known, engine, PAIR))
        yield from all_at("zoneUnit", rule_problems(version.zone_unit.validation_rules, engine, PAIR))
