# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""A real zone of 75 claims: all but the one that the grammar refuses is programmed, equal, and stays untouched."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.kube import Document, KubeError, load_documents
from e2e.polling import eventually
from e2e.suite import manifests
from e2e.suite.cluster import WITHIN, Cluster, listed_name
from e2e.suite.silence import await_silence
from e2e.suite.values import answered, asked

NAMESPACE = "e2e-k8s-io"
FIXTURE = Path(__file__).parent / "fixtures" / "k8s.io.yaml"
REFUSED = ("_acme-challenge.docs", "A")
ZONE = manifests.zone(NAMESPACE, "k8s-io", "k8s.io")


def _claims() -> list[Document]:
    claims = load_documents(FIXTURE.read_text())
    for claim in claims:
        claim["metadata"]["namespace"] = NAMESPACE
    return claims


GOOD = [one for one in _claims() if (one["spec"]["name"], one["spec"]["type"]) != REFUSED]
(BAD,) = [one for one in _claims() if (one["spec"]["name"], one["spec"]["type"]) == REFUSED]


@pytest.fixture(scope="module")
def zone(cluster: Cluster) -> Iterator[Document]:
    """Yield the zone with all its good claims Programmed."""
    cluster.apply(manifests.namespace(NAMESPACE), ZONE, *GOOD)
    cluster.programmed(ZONE, *GOOD, within=2 * WITHIN)
    yield ZONE
    cluster.clean(NAMESPACE)


def test_every_value_reads_back_as_it_was_asked_for(cluster: Cluster, zone: Document) -> None:
    found = {key: answered(answer) for key, answer in cluster.records(zone).items()}
    assert found == {listed_name(claim, zone): asked(claim["spec"]) for claim in GOOD}


def test_every_ttl_reads_back(cluster: Cluster, zone: Document) -> None:
    found = {key: answer.ttl for key, answer in cluster.records(zone).items()}
    assert found == {listed_name(claim, zone): claim["spec"]["ttl"] for claim in GOOD}


def test_the_record_with_an_underscore_is_refused_with_its_field_and_the_rule(cluster: Cluster, zone: Document) -> None:
    with pytest.raises(KubeError) as refusal:
        cluster.apply(BAD)
    assert "spec.name" in refusal.value.message
    assert "_acme-challenge" in refusal.value.message


def test_a_second_pass_changes_nothing(cluster: Cluster, zone: Document) -> None:
    await_silence(cluster)
    before = cluster.emulator.calls().get("ChangeResourceRecordSets", 0)
    request = {"metadata": {"annotations": {"dns.appthrust.io/reconcile-request": "second-pass"}}}
    lists = cluster.emulator.calls().get("ListResourceRecordSets", 0)
    cluster.kube.merge_patch(zone["apiVersion"], "Zone", NAMESPACE, "k8s-io", request)
    eventually(lambda: cluster.emulator.calls().get("ListResourceRecordSets", 0) > lists, what="a new observation")
    await_silence(cluster)
    assert cluster.emulator.calls().get("ChangeResourceRecordSets", 0) == before
    cluster.programmed(zone, *GOOD)
