"""Selectors as text, as `kubectl -l` and ExternalDNS's filters take them. Pure."""

import re

from libdnsapi.api.selectors import LabelSelector, LabelSelectorRequirement

_KEY = r"[A-Za-z0-9](?:[-A-Za-z0-9._/]*[A-Za-z0-9])?"
_SET = re.compile(rf"(?P<key>{_KEY})\s+(?P<operator>in|notin)\s+\((?P<values>[^()]*)\)")
_EQUAL = re.compile(rf"(?P<key>{_KEY})\s*(?P<operator>==?|!=)\s*(?P<value>[^\s,()]*)")
_PRESENT = re.compile(rf"(?P<absent>!?)\s*(?P<key>{_KEY})")
_SEPARATOR = re.compile(r"\s*,\s*|\s*$")


def parse_selector(text: str) -> LabelSelector:
    """Read `a=b,c!=d,e in (f,g),h,!i`; an empty text matches everything. Raises ValueError with the place."""
    requirements = []
    at, end = 0, len(text.strip())
    text = text.strip()
    while at < end:
        requirement, at = _requirement(text, at)
        requirements.append(requirement)
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            raise ValueError(f"unexpected {text[at:]!r} in selector {text!r}")
        at = separator.end()
    return LabelSelector(match_expressions=tuple(requirements))


def _requirement(text: str, at: int) -> tuple[LabelSelectorRequirement, int]:
    if (found := _SET.match(text, at)) is not None:
        values = tuple(value.strip() for value in found["values"].split(","))
        operator = "In" if found["operator"] == "in" else "NotIn"
        return _checked(found["key"], operator, values), found.end()
    if (found := _EQUAL.match(text, at)) is not None:
        operator = "NotIn" if found["operator"] == "!=" else "In"
        return _checked(found["key"], operator, (found["value"],)), found.end()
    if (found := _PRESENT.match(text, at)) is not None:
        return _checked(found["key"], "DoesNotExist" if found["absent"] else "Exists", ()), found.end()
    raise ValueError(f"unexpected {text[at:]!r} in selector {text!r}")


def _checked(key: str, operator: str, values: tuple[str, ...]) -> LabelSelectorRequirement:
    return LabelSelectorRequirement.model_validate({"key": key, "operator": operator, "values": values})
