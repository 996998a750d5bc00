"""One Provider generation, compiled once: its versions, and what each says about payloads, objects and pairs."""

from dataclasses import dataclass, field
from functools import cached_property

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.provider import Provider, ProviderVersion
from libdnsapi.api.meta import JsonObject
from libdnsapi.api.reasons import is_known
from libdnsapi.contract.cel.engine import CelEngine, CelProblem, Deadline, Program, unlimited
from libdnsapi.contract.environments import CONVERSION, OBJECT, PAIR
from libdnsapi.contract.nesting import nesting_problem
from libdnsapi.contract.rules import Rule, Switch, compiled_rules, compiled_switches
from libdnsapi.contract.schema.payload import PayloadSchema, SchemaError
from libdnsapi.contract.targets import CORE_REASONS, PAYLOAD_FIELDS, STATUS_DATA, Section, Target, section
from libdnsapi.dns.problems import Problem, all_at
from libdnsapi.dns.validations import ZoneUnitValidation


@dataclass(frozen=True, slots=True)
class TargetContract:
    """What one version says about one target, compiled. `flaws` names the schemas that cannot be used."""

    schemas: dict[str, PayloadSchema]
    flaws: dict[str, str]
    rules: tuple[Rule, ...]
    declared: Section
    conversion: Program | CelProblem | None

    def problems(self, name: str, value: JsonObject, owner: str) -> tuple[Problem, ...]:
        """Return what is wrong with one payload; without a schema only an empty one is taken."""
        if name in self.flaws:
            return (Problem("", f"cannot be checked: the schema of {owner} is broken: {self.flaws[name]}"),)
        if name in self.schemas:
            return self.schemas[name].problems(value)
        return (Problem("", f"{owner} takes none here"),) if value else ()


@dataclass(frozen=True)
class VersionContract:
    """One version of a Provider. Payloads are JSON objects of the fields that `PAYLOAD_FIELDS` lists."""

    declared: ProviderVersion
    provider_name: str
    targets: dict[Target, TargetContract]
    switches: tuple[Switch, ...] = ()
    pair_rules: tuple[Rule, ...] = ()
    pair_switches: tuple[Switch, ...] = ()
    pair_context: JsonObject = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What `provider.version` refers to."""
        return self.declared.name

    @property
    def served(self) -> bool:
        """Whether new objects and spec updates may refer to this version."""
        return self.declared.served

    @property
    def storage(self) -> bool:
        """Whether payloads are converted to this version."""
        return bool(self.declared.storage)

    @property
    def deprecated(self) -> bool:
        """Whether admission warns when this version is used."""
        return bool(self.declared.deprecated)

    @cached_property
    def supported_types(self) -> frozenset[RecordType]:
        """The record types that this version takes; none without a recordSet section."""
        return frozenset(self.declared.record_set.supported_types if self.declared.record_set else ())

    @property
    def has_zone_class(self) -> bool:
        """Whether the version declares ZoneClasses."""
        return Target.ZONE_CLASS in self.targets

    @property
    def has_zone(self) -> bool:
        """Whether the version declares Zones."""
        return Target.ZONE in self.targets

    @property
    def has_record_set(self) -> bool:
        """Whether the version declares RecordSets."""
        return Target.RECORD_SET in self.targets

    @property
    def title(self) -> str:
        """How messages call this version."""
        return f"Provider {self.provider_name} version {self.name}"

    def payload_problems(self, target: Target, payload: JsonObject) -> tuple[Problem, ...]:
        """Return what does not match this version's schemas; paths begin with the field, such as `options.alias`.

        An absent field is no problem, whatever its schema requires, except a ZoneClass's parameters, which count as {}.
        """
        found: list[Problem] = []
        for name in PAYLOAD_FIELDS[target]:
            value = payload.get(name)
            if value is None and target is Target.ZONE_CLASS:
                value = {}
            if value is not None:
                found.extend(self._field_problems(target, name, value))
        return tuple(found)

    def _field_problems(self, target: Target, name: str, value: object) -> tuple[Problem, ...]:
        if not isinstance(value, dict):
            return (Problem(name, "must be an object"),)
        if too_deep := nesting_problem(value):
            return (Problem(name, too_deep),)
        contract = self.targets.get(target)
        if contract is None:
            return (Problem(name, f"{self.title} declares no {target}"),) if value else ()
        return all_at(name, contract.problems(name, value, self.title))

    def with_defaults(self, target: Target, payload: JsonObject) -> JsonObject:
        """Return the payload with this version's schema defaults.

        An absent field appears if its schema has defaults that make it valid: an optional payload with required
        fields, such as an adoption, stays absent.
        """
        contract = self.targets.get(target)
        found: JsonObject = {name: value for name, value in payload.items() if value is not None}
        for name, schema in (contract.schemas if contract else {}).items():
            if name not in PAYLOAD_FIELDS[target] or not schema.has_defaults:
                continue
            value = schema.defaulted(found.get(name, {}))
            if name in found or (value and not schema.problems(value)):
                found[name] = value
        return found

    def rule_problems(self, target: Target, obj: JsonObject, deadline: Deadline = unlimited) -> tuple[Problem, ...]:
        """Return the messages of the rules that do not hold; `obj` is the whole object (metadata, spec, status)."""
        contract = self.targets.get(target)
        bindings: JsonObject = {"self": obj}
        messages = (rule.failure(bindings, deadline) for rule in (contract.rules if contract else ()))
        return tuple(Problem("spec", message) for message in messages if message is not None)

    def disabled_validations(self, record_set: JsonObject, deadline: Deadline = unlimited) -> frozenset[str]:
        """Return the core validations that this version switches off for this RecordSet (the whole object)."""
        bindings: JsonObject = {"self": record_set}
        return frozenset(switch.name for switch in self.switches if switch.is_on(bindings, deadline))

    def coexistence_allowed(
        self, self_item: JsonObject, other_item: JsonObject, zone: JsonObject, deadline: Deadline = unlimited
    ) -> bool:
        """Whether CNAME exclusivity is switched off for this pair, in either order: the order must not matter."""
        switches = [s for s in self.pair_switches if s.name == ZoneUnitValidation.FORBID_CNAME_COEXISTENCE]
        pairs = self._pairs(self_item, other_item, zone) if switches else ()
        return any(switch.is_on(bindings, deadline) for switch in switches for bindings in pairs)

    def pair_problems(
        self, self_item: JsonObject, other_item: JsonObject, zone: JsonObject, deadline: Deadline = unlimited
    ) -> tuple[Problem, ...]:
        """Return the messages of the pair rules that do not hold in both orders of two items with one owner name."""
        pairs = self._pairs(self_item, other_item, zone) if self.pair_rules else ()
        messages = (rule.failure(bindings, deadline) for rule in self.pair_rules for bindings in pairs)
        distinct = dict.fromkeys(message for message in messages if message is not None)
        return tuple(Problem("spec.name", message) for message in distinct)

    def _pairs(self, one: JsonObject, other: JsonObject, zone: JsonObject) -> tuple[JsonObject, JsonObject]:
        shared: JsonObject = {"zone": zone, **self.pair_context}
        return {"self": one, "other": other, **shared}, {"self": other, "other": one, **shared}

    def reason_is_known(self, target: Target, type_: str, status: str, reason: str) -> bool:
        """Whether a condition reason may stand with this type and status: the core table and this version's own."""
        if is_known(CORE_REASONS[target], type_, status, reason):
            return True
        contract = self.targets.get(target)
        own = contract.declared.reasons if contract else ()
        return any((r.condition_type, r.status, r.reason) == (type_, status, reason) for r in own)

    def status_data_problems(self, target: Target, data: JsonObject) -> tuple[Problem, ...]:
        """Return what does not match the schema of `status.provider.data`; paths are relative to it."""
        contract = self.targets.get(target)
        if contract is None:
            return (Problem("", f"{self.title} declares no {target}"),) if data else ()
        return contract.problems(STATUS_DATA, data, self.title)


@dataclass(frozen=True)
class Contract:
    """All versions of one Provider generation."""

    provider: Provider
    versions: dict[str, VersionContract]

    def version(self, name: str) -> VersionContract | None:
        """Return the version of that name, served or not."""
        return self.versions.get(name)

    @property
    def storage(self) -> VersionContract | None:
        """The storage version, or None while there is not exactly one."""
        found = self.provider.storage
        return self.versions.get(found.name) if found else None


def compile_contract(provider: Provider, engine: CelEngine) -> Contract:
    """Compile every schema, rule and conversion of a Provider. Never raises.

    What does not compile (it was admitted while the webhook was down) stays as something that never holds.
    """
    context: JsonObject = {"provider": provider.to_json()}
    if provider.storage is not None:
        context["toVersion"] = provider.storage.to_json()
    versions = {v.name: _version(v, provider.metadata.name, engine, context) for v in provider.spec.versions}
    return Contract(provider, versions)


def _version(version: ProviderVersion, provider_name: str, engine: CelEngine, context: JsonObject) -> VersionContract:
    sections = {target: section(version, target) for target in Target}
    record_set, unit = version.record_set, version.zone_unit
    return VersionContract(
        declared=version,
        provider_name=provider_name,
        targets={t: _target(t, declared, engine) for t, declared in sections.items() if declared is not None},
        switches=compiled_switches(record_set.disable_validations if record_set else (), engine, OBJECT),
        pair_rules=compiled_rules(unit.validation_rules if unit else (), engine, PAIR),
        pair_switches=compiled_switches(unit.disable_validations if unit else (), engine, PAIR),
        pair_context=context,
    )


def _target(target: Target, declared: Section, engine: CelEngine) -> TargetContract:
    schemas: dict[str, PayloadSchema] = {}
    flaws: dict[str, str] = {}
    for name, schema in declared.schemas.items():
        try:
            schemas[name] = PayloadSchema(schema)
        except SchemaError as error:
            flaws[name] = str(Problem(error.path, str(error)))
    cel = declared.to_storage.cel if declared.to_storage else None
    conversion = engine.compile(cel, CONVERSION[target]) if cel else None
    return TargetContract(schemas, flaws, compiled_rules(declared.rules, engine, OBJECT), declared, conversion)
