"""Label selectors, as Kubernetes evaluates them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field

from libdnsapi.api.meta import WireModel
from libdnsapi.api.schema import rule, validations


class LabelSelectorRequirement(WireModel):
    """One expression of a label selector."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule(
                "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
                "In and NotIn need values, Exists and DoesNotExist take none",
                "values",
            )
        )
    )

    key: str = Field(max_length=317)
    """The label key that the expression applies to."""
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"]
    """In, NotIn, Exists or DoesNotExist."""
    values: tuple[str, ...] = Field(default=(), max_length=100)
    """The values for In and NotIn; empty for Exists and DoesNotExist."""

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether labels satisfy this expression (NotIn holds for an absent key, as in Kubernetes)."""
        match self.operator:
            case "In":
                return self.key in labels and labels[self.key] in self.values
            case "NotIn":
                return self.key not in labels or labels[self.key] not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels


class LabelSelector(WireModel):
    """All of matchLabels and all of matchExpressions must hold; an empty selector matches everything."""

    match_labels: dict[str, str] = Field(default_factory=dict, json_schema_extra={"maxProperties": 100})
    """Labels that must be present with these very values."""
    match_expressions: tuple[LabelSelectorRequirement, ...] = Field(default=(), max_length=100)
    """Expressions that must all hold."""

    @property
    def is_empty(self) -> bool:
        """Whether the selector has no requirement at all."""
        return not self.match_labels and not self.match_expressions

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether labels satisfy the whole selector."""
        return all(labels.get(k) == v for k, v in self.match_labels.items()) and all(
            requirement.matches(labels) for requirement in self.match_expressions
        )
