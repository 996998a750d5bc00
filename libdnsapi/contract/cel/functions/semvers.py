"""Semantic versions (Kubernetes semver library; semver.org 2.0.0)."""

import re
from dataclasses import dataclass

from libdnsapi.contract.cel.functions.overload import PYTHON_TYPES, Overload, function, method
from libdnsapi.contract.cel.types import BOOL, INT, STRING
from libdnsapi.contract.cel.types import SEMVER as SEMVER_TYPE
from libdnsapi.contract.cel.values import CelError, Opaque

_NUMBER = r"(?:0|[1-9][0-9]{0,17})"
_IDENTIFIER = r"(?:0|[1-9][0-9]{0,17}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?(?:\+[0-9A-Za-z.-]+)?"
)
_LENGTH_MAX = 256
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Semver(Opaque):
    """A version; `order` compares as precedence is defined, build metadata is left out."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...]

    @property
    def order(self) -> tuple[int, int, int, bool, tuple[tuple[int, int, str], ...]]:
        """A key that sorts by precedence: no pre-release last, numbers before words."""
        parts = tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, parts)


PYTHON_TYPES["semver"] = Semver


def parse_semver(text: str, normalize: bool = False) -> Semver:
    """Read a version; `normalize` takes a leading "v", missing parts and leading zeros."""
    found = _SEMVER.fullmatch(_normalized(text) if normalize else text) if len(text) <= _LENGTH_MAX else None
    if found is None:
        raise CelError("the text is no semantic version such as 1.2.3")
    major, minor, patch, pre = found.groups()
    return Semver(int(major), int(minor), int(patch), tuple(pre.split(".")) if pre else ())


def _normalized(text: str) -> str:
    core, mark, rest = _cut(text.removeprefix("v"))
    parts = [part.lstrip("0") or part[:1] for part in core.split(".")]
    return ".".join([*parts, *["0"] * (_PARTS - len(parts))]) + mark + rest


def _cut(text: str) -> tuple[str, str, str]:
    found = re.search(r"[-+]", text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def _is_semver(text: str, normalize: bool = False) -> bool:
    try:
        parse_semver(text, normalize)
    except CelError:
        return False
    return True


def _major(version: Semver) -> int:
    return version.major


def _minor(version: Semver) -> int:
    return version.minor


def _patch(version: Semver) -> int:
    return version.patch


def _compare(one: Semver, other: Semver) -> int:
    return (one.order > other.order) - (one.order < other.order)


def _is_less(one: Semver, other: Semver) -> bool:
    return one.order < other.order


def _is_greater(one: Semver, other: Semver) -> bool:
    return one.order > other.order


_S = SEMVER_TYPE
OVERLOADS: tuple[Overload, ...] = (
    function("semver", (STRING,), _S, parse_semver),
    function("semver", (STRING, BOOL), _S, parse_semver),
    function("isSemver", (STRING,), BOOL, _is_semver),
    function("isSemver", (STRING, BOOL), BOOL, _is_semver),
    method("major", (_S,), INT, _major),
    method("minor", (_S,), INT, _minor),
    method("patch", (_S,), INT, _patch),
    method("compareTo", (_S, _S), INT, _compare),
    method("isLessThan", (_S, _S), BOOL, _is_less),
    method("isGreaterThan", (_S, _S), BOOL, _is_greater),
)
