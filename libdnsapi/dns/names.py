"""DNS names as this API writes them: lower-case ASCII, no final dot (core seed: domainName, Record name grammar).

Every check returns None for a good name, or one sentence that says what is wrong and how to write it.
"""

import ipaddress
import re

import dns.exception
import dns.name

from libdnsapi.api.dns.bodies import DOMAIN_NAME_MAX_LENGTH, RecordType

APEX = "@"
WILDCARD = "*"
LABEL_MAX_LENGTH = 63
UNDERSCORE_TYPES = frozenset({RecordType.TXT, RecordType.CNAME})
"""Types whose owner names may have labels such as `_acme-challenge` (core seed, RecordSet)."""

_MISPLACED = {
    "\\": "must not have a backslash: names are written without escapes, a wildcard as * or *.name",
    WILDCARD: 'may have "*" only as its whole first label: write * or *.name',
    APEX: '"@" stands alone, for the zone apex',
}
"""Signs that mean something, and what is wrong where they stand within a name."""
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


def domain_name_problem(text: str) -> str | None:
    """Say what is wrong with `Zone.spec.domainName`: labels of letters, digits and hyphens; no underscore, no address.

    No top-level domain is a number, so that addresses and names are told apart (RFC 1123, 2.1; RFC 3696, 2).
    """
    if is_address(text.removesuffix(".")):
        return "must be a DNS name, not an IP address; a reverse zone is named like 2.0.192.in-addr.arpa"
    return _dns_name_problem(text, underscores=False)


def target_name_problem(text: str, *, underscores: bool = False) -> str | None:
    """Say what is wrong with a name that a record points to: a domain name, no address and no URL.

    `underscores` allows labels such as `_x2`, as CNAME targets may have them.
    """
    if is_address(text.removesuffix(".")):
        return "must be a DNS name, not an IP address"
    return _dns_name_problem(text, underscores=underscores)


def record_name_problem(name: str, type_: RecordType) -> str | None:
    """Say what is wrong with a record name relative to its zone, as far as name and type alone decide.

    Covers the grammar, the wildcard's place, underscores by type and where NS may stand. The apex rule of CNAME can be
    switched off by a Provider and so belongs to `content_problems`.
    """
    if name == APEX:
        return _apex_problem(type_)
    relative = name.removeprefix("*.") if name != WILDCARD else ""
    if relative != name and type_ is RecordType.NS:
        return "must not be a wildcard when type is NS: a delegation is for one explicit name such as team-a"
    if not relative and name == WILDCARD:
        return None
    for sign, problem in _MISPLACED.items():
        if sign in relative:
            return problem
    return _dns_name_problem(relative, underscores=type_ in UNDERSCORE_TYPES)


def fqdn(record_name: str, domain: str) -> str:
    """Return the full owner name without a final dot: `@` is the domain itself, `*` stays `*`."""
    return domain if record_name == APEX else f"{record_name}.{domain}"


def fqdn_problem(record_name: str, domain: str) -> str | None:
    """Say when the full owner name is longer than DNS allows: 253 characters without the final dot (RFC 1035)."""
    length = len(fqdn(record_name, domain))
    if length <= DOMAIN_NAME_MAX_LENGTH:
        return None
    return f"must be at most {DOMAIN_NAME_MAX_LENGTH} characters with the zone's name, this has {length}"


def is_subdomain(name: str, suffix: str) -> bool:
    """Whether `name` is `suffix` or lies below it, on whole labels: a.example.com below example.com."""
    return name == suffix or name.endswith(f".{suffix}")


def is_address(text: str) -> bool:
    """Whether the text is an IPv4 or IPv6 address, in square brackets too."""
    try:
        ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _apex_problem(type_: RecordType) -> str | None:
    if type_ is RecordType.NS:
        return "must not be @ when type is NS: the provider manages the apex name servers, see Zone.status.nameServers"
    return None


def _dns_name_problem(text: str, *, underscores: bool) -> str | None:
    """Check a whole name; the order makes the message name the most telling fault first."""
    problem = _kind_problem(text) or _spelling_problem(text, underscores=underscores) or _length_problem(text)
    if problem is not None:
        return problem
    return _labels_problem(text, underscores=underscores)


def _kind_problem(text: str) -> str | None:
    """Find what makes the text no name at all."""
    if not text:
        return "must not be empty"
    if "/" in text or ":" in text:
        return "must be a DNS name, not a URL"
    if any(c.isspace() for c in text):
        return "must not contain white space"
    return "must not be the root" if text == "." else None


def _spelling_problem(text: str, *, underscores: bool) -> str | None:
    """Find what a better spelling of the same name would mend; it is offered only if it is a good name itself."""
    if not text.isascii():
        wrong, otherwise = "must be ASCII", ": write it in Punycode (xn--...)"
    elif text.endswith("."):
        wrong, otherwise = "must not end with a dot", ""
    elif text != text.lower():
        wrong, otherwise = "must be lower case", ""
    else:
        return None
    better = _canonical(text)
    good = _length_problem(better) is None and _labels_problem(better, underscores=underscores) is None
    return wrong + (f": write {better}" if good else otherwise)


def _length_problem(text: str) -> str | None:
    if len(text) <= DOMAIN_NAME_MAX_LENGTH:
        return None
    return f"must be at most {DOMAIN_NAME_MAX_LENGTH} characters, this has {len(text)}"


def _canonical(text: str) -> str:
    """Return the canonical spelling (lower case, Punycode, no final dot), or nothing where there is none."""
    bare = text.removesuffix(".")
    if len(bare) > DOMAIN_NAME_MAX_LENGTH:
        return ""
    if bare.isascii():
        return bare.lower()
    try:
        return dns.name.from_unicode(bare, None, dns.name.IDNA_2008_Practical).to_text().lower()
    except (dns.exception.DNSException, UnicodeError):
        return ""


def _labels_problem(text: str, *, underscores: bool) -> str | None:
    found = (_label_problem(label, underscores=underscores) for label in text.split("."))
    return next((problem for problem in found if problem is not None), None)


def _label_problem(label: str, *, underscores: bool) -> str | None:
    if not label:
        return "must not have an empty label: two dots in a row, or one at the start"
    if len(label) > LABEL_MAX_LENGTH:
        return f"must have labels of at most {LABEL_MAX_LENGTH} characters, one has {len(label)}"
    body = label.removeprefix("_") if underscores else label
    if _LABEL.fullmatch(body):
        return None
    return _bad_label(label, underscores=underscores)


def _bad_label(label: str, *, underscores: bool) -> str:
    shown = f'label "{label}"'
    if label.startswith("-") or label.endswith("-"):
        return f"{shown} must start and end with a letter or a digit"
    if "_" not in label:
        return f"{shown} may have letters, digits and hyphens only"
    if underscores:
        return f'{shown} may have "_" only as its first character, before a letter or a digit: write _name'
    return f'{shown} must not have "_": underscore labels are for the names of TXT and CNAME records'
