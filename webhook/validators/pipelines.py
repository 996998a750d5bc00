"""What one pipeline's rules read of the others, and the syntax of domain filters (sources page, DNSProvider)."""

from collections.abc import Iterable, Iterator

from libdnsapi.api.externaldns.dnsprovider import ClusterDNSProvider, DNSProvider, DomainFilter
from libdnsapi.dns.names import domain_name_problem
from libdnsapi.dns.problems import Problem
from webhook.validators.snapshot import KnownPipeline

PipelineObject = DNSProvider | ClusterDNSProvider


def known_pipeline(source: PipelineObject) -> KnownPipeline:
    """Return a pipeline as others see it."""
    filters = source.spec.domain_filter or DomainFilter()
    return KnownPipeline(
        source.key,
        source.spec.owner_id(source.key),
        tuple(map(suffix, filters.include or ())),
        tuple(map(suffix, filters.exclude or ())),
    )


def suffix(text: str) -> str:
    """Return a filter's suffix without the dot that it may begin with."""
    return text.removeprefix(".").lower()


def filter_problems(filters: DomainFilter | None) -> Iterator[Problem]:
    """Yield what is wrong with a domain filter: domain names, with or without a dot in front, none twice."""
    if filters is not None:
        yield from _suffix_problems("spec.domainFilter.include", filters.include or ())
        yield from _suffix_problems("spec.domainFilter.exclude", filters.exclude or ())


def _suffix_problems(path: str, texts: Iterable[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for position, text in enumerate(texts):
        bare = text.removeprefix(".")
        wrong = _suffix_problem(bare) or ("is listed twice" if bare in seen else None)
        seen.add(bare)
        if wrong:
            yield Problem(f"{path}[{position}]", wrong)


def _suffix_problem(bare: str) -> str | None:
    if bare.startswith("*."):
        return f"must not have a wildcard: {bare[2:]} covers every name below it"
    return domain_name_problem(bare)
