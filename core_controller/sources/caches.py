"""The indexes of the caches that every deployment of the sources has."""

from collections.abc import Iterable

from core_controller.sources.host_reconciler import BY_CONTRIBUTOR, BY_HOST, BY_PIPELINE
from core_controller.sources.plan import contributors_of, is_ours
from core_controller.sources.recordsets import HostKey
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.externaldns.names import HOSTNAME_ANNOTATION, PIPELINE_LABEL
from libdnsapi.runtime.shelf import Indexers


def host_of(record_set: RecordSet) -> HostKey | None:
    """Return the host name that a RecordSet of ours publishes; None for others' RecordSets."""
    hostname = record_set.metadata.annotations.get(HOSTNAME_ANNOTATION)
    return HostKey(record_set.metadata.namespace, hostname) if hostname and is_ours(record_set) else None


def _hosts(record_set: RecordSet) -> Iterable[str]:
    host = host_of(record_set)
    return () if host is None else (str(host),)


def _contributors(record_set: RecordSet) -> Iterable[str]:
    return contributors_of(record_set) if is_ours(record_set) else ()


def _pipeline(record_set: RecordSet) -> Iterable[str]:
    label = record_set.metadata.labels.get(PIPELINE_LABEL)
    return (label,) if label and is_ours(record_set) else ()


RECORD_SET_INDEXES: Indexers[RecordSet] = {BY_HOST: _hosts, BY_CONTRIBUTOR: _contributors, BY_PIPELINE: _pipeline}
