"""Services and entries as the field cases write them."""

from tests.core_controller.sources.world import (
    PREFIX,
    Document,
    load_balancer,
)

ELB = "lb-1.eu-west-1.elb.amazonaws.com"


def service(annotations: dict[str, str], *addresses: dict[str, str], spec: Document | None = None) -> Document:
    """Return a Service of which the annotations say all, names too; without addresses it has 192.0.2.7."""
    made = load_balancer("")
    made["metadata"]["annotations"] = {key if "/" in key else PREFIX + key: text for key, text in annotations.items()}
    made["status"]["loadBalancer"]["ingress"] = list(addresses) or [{"ip": "192.0.2.7"}]
    return {**made, **({"spec": spec} if spec else {})}


def named(**annotations: str) -> dict[str, str]:
    return {"hostname": "a.example.com", **{key.replace("_", "-"): text for key, text in annotations.items()}}


def endpoint(type_: str, *targets: str, **fields: object) -> Document:
    entry = {"dnsName": "a.example.com", "recordType": type_, "targets": list(targets), **fields}
    return {"metadata": {"name": "e", "namespace": "apps"}, "spec": {"endpoints": [entry]}}
