# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Faults of Route 53 and crashes, each in a hosted zone of its own, all on the whole stack and at the same time.

What is begun waits for time-outs and back-offs of half a minute and more, so everything begins in the fixture
`bad_day`, and each test waits for the end of its own fault. Only what needs the whole account stands elsewhere.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from e2e.kube import Document
from e2e.polling import eventually
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.route53.faults import Fault
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.history import History, history
from e2e.suite.provider import (
    CHANGE,
    LIST,
    Provider,
    await_held,
    calls,
    changes,
    held,
    hold,
    hosted_zones_removed,
    last_batch,
    limits,
    namespace,
    now,
    outcomes,
)

NAMESPACE = "e2e-route53-faults"
PENDING_SECONDS = 240.0
"""A change whose answer was lost is settled after half a minute, if nothing else is heard of it; a zone that was found
again after a minute."""
LATER_SECONDS = 300.0
"""What only a grant can mend is tried again after a minute."""
SHARED = ("paged", "inserted")
"""Hosted zones with record sets of somebody else."""
FOREIGN = 310
"""How many these are: more than a page of a list."""
OLD, NEW = ("192.0.2.1",), ("192.0.2.2",)
PROGRAMMED, CONFLICT = "True/Programmed", "False/ProviderConflict"


@dataclass
class Day:
    """What began, with the moment at which the controller came back after its crash."""

    cluster: Cluster
    seen: History
    zones: dict[str, Document] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    since: int = 0
    batches: int = 0

    def zone(self, name: str) -> Document:
        """Return the manifest of a zone."""
        policy = manifests.DELETE if name == "leaving" else manifests.RETAIN
        manifest = manifests.zone(NAMESPACE, name, f"{name}.faults.example.com", class_name=policy)
        return self.zones.setdefault(name, manifest)

    def begin(self, *names: str) -> None:
        """Bring zones with one record each into being."""
        wanted = [one for name in names for one in (self.zone(name), record(name, "first"))]
        self.cluster.apply(*wanted)
        self.cluster.programmed(*wanted)
        self.ids.update({name: self.cluster.hosted_zone_id(self.zone(name)) for name in names})

    def arm(self, name: str, **fields: object) -> None:
        """Set a fault of one hosted zone."""
        self.cluster.emulator.arm(Fault.model_validate({"hostedZoneId": self.ids[name], **fields}))

    def changed(self, name: str) -> Counter[tuple[str, str]]:
        """Return what was changed in a hosted zone since the crash."""
        return changes(self.cluster, self.ids[name], self.batches)

    def sent(self, name: str) -> list[str]:
        """Return what came of the batches that were sent since the crash."""
        return outcomes(self.cluster, self.since, CHANGE, self.ids[name])

    def told(self, zone: str) -> set[str]:
        """Return every verdict that was ever said of a zone, its ledger and its record sets."""
        ours = (f"Zone/{zone}", f"ZoneUnit/{zone}")
        names = [
            name
            for name in self.seen.names()
            if name in ours or name.startswith((f"RecordSet/{zone}-", f"ZoneUnit/{zone}/"))
        ]
        return {said for name in names for said in self.seen.of(name)}

    def stood(self, claim: str) -> bool:
        """Whether a record set has stayed programmed since it first was."""
        seen = self.seen.of(f"RecordSet/{claim}")
        return PROGRAMMED in seen and set(seen[seen.index(PROGRAMMED) :]) == {PROGRAMMED}


def record(zone: str, name: str, addresses: tuple[str, ...] = OLD) -> Document:
    return manifests.a_record(NAMESPACE, f"{zone}-{name}", zone, addresses)


def stranger(day: Day, zone: str, *labels: str) -> RecordEdits:
    domain = day.zone(zone)["spec"]["domainName"]
    put = tuple(RecordDocument(name=f"{one}.{domain}.", type="A", ttl=60, values=("203.0.113.5",)) for one in labels)
    return RecordEdits(hosted_zone_id=day.ids[zone], put=put)


@pytest.fixture(scope="module")
def bad_day(cluster: Cluster, provider: Provider) -> Iterator[Day]:
    """Let everything happen: a crash in the middle of three calls, then one fault in each of the other zones."""
    with (
        limits(cluster),
        hosted_zones_removed(cluster, ".faults.example.com."),
        namespace(cluster, NAMESPACE),
        history(cluster.kube, NAMESPACE) as seen,
    ):
        day = Day(cluster, seen)
        day.begin("leaving", "batch", *SHARED, "gone", "denied", "skewed", "created", "updated", "deleted")
        fill_pages(day)
        crash_in_the_middle(day, provider)
        lose_answers(day)
        refuse(day)
        cluster.emulator.delete_zone(day.ids["gone"])
        cluster.apply(record("gone", "first", NEW))
        yield day


def fill_pages(day: Day) -> None:
    foreign = [f"a{number:03d}" for number in range(FOREIGN)]
    for name in SHARED:
        day.cluster.emulator.edit(stranger(day, name, *foreign))
    leaving = record("paged", "leaving")
    day.cluster.apply(leaving)
    day.cluster.programmed(leaving)


def crash_in_the_middle(day: Day, provider: Provider) -> None:
    """Crash in the middle of four calls: nothing of what they did is written down.

    A zone was just deleted, one not tagged yet, one just created, and a batch just applied.
    """
    cluster = day.cluster
    deleted = hold(cluster, "DeleteHostedZone", "timeout-after-apply", day.ids["leaving"])
    cluster.delete(record("leaving", "first"))
    cluster.delete(day.zone("leaving"), wait=False)
    await_held(cluster, deleted, "DeleteHostedZone")
    untagged = hold(cluster, "ChangeTagsForResource", "timeout-before")
    cluster.apply(day.zone("untagged"), record("untagged", "first"))
    await_held(cluster, untagged, "ChangeTagsForResource")
    created = hold(cluster, "CreateHostedZone", "timeout-after-apply")
    cluster.apply(day.zone("born"), record("born", "first"))
    await_held(cluster, created, "CreateHostedZone")
    batch = hold(cluster, CHANGE, "timeout-after-apply", day.ids["batch"])
    cluster.apply(*(record("batch", f"new{number}") for number in range(3)))
    await_held(cluster, batch, CHANGE)
    provider.crash()
    cluster.emulator.disarm()
    (untagged_zone,) = hosted_zones(day, "untagged")
    assert untagged_zone["tags"] == {}, "the zone was tagged before the crash"
    day.since, day.batches = now(cluster), last_batch(cluster)
    cluster.delete(record("paged", "leaving"), wait=False)
    day.arm("paged", action=LIST, kind="http-500", nth=2, count=5)
    day.arm("inserted", action=LIST, kind="edit", nth=2, records=stranger(day, "inserted", "a-before", "z-after"))
    provider.start()


def lose_answers(day: Day) -> None:
    for name in ("created", "updated", "deleted"):
        day.arm(name, action=CHANGE, kind="timeout-after-apply")
    day.cluster.apply(record("created", "new"), record("updated", "first", NEW))
    day.cluster.delete(record("deleted", "first"), wait=False)


def refuse(day: Day) -> None:
    day.arm("denied", action=CHANGE, kind="deny", forSeconds=30)
    day.arm("skewed", action=CHANGE, kind="error", code="RequestTimeTooSkewed", status=403, forSeconds=30)
    day.cluster.apply(*(record(name, "new") for name in ("denied", "skewed")))


def hosted_zones(day: Day, name: str) -> list[Document]:
    domain = day.zone(name)["spec"]["domainName"]
    return [dict(one) for one in day.cluster.emulator.zones() if one["name"] == f"{domain}."]


@pytest.mark.spec("R53-HZ-007", "R53-HZ-008")
def test_a_zone_whose_creation_was_cut_short_by_a_crash_is_found_again(bad_day: Day) -> None:
    """Case 63, and beyond-the-seeds 4."""
    zone, first = bad_day.zone("born"), record("born", "first")
    bad_day.cluster.programmed(zone, first, within=PENDING_SECONDS)
    (found,) = hosted_zones(bad_day, "born")
    assert found["id"] == bad_day.cluster.hosted_zone_id(zone)
    assert found["callerReference"].endswith("-1"), "another reference was used"
    assert CONFLICT not in bad_day.told("born")


@pytest.mark.spec("R53-HZ-008")
def test_a_zone_that_a_crash_left_without_tags_gets_them(bad_day: Day) -> None:
    """Case 63, and beyond-the-seeds 4."""
    bad_day.cluster.programmed(bad_day.zone("untagged"), record("untagged", "first"), within=PENDING_SECONDS)
    (found,) = hosted_zones(bad_day, "untagged")
    assert found["tags"]["appthrust.io/zone-name"] == "untagged"
    assert found["tags"]["suite"] == "e2e"
    assert CONFLICT not in bad_day.told("untagged")


def test_a_zone_whose_deletion_was_cut_short_by_a_crash_goes(bad_day: Day) -> None:
    """Beyond-the-seeds 4 and 11: a zone that is gone has nothing left to clean up."""
    cluster, zone = bad_day.cluster, bad_day.zone("leaving")
    eventually(lambda: cluster.is_gone(zone), within=PENDING_SECONDS, what="the end of the zone")
    assert hosted_zones(bad_day, "leaving") == []


@pytest.mark.spec("R53-WR-003")
def test_records_whose_batch_was_applied_before_a_crash_are_ours_at_every_moment(bad_day: Day) -> None:
    """Case 63, and beyond-the-seeds 2."""
    records = [record("batch", f"new{number}") for number in range(3)]
    for one in bad_day.cluster.programmed(*records, within=PENDING_SECONDS):
        bad_day.seen.caught_up(one)
    everything = [record("batch", "first"), *records]
    wanted = {("CREATE", one["metadata"]["name"]): 1 for one in everything}
    assert changes(bad_day.cluster, bad_day.ids["batch"]) == wanted
    assert CONFLICT not in bad_day.told("batch")


@pytest.mark.spec("R53-WR-003")
@pytest.mark.parametrize(
    ("zone", "claim", "wanted"),
    [
        ("created", record("created", "new"), {("CREATE", "created-new"): 1}),
        ("updated", record("updated", "first", NEW), {("CREATE", "updated-first"): 1, ("DELETE", "updated-first"): 1}),
        ("deleted", record("deleted", "first"), {("DELETE", "deleted-first"): 1}),
    ],
)
def test_a_batch_that_was_applied_without_an_answer_is_not_sent_again(
    bad_day: Day, zone: str, claim: Document, wanted: dict[tuple[str, str], int]
) -> None:
    """Case 63, and beyond-the-seeds 2."""
    cluster = bad_day.cluster
    if zone == "deleted":
        eventually(lambda: cluster.is_gone(claim), within=PENDING_SECONDS, what="the end of the claim")
        assert claim["metadata"]["name"] not in held(cluster, bad_day.ids[zone])
    else:
        bad_day.seen.caught_up(*cluster.programmed(claim, within=PENDING_SECONDS))
        name = claim["metadata"]["name"]
        assert held(cluster, bad_day.ids[zone])[name] == tuple(claim["spec"]["a"]["addresses"])
    assert bad_day.sent(zone) == ["timeout-after-apply"]
    assert bad_day.changed(zone) == wanted
    assert "False/ProviderUnavailable" in bad_day.told(zone)
    assert CONFLICT not in bad_day.told(zone)


@pytest.mark.spec("R53-OB-006", "R53-OB-007")
def test_a_list_that_fails_in_the_middle_concludes_nothing(bad_day: Day) -> None:
    """Cases 28 and 29: what stands on the page that failed is neither written again nor taken for gone."""
    cluster, leaving = bad_day.cluster, record("paged", "leaving")
    eventually(lambda: cluster.is_gone(leaving), within=PENDING_SECONDS, what="the end of the leaving claim")
    assert outcomes(cluster, bad_day.since, LIST, bad_day.ids["paged"]).count("InternalFailure") == 5
    assert bad_day.changed("paged") == {("DELETE", "paged-leaving"): 1}
    there = held(cluster, bad_day.ids["paged"])
    assert "paged-leaving" not in there
    assert there["paged-first"] == OLD
    assert bad_day.stood("paged-first")


@pytest.mark.spec("R53-OB-008")
def test_records_that_came_while_a_list_was_read_are_never_overwritten(bad_day: Day) -> None:
    """One came on a page that had been read, one on a page that had not."""
    cluster, zone_id = bad_day.cluster, bad_day.ids["inserted"]
    late = [manifests.a_record(NAMESPACE, name, "inserted") for name in ("a-before", "z-after")]
    eventually(
        lambda: outcomes(cluster, bad_day.since, LIST, zone_id)[:2] == ["OK", "OK"], what="the list with the insertion"
    )
    cluster.apply(*late)
    for one in late:
        cluster.having(one, "Programmed", "False/ProviderConflict")
    there = held(cluster, zone_id)
    assert there["a-before"] == there["z-after"] == ("203.0.113.5",)
    assert bad_day.changed("inserted") == {}
    assert bad_day.stood("inserted-first")


@pytest.mark.spec("R53-HZ-016")
def test_a_hosted_zone_that_somebody_deleted_is_reported_and_never_created_again(bad_day: Day) -> None:
    """Case 89."""
    cluster, zone = bad_day.cluster, bad_day.zone("gone")
    cluster.having(zone, "Programmed", "False/ExternalResourceNotFound")
    cluster.having(record("gone", "first", NEW), "Programmed", "False/ExternalResourceNotFound")
    assert hosted_zones(bad_day, "gone") == []
    assert calls(cluster, bad_day.since, "CreateHostedZone") == []
    assert len(calls(cluster, bad_day.since, zone_id=bad_day.ids["gone"])) < 20


@pytest.mark.spec("R53-BU-008", "R53-BU-009")
@pytest.mark.parametrize(
    ("zone", "code", "advice"),
    [("denied", "AccessDenied", "grant it"), ("skewed", "RequestTimeTooSkewed", "check the clock")],
)
def test_what_was_denied_is_tried_again_by_itself_and_not_at_once(
    bad_day: Day, zone: str, code: str, advice: str
) -> None:
    """Case 30."""
    claim = record(zone, "new")
    bad_day.seen.caught_up(*bad_day.cluster.programmed(claim, within=LATER_SECONDS))
    assert "False/ProviderAccessDenied" in bad_day.seen.of(f"RecordSet/{claim['metadata']['name']}")
    assert advice in bad_day.seen.messages(f"RecordSet/{claim['metadata']['name']}")
    assert bad_day.sent(zone) == [code, "OK"]
    assert bad_day.stood(f"{zone}-first")
