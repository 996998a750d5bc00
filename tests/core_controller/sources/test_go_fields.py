"""FQDN templates as they are written for ExternalDNS, over the fields of Go's types."""

import pytest

from core_controller.sources.claimant import template_data
from core_controller.sources.go_fields import go_name
from core_controller.sources.service import Service
from core_controller.sources.templates import MissingKey, parse
from core_controller.sources.templates.values import as_value
from libdnsapi.api.meta import JsonObject

NAMES = [
    ("spec", "Spec"),
    ("clusterIP", "ClusterIP"),
    ("externalIPs", "ExternalIPs"),
    ("ip", "IP"),
    ("ipFamilies", "IPFamilies"),
    ("ipv4", "Ipv4"),
    ("uid", "UID"),
    ("apiVersion", "APIVersion"),
    ("http", "HTTP"),
    ("tls", "TLS"),
    ("idle", "Idle"),
    ("ingress", "Ingress"),
    ("", ""),
]


@pytest.mark.parametrize(("key", "name"), NAMES)
def test_a_field_has_its_name_in_go(key: str, name: str) -> None:
    assert go_name(key) == name


SERVICE: JsonObject = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "apps", "labels": {"team": "a"}, "annotations": {"x/y": "z"}},
    "spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1", "selector": {"app": "shop"}},
    "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}, {"hostname": "lb.example.net"}]}},
}
TEMPLATES = [
    ("{{ .Name }}.{{ .Namespace }}.example.com", "web.apps.example.com"),
    ('{{ if eq .Kind "Service" }}{{ .Name }}.svc.example.com{{ end }}', "web.svc.example.com"),
    ('{{ index .Labels "team" }}.example.com', "a.example.com"),
    ("{{ .Labels.team }}.example.com", "a.example.com"),
    ('{{ index .Annotations "x/y" }}.example.com', "z.example.com"),
    ('{{ if eq .Spec.Type "LoadBalancer" }}{{ .Name }}.lb.example.com{{ end }}', "web.lb.example.com"),
    ('{{ index .Spec.Selector "app" }}.example.com', "shop.example.com"),
    ("{{ len .Spec.Selector }}.example.com", "1.example.com"),
    ("{{ range .Status.LoadBalancer.Ingress }}{{ with .IP }}{{ . }}{{ end }}{{ end }}", "192.0.2.1"),
    ("{{ range .Status.LoadBalancer.Ingress }}{{ with .Hostname }}{{ . }}{{ end }}{{ end }}", "lb.example.net"),
    ("{{ .ObjectMeta.Name }}.example.com", "web.example.com"),
    ("{{ .spec.clusterIP }}", "10.0.0.1"),
    ("{{ .Object.spec.type }}", "LoadBalancer"),
    ("{{ range $key, $value := .Labels }}{{ $key }}={{ $value }},{{ end }}", "team=a,"),
]


@pytest.mark.parametrize(("template", "text"), TEMPLATES)
@pytest.mark.spec("SRC-EP-037")
def test_a_template_reads_fields_as_external_dns_names_them(template: str, text: str) -> None:
    data = template_data("Service", Service.model_validate(SERVICE), SERVICE)

    assert parse(template).render(as_value(data), MissingKey.NOTHING) == text
