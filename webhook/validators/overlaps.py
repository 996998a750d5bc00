"""Warnings about domain filters that meet (seed 000, Conflict Resolution): names in both are published by neither."""

from collections.abc import Iterable, Iterator
from itertools import islice

from libdnsapi.api.externaldns.dnsprovider import ClusterDNSProvider, DNSProvider
from libdnsapi.dns.names import is_subdomain
from webhook.answer import ALLOWED, Answer
from webhook.documents import value_at
from webhook.review import Operation, Review
from webhook.validators import shape
from webhook.validators.pipelines import PipelineObject, known_pipeline
from webhook.validators.snapshot import KnownPipeline, Snapshot

NAMED = 5
"""Other pipelines that one answer names."""
COMPARED = 20_000
"""Pairs of suffixes that one preview looks at: a few milliseconds."""


def preview_overlaps(review: Review, snapshot: Snapshot) -> Answer:
    """Name the DNSProviders of the same namespace whose filters meet this one's."""
    return _preview(review, shape.read(DNSProvider, review.object, bulky=review.bulky), snapshot)


def preview_cluster_overlaps(review: Review, snapshot: Snapshot) -> Answer:
    """Name the ClusterDNSProviders whose filters meet this one's."""
    return _preview(review, shape.read(ClusterDNSProvider, review.object, bulky=review.bulky), snapshot)


def _preview(review: Review, source: object, snapshot: Snapshot) -> Answer:
    if not isinstance(source, PipelineObject) or _keeps_its_filter(review):
        return ALLOWED
    mine = known_pipeline(source)
    others = [
        other
        for other in snapshot.pipelines
        if other.key != review.key and other.key.namespace == review.namespace and other.include
    ]
    met: dict[KnownPipeline, str] = {}
    for other, domain in _overlaps(mine, others):
        met.setdefault(other, domain)
    return Answer(warnings=tuple(_warnings(met)))


def _keeps_its_filter(review: Review) -> bool:
    old, new = (value_at(document, "spec", "domainFilter") for document in (review.old, review.object))
    return review.operation is Operation.UPDATE and old == new


def _overlaps(mine: KnownPipeline, others: Iterable[KnownPipeline]) -> Iterator[tuple[KnownPipeline, str]]:
    """Yield the others whose filters meet, each with a domain that both want."""
    pairs = ((other, one, their) for other in others for one in mine.include for their in other.include)
    for other, one, their in islice(pairs, COMPARED):
        shared = one if is_subdomain(one, their) else their if is_subdomain(their, one) else None
        if shared is not None and not any(is_subdomain(shared, gap) for gap in (*mine.exclude, *other.exclude)):
            yield other, shared


def _warnings(met: dict[KnownPipeline, str]) -> Iterator[str]:
    for other, domain in islice(met.items(), NAMED):
        yield (
            f"spec.domainFilter overlaps with that of {other.kind} {other.key} at {domain}: names in both are "
            f"published by neither unless their source names one with the annotation {other.annotation}"
        )
    if len(met) > NAMED:
        yield f"spec.domainFilter overlaps with that of {len(met) - NAMED} more"
