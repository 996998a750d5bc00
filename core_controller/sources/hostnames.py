"""Host names as sources give them: made canonical, checked, intersected (Gateway API, hostname intersection). Pure.

Canonical is lower-case ASCII without a final dot; a wildcard is a whole first label.
"""

import dns.exception
import dns.name

from libdnsapi.api.dns.bodies import DOMAIN_NAME_MAX_LENGTH
from libdnsapi.dns.names import is_address, is_subdomain

WILDCARD = "*."
LABEL_MAX_LENGTH = 63


def canonical(text: str) -> str:
    """Return the name in lower-case ASCII without a final dot; what cannot be encoded comes back as it is."""
    bare = text.strip().removesuffix(".")
    if bare.isascii():
        return bare.lower()
    wildcard, rest = (WILDCARD, bare[2:]) if bare.startswith(WILDCARD) else ("", bare)
    try:
        encoded = dns.name.from_unicode(rest, None, dns.name.IDNA_2008_Practical).to_text()
    except (dns.exception.DNSException, UnicodeError):
        return bare
    return wildcard + encoded.lower()


def hostname_problem(name: str) -> str | None:
    """Say what is wrong with a canonical host name for a record; underscores are legal in owner names."""
    if not name:
        return "is empty"
    if is_address(name):
        return "is an IP address, not a host name"
    if len(name) > DOMAIN_NAME_MAX_LENGTH:
        return f"is longer than {DOMAIN_NAME_MAX_LENGTH} characters"
    rest = name.removeprefix(WILDCARD)
    if "*" in rest:
        return "may have * only as its whole first label"
    return next((problem for label in rest.split(".") if (problem := _label_problem(label))), None)


def is_fully_qualified(name: str) -> bool:
    """Whether the name is a host name of at least two labels (apimachinery's IsFullyQualifiedDomainName)."""
    bare = name.removesuffix(".")
    labels = bare.split(".")
    return len(bare) <= DOMAIN_NAME_MAX_LENGTH and len(labels) > 1 and all(map(_is_rfc1123_label, labels))


def intersection(one: str, other: str) -> str | None:
    """Return the name, wildcard or not, that both cover, None without one.

    `*.example.com` covers all names below example.com, of any depth, and not example.com itself. Symmetric; the
    answer is never wider than either side.
    """
    if one == other:
        return one
    for narrow, wide in ((one, other), (other, one)):
        if wide.startswith(WILDCARD) and _is_below(narrow, wide[len(WILDCARD) :]):
            return narrow
    return None


def _is_below(name: str, suffix: str) -> bool:
    """Whether all that a name stands for lies below a suffix."""
    bare = name.removeprefix(WILDCARD)
    return is_subdomain(bare, suffix) and (bare != suffix or name.startswith(WILDCARD))


def _is_rfc1123_label(label: str) -> bool:
    return _label_problem(label) is None and "_" not in label


def _label_problem(label: str) -> str | None:
    if not label:
        return "has an empty label"
    if len(label) > LABEL_MAX_LENGTH:
        return f"has a label of more than {LABEL_MAX_LENGTH} characters"
    body = label.removeprefix("_")
    if not body or body.startswith("-") or body.endswith("-") or "_" in body:
        return f'has the illegal label "{label}"'
    if not (body.isascii() and body.replace("-", "").isalnum() and body == body.lower()):
        return f'has the illegal label "{label}"'
    return None
