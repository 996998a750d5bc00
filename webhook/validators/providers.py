"""The Provider version that an object declares: is it there, is it served, does it cover the kind."""

from dataclasses import dataclass

from libdnsapi.api.dns.references import ProviderRef
from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import Contract, VersionContract
from libdnsapi.dns.problems import Problem
from webhook.validators.snapshot import Snapshot

PATH = "spec.provider"


@dataclass(frozen=True, slots=True)
class Declared:
    """What came of looking a version up: the version, or why there is none to be used, and warnings."""

    version: VersionContract | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


def declared_version(reference: ProviderRef, target: Target, snapshot: Snapshot) -> Declared:
    """Look a served version up for a kind whose payload it has to understand."""
    found = stored_version(reference, snapshot)
    version, contract = found.version, snapshot.contracts.get(reference.name)
    if version is None or contract is None:
        return found
    if not version.served:
        text = f'version "{version.name}" of Provider {reference.name} is not served; {_served(contract)}'
        return Declared(problems=(Problem(f"{PATH}.version", text),))
    if not covers(version, target):
        text = f'version "{version.name}" of Provider {reference.name} has no contract for the kind {target}'
        return Declared(problems=(Problem(f"{PATH}.version", text),))
    return Declared(version, warnings=_deprecation(reference, version, contract))


def stored_version(reference: ProviderRef, snapshot: Snapshot) -> Declared:
    """Look a version up, served or not: what a ledger may name."""
    contract = snapshot.contracts.get(reference.name)
    if contract is None:
        text = f'Provider "{reference.name}" does not exist; install the provider package first'
        return Declared(problems=(Problem(f"{PATH}.name", text),))
    version = contract.version(reference.version)
    if version is None:
        text = f'Provider {reference.name} has no version "{reference.version}"; {_served(contract)}'
        return Declared(problems=(Problem(f"{PATH}.version", text),))
    return Declared(version)


def covers(version: VersionContract, target: Target) -> bool:
    """Whether a version says anything about a kind."""
    match target:
        case Target.ZONE_CLASS:
            return version.has_zone_class
        case Target.ZONE:
            return version.has_zone
        case Target.RECORD_SET:
            return version.has_record_set


def _served(contract: Contract) -> str:
    names = [version.name for version in contract.provider.spec.versions if version.served]
    return f"served versions: {', '.join(names)}" if names else "it serves no version"


def _deprecation(reference: ProviderRef, version: VersionContract, contract: Contract) -> tuple[str, ...]:
    if not version.deprecated:
        return ()
    better = [v.name for v in contract.provider.spec.versions if v.served and not v.deprecated]
    hint = f"; use {', '.join(better)}" if better else ""
    return (f'version "{version.name}" of Provider {reference.name} is deprecated{hint}',)
