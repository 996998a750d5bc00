"""ZoneClass parameters in the Provider's storage version: read by the controllers of classes and of zones alike.

Conversions by webhook are cached by the client.
"""

from dataclasses import dataclass

from pydantic import ValidationError

from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.meta import JsonObject, unfit_fields
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneClassParameters
from libdnsapi.contract.cel.engine import CelEngine
from libdnsapi.contract.conversion import (
    ConversionClient,
    ConversionFailed,
    ConversionOutcome,
    ConversionUnavailable,
    Converted,
    InvalidPayload,
    StorageNotResolved,
)
from libdnsapi.contract.payloads import CompiledContracts, convert
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract, VersionContract


@dataclass(frozen=True, slots=True)
class ParametersProblem:
    """Why a class has no usable parameters, as its Accepted condition says it.

    `retry` says that time may mend it and no event will tell.
    """

    status: ConditionStatus
    reason: Reason
    message: str
    retry: bool = False


Parameters = ZoneClassParameters | ParametersProblem


class ClassParameters:
    """Reads parameters.

    `provider_name` and `storage_version` are what this controller implements (start-up settings).
    """

    def __init__(
        self, engine: CelEngine, conversions: ConversionClient, *, provider_name: str, storage_version: str
    ) -> None:
        """Start with nothing compiled."""
        self._contracts = CompiledContracts(engine)
        self._conversions = conversions
        self._provider_name = provider_name
        self._storage_version = storage_version

    async def read(self, zone_class: ZoneClass, provider: Provider | None) -> Parameters:
        """Return a class's parameters in the storage version, or why there are none.

        `provider` is the cached Provider that the class names, None where there is none.
        """
        named = zone_class.spec.provider
        if named.name != self._provider_name:
            return _invalid(Reason.INVALID_PROVIDER, f"this controller implements the Provider {self._provider_name}")
        if provider is None:
            return _unresolved(f"the Provider {named.name} does not exist")
        contract = self._contracts.of(provider)
        problem = self._version_problem(contract, named.version)
        if problem is not None:
            return problem
        return parameters_of(await self._converted(contract, zone_class))

    def _version_problem(self, contract: Contract, version: str) -> ParametersProblem | None:
        name = contract.provider.metadata.name
        if contract.version(version) is None:
            return _invalid(Reason.INVALID_PROVIDER, f"the Provider {name} has no version {version}")
        if contract.storage is None:
            return _unresolved(f"the Provider {name} has no single storage version")
        if contract.storage.name != self._storage_version:
            return _unresolved(
                f"the storage version of the Provider {name} is {contract.storage.name}; this controller reads "
                f"{self._storage_version}"
            )
        return None

    async def _converted(self, contract: Contract, zone_class: ZoneClass) -> ConversionOutcome:
        meta, spec = zone_class.metadata, zone_class.spec
        payload: JsonObject = {"parameters": spec.parameters}
        context: JsonObject = {"zoneClass": {"namespace": meta.namespace, "name": meta.name}}
        version = spec.provider.version
        return await convert(self._conversions, contract, Target.ZONE_CLASS, version, payload, context)

    def version(self, provider: Provider, name: str) -> VersionContract | None:
        """Return one compiled version of a Provider."""
        return self._contracts.of(provider).version(name)


def parameters_of(outcome: ConversionOutcome) -> Parameters:
    """Read what a conversion gave; pure."""
    match outcome:
        case Converted(payload=payload):
            return _parsed(payload)
        case InvalidPayload(message=message) | ConversionFailed(message=message):
            return _invalid(Reason.INVALID_PARAMETERS, message)
        case ConversionUnavailable(message=message):
            return ParametersProblem(ConditionStatus.UNKNOWN, Reason.RECONCILE_ERROR, message, retry=True)
        case StorageNotResolved(message=message):
            return _unresolved(message)


def _parsed(payload: JsonObject) -> Parameters:
    try:
        return ZoneClassParameters.model_validate(payload.get("parameters") or {})
    except ValidationError as error:
        where = ", ".join(unfit_fields(error))
        return _invalid(Reason.INVALID_PARAMETERS, f"spec.parameters: not understood in the storage version: {where}")


def _invalid(reason: Reason, message: str) -> ParametersProblem:
    return ParametersProblem(ConditionStatus.FALSE, reason, message)


def _unresolved(message: str) -> ParametersProblem:
    return ParametersProblem(ConditionStatus.UNKNOWN, Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED, message)
