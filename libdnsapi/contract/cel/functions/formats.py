"""Named formats (Kubernetes format library): `validate` gives none for a good value, else what is wrong."""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from libdnsapi.contract.cel.functions.overload import PYTHON_TYPES, Overload, function, method
from libdnsapi.contract.cel.functions.times import parse_timestamp
from libdnsapi.contract.cel.functions.urls import parse_url
from libdnsapi.contract.cel.types import FORMAT as FORMAT_TYPE
from libdnsapi.contract.cel.types import STRING, list_of, optional_of
from libdnsapi.contract.cel.values import ABSENT, CelError, Opaque, Opt

_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_VALUE = r"(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_SUBDOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_QUALIFIED = re.compile(_VALUE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UUID = re.compile(r"(?i)[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
_LABEL_MAX, _SUBDOMAIN_MAX = 63, 253


@dataclass(frozen=True, slots=True)
class Format(Opaque):
    """A named format and its test."""

    name: str
    test: Callable[[str], bool]


PYTHON_TYPES["format"] = Format


def _pattern(pattern: re.Pattern[str], longest: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= longest and pattern.fullmatch(text) is not None


def _prefix(pattern: re.Pattern[str], longest: int) -> Callable[[str], bool]:
    """Return a test of a name's beginning, which may end with a hyphen."""
    return lambda text: (
        len(text) <= longest and pattern.fullmatch(f"{text[:-1]}a" if text[-1:] == "-" else text) is not None
    )


def _is_qualified(text: str) -> bool:
    prefix, slash, name = text.rpartition("/")
    if slash and not _pattern(_SUBDOMAIN, _SUBDOMAIN_MAX)(prefix):
        return False
    return _pattern(_QUALIFIED, _LABEL_MAX)(name)


def _is_label_value(text: str) -> bool:
    return not text or _pattern(_QUALIFIED, _LABEL_MAX)(text)


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and _reads(date.fromisoformat)(text)


def _is_byte(text: str) -> bool:
    return _reads(lambda t: base64.b64decode(t, validate=True))(text)


def _reads(read: Callable[[str], object]) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        try:
            read(text)
        except (CelError, ValueError, binascii.Error):
            return False
        return True

    return test


_LABEL_1123, _LABEL_1035 = re.compile(_LABEL), re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_TESTS: dict[str, Callable[[str], bool]] = {
    "dns1123Label": _pattern(_LABEL_1123, _LABEL_MAX),
    "dns1123Subdomain": _pattern(_SUBDOMAIN, _SUBDOMAIN_MAX),
    "dns1035Label": _pattern(_LABEL_1035, _LABEL_MAX),
    "dns1123LabelPrefix": _prefix(_LABEL_1123, _LABEL_MAX),
    "dns1123SubdomainPrefix": _prefix(_SUBDOMAIN, _SUBDOMAIN_MAX),
    "dns1035LabelPrefix": _prefix(_LABEL_1035, _LABEL_MAX),
    "qualifiedName": _is_qualified,
    "labelValue": _is_label_value,
    "uri": _reads(parse_url),
    "uuid": lambda text: _UUID.fullmatch(text) is not None,
    "byte": _is_byte,
    "date": _is_date,
    "datetime": _reads(parse_timestamp),
}
FORMATS = {name: Format(name, test) for name, test in _TESTS.items()}


def _named(name: str) -> Opt:
    return Opt(FORMATS[name]) if name in FORMATS else ABSENT


def _validate(format_: Format, text: str) -> Opt:
    return ABSENT if format_.test(text) else Opt([f"must be a valid {format_.name}"])


def _constant(format_: Format) -> Callable[[], Format]:
    return lambda: format_


OVERLOADS: tuple[Overload, ...] = (
    *(function(f"format.{name}", (), FORMAT_TYPE, _constant(format_)) for name, format_ in FORMATS.items()),
    function("format.named", (STRING,), optional_of(FORMAT_TYPE), _named),
    method("validate", (FORMAT_TYPE, STRING), optional_of(list_of(STRING)), _validate),
)
