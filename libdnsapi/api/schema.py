"""Schema extras that the CRD generator reads: list-map keys, open objects and CEL rules.

Source: Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions".
"""

from pydantic.config import JsonDict

CLAIM_RULES = "x-claim-validations"
OPEN_OBJECT: JsonDict = {"x-kubernetes-preserve-unknown-fields": True}


def list_map(*keys: str) -> JsonDict:
    """Return the extras of a list whose items are told apart by these scalar fields."""
    return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


def rule(expression: str, message: str, field: str = "", *, words: str = "") -> JsonDict:
    """Return one CRD CEL rule; `field` is the wire name, or the dotted path, that the message points to.

    `words` is a CEL expression that gives a better message than the fixed one, such as how to write it right.
    """
    path: JsonDict = {"fieldPath": f".{field}"} if field else {}
    spoken: JsonDict = {"messageExpression": words} if words else {}
    return {"rule": expression, "message": message, **spoken, **path}


def immutable(*fields: str) -> list[JsonDict]:
    """Return rules that forbid changes of required fields, given by their wire names."""
    return [
        rule(
            f"self.{field} == oldSelf.{field}",
            f"{field} is immutable: create another object and delete this one",
            field,
        )
        for field in fields
    ]


def validations(*rules: JsonDict) -> JsonDict:
    """Return the extras of an object with CEL rules."""
    return {"x-kubernetes-validations": list(rules)}


def claim_validations(*rules: JsonDict) -> JsonDict:
    """Return CEL rules on values that only claims carry.

    A ledger repeats what was checked on the claims, up to 5000 items an object, so there the rules would cost every
    write and exceed the API server's budget.
    """
    return {CLAIM_RULES: list(rules)}


def spoken(pattern: str, words: str) -> JsonDict:
    """Return a rule that says in words what a pattern asks for; claims then carry the rule instead of the pattern.

    The API server says of a pattern only that a value "should match" it.
    """
    return claim_validations(rule(f"self.matches('{pattern}')", words))


_LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_CANONICAL = "(self.endsWith('.') ? self.substring(0, self.size() - 1) : self).lowerAscii()"
DOMAIN_NAME: JsonDict = validations(
    rule("self == self.lowerAscii()", "must be lower case", words=f"'must be lower case: write ' + {_CANONICAL}"),
    rule(
        "self.size() < 2 || !self.endsWith('.')",
        "must not end with a dot",
        words=f"'must not end with a dot: write ' + {_CANONICAL}",
    ),
    rule(
        f"self.lowerAscii().matches('^{_LABEL}([.]{_LABEL})*[.]?$')",
        "must be a domain name: labels of up to 63 letters, digits and hyphens (IDN as Punycode), dots between them",
    ),
)
"""The rules of a domain name as this API writes it; the core seed's domainName. A pattern could not say what to do."""

CONDITIONS_LIST = list_map("type")
