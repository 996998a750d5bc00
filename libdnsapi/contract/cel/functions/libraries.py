"""All function libraries of our environment in one table."""

from libdnsapi.contract.cel.functions import (
    core,
    formats,
    lists,
    network,
    optionals,
    patterns,
    quantities,
    semvers,
    strings,
    times,
    urls,
)
from libdnsapi.contract.cel.functions.overload import Library, Overload, function, library
from libdnsapi.contract.cel.types import DYN
from libdnsapi.contract.cel.values import OMITTED, Omitted


def _omit() -> Omitted:
    return OMITTED


LIBRARIES: dict[str, tuple[Overload, ...]] = {
    "core": core.OVERLOADS,
    "regular expressions (RE2)": patterns.OVERLOADS,
    "strings": strings.OVERLOADS,
    "lists and sets": lists.OVERLOADS,
    "optionals": optionals.OVERLOADS,
    "times": times.OVERLOADS,
    "IP addresses and CIDRs": network.OVERLOADS,
    "URLs": urls.OVERLOADS,
    "quantities": quantities.OVERLOADS,
    "semantic versions": semvers.OVERLOADS,
    "formats": formats.OVERLOADS,
}
"""Every library by what people call it."""

OVERLOADS: tuple[Overload, ...] = tuple(overload for table in LIBRARIES.values() for overload in table)
STANDARD: Library = library(OVERLOADS)
CONVERSION: Library = library((*OVERLOADS, function("omit", (), DYN, _omit)))
"""What conversions may call beside: `omit()` drops the entry or element that has it as its value."""
