"""Values: what expressions give, function by function."""

import pytest
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.cel.engine import CelFailure, CelProblem, CelValue, Environment

SELF: JsonObject = {
    "a": 1,
    "f": 1.5,
    "big": 2**63,
    "s": "text",
    "none": None,
    "yes": True,
    "xs": [1, 2, 3],
    "words": ["b", "a"],
    "map": {"k": "v", "n": 2},
    "nested": {"deep": {"x": 7}},
}


def value_of(expression: str) -> JsonValue:
    program = default_engine().compile(expression, Environment(("self", "absent"), omit=True))
    assert not isinstance(program, CelProblem), str(program)
    result = program.evaluate({"self": SELF})
    assert isinstance(result, CelValue), str(result)
    return result.value


def failure_of(expression: str) -> str:
    program = default_engine().compile(expression, Environment(("self", "absent"), omit=True))
    assert not isinstance(program, CelProblem), str(program)
    result = program.evaluate({"self": SELF})
    assert isinstance(result, CelFailure), str(result)
    return result.message


TRUE = [
    # logic absorbs errors
    "self.nope == 1 || true",
    "!(self.nope == 1 && false)",
    "self.xs.exists(x, x == 3 || self.nope)",
    "!self.xs.all(x, x < 3 && (x > 1 || self.nope))",
    # equality and order across types
    "self.a == 1.0 && self.a != 1.5 && dyn(1u) == self.a && self.f == dyn(1.5)",
    "self.yes != self.a && self.s != self.none && self.none == null",
    "self.xs == [1, 2, 3] && self.xs != [1, 2] && self.map == {'k': 'v', 'n': 2.0}",
    "self.a < 2.5 && self.a <= 1u && 'a' < 'b' && b'a' < b'b' && false < true",
    "double('NaN') != double('NaN') && !has(self.a.k) && !self.a.?k.hasValue()",
    # arithmetic
    "7 / -2 == -3 && -7 % 3 == -1 && 7u / 2u == 3u && 7.0 / 2.0 == 3.5",
    "1.0 / 0.0 > 1.0 && -9223372036854775808 < 0 && 0x10 == 16",
    "self.xs + [4] == [1, 2, 3, 4] && b'a' + b'b' == b'ab'",
    # membership and presence
    "2 in self.xs && !(9 in self.xs) && 'k' in self.map && self.s in ['text']",
    "has(self.none) && !has(self.nope) && has(self.nested.deep.x)",
    # macros
    "self.xs.exists_one(x, x == 2) && !self.xs.exists_one(x, x > 1)",
    "self.map.all(k, v, k in ['k', 'n']) && self.map.exists(k, v, v == 2)",
    "self.xs.map(x, x > 1, x * 2) == [4, 6] && self.map.map(k, k) == ['k', 'n']",
    "self.xs.transformList(i, v, v > 1, i) == [1, 2]",
    "self.map.transformMap(k, v, k == 'k', v + '!') == {'k': 'v!'}",
    "self.map.transformMapEntry(k, v, {k + k: v}) == {'kk': 'v', 'nn': 2}",
    "self.words.sortBy(w, w) == ['a', 'b'] && self.xs.existsOne(i, v, i == v - 1) == false",
    # optionals
    "self.?nope.?deeper.orValue(5) == 5 && self.?nested.deep.x.value() == 7",
    "self.xs[?1].value() == 2 && !self.xs[?9].hasValue() && self.map[?'k'].hasValue()",
    "[1, ?self.?nope, ?optional.of(2)] == [1, 2] && {?'a': self.?nope, 'b': 1} == {'b': 1}",
    "optional.none().or(optional.of(1)).value() == 1 && !optional.ofNonZeroValue('').hasValue()",
    "self.?a.optMap(x, x + 1).value() == 2 && !self.?nope.optFlatMap(x, optional.of(x)).hasValue()",
    "has(self.?nested.deep) && !has(self.?nope.x)",
    # strings
    "'hello'.charAt(5) == '' && 'hello'.indexOf('l', 3) == 3 && 'hello'.lastIndexOf('l') == 3",
    "'hello'.lastIndexOf('l', 2) == 2 && 'a,b'.split(',', 0) == [] && 'abc'.split('') == ['a', 'b', 'c']",
    "'abc'.split('', 2) == ['a', 'bc'] && 'aaa'.replace('a', 'b', 2) == 'bba' && 'Ab'.upperAscii() == 'AB'",
    "'hello'.substring(1, 3) == 'el' && ['a', 'b'].join() == 'ab' && strings.quote('a\"\\n') == '\"a\\\\\"\\\\n\"'",
    "'\\u00c4B'.lowerAscii() == '\\u00c4b' && '\\u00a0x\\t'.trim() == 'x' && size('h\\u00e9') == 2",
    "'%s %s %d %.2f %b %x %X %o %%'.format([true, [1, 'a'], 3, 1234.5, 5, 255, 'hi', 8])"
    " == 'true [1, \"a\"] 3 1,234.50 101 ff 6869 10 %'",
    "'%s'.format([{'b': null, 'a': 1.0}]) == '{\"a\":1.000000, \"b\":null}'",
    "'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+', 1) == ['1'] && 'x'.find('y') == ''",
    "matches('abc', '^a') && 'abc'.contains('b') && 'abc'.endsWith('c')",
    # lists
    "[1, 3, 2].min() == 1 && [1u, 2u].sum() == 3u && [].sum() == 0 && [1, 2, 1].lastIndexOf(1) == 2",
    "[3, 1, 2].sort() == [1, 2, 3] && [1, 2, 2].distinct() == [1, 2] && [1, 2].reverse() == [2, 1]",
    "[[1, [2]], 3].flatten() == [1, [2], 3] && [[1, [2]]].flatten(2) == [1, 2] && [1, 2, 3].slice(1, 2) == [2]",
    "!['b', 'a'].isSorted() && lists.range(2) == [0, 1]",
    "sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1.0]) && !sets.contains([1], [2])",
    # conversions
    "int('-3') == -3 && int(3.9) == 3 && uint(3) == 3u && double('1e3') == 1000.0 && bool('true')",
    "string(1.0) == '1' && string(1.5) == '1.5' && string(1e21) == '1e+21' && string(true) == 'true'",
    "string(b'abc') == 'abc' && bytes('abc') == b'abc' && string(1u) == '1'",
    "type(1) == int && type('a') == string && type([]) == list && type(null) == null_type && type(1u) != int",
    # time
    "duration('1h30m') == duration('5400s') && string(duration('1.5s')) == '1.5s' && duration('-1m') < duration('0')",
    "timestamp('2026-01-01T02:00:00+02:00') == timestamp('2026-01-01T00:00:00Z')",
    "string(timestamp('2026-01-01T00:00:00.5Z') + duration('1h')) == '2026-01-01T01:00:00.5Z'",
    "timestamp('2026-03-04T05:06:07.089Z').getMonth() == 2 && timestamp('2026-03-04T05:06:07Z').getDayOfWeek() == 3",
    "timestamp('2026-03-04T05:06:07.089Z').getMilliseconds() == 89 && timestamp(0).getFullYear() == 1970",
    "timestamp('2026-03-04T05:06:07Z').getDate() == 4 && timestamp('2026-03-04T05:06:07Z').getDayOfMonth() == 3",
    "timestamp('2026-02-01T00:00:00Z').getDayOfYear() == 31 && int(timestamp('1970-01-01T00:01:00Z')) == 60",
    "duration('90m').getHours() == 1 && duration('-90s').getMinutes() == -1",
    "timestamp('2026-01-01T01:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('1h')",
    # network
    "ip('fe80::1').family() == 6 && ip('127.0.0.1').isLoopback() && ip('10.0.0.1').isGlobalUnicast()",
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast() && ip('::').isUnspecified()",
    "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && ip('1.2.3.4') == ip('1.2.3.4')",
    "!isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('01.2.3.4') && isIP('::1')",
    "cidr('10.0.0.5/8').masked() == cidr('10.0.0.0/8') && cidr('10.0.0.5/8').ip() == ip('10.0.0.5')",
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsIP(ip('::1'))",
    "string(cidr('10.0.0.0/8')) == '10.0.0.0/8' && cidr('::/0').prefixLength() == 0 && !isCIDR('10.0.0.0/255.0.0.0')",
    "url('https://u@a.b:80/x%20y?q=1&q=2').getHost() == 'a.b:80' && url('https://[::1]:8/').getHostname() == '::1'",
    "url('https://a.b/x?q=1&q=2').getQuery() == {'q': ['1', '2']} && isURL('https://a.b/x y')",
    "url('/path').getEscapedPath() == '/path' && !isURL('a.b') && url('http://a:7').getPort() == '7'",
    # quantities and versions
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1k').asInteger() == 1000 && isQuantity('0.5')",
    "quantity('250m').add(quantity('750m')).asInteger() == 1 && sign(quantity('-1')) == -1 && !isQuantity('1x')",
    "quantity('5').sub(2).compareTo(quantity('3')) == 0 && quantity('0.5').asApproximateFloat() == 0.5",
    "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.0.0-2').isLessThan(semver('1.0.0-10'))",
    "semver('v1.2', true).minor() == 2 && !isSemver('1.2') && semver('1.2.3+b').compareTo(semver('1.2.3')) == 0",
    # formats
    "!format.dns1123Label().validate('a-b').hasValue() && format.dns1123Label().validate('A').hasValue()",
    "!format.qualifiedName().validate('example.com/Name').hasValue() && !format.named('nope').hasValue()",
    "!format.date().validate('2026-02-28').hasValue() && format.date().validate('2026-02-30').hasValue()",
    "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
    "!format.dns1123SubdomainPrefix().validate('a-').hasValue() && format.byte().validate('%').hasValue()",
]


@pytest.mark.parametrize("expression", TRUE)
def test_an_expression_holds(expression: str) -> None:
    assert value_of(expression) is True


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("self.nope", "no such key: nope"),
        ("self.s.nope", "no such overload: string.nope"),
        ("self.s && true", "a logical operator needs bool"),
        ("!self.s", "no such overload: !string"),
        ("self.s ? 1 : 2", "a condition needs bool"),
        ("self.a + self.s", "no such overload: +"),
        ("self.a + self.f", "no such overload: +"),
        ("self.yes + self.yes", "no such overload: +"),
        ("self.a < self.s", "no such overload: int < string"),
        ("self.a in self.s", "no such overload: in string"),
        ("self.xs[3]", "index out of bounds: 3"),
        ("self.xs[-1]", "index out of bounds: -1"),
        ("self.xs[self.s]", "no such overload: list[string]"),
        ("self.map['zz']", "no such key"),
        ("self.a[0]", "no such overload: int[int]"),
        ("self.xs.all(x, x == 1 || self.nope)", "no such key"),
        ("self.a.all(x, true)", "a macro over int"),
        ("self.xs.filter(x, self.s)", "a predicate needs bool"),
        ("self.a.startsWith('x')", "no such overload: startsWith(int, string)"),
        ("self.s.matches(self.bad)", "no such key"),
        ("'x'.matches('(' + self.s)", "not valid RE2"),
        ("self.xs.join()", "the list must hold strings only"),
        ("[].max()", "max of an empty list"),
        ("9223372036854775807 + self.a", "integer overflow"),
        ("-(-9223372036854775807 - 1)", "integer overflow"),
        ("1u - 2u", "unsigned integer overflow"),
        ("self.a / 0", "division by zero"),
        ("self.a % 0", "modulus by zero"),
        ("int('1_000')", "no number"),
        ("int(' 1')", "no number"),
        ("int(1e30)", "integer overflow"),
        ("uint(-1)", "unsigned integer overflow"),
        ("bool('yes')", "neither true nor false"),
        ("duration('1x')", "no duration"),
        ("timestamp('2026-13-01T00:00:00Z')", "no RFC 3339"),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1h')", "timestamp out of range"),
        ("'abc'.substring(2, 1)", "invalid substring range"),
        ("'abc'.charAt(4)", "index out of range"),
        ("'%d'.format(['a'])", "cannot print"),
        ("'%s'.format([])", "fewer arguments"),
        ("'%f'.format([1])", "cannot print"),
        ("'%e'.format([1.0])", "cannot print"),
        ("'%s'.format([ip('::1')])", "cannot print"),
        ("self.f < double('NaN')", "NaN values cannot be ordered"),
        ("self.words.sum()", "sum needs numbers"),
        ("ip('::1') == self.a", "no such overload: == of ip and int"),
        ("self.xs.?k", "no such overload: list.k"),
        ("-9223372036854775808 % -1", "integer overflow"),
        ("optional.none().value()", "has no value"),
        ("absent.x", "absent is not available here"),
        ("{self.s: 1, 'text': 2}", "stands twice"),
        ("ip('x')", "no IP address"),
        ("cidr('10.0.0.0')", "no CIDR"),
        ("url('relative')", "no absolute URL"),
        ("quantity('1x')", "no quantity"),
        ("quantity('0.5').asInteger()", "no integer"),
        ("semver('1.2')", "no semantic version"),
    ],
)
def test_an_error_is_a_failure_with_a_message(expression: str, part: str) -> None:
    assert part in failure_of(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("{'a': omit(), 'b': [1, omit(), 2], 'c': {'d': omit()}}", {"b": [1, 2], "c": {}}),
        ("optional.of(1)", 1),
        ("optional.none()", None),
        ("duration('1h')", "3600s"),
        ("timestamp('2026-01-01T00:00:00Z')", "2026-01-01T00:00:00Z"),
        ("b'hi'", "aGk="),
        ("1u", 1),
        ("1.0", 1.0),
        ("ip('::1')", "::1"),
        ("type(1)", "int"),
        ("self.big", 2**63),
    ],
)
def test_a_result_has_a_json_form(expression: str, expected: JsonValue) -> None:
    assert value_of(expression) == expected


def test_evaluations_do_not_share_anything() -> None:
    program = default_engine().compile("self.xs.map(x, x + self.a)", Environment(("self",)))
    assert not isinstance(program, CelProblem)

    results = [program.evaluate({"self": {"xs": [1, 2], "a": n}}) for n in (1, 2)]

    assert results == [CelValue([2, 3]), CelValue([3, 4])]
