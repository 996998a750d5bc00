"""Conversion declarations: who needs one, exactly one strategy, and whether it can work."""

import base64
import binascii
from collections.abc import Iterator

from libdnsapi.api.dns.provider import ConversionWebhook, ProviderVersion, ToStorage
from libdnsapi.contract.cel.engine import CelEngine, CelProblem
from libdnsapi.contract.environments import CONVERSION
from libdnsapi.contract.targets import PAYLOAD_FIELDS, Target, section
from libdnsapi.dns.problems import Problem, all_at

PATH = "conversion.toStorage"
_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"


def conversion_problems(
    version: ProviderVersion, storage: ProviderVersion | None, target: Target, engine: CelEngine
) -> Iterator[Problem]:
    """Yield findings about one target's conversion in one version."""
    declared = section(version, target)
    strategy = declared.to_storage if declared else None
    if strategy is not None:
        yield from all_at(PATH, _strategy_problems(strategy, target, engine))
    elif storage is not None and _needs_conversion(version, storage, target):
        yield Problem(PATH, f"is required: a served version must convert its {target} payload to {storage.name}")


def _needs_conversion(version: ProviderVersion, storage: ProviderVersion, target: Target) -> bool:
    if not version.served or version.storage:
        return False
    return _has_payload(version, target) or _has_payload(storage, target)


def _has_payload(version: ProviderVersion, target: Target) -> bool:
    declared = section(version, target)
    return declared is not None and any(name in declared.schemas for name in PAYLOAD_FIELDS[target])


def _strategy_problems(strategy: ToStorage, target: Target, engine: CelEngine) -> Iterator[Problem]:
    if (strategy.cel is None) == (strategy.webhook is None):
        yield Problem("", "exactly one of cel and webhook must be set")
    if strategy.cel is not None:
        yield from _cel_problems(strategy.cel, target, engine)
    if strategy.webhook is not None:
        yield from all_at("webhook", _webhook_problems(strategy.webhook))


def _cel_problems(expression: str, target: Target, engine: CelEngine) -> Iterator[Problem]:
    program = engine.compile(expression, CONVERSION[target])
    if isinstance(program, CelProblem):
        yield Problem("cel", f"does not compile: {program}")
    elif program.result_type != "dyn" and not program.result_type.startswith("map("):
        yield Problem("cel", f"must give an object, this is {program.result_type}")


def _webhook_problems(webhook: ConversionWebhook) -> Iterator[Problem]:
    service = webhook.client_config.service
    for name, value in (("namespace", service.namespace), ("name", service.name)):
        if not value.strip():
            yield Problem(f"clientConfig.service.{name}", "must not be blank")
    if service.path is not None and not service.path.startswith("/"):
        yield Problem("clientConfig.service.path", 'must start with "/"')
    if not _is_bundle(webhook.client_config.ca_bundle):
        yield Problem("clientConfig.caBundle", "must be base64 of PEM certificates")


def _is_bundle(text: str | None) -> bool:
    try:
        return _CERTIFICATE in base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return False
