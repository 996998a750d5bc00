"""Contracts that are compiled once, and payloads that are converted by them."""

from libdnsapi.api.dns.provider import Provider
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.payloads import CompiledContracts
from tests.libdnsapi.contract.providers import document


def _provider(uid: str, generation: int) -> Provider:
    found = Provider.model_validate(document())
    metadata = found.metadata.model_copy(update={"uid": uid, "generation": generation})
    return found.model_copy(update={"metadata": metadata})


def test_a_contract_is_compiled_once_for_each_generation_of_a_provider() -> None:
    contracts = CompiledContracts(default_engine())
    first = contracts.of(_provider("u1", 1))
    assert contracts.of(_provider("u1", 1)) is first
    assert contracts.of(_provider("u1", 2)) is not first


def test_a_provider_that_was_made_again_under_its_name_is_compiled_anew() -> None:
    contracts = CompiledContracts(default_engine())
    first = contracts.of(_provider("u1", 1))
    assert contracts.of(_provider("u2", 1)) is not first
