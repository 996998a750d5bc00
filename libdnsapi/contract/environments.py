"""The CEL environments of a Provider: what each kind of expression may name (wire reference, CEL environment)."""

from libdnsapi.contract.cel.engine import Environment
from libdnsapi.contract.targets import Target

OBJECT = Environment(("self",))
"""Validation rules and disableValidations of one object: `self` is the whole object."""

PAIR = Environment(("self", "other", "zone", "provider", "toVersion"))
"""zoneUnit rules: two items with one owner name, the Zone, the Provider and its storage version."""

_CONTEXT: dict[Target, tuple[str, ...]] = {
    Target.ZONE_CLASS: ("zoneClass",),
    Target.ZONE: ("zone",),
    Target.RECORD_SET: ("zone", "recordSet"),
}
CONVERSION: dict[Target, Environment] = {
    target: Environment(("self", "target", "provider", "fromVersion", "toVersion", *context), omit=True)
    for target, context in _CONTEXT.items()
}
"""Conversions: the payload, where it belongs, and only the context that exists when the expression runs."""
