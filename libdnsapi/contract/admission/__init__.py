"""Admission of a Provider: everything that one Provider object alone decides (provider-contract page)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue, ValidationError

from libdnsapi.api.dns.provider import Display, ProviderVersion
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.admission.shape import shape_problems
from libdnsapi.contract.admission.version import version_problems
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.cel.engine import CachingEngine, CelEngine
from libdnsapi.dns.problems import Problem, all_at

MAX_WORDS = 2500
"""Words and signs of CEL in one Provider, equal expressions counted once: compiling takes 20 to 35 µs for each.

Six times what the Route 53 Provider has, and little enough to be compiled while an API server waits.
"""
_WORD = re.compile(r"\w+|[^\w\s]")


def provider_problems(provider: JsonObject, engine: CelEngine | None = None) -> tuple[Problem, ...]:
    """Return every finding about a Provider as it was sent; paths begin with `spec`.

    The expressions are compiled in the environments that they will run in. Never raises, whatever the document is.
    """
    spec = provider.get("spec")
    if not isinstance(spec, dict):
        return (Problem("spec", "is required"),)
    return all_at("spec", _spec_problems(spec, CachingEngine(engine or default_engine())))


def _spec_problems(spec: JsonObject, engine: CelEngine) -> Iterator[Problem]:
    yield from _display_problems(spec.get("display"))
    versions = spec.get("versions")
    if not isinstance(versions, list) or not versions:
        yield Problem("versions", "must list at least one version")
        return
    yield from _set_problems(versions)
    if (words := _words(set(_expressions(versions)))) > MAX_WORDS:
        yield Problem("versions", f"must not have more than {MAX_WORDS} words and signs of CEL in all, has {words}")
        return
    parsed = [_parsed(version) for version in versions]
    valid = [v for v in parsed if isinstance(v, ProviderVersion)]
    storage = next((v for v in valid if v.storage), None)
    for index, version in enumerate(parsed):
        found = version_problems(version, storage, engine) if isinstance(version, ProviderVersion) else version
        yield from all_at(f"versions[{index}]", found)


def _expressions(value: JsonValue) -> Iterator[str]:
    """Yield every CEL text of a document: those of rule, when and cel."""
    if isinstance(value, list):
        for item in value:
            yield from _expressions(item)
    if isinstance(value, dict):
        yield from (text for key in ("rule", "when", "cel") if isinstance(text := value.get(key), str))
        for item in value.values():
            yield from _expressions(item)


def _words(expressions: Iterable[str]) -> int:
    return sum(len(_WORD.findall(text)) for text in expressions)


def _display_problems(display: JsonValue) -> Iterator[Problem]:
    try:
        found = Display.model_validate(display)
    except ValidationError as error:
        yield from all_at("display", shape_problems(error))
        return
    if not found.name.strip():
        yield Problem("display.name", "must not be blank")


def _parsed(version: JsonValue) -> ProviderVersion | tuple[Problem, ...]:
    """Return the version, or what is wrong with its shape; the other versions are checked all the same."""
    try:
        return ProviderVersion.model_validate(version)
    except ValidationError as error:
        return shape_problems(error)


def _set_problems(versions: Sequence[JsonValue]) -> Iterator[Problem]:
    """Yield what is wrong between the versions: names that repeat, and the number of storage versions."""
    objects = [v if isinstance(v, dict) else {} for v in versions]
    seen: set[str] = set()
    for index, version in enumerate(objects):
        name = version.get("name")
        if isinstance(name, str) and name in seen:
            yield Problem(f"versions[{index}].name", f'repeats the version name "{name}"')
        seen |= {name} if isinstance(name, str) else set()
    storage = [i for i, version in enumerate(objects) if version.get("storage") is True]
    if not storage:
        yield Problem("versions", "exactly one version must have storage: true, none has")
    for index in storage[1:]:
        yield Problem(f"versions[{index}].storage", "exactly one version may have storage: true")
