"""Compiled Provider contracts: each compiled once per version of its object, found in the cache or asked for live.

A cache lags behind. Someone who installs a Provider and, in the same breath, a ZoneClass must not be refused, so a
Provider or a served version that the cache does not show is looked for in the API server before anything is refused.
"""

from collections.abc import Callable

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.meta import ObjectKey
from libdnsapi.contract.versions import Contract
from libdnsapi.runtime.errors import KubernetesError, NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store

Compile = Callable[[Provider], Contract]


class Contracts:
    """Contracts by Provider name."""

    def __init__(self, client: Kubernetes, store: Store[Provider], compile_: Compile) -> None:
        """Keep where Providers come from; nothing is compiled yet."""
        self._client = client
        self._store = store
        self._compile = compile_
        self._compiled: dict[str, tuple[int, Contract]] = {}

    def cached(self, name: str) -> Contract | None:
        """Return the contract that the cache shows, None where it shows none."""
        key = ObjectKey("", name)
        provider = self._store.fitting(key)
        if provider is None:
            self._compiled.pop(name, None)
            return None
        version = self._store.version(key)
        known = self._compiled.get(name)
        if known is None or known[0] != version:
            known = self._compiled[name] = (version, self._compile(provider))
        return known[1]

    async def current(self, name: str, version: str) -> Contract | None:
        """Return a contract that serves this version if there is one at all, else what is known now."""
        contract = self.cached(name)
        found = None if contract is None else contract.version(version)
        if not name or (found is not None and found.served):
            return contract
        await self._refresh(ObjectKey("", name))
        return self.cached(name)

    async def _refresh(self, key: ObjectKey) -> None:
        """Take the live object into the cache; while the API server cannot say, the cache stands."""
        try:
            self._store.observe(await self._client.get(PROVIDERS, key))
        except NotFoundError:
            self._store.forget(key)
        except KubernetesError:
            return
