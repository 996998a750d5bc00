"""Which version of a kind is used, and which kinds there are."""

import pytest

from core_controller.sources.installed import CustomResourceDefinition, kind_table, preference

GROUP = "gateway.networking.k8s.io"


def definition(*versions: tuple[str, bool], **metadata: object) -> CustomResourceDefinition:
    return CustomResourceDefinition.model_validate(
        {
            "metadata": {"name": f"httproutes.{GROUP}", **metadata},
            "spec": {
                "group": GROUP,
                "names": {"plural": "httproutes", "kind": "HTTPRoute"},
                "scope": "Namespaced",
                "versions": [{"name": name, "served": served} for name, served in versions],
            },
        }
    )


@pytest.mark.parametrize(
    ("versions", "used"),
    [
        ([("v1", True), ("v1beta1", True)], "v1"),
        ([("v1beta1", True), ("v1", True)], "v1"),
        ([("v1", False), ("v1beta1", True)], "v1beta1"),
        ([("v1alpha2", True), ("v1alpha3", True)], "v1alpha3"),
        ([("v1alpha2", True), ("v1beta1", True)], "v1beta1"),
        ([("v2", True), ("v10", True)], "v10"),
        ([("odd", True), ("v1alpha1", True)], "v1alpha1"),
        ([("v1", False)], None),
    ],
)
@pytest.mark.spec("GW-PL-019", "TF-GR-010")
def test_the_version_that_clients_prefer_is_used(versions: list[tuple[str, bool]], used: str | None) -> None:
    found = kind_table([definition(*versions)]).resolve(GROUP, "httproutes")

    assert (found.version if found else None) == used


@pytest.mark.spec("GW-PL-022")
def test_a_definition_on_its_way_out_counts_as_gone() -> None:
    """So the deletion of all its objects withdraws nothing."""
    leaving = definition(("v1", True), deletionTimestamp="2026-01-01T00:00:00Z")

    assert kind_table([leaving]).resolve(GROUP, "httproutes") is None


@pytest.mark.spec("TF-SE-002")
def test_built_in_kinds_are_always_there_and_secrets_never() -> None:
    table = kind_table([])

    assert table.resolve("", "services") is not None
    assert table.resolve("", "secrets") is None


@pytest.mark.spec("GW-PL-019")
def test_versions_are_ordered_as_kubernetes_orders_them() -> None:
    versions = [
        "foo10",
        "v1alpha1",
        "v11beta2",
        "v1",
        "v2",
        "v10",
        "v10beta3",
        "foo1",
        "v12alpha1",
        "v3beta1",
        "v11alpha2",
    ]

    assert sorted(versions, key=preference, reverse=True)[:8] == [
        "v10",
        "v2",
        "v1",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v12alpha1",
        "v11alpha2",
    ]
