# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Credentials that are not what they were: of another account, or with a clock that is off."""

from collections.abc import Iterator

import pytest

from e2e.claims import condition, verdict
from e2e.kube import Document
from e2e.polling import eventually
from e2e.route53.faults import Fault
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.history import history
from e2e.suite.provider import Provider, calls, held, limits, now

OTHER_ACCOUNT = "999999999999"
SWITCHING = "switching"
NEW = ("192.0.2.2",)


@pytest.fixture(autouse=True)
def limited(cluster: Cluster, provider: Provider) -> Iterator[None]:
    assert provider.cluster is cluster
    with limits(cluster):
        yield


@pytest.fixture
def switching(cluster: Cluster, provider: Provider) -> Iterator[Document]:
    """Make an identity and a class of the test's own, before its claims, which need them to leave.

    The suite's identity has the same credentials: if it was just checked while they were another account's, a fresh
    process looks again.
    """
    identity = manifests.identity(cluster.account_id, SWITCHING)
    zone_class = manifests.zone_class(SWITCHING, "Delete", SWITCHING)
    cluster.apply(identity, zone_class)
    cluster.having(identity, "Ready", "True/Ready")
    cluster.having(zone_class, "Accepted", "True/Accepted")
    yield identity
    cluster.delete(zone_class, identity)
    shared = manifests.identity(cluster.account_id)
    if verdict(cluster.get(shared), "Ready") != "True/Ready":
        provider.restart()
        cluster.having(shared, "Ready", "True/Ready")


def switch(cluster: Cluster, account_id: str) -> None:
    """Have the controller's own credentials belong to an account from now on."""
    cluster.emulator.settings(accounts={DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"]: account_id})


@pytest.mark.spec("R53-HZ-018", "R53-UI-004")
def test_an_account_that_is_switched_under_us_loses_nothing_and_gains_nothing(
    cluster: Cluster, switching: Document, team: str, domain: str
) -> None:
    """A mismatch is not tried again by itself; the edit of the identity is what ends it."""
    zone = manifests.zone(team, "zone", domain, class_name=SWITCHING)
    fresh = manifests.zone(team, "fresh", f"fresh.{domain}", class_name=SWITCHING)
    kept, leaving = manifests.a_record(team, "kept", "zone"), manifests.a_record(team, "leaving", "zone")
    cluster.apply(zone, kept, leaving)
    cluster.programmed(zone, kept, leaving)
    zone_id = cluster.hosted_zone_id(zone)
    edited = manifests.a_record(team, "kept", "zone", NEW)
    with history(cluster.kube, team) as seen:
        switch(cluster, OTHER_ACCOUNT)
        try:
            cluster.apply(edited, fresh)
            cluster.delete(leaving, wait=False)
            eventually(lambda: verdict(cluster.get(edited), "Programmed").startswith("False/"), what="a refused edit")
            eventually(lambda: verdict(cluster.get(fresh), "Programmed").startswith("False/"), what="a refused zone")
            assert [one["name"] for one in cluster.emulator.zones() if one["accountId"] == OTHER_ACCOUNT] == []
            assert held(cluster, zone_id) == {"kept": ("192.0.2.1",), "leaving": ("192.0.2.1",)}
            assert not cluster.is_gone(leaving)
        finally:
            switch(cluster, cluster.account_id)
        cluster.having(switching, "Ready", "False/AccountMismatch")
        switching["spec"]["region"] = "eu-west-1"
        cluster.apply(switching)
        cluster.programmed(zone, edited, fresh, within=240)
        eventually(lambda: cluster.is_gone(leaving), what="the end of the leaving claim")
        told = {said for name in seen.names() for said in seen.of(name)}
    assert held(cluster, zone_id) == {"kept": NEW}
    assert len(cluster.zone_ids(domain)) == len(cluster.zone_ids(f"fresh.{domain}")) == 1
    assert not told & {"False/ExternalResourceNotFound", "False/ProviderConflict"}


@pytest.mark.spec("R53-BU-009")
def test_an_identity_whose_clock_is_off_says_so_and_is_not_asked_about_without_end(cluster: Cluster) -> None:
    identity, since = manifests.identity(cluster.account_id, "skewed"), now(cluster)
    cluster.emulator.arm(Fault(action="GetCallerIdentity", kind="error", code="RequestExpired", status=400, count=20))
    cluster.apply(identity)
    try:
        (found,) = cluster.wait(
            [identity], lambda one: verdict(one, "Ready").startswith("False/"), "an identity that is not ready", 45
        )
        assert "check the clock" in condition(found, "Ready")["message"]
        assert len(calls(cluster, since, "GetCallerIdentity")) <= 2
        cluster.emulator.disarm()
        identity["spec"]["region"] = "eu-west-1"
        cluster.apply(identity)
        cluster.having(identity, "Ready", "True/Ready")
    finally:
        cluster.delete(identity)
