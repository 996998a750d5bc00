"""What a controller does with contracts: compile each once, and convert payloads by them.

The webhook keeps compiled contracts of its own, by version of the cached object, for it also asks the API server.
"""

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import CelEngine
from libdnsapi.contract.conversion import (
    ConversionClient,
    ConversionOutcome,
    WebhookCall,
    converted,
    plan_conversion,
)
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract, compile_contract


class CompiledContracts:
    """The contract of each Provider, compiled once for each generation of it."""

    def __init__(self, engine: CelEngine) -> None:
        """Start with nothing compiled."""
        self._engine = engine
        self._by_name: dict[str, tuple[str, int, Contract]] = {}

    def of(self, provider: Provider) -> Contract:
        """Return the compiled contract of this very Provider (by uid) and generation. Never raises."""
        meta = provider.metadata
        known = self._by_name.get(meta.name)
        if known is not None and known[:2] == (meta.uid, meta.generation):
            return known[2]
        compiled = compile_contract(provider, self._engine)
        self._by_name[meta.name] = (meta.uid, meta.generation, compiled)
        return compiled


async def convert(
    client: ConversionClient, contract: Contract, target: Target, version: str, payload: JsonObject, context: JsonObject
) -> ConversionOutcome:
    """Convert a payload to the storage version, by a call of the client where a webhook does it.

    `version` is the one that the payload is written for; `payload` and `context` are as `plan_conversion` takes them.
    What goes wrong, at the service or on the way to it, is in the outcome.
    """
    planned = plan_conversion(contract, target, version, payload, context)
    return await converted(client, planned) if isinstance(planned, WebhookCall) else planned
