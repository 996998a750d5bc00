# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Keys, account ids and ARNs stay where they belong, also when AWS itself tells them in an error."""

import json

from e2e.claims import DNS, ROUTE53
from e2e.leaks import leaks, leaks_in
from e2e.lines import unfit
from e2e.polling import eventually
from e2e.route53.faults import Fault
from e2e.stack import Stack
from e2e.stack.layout import ACCOUNT_ID
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

RECONCILE = "dns.appthrust.io/reconcile-request"
TALKATIVE = (
    f"User: arn:aws:sts::{ACCOUNT_ID}:assumed-role/dns/session is not authorized to perform: route53:Change on resource"
    f" arn:aws:route53:::hostedzone/Z1 with key AKIALOCALSTACKDUMMY0"
)


def test_what_aws_tells_in_a_refusal_reaches_neither_status_nor_events_nor_logs(
    cluster: Cluster, stack: Stack, team: str, domain: str
) -> None:
    zone, record = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    cluster.apply(zone)
    cluster.programmed(zone)
    denied = {"kind": "error", "code": "AccessDenied", "status": 403, "message": TALKATIVE}
    cluster.emulator.arm(Fault.model_validate({"action": "ChangeResourceRecordSets", "forSeconds": 600, **denied}))
    cluster.apply(record)
    cluster.having(record, "Programmed", "False/ProviderAccessDenied")
    events = eventually(lambda: cluster.kube.list("events.k8s.io/v1", "Event", team), what="an Event of the refusal")
    told = [cluster.get(record)["status"], cluster.get(zone)["status"], events]
    told += [one["status"] for one in cluster.kube.list(DNS, "ZoneUnit", team)]

    assert leaks_in(json.dumps(told)) == []
    assert leaks(stack.layout.directory) == []

    cluster.emulator.disarm()
    again = {"metadata": {"annotations": {RECONCILE: "now"}}}
    cluster.kube.merge_patch(DNS, "Zone", team, "zone", again)
    cluster.programmed(record, within=240)


def test_every_line_has_the_promised_form(stack: Stack) -> None:
    assert unfit(stack.layout.directory) == []


def test_an_identity_says_nothing_of_its_credentials(cluster: Cluster) -> None:
    statuses = [one["status"] for one in cluster.kube.list(ROUTE53, "Route53Identity")]

    told = leaks_in(json.dumps([status["conditions"] for status in statuses]))

    assert told == []
