"""The objects that are measured: one account, one class, one Zone, and many short A records."""

from benchmarks.rig import ACCOUNT, NAMESPACE
from libdnsapi.api.meta import JsonObject

PROVIDER: JsonObject = {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}
META: JsonObject = {"namespace": NAMESPACE}


def platform(zone: str = "zone", domain: str = "bench.example.com") -> list[JsonObject]:
    """Return what stands before the records, in the order of creation."""
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        {
            "apiVersion": "route53.dns.appthrust.io/v1alpha1",
            "kind": "Route53Identity",
            "metadata": META | {"name": "account"},
            "spec": {"accountID": ACCOUNT, "region": "us-east-1", "credentials": {"runtime": {}}},
        },
        {
            "apiVersion": "dns.appthrust.io/v1alpha1",
            "kind": "ZoneClass",
            "metadata": META | {"name": "class"},
            "spec": {
                "provider": PROVIDER,
                "controllerName": "route53.dns.appthrust.io/controller",
                "identityRef": {"name": "account"},
                "parameters": {},
                "allowedZones": {"namespaces": {"from": "Same"}},
            },
        },
        zone_of(zone, domain),
    ]


def zone_of(name: str, domain: str) -> JsonObject:
    """Return a Zone."""
    spec: JsonObject = {"domainName": domain, "zoneClassRef": {"name": "class"}, "provider": PROVIDER}
    return {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "Zone",
        "metadata": META | {"name": name},
        "spec": spec,
    }


def record(index: int, zone: str = "zone", ttl: int = 300) -> JsonObject:
    """Return one A record set."""
    return {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "RecordSet",
        "metadata": META | {"name": f"{zone}-r{index}"},
        "spec": {
            "zoneRef": {"name": zone},
            "provider": PROVIDER,
            "type": "A",
            "name": f"r{index}",
            "ttl": ttl,
            "a": {"addresses": [f"10.{index >> 16 & 255}.{index >> 8 & 255}.{index & 255}"]},
        },
    }
