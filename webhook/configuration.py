"""The ValidatingWebhookConfiguration as data (beyond-the-seeds 8 and 12).

`python -m webhook.configuration --service-namespace dns-system --service-name dnsapi-webhook` prints it as YAML; the
chart's template and the local stack are made from it.
"""

import argparse
import base64
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from libdnsapi.api.meta import JsonObject
from webhook.conditions import (
    conditions_for_deletion,
    conditions_for_ledger,
    conditions_for_object,
)
from webhook.entries import ENTRIES, Entry

NAME = "dnsapi-webhook"
TIMEOUT_SECONDS = 10

ClientConfigFor = Callable[[str], JsonObject]
"""Path in, `clientConfig` without `caBundle` out."""


def service_client(namespace: str, name: str, port: int = 443) -> ClientConfigFor:
    """Reach the webhook by its in-cluster Service."""
    return lambda path: {"service": {"namespace": namespace, "name": name, "path": path, "port": port}}


def url_client(url: str) -> ClientConfigFor:
    """Reach the webhook at a fixed address, such as https://127.0.0.1:9443."""
    return lambda path: {"url": f"{url.rstrip('/')}{path}"}


def configuration(
    client_config_for: ClientConfigFor, ca_bundle: bytes, controller_accounts: Sequence[str], *, name: str = NAME
) -> JsonObject:
    """Return the whole object.

    `ca_bundle` is PEM, empty where somebody else injects it; `controller_accounts` are the user names of core
    and of the provider controllers (never of the sources), whose requests do not come here at all.
    """
    entries = [hook for entry in ENTRIES for hook in _hooks(entry, controller_accounts)]
    for hook in entries:
        hook["clientConfig"] = _client_config(client_config_for(str(hook["clientConfig"])), ca_bundle)
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [*entries],
    }


def _hooks(entry: Entry, accounts: Sequence[str]) -> list[JsonObject]:
    """Return an entry's webhooks: one for writing, one for deleting."""
    hooks = []
    operations = [word for word, rule in (("CREATE", entry.create), ("UPDATE", entry.update)) if rule]
    if operations:
        conditions = conditions_for_ledger(accounts) if entry.ledger else conditions_for_object(accounts)
        hooks.append(_hook(entry, "", operations, conditions))
    if entry.delete:
        hooks.append(_hook(entry, "delete-", ["DELETE"], conditions_for_deletion(accounts)))
    return hooks


def _hook(entry: Entry, prefix: str, operations: list[str], conditions: list[JsonObject]) -> JsonObject:
    resource = entry.resource
    verb = "warn" if entry.warns else "validate"
    with_status = entry.status is not None and "UPDATE" in operations
    return {
        "name": f"{prefix}{resource.kind.lower()}.{verb}.{resource.group}",
        "clientConfig": entry.path,
        "rules": [
            {
                "apiGroups": [resource.group],
                "apiVersions": [resource.version],
                "operations": [*operations],
                "resources": [resource.plural, *([f"{resource.plural}/status"] if with_status else [])],
                "scope": "Namespaced" if resource.namespaced else "Cluster",
            }
        ],
        "matchConditions": [*conditions],
        "failurePolicy": "Ignore" if entry.warns else "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "matchPolicy": "Equivalent",
        "timeoutSeconds": 3 if entry.warns else TIMEOUT_SECONDS,
    }


def _client_config(config: JsonObject, ca_bundle: bytes) -> JsonObject:
    return {**config, "caBundle": base64.b64encode(ca_bundle).decode()} if ca_bundle else config


def to_yaml(document: JsonObject) -> str:
    """Write a document as YAML: strings in JSON's quotes, everything else in block style."""
    return "\n".join(_lines(document, "")) + "\n"


def _lines(value: object, indent: str) -> list[str]:
    match value:
        case dict() if value:
            return [line for key, inner in value.items() for line in _pair(f"{indent}{key}:", inner, indent)]
        case list() if value:
            return [line for inner in value for line in _element(inner, indent)]
        case _:
            return [f"{indent}{_scalar(value)}"]


def _pair(head: str, inner: object, indent: str) -> list[str]:
    if isinstance(inner, dict | list) and inner:
        return [head, *_lines(inner, f"{indent}  ")]
    return [f"{head} {_scalar(inner)}"]


def _element(inner: object, indent: str) -> list[str]:
    lines = _lines(inner, f"{indent}  ")
    return [f"{indent}- {lines[0].lstrip()}", *lines[1:]]


def _scalar(value: object) -> str:
    return orjson.dumps(value).decode()


def main(arguments: Sequence[str]) -> None:
    """Print the configuration that the options describe."""
    parser = argparse.ArgumentParser(prog="python -m webhook.configuration", description=__doc__)
    parser.add_argument("--name", default=NAME, help="name of the object")
    parser.add_argument("--service-namespace", default="", help="namespace of the webhook's Service")
    parser.add_argument("--service-name", default=NAME, help="name of the webhook's Service")
    parser.add_argument("--service-port", type=int, default=443, help="port of the webhook's Service")
    parser.add_argument("--url", default="", help="address of the webhook instead of a Service")
    parser.add_argument("--ca-file", type=Path, help="PEM file for caBundle; without one the field is left out")
    parser.add_argument("--controllers", default="", help="user names of the controllers, separated by commas")
    options = parser.parse_args(arguments)
    if bool(options.url) == bool(options.service_namespace):
        parser.error("give exactly one of --url and --service-namespace")
    client = (
        url_client(options.url)
        if options.url
        else service_client(options.service_namespace, options.service_name, options.service_port)
    )
    trusted = options.ca_file.read_bytes() if options.ca_file else b""
    accounts = [account for account in options.controllers.split(",") if account]
    sys.stdout.write(to_yaml(configuration(client, trusted, accounts, name=options.name)))


if __name__ == "__main__":
    main(sys.argv[1:])
