"""The RecordSets that one name of one namespace shall have (sources page, DNSProvider). Pure.

A RecordSet lives in the namespace of its source objects. Its name is made of the host name, the type and a hash of
owner id, Zone, Provider and identity, so that two writers collide instead of doubling, and another Zone or owner is
another object.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from core_controller.sources.annotations import Finding
from core_controller.sources.contents import Content, merge
from core_controller.sources.endpoints import Endpoint, SourceKey
from core_controller.sources.pipelines import Pipeline, PipelineTable, hashed
from core_controller.sources.routing import Placement, route
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.references import OBJECT_NAME_MAX_LENGTH, ProviderRef
from libdnsapi.api.externaldns.names import (
    CONTRIBUTORS_ANNOTATION,
    HOSTNAME_ANNOTATION,
    MANAGED_BY,
    MANAGED_BY_LABEL,
    OWNER_ANNOTATION,
    OWNER_LABEL,
    PIPELINE_ANNOTATION,
    PIPELINE_LABEL,
    SOURCE_LABEL,
)
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.dns.names import APEX

_NOT_IN_NAMES = re.compile(r"[^a-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class HostKey:
    """One host name of one namespace: what is planned at a time."""

    namespace: str
    hostname: str

    def __str__(self) -> str:
        """Return `namespace/hostname`."""
        return f"{self.namespace}/{self.hostname}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote."""
        namespace, _, hostname = text.partition("/")
        return cls(namespace, hostname)


@dataclass(frozen=True, slots=True)
class DesiredRecordSet:
    """A RecordSet as it shall be."""

    key: ObjectKey
    pipeline: Pipeline
    zone: ObjectKey
    contributors: tuple[SourceKey, ...]
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: JsonObject

    def body(self) -> JsonObject:
        """Return the object to create."""
        metadata: JsonObject = {
            "name": self.key.name,
            "namespace": self.key.namespace,
            "labels": {**self.labels},
            "annotations": {**self.annotations},
        }
        return {"metadata": metadata, "spec": self.spec}


@dataclass(slots=True)
class Desired:
    """All that a name shall have, and what to tell whom.

    `held` are the objects whose published records are to be left as they are; `kept` says of which objects those of
    which type are not to be withdrawn, because what the objects ask for instead cannot be published. `placed` are the
    pipelines that take the name of an object of which others that it names cannot: it is kept in all but these.
    """

    record_sets: list[DesiredRecordSet] = field(default_factory=list)
    findings: list[tuple[SourceKey, Finding]] = field(default_factory=list)
    held: set[SourceKey] = field(default_factory=set)
    kept: set[tuple[SourceKey, RecordType]] = field(default_factory=set)
    placed: dict[SourceKey, frozenset[ObjectKey]] = field(default_factory=dict)


def desired(host: HostKey, endpoints: Iterable[Endpoint], table: PipelineTable) -> Desired:
    """Route the endpoints of a name, merge them per pipeline and Zone, and return the RecordSets."""
    result = Desired()
    groups: dict[tuple[ObjectKey, ObjectKey], tuple[Placement, list[Endpoint]]] = {}
    for endpoint in endpoints:
        if not endpoint.values:
            result.kept.add((endpoint.source, endpoint.type))
            continue
        found = route(endpoint, table)
        result.findings += [(endpoint.source, finding) for finding in found.findings]
        if found.kept:
            result.placed[endpoint.source] = frozenset(placement.pipeline.key for placement in found.placements)
        if found.held:
            result.held.add(endpoint.source)
            continue
        for placement in found.placements:
            group = groups.setdefault((placement.pipeline.key, placement.zone.key), (placement, []))
            group[1].append(endpoint)
    for placement, same in groups.values():
        relative = relative_name(host.hostname, placement.zone.domain)
        merged = merge(relative, placement, same)
        result.findings += merged.findings
        result.kept |= merged.refused
        result.record_sets += [_record_set(host, relative, placement, content) for content in merged.contents]
    return result


def relative_name(hostname: str, domain: str) -> str:
    """Return a host name relative to its zone, `@` for the apex."""
    return APEX if hostname == domain else hostname.removesuffix(f".{domain}")


def _record_set(host: HostKey, relative: str, placement: Placement, content: Content) -> DesiredRecordSet:
    pipeline, zone = placement.pipeline, placement.zone
    spec: JsonObject = {
        "zoneRef": {"namespace": zone.key.namespace, "name": zone.key.name},
        "provider": {"name": zone.provider.name, "version": zone.provider.version},
        "type": content.type.value,
        "name": relative,
        **content.fields,
    }
    if pipeline.adopts and zone.is_route53:
        spec["adoption"] = {"enabled": True, "whenMissing": "Create"}
    contributors = ",".join(map(str, content.contributors))
    return DesiredRecordSet(
        key=ObjectKey(
            host.namespace,
            _object_name(host.hostname, content.type, pipeline.owner_id, zone.key, zone.provider),
        ),
        pipeline=pipeline,
        zone=zone.key,
        contributors=content.contributors,
        labels={
            MANAGED_BY_LABEL: MANAGED_BY,
            OWNER_LABEL: hashed(pipeline.owner_id),
            PIPELINE_LABEL: pipeline.label,
            SOURCE_LABEL: hashed(str(content.contributors[0])),
        },
        annotations={
            OWNER_ANNOTATION: pipeline.owner_id,
            PIPELINE_ANNOTATION: pipeline.full_name,
            HOSTNAME_ANNOTATION: host.hostname,
            CONTRIBUTORS_ANNOTATION: contributors,
        },
        spec=spec,
    )


def name_as_made(record_set: RecordSet) -> str:
    """Return the name that a RecordSet of ours has; a copy that somebody made of one has another."""
    annotations, spec = record_set.metadata.annotations, record_set.spec
    hostname, owner = annotations.get(HOSTNAME_ANNOTATION, ""), annotations.get(OWNER_ANNOTATION, "")
    return _object_name(hostname, spec.type, owner, record_set.zone_key, spec.provider)


def _object_name(hostname: str, type_: RecordType, owner: str, zone: ObjectKey, provider: ProviderRef) -> str:
    """Return the deterministic name: readable first, then the hash that makes it unique."""
    identity = f"{owner}|{zone}|{provider}|{hostname}|{type_}"
    suffix = f"-{type_.value.lower()}-{hashed(identity)}"
    readable = _NOT_IN_NAMES.sub("", hostname.replace("*", "any").replace("_", "")).strip(".-") or "record"
    return readable[: OBJECT_NAME_MAX_LENGTH - len(suffix)].rstrip(".-") + suffix
