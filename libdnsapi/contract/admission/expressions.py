"""CEL of a Provider: every rule compiles where it will run, and is bool by its static type."""

from collections.abc import Iterator, Sequence

from libdnsapi.api.dns.provider import DisableValidation, ValidationRule
from libdnsapi.contract.cel.engine import CelEngine, CelProblem, Environment
from libdnsapi.dns.problems import Problem


def rule_problems(rules: Sequence[ValidationRule], engine: CelEngine, environment: Environment) -> Iterator[Problem]:
    """Yield findings about validationRules."""
    for index, rule in enumerate(rules):
        problem = bool_problem(rule.rule, engine, environment)
        if problem is not None:
            yield Problem(f"validationRules[{index}].rule", problem)


def switch_problems(
    switches: Sequence[DisableValidation], known: frozenset[str], engine: CelEngine, environment: Environment
) -> Iterator[Problem]:
    """Yield findings about disableValidations; `known` are the names that can be switched off here."""
    for index, switch in enumerate(switches):
        if switch.name not in known:
            names = ", ".join(sorted(known))
            yield Problem(f"disableValidations[{index}].name", f"cannot be disabled; what can: {names}")
        problem = bool_problem(switch.when, engine, environment)
        if problem is not None:
            yield Problem(f"disableValidations[{index}].when", problem)


def bool_problem(expression: str, engine: CelEngine, environment: Environment) -> str | None:
    """Say why an expression is no rule; None where it is bool by its static type."""
    program = engine.compile(expression, environment)
    if isinstance(program, CelProblem):
        return f"does not compile: {program}"
    if program.result_type == "bool":
        return None
    hint = ": compare it, such as self.spec.x == true" if program.result_type == "dyn" else ""
    return f"must be bool by its static type, this is {program.result_type}{hint}"
