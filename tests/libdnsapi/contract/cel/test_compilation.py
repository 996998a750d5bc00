"""What is refused when an expression is compiled, and which static types come out."""

import pytest

from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.cel.engine import CelProblem, Environment

SELF = Environment(("self",))


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("self", "dyn"),
        ("self.spec.x", "dyn"),
        ("self.spec.x == 1", "bool"),
        ("has(self.spec.x)", "bool"),
        ("!self.enabled", "bool"),
        ("self.a && self.b", "bool"),
        ("self.xs.all(x, x > 1)", "bool"),
        ("self.xs.exists_one(i, x, x > i)", "bool"),
        ("self.xs.filter(x, x > 1)", "list(dyn)"),
        ("self.xs.map(x, string(x))", "list(string)"),
        ("[1, 2]", "list(int)"),
        ("[1, 'a']", "list(dyn)"),
        ("{'a': 1}", "map(string, int)"),
        ("{'a': 1}.a", "int"),
        ("[1, 2][0]", "int"),
        ("[1, 2] + [3]", "list(int)"),
        ("self.n * 2", "int"),
        ("self.n + self.m", "dyn"),
        ("'a' + self.s", "string"),
        ("self.test ? 1 : 2", "int"),
        ("self.test ? 1 : self.n", "dyn"),
        ("self.s.matches('^a')", "bool"),
        ("self.?a.?b", "optional(dyn)"),
        ("self.?a.orValue('x')", "dyn"),
        ("optional.of('x').orValue('y')", "string"),
        ("size(self.xs)", "int"),
        ("type(self)", "type"),
        ("timestamp(self.t) - timestamp(self.u)", "duration"),
        ("[3, 1].max()", "int"),
        ("self.xs.transformMap(k, v, v)", "map(string, dyn)"),
    ],
)
def test_the_static_type_is_told_from_operators_macros_and_signatures(expression: str, type_: str) -> None:
    program = default_engine().compile(expression, SELF)

    assert not isinstance(program, CelProblem), str(program)
    assert program.result_type == type_


@pytest.mark.parametrize(
    ("expression", "position", "part"),
    [
        ("", 0, "syntax error"),
        ("self.a +", 7, "syntax error"),
        ("self.a\n  == )", 12, "syntax error"),
        ("other.a", 0, "undeclared reference to other"),
        ("selff == 1", 0, "undeclared reference to selff"),
        ("nosuch(self)", 0, "there is no function nosuch"),
        ("self.a.nosuch()", 0, "there is no function nosuch"),
        ("'a'.lowerAscii(1)", 0, "there is no function lowerAscii(int) on string"),
        ("1 + 'a'", 0, "no operator + for int and string"),
        ("1 == 1.0", 0, "no operator == for int and double"),
        ("1 == 'a'", 0, "no operator == for int and string"),
        ("'a' < 1", 0, "no operator < for string and int"),
        ("1 && self.a", 0, "&& needs bool, this is int"),
        ("!1", 0, "! needs bool, this is int"),
        ("-'a'", 0, "- needs a number, this is string"),
        ("self.a ? 1 : 'b'", 13, "the branches have types int and string"),
        ("1 ? 2 : 3", 0, "a condition needs bool"),
        ("'a'.b", 0, "type string has no fields"),
        ("1[0]", 0, "type int has no elements"),
        ("[1]['a']", 4, "list has no index of type string"),
        ("has(self)", 4, "has() needs a field"),
        ("[1].all(1, true)", 8, "a macro's variable must be a plain name"),
        ("[1].all(x, x)", 11, "this must be bool, it is int"),
        ("'a'.all(x, true)", 0, "walks over lists and maps, this is string"),
        ("[1].all(x, x, true)", 0, "needs two different variables"),
        ("{1: 2}", 1, "the keys of a map must be strings"),
        ("self.s.matches('(')", 15, "not valid RE2"),
        ("self.s.matches('(?=a)')", 15, "not valid RE2"),
        ("9223372036854775808", 0, "does not fit into 64 bits"),
        ("18446744073709551616u", 0, "does not fit into 64 bits"),
        ("'\\q'", 0, "the escape \\q is not known"),
        ("'abc", 0, "a string is not terminated"),
        ("'a\nb'", 0, "a string is not terminated"),
        (r"r'a\'", 3, "a raw string must not end with a backslash"),
        ("Message{a: 1}", 0, "messages are not supported"),
        ("self.?a()", 6, "an optional mark stands before fields only"),
        ("[?1]", 2, "an optional mark needs an optional value"),
        ("omit()", 0, "there is no function omit"),
        ("self.t.getHours('Europe/Berlin')", 0, "there is no function getHours"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(expression: str, position: int, part: str) -> None:
    problem = default_engine().compile(expression, SELF)

    assert isinstance(problem, CelProblem)
    assert part in problem.message
    assert problem.position == position


def test_a_problem_reads_with_its_place_counted_from_one() -> None:
    assert str(CelProblem(4, "syntax error")) == "syntax error (at character 5)"


def test_a_conversion_knows_omit() -> None:
    program = default_engine().compile("{'a': omit()}", Environment(("self",), omit=True))

    assert not isinstance(program, CelProblem)
    assert program.result_type == "map(string, dyn)"
