"""Schema extras that the CRD generator reads: list-map keys, open objects and CEL rules.

Source: Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions".
"""

from pydantic.config import JsonDict

CLAIM_RULES = "x-claim-validations"
OPEN_OBJECT: JsonDict = {"x-kubernetes-preserve-unknown-fields": True}


def list_map(*keys: str) -> JsonDict:
    """Return the extras of a list whose items are told apart by these scalar fields."""
    return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


def rule(expression: str, message: str, field: str = "") -> JsonDict:
    """Return one CRD CEL rule; `field` is the wire name, or the dotted path, that the message points to."""
    path: JsonDict = {"fieldPath": f".{field}"} if field else {}
    return {"rule": expression, "message": message, **path}


def immutable(*fields: str) -> list[JsonDict]:
    """Return rules that forbid changes of required fields, given by their wire names."""
    return [rule(f"self.{field} == oldSelf.{field}", f"{field} is immutable", field) for field in fields]


def validations(*rules: JsonDict) -> JsonDict:
    """Return the extras of an object with CEL rules."""
    return {"x-kubernetes-validations": list(rules)}


def claim_validations(*rules: JsonDict) -> JsonDict:
    """Return CEL rules on values that only claims carry.

    A ledger repeats what was checked on the claims, up to 5000 items an object, so there the rules would cost every
    write and exceed the API server's budget.
    """
    return {CLAIM_RULES: list(rules)}


CONDITIONS_LIST = list_map("type")
