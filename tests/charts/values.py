"""Sets of values that the chart must render with, and ways into what it renders."""

from typing import Any

from e2e.kube import Document

COMPONENTS = ("core", "route53", "webhook", "sources")
VALUES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "cert-manager": {"webhook": {"tls": {"mode": "certManager", "certManager": {"issuerRef": {"name": "internal"}}}}},
    "an existing certificate": {
        "webhook": {"tls": {"mode": "secret", "secretName": "tls", "caBundle": "Q0E="}},
    },
    "everything set": {
        "global": {
            "image": {"registry": "registry.example/dns", "tag": "1.2.3"},
            "imagePullSecrets": [{"name": "registry"}],
            "serviceAccountNames": {"core": "own-core"},
            "extraControllerAccounts": ["other:provider"],
            "podMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
            "prometheusRule": {"enabled": True, "labels": {"release": "prometheus"}, "runbookURL": "https://x.test/r/"},
            "dashboards": {"enabled": True},
            "networkPolicy": {
                "healthFrom": [{"namespaceSelector": {"matchLabels": {"monitoring": "true"}}}],
                "egress": {"enabled": True, "ports": [443, 16443], "extra": [{"ports": [{"port": 9000}]}]},
            },
        },
        "rbac": {"zonesForAdmins": True},
        "uninstall": {"release": True},
        "sources": {
            "enabled": True,
            "managed": {"enabled": True},
            "references": [{"apiGroups": ["networking.istio.io"], "resources": ["gateways"]}],
            "settings": {
                "source": ["gateway-httproute", "gateway-grpcroute", "service", "crd"],
                "labelFilter": "dns=yes",
                "combineFqdnAnnotation": True,
                "fqdnTemplate": "{{.Name}}.example.com",
                "excludeTargetNet": ["10.0.0.0/8"],
                "gatewayAddressGrace": 600,
            },
        },
        "core": {"priorityClassName": "high", "settings": {"inlineRecordSets": 50}},
        "route53": {
            "replicas": 1,
            "image": {"digest": "sha256:" + "a" * 64},
            "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "role"}},
            "podLabels": {"team": "dns"},
            "podAnnotations": {"note": "x"},
            "nodeSelector": {"kubernetes.io/os": "linux"},
            "tolerations": [{"operator": "Exists"}],
            "affinity": {"podAntiAffinity": {}},
            "env": [{"name": "AWS_REGION", "value": "eu-central-1"}],
            "extraArgs": ["--log-format=console"],
            "settings": {
                "controllerName": "example.org/second",
                "debugPage": True,
                "requestsPerSecond": 2.5,
                "driftInterval": "1h30m",
                "maxDeleteCount": 0,
                "secretNamespaces": ["team-a", "team-b"],
                "allowedRoleArns": ["arn:aws:iam::123456789012:role/dns-*"],
            },
        },
    },
    "sources": {"sources": {"enabled": True}},
    "static keys": {"route53": {"aws": {"region": "eu-central-1", "secretName": "aws-keys"}}},
    "IRSA": {"route53": {"aws": {"roleARN": "arn:aws:iam::123456789012:role/dnsapi"}}},
    "IPv6 only": {"global": {"bindAddress": "[::]"}},
    **{
        f"{alone} alone": {one: {"enabled": one == alone} for one in ("core", "route53", "webhook", "sources")}
        for alone in ("core", "route53", "webhook", "sources")
    },
    "large numbers, as a file of values gives them": {
        "global": {"podSecurityContext": {"runAsUser": 1000650000}},
        "core": {"terminationGracePeriodSeconds": 1000000, "settings": {"ledgerObjectBytes": 1048576}},
        "route53": {"settings": {"maxDeleteCount": 1234567, "driftInterval": 3600000, "requestsPerSecond": 2.5}},
    },
    "nobody else writes ledgers": {"webhook": {"ledgerWriters": []}},
    "a second provider controller": {
        "core": {"enabled": False},
        "webhook": {"enabled": False},
        "rbac": {"aggregateToDefaultRoles": False, "platformRole": False},
        "route53": {"provider": {"install": False}, "settings": {"controllerName": "example.org/second"}},
    },
}


def of_kind(documents: list[Document], *kinds: str) -> list[Document]:
    """Return the documents of these kinds."""
    return [document for document in documents if document["kind"] in kinds]


def named(documents: list[Document], kind: str, name: str) -> Document:
    """Return one document."""
    return next(one for one in of_kind(documents, kind) if one["metadata"]["name"] == name)


def pods(documents: list[Document]) -> list[Document]:
    """Return the pod specs of all workloads, hooks included."""
    templates = [document["spec"]["template"]["spec"] for document in of_kind(documents, "Deployment", "Job")]
    return templates + [document["spec"] for document in of_kind(documents, "Pod")]


def deployed(documents: list[Document], component: str) -> Document:
    """Return the pod spec of a component."""
    deployments = of_kind(documents, "Deployment")
    found: Document = next(
        one["spec"]["template"]["spec"]
        for one in deployments
        if one["metadata"]["labels"]["app.kubernetes.io/component"] == component
    )
    return found


def arguments(documents: list[Document], component: str) -> list[str]:
    """Return the command line of a component."""
    found: list[str] = deployed(documents, component)["containers"][0]["args"]
    return found
