"""target-from references: grammar, guards, and what each failure does (seed 001; case 59)."""

from typing import Any

import pytest

from core_controller.sources.annotations import Annotations
from core_controller.sources.endpoints import Hold, Targets
from core_controller.sources.target_from import (
    Gone,
    Misused,
    Reference,
    Unseen,
    declared_targets,
    parse_reference,
    resolve,
    scope_problem,
)
from libdnsapi.api.meta import ResourceType

GRAMMAR = [
    ("services/lb#{{ .x }}", ("services", "", "", "lb", "{{ .x }}")),
    ("services/ns/lb#x", ("services", "", "ns", "lb", "x")),
    (
        "gateways.gateway.networking.k8s.io/istio-ingress/central-gateway#{{ .a }}",
        ("gateways", "gateway.networking.k8s.io", "istio-ingress", "central-gateway", "{{ .a }}"),
    ),
    (
        "globalaccelerators.aga.k8s.aws/my-accelerator#t",
        ("globalaccelerators", "aga.k8s.aws", "", "my-accelerator", "t"),
    ),
    ("services/lb#a#b;c", ("services", "", "", "lb", "a#b;c")),
    ('services/lb#{{ printf "#%s" .a }}', ("services", "", "", "lb", '{{ printf "#%s" .a }}')),
    ("services/lb#", ("services", "", "", "lb", "")),
    ("services/lb.with.dots#x", ("services", "", "", "lb.with.dots", "x")),
]


@pytest.mark.parametrize(("text", "parts"), GRAMMAR)
@pytest.mark.spec("TF-GR-001", "TF-GR-005", "TF-GR-006", "TF-GR-008")
def test_a_reference_is_read(text: str, parts: tuple[str, ...]) -> None:
    found = parse_reference(text)

    assert isinstance(found, Reference)
    assert (found.resource, found.group, found.namespace, found.name, found.template.source) == parts


WRONG = [
    "",
    "services/ns/lb",
    "#x",
    "services#x",
    "services/#x",
    "services//lb#x",
    "/lb#x",
    "a/b/c/d#x",
    "Services/lb#x",
    "services/LB#x",
    "services./lb#{{",
    "services/lb#{{ .a",
    "services/lb#{{ nosuch .a }}",
    'services/lb#{{ hasKey . "a" }}',
    "globalaccelerators.aga.k8s.aws/v1beta1/ns/acc#{{ .status.dnsName }}",
    '{{ "services" }}/lb#x',
    "services/n s/lb#x",
    "secrets/s#{{ .data }}",
    "secrets/ns/s#{{ .data }}",
    "secrets./ns/s#{{ .data }}",
    "services/../lb#x",
    "services/" + "a" * 254 + "#x",
]


@pytest.mark.parametrize("text", WRONG)
@pytest.mark.spec("TF-BE-021", "TF-BE-024", "TF-GR-009", "TF-GR-013")
def test_a_wrong_reference_holds_until_it_is_mended(text: str) -> None:
    found = parse_reference(text)

    assert isinstance(found, Hold)
    assert not found.expires


@pytest.mark.spec("TF-GR-015")
def test_a_parse_error_names_its_place() -> None:
    found = parse_reference("services/lb#ab{{ .x")

    assert isinstance(found, Hold)
    assert "line 1" in found.note


def reference(template: str) -> Reference:
    found = parse_reference(f"services/ns/lb#{template}")
    assert isinstance(found, Reference)
    return found


GATEWAY: dict[str, Any] = {
    "status": {
        "addresses": [{"type": "IPAddress", "value": "192.0.2.1"}, {"type": "Hostname", "value": "LB.Example.net"}],
        "dnsName": "a1.awsglobalaccelerator.com",
        "null": None,
        "empty": "",
        "number": 5,
        "scoped": "fe80::1%eth0",
        "v6": "2001:db8:0::1",
        "short": "lb",
        "list": ["192.0.2.1", "192.0.2.1"],
    }
}
RESOLVED = [
    ("{{ .status.dnsName }}", Targets(names=("a1.awsglobalaccelerator.com",))),
    (
        "{{ range .status.addresses }}{{ .value }},{{ end }}",
        Targets(("192.0.2.1",), (), ("lb.example.net",)),
    ),
    ("{{ range .status.list }}{{ . }},{{ end }}", Targets(("192.0.2.1",))),
    (" {{ .status.v6 }} ,", Targets((), ("2001:db8::1",))),
    ("fixed.example.net", Targets(names=("fixed.example.net",))),
]


@pytest.mark.parametrize(("template", "targets"), RESOLVED)
@pytest.mark.spec("TF-BE-006", "TF-GR-016", "TF-GR-017")
def test_a_reference_resolves(template: str, targets: Targets) -> None:
    assert resolve(reference(template), GATEWAY) == targets


UNRESOLVED = [
    # template, whether the hold ends with the grace time
    ("{{ .status.missing }}", True),
    ("{{ .nothing.at.all }}", True),
    ("{{ .status.null.x }}", True),
    ("{{ .status.empty }}", True),
    ("  ", True),
    (" , ,", True),
    ("{{ range .status.none }}{{ . }}{{ end }}", True),
    ("{{ .status.null }}", False),
    ("{{ .status.addresses }}", False),
    ("{{ .status }}", False),
    ("{{ .status.number }}", False),
    ("{{ .status.scoped }}", False),
    ("{{ .status.short }}", False),
    ("192.0.2.1,{{ .status.addresses }}", False),
    ('{{ printf "%999d" .status.number }}', False),
]


@pytest.mark.parametrize(("template", "expires"), UNRESOLVED)
@pytest.mark.spec("TF-BE-017", "TF-BE-018", "TF-BE-019", "TF-BE-020")
def test_what_does_not_resolve_is_held(template: str, expires: bool) -> None:
    found = resolve(reference(template), GATEWAY)

    assert isinstance(found, Hold)
    assert found.expires is expires


@pytest.mark.parametrize("unseen", Unseen)
@pytest.mark.spec("TF-BE-025")
def test_what_cannot_be_seen_is_held_for_as_long_as_it_cannot(unseen: Unseen) -> None:
    found = resolve(reference("x"), unseen)

    assert isinstance(found, Hold)
    assert not found.expires


@pytest.mark.spec("TF-BE-015")
def test_what_is_gone_is_held_for_the_grace_time() -> None:
    found = resolve(reference("x"), Gone())

    assert isinstance(found, Hold)
    assert found.expires


@pytest.mark.spec("TF-BE-023")
def test_a_namespace_on_a_cluster_scoped_kind_is_wrong() -> None:
    nodes = ResourceType("", "v1", "Node", "nodes", namespaced=False)

    assert isinstance(scope_problem(reference("x"), nodes), Misused)
    assert scope_problem(reference("x"), ResourceType("", "v1", "Service", "services")) is None


@pytest.mark.spec("TF-BE-001")
def test_a_literal_target_wins_and_nothing_is_looked_at() -> None:
    def look(_: Reference) -> Gone:
        raise AssertionError("looked")

    annotations = Annotations(
        {
            "external-dns.kubernetes.io/target": "192.0.2.5, LB.example.net",
            "external-dns.kubernetes.io/target-from": "services/lb#x",
        }
    )

    assert declared_targets(annotations, look) == Targets(("192.0.2.5",), (), ("lb.example.net",))


@pytest.mark.spec("TF-BE-004", "TF-BE-005")
def test_without_either_annotation_the_source_decides() -> None:
    assert declared_targets(Annotations({}), lambda _: Gone()) is None


@pytest.mark.spec("TF-SE-003")
def test_no_note_holds_a_value_of_the_object() -> None:
    document = {"status": {"token": "s3cr3t value"}}

    found = resolve(reference("{{ .status.token }}"), document)

    assert isinstance(found, Hold)
    assert "s3cr3t" not in found.note
