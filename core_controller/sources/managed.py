"""Managed pipelines: the identity, the class and the Zones that the controller makes for one object. Pure.

Nothing is ever deleted here, at AWS or in the cluster: a hosted zone that leaves the discovered list keeps its Zone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from core_controller.sources.pipelines import Pipeline, PipelineObject, hashed
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.externaldns.dnsprovider import DEFAULT_TYPES, ORDINARY_NAMES, ClusterDNSProvider
from libdnsapi.api.externaldns.names import MANAGED_BY, MANAGED_BY_LABEL, PIPELINE_LABEL
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER, VERSION
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, DiscoveredHostedZone
from libdnsapi.dns.names import is_subdomain

DEFAULT_REGION = "us-east-1"
_ROLE_ACCOUNT = re.compile(r"arn:aws[a-z-]*:iam::(?P<account>[0-9]{12}):role/.+")
_NAME_LENGTH = 200


@dataclass(frozen=True, slots=True)
class ManagedObject:
    """An object that shall exist; its labels say which pipeline it is of.

    One that is kept is not made again where it is gone, and its spec holds only what is to be brought up to date.
    """

    resource: ResourceType
    key: ObjectKey
    labels: dict[str, str]
    spec: JsonObject
    is_kept: bool = False

    def body(self) -> JsonObject:
        """Return the object to create."""
        labels: JsonObject = {**self.labels}
        metadata: JsonObject = {"name": self.key.name, "namespace": self.key.namespace, "labels": labels}
        return {"metadata": metadata, "spec": self.spec}


def spec_problem(source: PipelineObject) -> str | None:
    """Say why a managed pipeline cannot have an identity."""
    config = source.spec.config or {}
    role = config.get("aws-assume-role")
    if role is not None and _ROLE_ACCOUNT.fullmatch(role) is None:
        return "config aws-assume-role is not the ARN of an IAM role"
    if account_id(config) is None:
        return "config aws-account-id is needed where no aws-assume-role names the account"
    if source.metadata.namespace and source.spec.credentials_ref is None:
        return "credentialsRef is required without zones"
    if isinstance(source, ClusterDNSProvider) and source.spec.allowed_namespaces is None:
        return "allowedNamespaces is required without zones"
    return None


def account_id(config: dict[str, str]) -> str | None:
    """Return the AWS account: the one that is given, else that of the role."""
    if "aws-account-id" in config:
        return config["aws-account-id"]
    found = _ROLE_ACCOUNT.fullmatch(config.get("aws-assume-role", ""))
    return found["account"] if found is not None else None


def managed_name(source: PipelineObject, pipeline: Pipeline) -> str:
    """Return the name of the pipeline's identity and class."""
    return f"{source.metadata.name[:_NAME_LENGTH].rstrip('.-')}-{pipeline.label[:8]}"


def without_lost(zones: Iterable[Zone], hosted: Iterable[DiscoveredHostedZone]) -> list[Zone]:
    """Leave out the Zones whose hosted zone is not found any more, where another one of the same domain is found."""
    known = list(zones)
    ids = {one.id.removeprefix("/hostedzone/") for one in hosted}
    there = {zone.key for zone in known if (zone.spec.adoption or {}).get("hostedZoneId") in ids}
    domains = {zone.spec.domain_name for zone in known if zone.key in there}
    return [zone for zone in known if zone.key in there or zone.spec.domain_name not in domains]


def managed_objects(
    source: PipelineObject,
    pipeline: Pipeline,
    home: str,
    hosted_zones: Iterable[DiscoveredHostedZone],
    zones: Iterable[ObjectKey] = (),
) -> list[ManagedObject]:
    """Return what shall exist in the home namespace for a pipeline without a spec problem.

    `zones` are the Zones that were made for it until now.
    """
    labels = {MANAGED_BY_LABEL: MANAGED_BY, PIPELINE_LABEL: pipeline.label}
    name = managed_name(source, pipeline)
    made = [
        ManagedObject(ROUTE53_IDENTITIES, ObjectKey(home, name), labels, _identity(source)),
        ManagedObject(ZONE_CLASSES, ObjectKey(home, name), labels, _zone_class(name)),
    ]
    wanted = sorted((zone for zone in hosted_zones if _is_wanted(pipeline, zone.name)), key=lambda zone: zone.id)
    for hosted in wanted:
        key = ObjectKey(home, f"{hosted.name[:_NAME_LENGTH].rstrip('.-')}-{hashed(pipeline.label + hosted.id)[:8]}")
        made.append(ManagedObject(ZONES, key, labels, _zone(source, name, hosted)))
    return made + _kept(source, labels, set(zones) - {one.key for one in made})


def _kept(source: PipelineObject, labels: dict[str, str], zones: Iterable[ObjectKey]) -> list[ManagedObject]:
    """Return the Zones of hosted zones that are not found any more: who may publish there follows the pipeline too."""
    if not isinstance(source, ClusterDNSProvider):
        return []
    spec: JsonObject = {"allowedRecordSets": _admission(source)}
    return [ManagedObject(ZONES, key, labels, spec, is_kept=True) for key in sorted(zones)]


def _identity(source: PipelineObject) -> JsonObject:
    config = source.spec.config or {}
    filters, secret = source.spec.domain_filter, source.spec.credentials_ref
    discovery: JsonObject = {"enabled": True}
    if filters is not None and filters.include:
        discovery["domains"] = [suffix.removeprefix(".") for suffix in filters.include]
    spec: JsonObject = {
        "accountID": account_id(config),
        "region": config.get("aws-region", DEFAULT_REGION),
        "credentials": {"runtime": {}} if secret is None else {"secretRef": {"name": secret.name}},
        "zoneDiscovery": discovery,
    }
    if "aws-assume-role" in config:
        role: JsonObject = {"roleARN": config["aws-assume-role"]}
        if "aws-assume-role-external-id" in config:
            role["externalID"] = config["aws-assume-role-external-id"]
        spec["assumeRoleChain"] = [role]
    return spec


def _zone_class(name: str) -> JsonObject:
    """Return a class that only adopts, and keeps what it has adopted."""
    return {
        "provider": {"name": ROUTE53_PROVIDER, "version": VERSION},
        "controllerName": ROUTE53_CONTROLLER,
        "identityRef": {"name": name},
        "parameters": {"zoneCreationPolicy": "Deny", "zoneDeletionPolicy": "Retain"},
        "allowedZones": {"namespaces": {"from": "Same"}},
    }


def _zone(source: PipelineObject, class_name: str, hosted: DiscoveredHostedZone) -> JsonObject:
    spec: JsonObject = {
        "domainName": hosted.name,
        "zoneClassRef": {"name": class_name},
        "provider": {"name": ROUTE53_PROVIDER, "version": VERSION},
        "adoption": {"hostedZoneId": hosted.id.removeprefix("/hostedzone/")},
    }
    if isinstance(source, ClusterDNSProvider):
        spec["allowedRecordSets"] = _admission(source)
    return spec


def _admission(source: ClusterDNSProvider) -> list[JsonValue]:
    """Return which namespaces may publish what into the pipeline's Zones."""
    namespaces, records = source.spec.allowed_namespaces, source.spec.allowed_records
    pattern = records.name.pattern if records is not None and records.name is not None else ORDINARY_NAMES
    types = (records.types if records is not None else None) or DEFAULT_TYPES
    admitted: JsonObject = {
        "namespaces": namespaces.to_json() if namespaces is not None else {},
        "records": [{"name": {"pattern": pattern}, "types": [*types]}],
    }
    return [admitted]


def _is_wanted(pipeline: Pipeline, domain: str) -> bool:
    """Whether a hosted zone can hold names that the pipeline is responsible for."""
    if any(is_subdomain(domain, suffix) for suffix in pipeline.exclude):
        return False
    return not pipeline.include or any(
        is_subdomain(domain, suffix) or is_subdomain(suffix, domain) for suffix in pipeline.include
    )
