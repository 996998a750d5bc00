"""The release command: what it says, what it lets go of, and what it leaves alone."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from core_controller import release
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from libdnsapi.runtime.errors import ConflictError, ForbiddenError
from tests.fakes.clock import FakeClock
from tests.fakes.faults import Fault
from tests.fakes.kubernetes import FakeKubernetes

FOREIGN = "example.org/keep"
HELD: list[tuple[ResourceType, str, str]] = [
    (RECORD_SETS, "www", "dns.appthrust.io/recordset-finalizer"),
    (ZONES, "example-com", "dns.appthrust.io/zone-finalizer"),
    (ZONE_UNIT_SLICES, "example-com-0", "dns.appthrust.io/zoneunit-finalizer"),
    (ZONE_UNITS, "example-com", "route53.dns.appthrust.io/zoneunit-finalizer"),
    (ZONE_CLASSES, "public", "route53.dns.appthrust.io/in-use"),
    (ROUTE53_IDENTITIES, "account", "route53.dns.appthrust.io/in-use"),
]
ZONE_SPEC: JsonObject = {
    "ref": {"namespace": "team", "name": "example-com"},
    "domainName": "example.com",
    "zoneClassRef": {"namespace": "team", "name": "public"},
}
SPECS: dict[ResourceType, JsonObject] = {
    ZONE_UNITS: {"provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}, "zone": ZONE_SPEC},
    ZONE_UNIT_SLICES: {"zoneUnitRef": {"name": "example-com"}},
}


def entry(name: str, *, mark: bool, done: bool = False) -> JsonObject:
    """Return a status entry of a record set, with or without the provider's mark."""
    state: JsonObject = {"provider": {"state": {"recordName": name}}} if mark else {}
    return {"recordSetNamespace": "team", "recordSetName": name, "deletionCompleted": done} | state


@pytest.fixture
def api() -> FakeKubernetes:
    """Return a namespace in which everything is held by us, and a namespace beside it."""
    made = FakeKubernetes(FakeClock())
    statuses: dict[ResourceType, JsonObject] = {
        ZONE_UNITS: {
            "zone": {"provider": {"data": {"hostedZoneID": "Z1"}}},
            "recordSets": [entry("a", mark=True), entry("b", mark=False)],
        },
        ZONE_UNIT_SLICES: {"recordSets": [entry("c", mark=True), entry("d", mark=True, done=True)]},
    }
    for namespace in ("team", "beside"):
        for resource, name, finalizer in HELD:
            body: JsonObject = {
                "metadata": {"namespace": namespace, "name": name, "finalizers": [finalizer, FOREIGN]},
                "spec": SPECS.get(resource, {}),
            }
            if namespace == "team" and resource in statuses:
                body["status"] = statuses[resource]
            made.seed(resource, body)
    return made


def finalizers(api: FakeKubernetes, namespace: str) -> set[str]:
    """Return all finalizers in a namespace."""
    found = set()
    for resource, name, _ in HELD:
        document = api.read(resource, ObjectKey(namespace, name))
        assert document is not None
        metadata = document["metadata"]
        assert isinstance(metadata, dict)
        found.update(str(one) for one in metadata.get("finalizers", ()) or ())  # type: ignore[union-attr]
    return found


async def test_everything_that_we_hold_is_found_claims_first(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "team")
    assert [(each.resource, each.key.name) for each in held] == [(resource, name) for resource, name, _ in HELD]


@pytest.mark.spec("CORE-BY-007")
async def test_what_stays_at_the_provider_is_told_with_slices_counted(api: FakeKubernetes) -> None:
    _, left = await release.survey(api, "team")
    assert left == [release.Remainder(ObjectKey("team", "example-com"), "example.com", {"hostedZoneID": "Z1"}, 2)]


@pytest.mark.spec("CORE-BY-007")
async def test_what_a_namespace_has_in_zones_of_another_one_is_told_as_well(api: FakeKubernetes) -> None:
    zone: JsonObject = {"provider": {"data": {"hostedZoneID": "Z2"}}}
    entries = [entry("e", mark=True), {**entry("f", mark=True), "recordSetNamespace": "beside"}]
    api.seed(
        ZONE_UNITS,
        {
            "metadata": {"namespace": "platform", "name": "example-com"},
            "spec": SPECS[ZONE_UNITS],
            "status": {"zone": zone, "recordSets": entries},
        },
    )

    _, left = await release.survey(api, "team")

    assert {each.unit.namespace: each.record_sets for each in left} == {"platform": 1, "team": 2}


async def test_who_may_see_one_namespace_alone_is_told_of_that_one(api: FakeKubernetes) -> None:
    api.fail(Fault(ForbiddenError(403, "Forbidden", "zoneunits is forbidden"), "list", ZONE_UNITS, skip=1))

    _, left = await release.survey(api, "team")

    assert [each.unit for each in left] == [ObjectKey("team", "example-com")]


@pytest.mark.spec("CORE-BY-007")
async def test_only_our_finalizers_go_and_only_in_that_namespace(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "team")
    assert await release.release(api, held) == len(HELD)
    assert finalizers(api, "team") == {FOREIGN}
    assert len(finalizers(api, "beside")) == 6


async def test_all_namespaces_are_released_with_an_empty_name(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "")
    assert len(held) == 2 * len(HELD)


async def test_a_second_run_finds_nothing(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "team")
    await release.release(api, held)
    again, _ = await release.survey(api, "team")
    assert again == []


async def test_an_object_that_changed_meanwhile_is_not_touched(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "team")
    await api.merge_patch(RECORD_SETS, ObjectKey("team", "www"), {"metadata": {"labels": {"new": "yes"}}})
    with pytest.raises(ConflictError):
        await release.release(api, held)


async def test_an_object_that_has_gone_meanwhile_needs_nothing(api: FakeKubernetes) -> None:
    held, _ = await release.survey(api, "team")
    await api.merge_patch(RECORD_SETS, ObjectKey("team", "www"), {"metadata": {"finalizers": None}})
    await api.delete(RECORD_SETS, ObjectKey("team", "www"))
    assert await release.release(api, held) == len(HELD) - 1


async def test_a_kind_that_is_not_installed_holds_nothing(api: FakeKubernetes) -> None:
    api.missing.add(ROUTE53_IDENTITIES)
    held, _ = await release.survey(api, "team")
    assert ROUTE53_IDENTITIES not in {each.resource for each in held}


async def test_what_nobody_holds_is_not_touched() -> None:
    api = FakeKubernetes(FakeClock())
    api.seed(ZONES, {"metadata": {"namespace": "team", "name": "z", "finalizers": [FOREIGN]}, "spec": {}})
    assert await release.survey(api, "team") == ([], [])
    assert api.writes() == {}


async def test_a_ledger_that_cannot_be_read_is_named_and_holds_up_nothing(api: FakeKubernetes) -> None:
    body: JsonObject = {"metadata": {"namespace": "team", "name": "torn"}, "spec": {"zoneUnitRef": "example-com"}}
    api.seed(ZONE_UNIT_SLICES, body)
    held, left = await release.survey(api, "team")
    assert len(held) == len(HELD)
    assert release.Remainder(ObjectKey("team", "torn"), "cannot be read", {}, 0) in left


@pytest.mark.parametrize("arguments", [[], ["--namespace", "team", "--all-namespaces"]])
def test_a_namespace_or_all_of_them_must_be_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(arguments) == 2
    assert "either --namespace or --all-namespaces" in capsys.readouterr().err


def test_an_unreadable_kubeconfig_is_an_error_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--namespace", "team", "--kubeconfig", str(tmp_path / "none")]) == 1
    assert "error:" in capsys.readouterr().err


def test_what_stays_is_told_in_full_in_a_narrow_window() -> None:
    console = Console(width=60, file=io.StringIO())
    left = [
        release.Remainder(ObjectKey("platform", "a" * 30), "long.name.example.com", {"hostedZoneID": "Z" + "0" * 30}, 7)
    ]
    console.print(release.table_of(left))
    assert isinstance(console.file, io.StringIO)
    told = console.file.getvalue()
    assert "\u2026" not in told
    assert told.count("0") == 30


def test_what_a_provider_wrote_is_shown_as_it_is_and_moves_no_terminal() -> None:
    console = Console(width=200, file=io.StringIO())
    data: JsonObject = {"note": "[/end] [bold]x[/bold] \x1b[2J"}
    console.print(release.table_of([release.Remainder(ObjectKey("platform", "zone"), "example.com", data, 7)]))
    assert isinstance(console.file, io.StringIO)
    assert "note=[/end] [bold]x[/bold] \\x1b[2J" in console.file.getvalue()


def test_without_a_kubeconfig_the_usual_file_is_taken_but_never_in_a_pod(tmp_path: Path) -> None:
    assert release.usual_kubeconfig(tmp_path, {}) == ""
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube" / "config").touch()

    assert release.usual_kubeconfig(tmp_path, {}) == str(tmp_path / ".kube" / "config")
    assert release.usual_kubeconfig(tmp_path, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}) == ""
