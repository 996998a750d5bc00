"""URLs (Kubernetes URL library): absolute ones and absolute paths, as Go's url.ParseRequestURI reads them."""

import re
from urllib.parse import quote, unquote, urlsplit

from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.types import BOOL, STRING, Type, list_of
from libdnsapi.contract.cel.types import URL as URL_TYPE
from libdnsapi.contract.cel.values import CelError, Url, Value

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BAD = re.compile(r"[\x00-\x1f\x7f]|%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"[0-9]*")
_QUERY = Type("map", (STRING, list_of(STRING)))


def parse_url(text: str) -> Url:
    """Read a URL; fail for relative references, white space and broken escapes."""
    if not text or _BAD.search(text) or not (_SCHEME.match(text) or text.startswith("/")):
        raise CelError("the text is no absolute URL")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise CelError("the text is no absolute URL") from error
    host = parts.netloc.rpartition("@")[2]
    if " " in parts.netloc:
        raise CelError("the text is no absolute URL")
    name, port = _split_port(host)
    return Url(parts.scheme, host, name, port, parts.path, parts.query, text)


def _split_port(host: str) -> tuple[str, str]:
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        colon, port = rest[:1], rest[1:]
    else:
        name, colon, port = host.partition(":")
    if (colon and colon != ":") or not _PORT.fullmatch(port):
        raise CelError("the text is no absolute URL")
    return name, port


def _is_url(text: str) -> bool:
    try:
        parse_url(text)
    except CelError:
        return False
    return True


def _scheme(url: Url) -> str:
    return url.scheme


def _host(url: Url) -> str:
    return url.host


def _hostname(url: Url) -> str:
    return url.hostname


def _port(url: Url) -> str:
    return url.port


def _escaped_path(url: Url) -> str:
    return quote(url.path, safe="/%:@!$&'()*+,;=~-._")


def _query(url: Url) -> dict[str, Value]:
    found: dict[str, list[Value]] = {}
    for pair in filter(None, url.query.split("&")):
        key, _, value = pair.partition("=")
        found.setdefault(_plain(key), []).append(_plain(value))
    return dict(found)


def _plain(text: str) -> str:
    return unquote(text.replace("+", " "))


def _text(url: Url) -> str:
    return url.text


OVERLOADS: tuple[Overload, ...] = (
    function("url", (STRING,), URL_TYPE, parse_url),
    function("isURL", (STRING,), BOOL, _is_url),
    function("string", (URL_TYPE,), STRING, _text),
    method("getScheme", (URL_TYPE,), STRING, _scheme),
    method("getHost", (URL_TYPE,), STRING, _host),
    method("getHostname", (URL_TYPE,), STRING, _hostname),
    method("getPort", (URL_TYPE,), STRING, _port),
    method("getEscapedPath", (URL_TYPE,), STRING, _escaped_path),
    method("getQuery", (URL_TYPE,), _QUERY, _query),
)
