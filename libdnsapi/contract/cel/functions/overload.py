"""Signatures: how a function is found when an expression is compiled and when it runs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from libdnsapi.contract.cel.types import Type
from libdnsapi.contract.cel.values import Cidr, Duration, Ip, Opt, Timestamp, TypeValue, UInt, Url, Value


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature. For a receiver style function the first parameter is the target."""

    name: str
    params: tuple[Type, ...]
    result: Type
    run: Callable[..., Value]
    receiver: bool = False


def function(name: str, params: tuple[Type, ...], result: Type, run: Callable[..., Value]) -> Overload:
    """Return the signature of `name(params)`."""
    return Overload(name, params, result, run)


def method(name: str, params: tuple[Type, ...], result: Type, run: Callable[..., Value]) -> Overload:
    """Return the signature of `params[0].name(params[1:])`."""
    return Overload(name, params, result, run, receiver=True)


PYTHON_TYPES: dict[str, type[object]] = {
    "bool": bool,
    "int": int,
    "uint": UInt,
    "double": float,
    "string": str,
    "bytes": bytes,
    "null_type": type(None),
    "list": list,
    "map": dict,
    "optional": Opt,
    "timestamp": Timestamp,
    "duration": Duration,
    "type": TypeValue,
    "ip": Ip,
    "cidr": Cidr,
    "url": Url,
}
"""The class that a value of each type has when an expression runs; libraries add their own."""


def fits(value: Value, type_: Type) -> bool:
    """Whether a value may be passed where a parameter of this type stands; elements are the function's own matter."""
    if type_.is_variable or type_.name == "dyn":
        return True
    return type(value) is PYTHON_TYPES[type_.name]


Library = Mapping[tuple[str, bool], tuple[Overload, ...]]
"""Overloads by name and by whether they are called on a receiver."""


def library(overloads: Iterable[Overload]) -> Library:
    """Return the overloads by name and style."""
    found: dict[tuple[str, bool], tuple[Overload, ...]] = {}
    for overload in overloads:
        key = (overload.name, overload.receiver)
        found[key] = (*found.get(key, ()), overload)
    return found
