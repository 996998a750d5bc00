"""Classes and Providers for tests."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass

PROVIDER_FILE = Path(__file__).parents[3] / "charts/dnsapi/charts/route53/files/provider.yaml"


def zone_class(
    *,
    spec: Mapping[str, object] | None = None,
    status: Mapping[str, object] | None = None,
    name: str = "public",
) -> ZoneClass:
    """Return platform/public with a spec that is merged into a good one."""
    good = {
        "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
        "controllerName": "route53.dns.appthrust.io/controller",
        "identityRef": {"name": "main"},
        "parameters": {},
        "allowedZones": {"namespaces": {"from": "Same"}},
    }
    return ZoneClass.model_validate(
        {
            "apiVersion": "dns.appthrust.io/v1alpha1",
            "kind": "ZoneClass",
            "metadata": {"namespace": "platform", "name": name, "uid": "uid-2", "generation": 1},
            "spec": {**good, **(spec or {})},
            "status": status or {},
        }
    )


def provider() -> Provider:
    """Return the Provider object that the chart installs."""
    document = yaml.safe_load(PROVIDER_FILE.read_text())
    document["metadata"] |= {"uid": "uid-3", "generation": 1}
    return Provider.model_validate(document)
