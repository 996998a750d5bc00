"""Static types: enough of CEL's type system to tell what an expression returns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type by name, with parameters for list, map and optional; a one-letter upper-case name is a type variable."""

    name: str
    args: tuple["Type", ...] = ()

    def __str__(self) -> str:
        """Return the type as CEL writes it, such as list(string)."""
        return f"{self.name}({', '.join(map(str, self.args))})" if self.args else self.name

    @property
    def is_variable(self) -> bool:
        """Whether this stands for any type in a signature."""
        return len(self.name) == 1


DYN = Type("dyn")
BOOL = Type("bool")
INT = Type("int")
UINT = Type("uint")
DOUBLE = Type("double")
STRING = Type("string")
BYTES = Type("bytes")
NULL = Type("null_type")
TYPE = Type("type")
TIMESTAMP = Type("timestamp")
DURATION = Type("duration")
IP = Type("ip")
CIDR = Type("cidr")
URL = Type("url")
QUANTITY = Type("quantity")
SEMVER = Type("semver")
FORMAT = Type("format")
A = Type("A")
NUMBERS = (INT, UINT, DOUBLE)


def list_of(element: Type) -> Type:
    """Return list(element)."""
    return Type("list", (element,))


def map_of(value: Type) -> Type:
    """Return a map with string keys."""
    return Type("map", (STRING, value))


def optional_of(value: Type) -> Type:
    """Return optional(value)."""
    return Type("optional", (value,))


LIST = list_of(DYN)
MAP = map_of(DYN)
OPTIONAL = optional_of(DYN)


def join(types: "list[Type]") -> Type:
    """Return the one type of all of them, or dyn."""
    distinct = list(dict.fromkeys(types))
    return distinct[0] if len(distinct) == 1 else DYN


def unify(actual: Type, expected: Type, bound: dict[str, Type]) -> bool:
    """Whether a value of static type `actual` may be passed where `expected` stands; binds type variables.

    dyn fits everywhere: its value is looked at when the expression runs.
    """
    if expected.is_variable:
        known = bound.setdefault(expected.name, actual)
        if DYN in (known, actual):
            bound[expected.name] = DYN
            return True
        return unify(actual, known, {})
    if DYN in (actual, expected):
        return True
    same = actual.name == expected.name and len(actual.args) == len(expected.args)
    return same and all(unify(a, e, bound) for a, e in zip(actual.args, expected.args, strict=True))


def resolved(type_: Type, bound: dict[str, Type]) -> Type:
    """Return the type with its variables replaced by what they were bound to, dyn where they were not."""
    if type_.is_variable:
        return bound.get(type_.name, DYN)
    return Type(type_.name, tuple(resolved(a, bound) for a in type_.args)) if type_.args else type_


def comparable(left: Type, right: Type) -> bool:
    """Whether `==` may stand between values of these static types."""
    return unify(left, right, {}) or unify(right, left, {})
