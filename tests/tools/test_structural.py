from typing import Literal

import pytest
from pydantic import ConfigDict, Field

from libdnsapi.api.meta import JsonObject, KubernetesObject, WireModel
from libdnsapi.api.schema import OPEN_OBJECT, claim_validations, rule, validations
from tools.structural import object_schema


class Inner(WireModel):
    """An inner object."""

    model_config = ConfigDict(json_schema_extra=validations(rule("true", "inner")))
    word: str
    """A word."""


class Nothing(WireModel):
    """An object that says what it says by being there."""


class Outer(KubernetesObject):
    """An outer object."""

    spec: Inner = Field(json_schema_extra=validations(rule("true", "outer")))
    """Described where it is used."""
    maybe: Inner | None = None
    choice: Literal["One", "Two"] | None = None
    only: Literal["One"] | None = None
    open: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    labels: dict[str, str] = Field(default_factory=dict)
    small: int | None = Field(default=None, le=10)
    large: int = 0
    nothing: Nothing | None = None
    checked: str = Field(default="", json_schema_extra=claim_validations(rule("self != ''", "not empty")))


FIELDS = {
    "choice": {"enum": ["One", "Two"], "type": "string"},
    "only": {"enum": ["One"], "type": "string"},
    "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "labels": {"additionalProperties": {"type": "string"}, "type": "object"},
    "small": {"maximum": 10, "type": "integer", "format": "int32"},
    "large": {"type": "integer", "format": "int64"},
    "nothing": {"description": "An object that says what it says by being there.", "type": "object"},
    "metadata": {"type": "object"},
}


@pytest.mark.parametrize(("name", "expected"), FIELDS.items())
def test_a_field_has_one_plain_type(name: str, expected: JsonObject) -> None:
    properties = object_schema(Outer)["properties"]

    assert isinstance(properties, dict)
    assert properties[name] == expected


def test_references_are_inlined_and_keep_both_descriptions_rules() -> None:
    properties = object_schema(Outer)["properties"]

    assert isinstance(properties, dict)
    assert properties["spec"] == {
        "description": "Described where it is used.",
        "properties": {"word": {"description": "A word.", "type": "string"}},
        "required": ["word"],
        "type": "object",
        "x-kubernetes-validations": [{"rule": "true", "message": "inner"}, {"rule": "true", "message": "outer"}],
    }


def test_rules_on_claims_stay_out_of_ledgers() -> None:
    claim, ledger = object_schema(Outer)["properties"], object_schema(Outer, ledger=True)["properties"]

    assert isinstance(claim, dict)
    assert isinstance(ledger, dict)
    assert claim["checked"] == {
        "type": "string",
        "x-kubernetes-validations": [{"rule": "self != ''", "message": "not empty"}],
    }
    assert ledger["checked"] == {"type": "string"}


def test_a_field_of_two_types_is_refused() -> None:
    class Torn(KubernetesObject):
        value: int | str

    with pytest.raises(ValueError, match="one type for a field"):
        object_schema(Torn)
