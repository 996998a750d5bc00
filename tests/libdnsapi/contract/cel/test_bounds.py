"""Evaluation and compilation end in bounded time, whatever a Provider brings (case 86)."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.cel.engine import CelFailure, CelProblem, CelValue, Environment
from tests.yardstick import Stopwatch

SELF = Environment(("self",))
NUMBERS: JsonObject = {"xs": list(range(1000)), "s": "a" * 20_000, "text": "x"}
TRIPLE = "self.xs.all(a, self.xs.all(b, self.xs.all(c, a + b + c >= 0)))"


@pytest.mark.spec("PC-AD-014")
@pytest.mark.parametrize(
    "expression",
    [
        TRIPLE,
        f"({TRIPLE}) || true",
        f"true || ({TRIPLE}) && ({TRIPLE})",
        "self.xs.map(a, self.xs.map(b, self.xs.map(c, c))).size() > 0",
        "self.xs.exists(a, self.xs.exists(b, [a, b] == [self.xs, self.xs]))",
        "self.xs.all(a, self.s.matches('a*b') == false)",
        "lists.range(100000000).size() > 0",
        "[self.s + self.s].map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x)[0].size() > 0",
        "self.s.replace('', self.s).size() > 0",
        "self.xs.map(x, self.s).join(self.s).size() > 0",
        "self.xs.map(x, self.s).map(x, self.xs.map(y, x)).size() > 0",
        "sets.contains(self.xs, self.xs)",
        "self.xs.map(x, self.xs.distinct()).size() > 0",
    ],
)
def test_a_rule_with_very_much_work_is_cut_off(expression: str) -> None:
    """Case 86."""
    program = default_engine().compile(expression, SELF)
    assert not isinstance(program, CelProblem), str(program)

    with Stopwatch() as watch:
        result = program.evaluate({"self": NUMBERS})

    assert isinstance(result, CelFailure) or expression.startswith("true ||")
    assert not isinstance(result, CelFailure) or result.stopped
    assert watch.seconds < 2


@pytest.mark.spec("PC-AD-014")
def test_the_callers_deadline_ends_an_evaluation() -> None:
    """Case 86."""
    program = default_engine().compile("self.xs.all(a, self.xs.all(b, a >= 0)) || true", SELF)
    assert not isinstance(program, CelProblem)
    asked = itertools.count()

    result = program.evaluate({"self": NUMBERS}, lambda: next(asked) >= 3)

    assert result == CelFailure("the expression took too long", stopped=True)
    assert next(asked) == 4


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 5000,
        "[" * 41 + "]" * 41,
        "!" * 5000 + "self",
        "-" * 5000 + "1",
        "self" + ".a" * 5000,
        "self" + "[0]" * 3000,
        "+".join(["self.a"] * 1400),
        "self.a ? 1 : " * 700 + "2",
        '"' + "\\a" * 5000,
        "'" + "\\" * 5001,
        "a" * 20_000,
        "[" + ",".join(["1"] * 4000) + "]",
        "1" * 10_000,
    ],
)
def test_hostile_text_is_refused_at_once(expression: str) -> None:
    with Stopwatch() as watch:
        problem = default_engine().compile(expression, SELF)

    assert isinstance(problem, CelProblem)
    assert watch.seconds < 1


def test_a_long_chain_of_one_logical_operator_is_fine() -> None:
    expression = " || ".join(f"self.text == 'v{i}'" for i in range(300)) + " || self.text == 'x'"
    program = default_engine().compile(expression, SELF)

    assert not isinstance(program, CelProblem)
    assert program.evaluate({"self": NUMBERS}) == CelValue(True)


PIECES = (
    *"[](){}?:!-+< ",
    *("self", ".a", ".?b", "[0]", "[?", "'x'", '"', "\\", "1", "1u", "2.5", "\n", "//", "&&", "||", "==", " in "),
    *("has(", ".all(x, x)", "r'", "b'", "true", "null", "\u00e9"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_compiles_or_is_refused_and_runs_or_fails_but_never_raises(expression: str) -> None:
    program = default_engine().compile(expression, SELF)
    if isinstance(program, CelProblem):
        assert 0 <= program.position <= len(expression)
    else:
        assert isinstance(program.evaluate({"self": {"a": [1, "x"]}}), CelValue | CelFailure)
