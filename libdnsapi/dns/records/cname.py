"""CNAME: one canonical name; underscore labels are allowed for verification (RFC 1035; core seed, spec.cname)."""

from collections.abc import Iterator

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.names import target_name_problem
from libdnsapi.dns.problems import Problem


class CNAME:
    """The CNAME record type."""

    type = RecordType.CNAME
    required_by = None

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield a target that is no canonical DNS name."""
        message = target_name_problem(content.cname.target, underscores=True) if content.cname else None
        if message is not None:
            yield Problem("cname.target", message)

    def values(self, content: RecordContent) -> tuple[str, ...]:
        """Return the target."""
        return (content.cname.target,) if content.cname else ()
