"""Payload schemas: which are structural, what they refuse and in which words, and their defaults."""

from typing import Any

import pytest
from pydantic import JsonValue

from libdnsapi.contract.schema.payload import MAX_PROBLEMS, PayloadSchema, SchemaError
from libdnsapi.contract.schema.structural import structural_problems
from tests.yardstick import least_seconds


def text(**more: object) -> dict[str, Any]:
    return {"type": "string", "description": "Some text.", **more}


def closed(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


@pytest.mark.spec("PC-PV-008")
@pytest.mark.parametrize(
    "schema",
    [
        closed(a=text()),
        {"type": "object"},
        {"type": "object", "properties": {"a": text()}, "additionalProperties": False, "required": ["a"]},
        {"type": "object", "additionalProperties": text()},
        closed(port={"x-kubernetes-int-or-string": True, "description": "d", "anyOf": [{"type": "integer"}]}),
        closed(any={"x-kubernetes-preserve-unknown-fields": True, "description": "d"}),
        closed(list={"type": "array", "description": "d", "items": text()}),
        {**closed(a=text(), b=text()), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {**closed(a=text()), "allOf": [{"properties": {"a": {"minLength": 2}}}], "not": {"required": ["a"]}},
    ],
)
def test_a_structural_schema_has_no_problems(schema: dict[str, Any]) -> None:
    assert tuple(structural_problems(schema)) == ()
    PayloadSchema(schema)


@pytest.mark.spec("PC-PV-008")
@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("x", "must be an object"),
        ({"type": "string"}, "type: must be object at the root of a schema"),
        ({}, "type: must be object at the root of a schema"),
        (closed(a={"type": "string"}), "properties.a.description: is required"),
        (closed(a=text(description=" ")), "properties.a.description: is required"),
        (closed(a={"description": "d"}), "properties.a.type: is required"),
        (closed(a={"type": "text", "description": "d"}), "properties.a.type: must be one of object, array"),
        (closed(a={"type": "array", "description": "d"}), "properties.a.items: is required for an array"),
        (
            closed(a={"type": "array", "description": "d", "items": {"type": "string"}}),
            "properties.a.items.description: is required",
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "additionalProperties.description: is requi"),
        (
            {"type": "object", "properties": {"a": text()}, "additionalProperties": text()},
            "additionalProperties: must not be a schema beside properties",
        ),
        (closed(a=text(**{"$ref": "#/x"})), "properties.a.$ref: is not a keyword of structural schemas"),
        ({"type": "object", "definitions": {}}, "definitions: is not a keyword of structural schemas"),
        ({"type": "object", "x-kubernetes-validations": []}, "x-kubernetes-validations: is not supported: write val"),
        ({**closed(a=text()), "anyOf": [{"properties": {"b": {}}}]}, "anyOf[0].properties.b: must also be specified"),
        ({**closed(a=text()), "anyOf": [{"type": "object"}]}, "anyOf[0].type: must not stand inside allOf, anyOf"),
        (closed(a=text(**{"x-kubernetes-int-or-string": True})), "properties.a.type: must be absent beside"),
        (closed(a=7), "properties.a: must be an object"),
    ],
)
def test_what_is_not_structural_is_named_with_its_place(schema: JsonValue, expected: str) -> None:
    found = [str(problem) for problem in structural_problems(schema)]

    assert any(problem.startswith(expected) for problem in found), found


def test_endless_nesting_is_refused() -> None:
    schema: dict[str, Any] = text()
    for _ in range(100):
        schema = {"type": "object", "description": "d", "properties": {"a": schema}}

    assert any("nested at most" in str(problem) for problem in structural_problems(schema))


@pytest.mark.parametrize("schema", [closed(a=text(pattern="(")), closed(a=text(maxLength="x")), {"required": "a"}])
def test_a_schema_that_the_validator_does_not_take_is_an_error(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        PayloadSchema(schema)


NUMBER = {"type": "integer", "description": "A number."}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (closed(a=text()), {"a": "x"}, []),
        (closed(a=text()), {"b": "x"}, ["b: is not a known field (known: a)"]),
        (closed(a=text()), {"a": 1}, ["a: must be of type string"]),
        (closed(a=text()), {"a": None}, ["a: must be of type string"]),
        (closed(a=text(nullable=True)), {"a": None}, []),
        (closed(a=text(enum=["x", "y"])), {"a": "z"}, ['a: must be one of "x", "y"']),
        (closed(a=text(pattern="^Z")), {"a": "z"}, ["a: must match the pattern ^Z (Some text.)"]),
        (closed(a=closed(b=text(pattern="^Z"))), {"a": {"b": "z"}}, ["a.b: must match the pattern ^Z (Some text.)"]),
        (closed(), {"b": "x"}, ["b: is not a known field"]),
        (
            {**closed(a=text()), "allOf": [{"properties": {"a": {"pattern": "^Z"}}}]},
            {"a": "z"},
            ["a: must match the pattern ^Z"],
        ),
        ({**closed(a=text()), "required": ["a"]}, {}, ["a: is required"]),
        (
            {"type": "object", "additionalProperties": text()},
            {"x.y/z": 1, "ok": "v"},
            ["[x.y/z]: must be of type string"],
        ),
        (
            closed(l={"type": "array", "items": closed(a=text()), "description": "d"}),
            {"l": [{"a": "x"}, {"a": 2}]},
            ["l[1].a: must be of type string"],
        ),
        (closed(a={"x-kubernetes-int-or-string": True, "description": "d"}), {"a": 1.5}, ["a: must be of type int"]),
        (closed(a={"x-kubernetes-int-or-string": True, "description": "d"}), {"a": "1"}, []),
        (closed(a={**NUMBER, "format": "int32"}), {"a": 2**31}, ["a: the value is greater than"]),
        (
            closed(a={**NUMBER, "minimum": 3, "exclusiveMinimum": True}),
            {"a": 3},
            ["a: the value is less than or equal"],
        ),
        (closed(a=text(format="byte")), {"a": "%%"}, ['a: the value is not a "byte"']),
        (closed(a=text(format="duration")), {"a": "whatever"}, []),
        (
            closed(a={"type": "array", "items": text(), "description": "d", "x-kubernetes-list-type": "set"}),
            {"a": ["x", "x"]},
            ["a: the value has non-unique elements"],
        ),
        ({**closed(a=text(), b=text()), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, ["the value is not"]),
    ],
)
def test_a_payload_is_checked_with_messages_that_never_repeat_its_values(
    schema: dict[str, Any], value: dict[str, Any], expected: list[str]
) -> None:
    found = [str(problem) for problem in PayloadSchema(schema).problems(value)]

    assert len(found) == len(expected), found
    assert all(f.startswith(e) for f, e in zip(found, expected, strict=True)), found


def test_at_most_twenty_findings_are_told() -> None:
    assert len(PayloadSchema(closed()).problems({f"k{i}": 1 for i in range(100)})) == 20


def test_a_deeply_nested_payload_is_refused_and_not_a_crash() -> None:
    value: JsonValue = {}
    for _ in range(3000):
        value = {"a": value}

    schema = {"type": "object", "enum": [{"a": 1}]}
    assert [str(p) for p in PayloadSchema(schema).problems(value)] == ["is nested too deeply"]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (closed(a=text(default="x")), {}, {"a": "x"}),
        (closed(a=text(default="x")), {"a": "y"}, {"a": "y"}),
        (closed(a=text(default="x")), {"a": None}, {"a": "x"}),
        (closed(a=text(default="x", nullable=True)), {"a": None}, {"a": None}),
        (closed(o={**closed(a=text(default="x")), "description": "d"}), {"o": {}}, {"o": {"a": "x"}}),
        (closed(o={**closed(a=text(default="x")), "description": "d"}), {}, {}),
        (
            closed(o={**closed(a=text(default="x")), "description": "d", "default": {}}),
            {},
            {"o": {"a": "x"}},
        ),
        (
            closed(l={"type": "array", "items": closed(a=text(default="x")), "description": "d"}),
            {"l": [{}, {"a": "y"}]},
            {"l": [{"a": "x"}, {"a": "y"}]},
        ),
        (
            {"type": "object", "additionalProperties": closed(a=text(default="x"))},
            {"k": {}},
            {"k": {"a": "x"}},
        ),
    ],
)
def test_defaults_fill_what_is_absent_at_every_depth(
    schema: dict[str, Any], value: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = repr(value)

    assert PayloadSchema(schema).defaulted(value) == expected
    assert repr(value) == before


HUGE: dict[str, JsonValue] = {
    "unknown fields": {f"k{number}": 1 for number in range(100_000)},
    "items of the wrong type": {"list": [1] * 300_000},
    "values of the wrong type": {"map": {f"k{number}": 1 for number in range(100_000)}},
}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE.keys())
def test_a_huge_payload_is_refused_without_describing_all_of_it(value: JsonValue) -> None:
    schema = PayloadSchema(
        closed(
            list={"type": "array", "description": "d", "items": text()},
            map={"type": "object", "description": "d", "additionalProperties": text()},
        )
    )

    assert 1 <= len(schema.problems(value)) <= MAX_PROBLEMS
    assert least_seconds(lambda: schema.problems(value), 0.1) < 0.1


def test_every_fault_of_an_ordinary_payload_is_described_up_to_a_bound() -> None:
    schema = PayloadSchema(closed(list={"type": "array", "description": "d", "items": text()}))
    assert [p.path for p in schema.problems({"list": [1, "a", 2]})] == ["list[0]", "list[2]"]
    assert len(schema.problems({"list": [1] * 1000})) == MAX_PROBLEMS
    assert len(schema.problems({str(number): 1 for number in range(1000)})) == MAX_PROBLEMS
