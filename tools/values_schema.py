"""`python -m tools.values_schema [--check]`: values.schema.json of the umbrella chart and of each component.

A misspelt or mistyped value stops `helm install` with its path, instead of being ignored.
"""

import json
import sys
from pathlib import Path

from core_controller.sources.settings import KNOWN_SOURCES as SOURCES
from libdnsapi.api.meta import JsonObject
from tools.generated import ROOT, run

CHART = ROOT / "charts" / "dnsapi"
DRAFT = "http://json-schema.org/draft-07/schema#"
STRING: JsonObject = {"type": "string"}
BOOLEAN: JsonObject = {"type": "boolean"}
PORT: JsonObject = {"type": "integer", "minimum": 1, "maximum": 65535}
OBJECT: JsonObject = {"type": "object"}
STRINGS: JsonObject = {"type": "array", "items": {"type": "string", "minLength": 1}}
OBJECTS: JsonObject = {"type": "array", "items": {"type": "object"}}
TEXTS: JsonObject = {"type": "object", "additionalProperties": {"type": "string"}}
_STANDARD = ("name", "component", "instance", "version", "part-of", "managed-by")
LABELS: JsonObject = {
    **TEXTS,
    "properties": {"helm.sh/chart": False, **{f"app.kubernetes.io/{one}": False for one in _STANDARD}},
}
"""Labels beside the chart's own, by which its selectors find the pods."""
NAMESPACES: JsonObject = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"},
    "uniqueItems": True,
}
NUMBER: JsonObject = {"type": ["number", "string", "null"], "minimum": 0, "pattern": "^[0-9]+(\\.[0-9]+)?$"}
"""Helm reads `--set key=2.5` as a string."""
TEXT: JsonObject = {"type": ["string", "null"]}
DURATION: JsonObject = {"type": ["string", "number", "null"], "description": "A duration such as 90s or 1h30m."}
SWITCH: JsonObject = {"type": ["boolean", "null"]}
LEVEL: JsonObject = {"enum": ["debug", "info", "warning", "error", None]}


def _whole(least: int, most: int | None = None) -> JsonObject:
    """Return the schema of a whole number within the bounds of the option."""
    bounds: JsonObject = {"type": ["integer", "null"], "minimum": least}
    return bounds if most is None else bounds | {"maximum": most}


SETTINGS: dict[str, dict[str, JsonObject]] = {
    "core": {
        "logLevel": LEVEL,
        "debugPage": SWITCH,
        "inlineRecordSets": _whole(0, 1000),
        "recordSetsPerSlice": _whole(1, 1000),
        "ledgerObjectBytes": _whole(64 * 1024, 1024 * 1024),
        "workers": _whole(1, 64),
        "statusWorkers": _whole(1, 64),
    },
    "route53": {
        "logLevel": LEVEL,
        "debugPage": SWITCH,
        "controllerName": TEXT,
        "providerName": TEXT,
        "providerVersion": TEXT,
        "workers": _whole(1, 64),
        "driftInterval": DURATION,
        "changePollInitial": DURATION,
        "changePollMax": DURATION,
        "retryInitial": DURATION,
        "retryMax": DURATION,
        "requestsPerSecond": NUMBER,
        "requestBurst": _whole(1, 1000),
        "awsConnectTimeout": DURATION,
        "awsReadTimeout": DURATION,
        "credentialCheckInterval": DURATION,
        "credentialRetryInterval": DURATION,
        "maxDeleteCount": _whole(0),
        "maxDeletePercent": _whole(0, 100),
        "runtimeIdentityNamespaces": STRINGS,
        "allowedRoleArns": STRINGS,
        "secretNamespaces": NAMESPACES,
    },
    "webhook": {"logLevel": LEVEL, "debugPage": SWITCH, "drain": DURATION},
    "sources": {
        "logLevel": LEVEL,
        "debugPage": SWITCH,
        "source": {"type": "array", "uniqueItems": True, "items": {"enum": [*SOURCES]}},
        "labelFilter": TEXT,
        "annotationFilter": TEXT,
        "gatewayName": TEXT,
        "gatewayNamespace": TEXT,
        "gatewayLabelFilter": TEXT,
        "ignoreHostnameAnnotation": SWITCH,
        "fqdnTemplate": TEXT,
        "combineFqdnAnnotation": SWITCH,
        "targetNetFilter": STRINGS,
        "excludeTargetNet": STRINGS,
        "gatewayAddressGrace": DURATION,
        "targetFromPoll": DURATION,
        "pipelineNamespace": TEXT,
    },
}
"""The settings of each component: the key is the flag's name in camelCase."""

OWN: dict[str, dict[str, JsonObject]] = {
    "core": {},
    "route53": {
        "provider": {"type": "object", "properties": {"install": BOOLEAN}, "additionalProperties": False},
        "aws": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "region": {"type": "string", "pattern": "^[a-z0-9-]*$"},
                "roleARN": {"type": "string", "pattern": "^(arn:aws[a-z-]*:iam::[0-9]{12}:role/.+)?$"},
                "secretName": {"type": "string", "pattern": "^[a-z0-9.-]*$"},
            },
        },
    },
    "sources": {
        "managed": {"type": "object", "properties": {"enabled": BOOLEAN}, "additionalProperties": False},
        "references": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["apiGroups", "resources"],
                "additionalProperties": False,
                "properties": {"apiGroups": {"type": "array", "items": STRING}, "resources": STRINGS},
            },
        },
    },
    "webhook": {
        "port": PORT,
        "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 30},
        "ledgerWriters": STRINGS,
        "tls": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "mode": {"enum": ["selfSigned", "certManager", "secret"]},
                "secretName": STRING,
                "caBundle": {"type": "string", "contentEncoding": "base64"},
                "certManager": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"issuerRef": OBJECT},
                },
            },
        },
    },
}


def _closed(properties: dict[str, JsonObject]) -> JsonObject:
    return {"type": "object", "additionalProperties": False, "properties": {**properties}}


def _global() -> JsonObject:
    """Return the schema of what all components share; one that is installed alone knows the same."""
    account: JsonObject = {"type": "string", "pattern": "^[a-z0-9-]+:[a-z0-9.-]+$"}
    accounts = _closed(dict.fromkeys(SETTINGS, STRING))
    monitor = _closed({"enabled": BOOLEAN, "interval": STRING, "labels": LABELS})
    egress = _closed({"enabled": BOOLEAN, "ports": {"type": "array", "items": PORT}, "extra": OBJECTS})
    policy = _closed({"enabled": BOOLEAN, "healthFrom": OBJECTS, "egress": egress})
    return _closed(
        {
            "image": _closed({"registry": STRING, "tag": STRING}),
            "imagePullSecrets": OBJECTS,
            "serviceAccountNames": accounts,
            "extraControllerAccounts": {"type": "array", "items": account},
            "bindAddress": STRING,
            "platformAssignsUsers": BOOLEAN,
            "podSecurityContext": OBJECT,
            "containerSecurityContext": OBJECT,
            "podMonitor": monitor,
            "networkPolicy": policy,
            "prometheusRule": _closed({"enabled": BOOLEAN, "labels": LABELS, "runbookURL": STRING}),
            "dashboards": _closed({"enabled": BOOLEAN, "labels": LABELS}),
        }
    )


def component_schema(component: str) -> JsonObject:
    """Return the schema of one component's values."""
    image: dict[str, JsonObject] = {"registry": STRING, "repository": {"type": "string", "minLength": 1}, "tag": STRING}
    image |= {"digest": {"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"}}
    image |= {"pullPolicy": {"enum": ["Always", "IfNotPresent", "Never"]}}
    properties: dict[str, JsonObject] = {
        "global": _global(),
        "enabled": BOOLEAN,
        "fullnameOverride": {"type": "string", "maxLength": 63},
        "replicas": {"type": "integer", "minimum": 0},
        "image": _closed(image),
        "serviceAccount": _closed({"annotations": TEXTS}),
        "podLabels": LABELS,
        "podAnnotations": TEXTS,
        "priorityClassName": STRING,
        "terminationGracePeriodSeconds": {"type": "integer", "minimum": 0},
        "healthPort": PORT,
        "resources": OBJECT,
        "nodeSelector": TEXTS,
        "tolerations": OBJECTS,
        "affinity": OBJECT,
        "env": OBJECTS,
        "extraArgs": STRINGS,
        "settings": _closed(SETTINGS[component]),
        **OWN[component],
    }
    return {"$schema": DRAFT, "title": f"Values of the component {component}", **_closed(properties)}


def umbrella_schema() -> JsonObject:
    """Return the schema of the umbrella chart's values; a component's own schema checks what stands below it."""
    properties: dict[str, JsonObject] = {
        "global": _global(),
        "rbac": _closed(dict.fromkeys(("aggregateToDefaultRoles", "zonesForAdmins", "platformRole"), BOOLEAN)),
        "uninstall": _closed({"release": BOOLEAN}),
        "tests": _closed({"enabled": BOOLEAN}),
        **dict.fromkeys(SETTINGS, OBJECT),
    }
    return {"$schema": DRAFT, "title": "Values of the chart dnsapi", **_closed(properties)}


def files() -> dict[Path, str]:
    """Return every schema file."""
    schemas = {CHART: umbrella_schema()}
    schemas |= {CHART / "charts" / component: component_schema(component) for component in SETTINGS}
    return {folder / "values.schema.json": json.dumps(schema, indent=2) + "\n" for folder, schema in schemas.items()}


if __name__ == "__main__":
    sys.exit(run("tools.values_schema", files()))
