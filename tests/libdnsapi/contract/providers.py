"""Providers for tests: a small one with two versions, built from plain JSON, and the built-in one."""

import base64
import copy
from pathlib import Path
from typing import Any

import yaml

from libdnsapi.api.dns.provider import Provider
from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.versions import Contract, compile_contract

ROUTE53 = Path(__file__).parents[3] / "charts" / "dnsapi" / "charts" / "route53" / "files" / "provider.yaml"
BUNDLE = base64.b64encode(b"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n").decode()


def text(**more: object) -> dict[str, Any]:
    """A described string."""
    return {"type": "string", "description": "Some text.", **more}


def schema(properties: dict[str, Any], **more: object) -> dict[str, Any]:
    """A closed object schema in the place where a Provider has it."""
    body = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return {"openAPIV3Schema": body}


def cel(expression: str) -> dict[str, Any]:
    return {"toStorage": {"cel": expression}}


def webhook(**more: object) -> dict[str, Any]:
    service = {"namespace": "dns-system", "name": "converter"}
    return {"toStorage": {"webhook": {"clientConfig": {"service": service, "caBundle": BUNDLE}, **more}}}


def old_version() -> dict[str, Any]:
    """v1: a Zone converted by CEL, a RecordSet by a webhook, a ZoneClass by CEL."""
    return {
        "name": "v1",
        "served": True,
        "zoneClass": {
            "schemas": {"parameters": schema({"mode": text(enum=["fast", "slow"])})},
            "conversion": cel("has(self.parameters.mode) ? {'parameters': {'speed': self.parameters.mode}} : {}"),
        },
        "zone": {
            "schemas": {"adoption": schema({"id": text()}, required=["id"])},
            "conversion": cel("{'adoption': has(self.adoption.id) ? {'zoneId': 'Z' + self.adoption.id} : null}"),
        },
        "recordSet": {
            "supportedTypes": ["A", "TXT"],
            "schemas": {"options": schema({"note": text()})},
            "conversion": webhook(),
        },
    }


def new_version() -> dict[str, Any]:
    """v2: the storage version."""
    return {
        "name": "v2",
        "served": True,
        "storage": True,
        "zoneClass": {"schemas": {"parameters": schema({"speed": text(default="fast")})}},
        "zone": {
            "schemas": {
                "adoption": schema({"zoneId": text(pattern="^Z"), "why": text(default="asked")}, required=["zoneId"]),
                "statusProviderData": schema({"zoneId": text()}),
            },
            "validationRules": [{"rule": "self.spec.domainName != 'bad.example'", "message": "not this domain"}],
            "additionalConditionReasons": [
                {
                    "conditionType": "Programmed",
                    "status": "False",
                    "reason": "PlanUpgradeRequired",
                    "description": "The plan is too small.",
                }
            ],
        },
        "recordSet": {
            "supportedTypes": ["A", "AAAA", "TXT", "CNAME", "NS"],
            "schemas": {"options": schema({"comment": text(maxLength=20), "ttl": text(enum=["Auto"])})},
            "disableValidations": [{"name": "require-ttl", "when": "self.spec.?options.?ttl.orValue('') == 'Auto'"}],
        },
        "zoneUnit": {
            "disableValidations": [
                {
                    "name": "forbid-cname-coexistence",
                    "when": "self.type == 'CNAME' && other.type in ['TXT', 'MX', 'CAA']",
                }
            ],
            "validationRules": [{"rule": "self.type != 'NS' || other.type == 'NS'", "message": "NS stands alone"}],
        },
    }


def document(*versions: dict[str, Any]) -> dict[str, Any]:
    """A Provider as it is sent; by default with both versions."""
    return {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "Provider",
        "metadata": {"name": "test.example", "uid": "u-1", "generation": 3},
        "spec": {
            "display": {"name": "Test"},
            "versions": copy.deepcopy(list(versions or (old_version(), new_version()))),
        },
    }


def contract(provider: dict[str, Any] | None = None) -> Contract:
    return compile_contract(Provider.model_validate(provider or document()), default_engine())


def route53_document() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(ROUTE53.read_text())
    return loaded
