"""Compiled CEL rules: what they say about an object, and what they say when they fail to say it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from libdnsapi.api.dns.provider import DisableValidation, ValidationRule
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import CelEngine, CelProblem, CelValue, Deadline, Environment, Program


@dataclass(frozen=True, slots=True)
class Rule:
    """One validation rule; without a program (it does not compile) it never holds."""

    message: str
    program: Program | None
    flaw: str = ""

    def failure(self, bindings: JsonObject, deadline: Deadline) -> str | None:
        """Return None where the rule holds, else its message, with the reason where it could not be evaluated."""
        if self.program is None:
            return f"{self.message} (the Provider's rule cannot be used: {self.flaw})"
        result = self.program.evaluate(bindings, deadline)
        if isinstance(result, CelValue):
            return None if result.value is True else self.message
        return f"{self.message} (the rule could not be evaluated: {result.message})"


@dataclass(frozen=True, slots=True)
class Switch:
    """Turns the validation `name` off where its expression holds; a failing one leaves it on."""

    name: str
    program: Program | None

    def is_on(self, bindings: JsonObject, deadline: Deadline) -> bool:
        """Whether the expression holds."""
        if self.program is None:
            return False
        result = self.program.evaluate(bindings, deadline)
        return isinstance(result, CelValue) and result.value is True


def compiled_rules(rules: Iterable[ValidationRule], engine: CelEngine, environment: Environment) -> tuple[Rule, ...]:
    """Compile validation rules; one that does not compile is kept and never holds."""
    return tuple(_rules(rules, engine, environment))


def _rules(rules: Iterable[ValidationRule], engine: CelEngine, environment: Environment) -> Iterator[Rule]:
    for rule in rules:
        message = rule.message or f"must satisfy the rule {rule.rule}"
        found = engine.compile(rule.rule, environment)
        if isinstance(found, CelProblem):
            yield Rule(message, None, str(found))
        else:
            yield Rule(message, found)


def compiled_switches(
    switches: Iterable[DisableValidation], engine: CelEngine, environment: Environment
) -> tuple[Switch, ...]:
    """Compile disableValidations; one that does not compile switches nothing off."""
    compiled = ((s.name, engine.compile(s.when, environment)) for s in switches)
    return tuple(Switch(name, None if isinstance(found, CelProblem) else found) for name, found in compiled)
