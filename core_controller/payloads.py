"""The Provider payloads of claims in the storage version.

A conversion that needs no webhook is computed; one that does is asked for through the ConversionClient, which caches
its answers.
"""

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import CelEngine
from libdnsapi.contract.conversion import ConversionClient, ConversionOutcome
from libdnsapi.contract.payloads import CompiledContracts, convert
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract


class Payloads:
    """Contracts by Provider, and the payloads of claims converted by them."""

    def __init__(self, engine: CelEngine, client: ConversionClient) -> None:
        """Start with nothing compiled."""
        self._client = client
        self._contracts = CompiledContracts(engine)

    def contract(self, provider: Provider) -> Contract:
        """Return the compiled contract of this very Provider generation."""
        return self._contracts.of(provider)

    async def of_zone(self, contract: Contract | None, zone: Zone) -> ConversionOutcome | None:
        """Return a Zone's {adoption} in the storage version; None where the Provider is not known."""
        if contract is None or contract.provider.metadata.name != zone.spec.provider.name:
            return None
        payload: JsonObject = {} if zone.spec.adoption is None else {"adoption": zone.spec.adoption}
        context: JsonObject = {"zone": zone_context(zone)}
        return await convert(self._client, contract, Target.ZONE, zone.spec.provider.version, payload, context)

    async def of_record_set(
        self, contract: Contract | None, claim: RecordSet, zone: Zone | None
    ) -> ConversionOutcome | None:
        """Return a RecordSet's {options, adoption} in the storage version; None where the Provider is not known."""
        if contract is None or contract.provider.metadata.name != claim.spec.provider.name:
            return None
        spec = claim.spec
        payload: JsonObject = {}
        if spec.options is not None:
            payload["options"] = spec.options
        if spec.adoption is not None:
            payload["adoption"] = spec.adoption
        context: JsonObject = {"recordSet": record_set_context(claim)}
        if zone is not None:
            context["zone"] = zone_context(zone)
        return await convert(self._client, contract, Target.RECORD_SET, spec.provider.version, payload, context)


def zone_context(zone: Zone) -> JsonObject:
    """Return what a conversion learns of a Zone."""
    meta = zone.metadata
    return {"namespace": meta.namespace, "name": meta.name, "domainName": zone.spec.domain_name}


def record_set_context(claim: RecordSet) -> JsonObject:
    """Return what a conversion learns of a RecordSet."""
    meta, spec = claim.metadata, claim.spec
    return {"namespace": meta.namespace, "name": meta.name, "recordName": spec.name, "type": spec.type.value}
