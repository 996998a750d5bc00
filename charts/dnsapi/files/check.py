# ruff: noqa: INP001 — a script that the chart hands to a pod, no module
"""`helm test`: the kinds are served, and the webhook refuses a Zone whose domain name is wrong."""

import json
import os
import ssl
import sys
import urllib.request
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
API = "https://kubernetes.default.svc/apis/dns.appthrust.io/v1alpha1"
KINDS = {"providers", "zoneclasses", "zones", "recordsets", "zoneunits", "zoneunitslices"}


def fetched(request: urllib.request.Request, trust: ssl.SSLContext) -> Any:  # noqa: ANN401 — a JSON document
    """Return the JSON answer of an https request."""
    with urllib.request.urlopen(request, timeout=10, context=trust) as answer:  # noqa: S310 — addresses of the chart
        return json.load(answer)


def served() -> None:
    """End with a message where the API server lacks a kind of ours."""
    headers = {"Authorization": f"Bearer {(ACCOUNT / 'token').read_text()}"}
    trust = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    found = {one["name"] for one in fetched(urllib.request.Request(API, headers=headers), trust)["resources"]}
    if KINDS - found:
        sys.exit(f"the API server does not serve {sorted(KINDS - found)}: install the chart dnsapi-crds")
    sys.stdout.write("ok: the API server serves our kinds\n")


def question() -> dict[str, Any]:
    """Return the review of a Zone whose domain name is wrong."""
    spec = {
        "domainName": "not a domain name",
        "zoneClassRef": {"name": "none"},
        "provider": {"name": "none", "version": "v1alpha1"},
    }
    zone = {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "Zone",
        "metadata": {"namespace": "default", "name": "check"},
        "spec": spec,
    }
    kind = {"group": "dns.appthrust.io", "version": "v1alpha1", "kind": "Zone"}
    resource = {"group": "dns.appthrust.io", "version": "v1alpha1", "resource": "zones"}
    request = {
        "uid": "check",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "name": "check",
        "namespace": "default",
        "operation": "CREATE",
        "userInfo": {"username": "helm-test"},
        "object": zone,
        "dryRun": True,
    }
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def refused(url: str) -> None:
    """End with a message unless the webhook refuses that Zone."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(question()).encode(), headers)  # noqa: S310 — our own Service
    trust = ssl.create_default_context()
    # The authority is known to the API server alone; this test says whether somebody answers, not who.
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    response = fetched(request, trust)["response"]
    if response["allowed"]:
        sys.exit("the webhook admitted a Zone whose domain name is wrong")
    sys.stdout.write(f"ok: the webhook answers: {response['status']['message']}\n")


served()
if os.environ.get("WEBHOOK_URL"):
    refused(os.environ["WEBHOOK_URL"])
