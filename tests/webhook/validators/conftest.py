"""The compiled test Provider, once for all rule tests."""

import pytest

from libdnsapi.api.dns.provider import Provider
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from tests.webhook.objects import CORE, PROVIDER, provider
from webhook.validators.snapshot import Snapshot


@pytest.fixture(scope="session")
def snapshot() -> Snapshot:
    """What is known when only the Provider is installed."""
    contract = compile_contract(Provider.model_validate(provider()), InterpretingEngine())
    return Snapshot(
        contracts={PROVIDER: contract},
        controllers=frozenset({CORE}),
        ledger_writers=frozenset({"system:masters", "restorer"}),
    )
