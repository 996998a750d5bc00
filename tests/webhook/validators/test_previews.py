"""Warnings about what will happen next."""

from dataclasses import replace

import pytest

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.dns.policy import NAME_NOT_ALLOWED, NAMESPACE_NOT_ALLOWED, TYPE_NOT_ALLOWED
from tests.webhook.objects import allowed_rule, condition, creation, deletion, record_set, update, zone
from webhook.validators import previews
from webhook.validators.snapshot import KnownRecordSet, Snapshot

ZONE = ObjectKey("app", "example-com")
LABELS = {"tenant": {"dns": "yes"}, "app": {}, "stranger": {}}
REFUSED = "This RecordSet will not be accepted now: "


def known(namespace: str, name: str, type_: RecordType = RecordType.A, *, held: bool = True) -> KnownRecordSet:
    """Return a RecordSet of the zone."""
    return KnownRecordSet(ObjectKey(namespace, f"r-{name}"), ZONE, name, type_, held)


def _seen(*record_sets: KnownRecordSet, policy_zone: JsonObject | None = None) -> Snapshot:
    found = None if policy_zone is None else Zone.model_validate(policy_zone)
    return Snapshot(record_sets=record_sets, labels=LABELS, zone=found)


@pytest.mark.spec("CORE-BY-009")
def test_a_shrinking_policy_counts_and_names_up_to_five() -> None:
    record_sets = [known("tenant", f"{letter}") for letter in "abcdefg"]
    answer = previews.preview_zone_update(
        update(zone(), zone(spec__allowedRecordSets=[allowed_rule("a", "A")])),
        _seen(*record_sets, known("app", "www"), known("stranger", "x")),
    )
    assert answer.warnings == (
        "6 RecordSets will no longer be allowed by this Zone (DNS stays as it is): "
        "tenant/r-b, tenant/r-c, tenant/r-d, tenant/r-e, tenant/r-f and 1 more",
    )


@pytest.mark.parametrize(
    "new",
    [
        zone(),
        zone(spec__adoption={"id": "Z1"}),
        zone(spec__allowedRecordSets=[allowed_rule(".*", "A", "CNAME", "TXT")]),
    ],
)
def test_a_policy_that_takes_nothing_away_is_silent(new: JsonObject) -> None:
    assert not previews.preview_zone_update(update(zone(), new), _seen(known("tenant", "a"))).warnings


def test_a_huge_zone_is_only_sampled() -> None:
    record_sets = [known("tenant", "a")] * (previews.EXAMINED + 1)
    answer = previews.preview_zone_update(update(zone(), zone(spec__allowedRecordSets=None)), _seen(*record_sets))
    assert answer.warnings[0].startswith("At least 1000 RecordSets will no longer")


def test_a_policy_is_held_against_claims_only_as_long_as_there_is_time() -> None:
    record_sets = [known("tenant", f"{letter}") for letter in "abcdefg"]
    looks = iter([False] * 3 + [True] * 10)
    snapshot = replace(_seen(*record_sets), deadline=lambda: next(looks))
    answer = previews.preview_zone_update(update(zone(), zone(spec__allowedRecordSets=None)), snapshot)
    assert answer.warnings[0].startswith("At least 3 RecordSets will no longer")


@pytest.mark.spec("CORE-BY-009")
@pytest.mark.parametrize(
    ("record_sets", "told"),
    [
        ([], []),
        ([known("app", "www")], ["The Zone stays until 1 RecordSet is deleted: app/r-www"]),
        (
            [known("app", "www"), known("tenant", "api")],
            ["The Zone stays until 2 RecordSets are deleted: app/r-www, tenant/r-api"],
        ),
        (
            [known("app", "www"), known("tenant", "api", held=False)],
            [
                "The Zone stays until 1 RecordSet is deleted: app/r-www",
                "1 RecordSet without an accepted record will have no Zone: tenant/r-api",
            ],
        ),
        (
            [known("app", f"{letter}") for letter in "abcdefg"],
            ["The Zone stays until 7 RecordSets are deleted: app/r-a, app/r-b, app/r-c, app/r-d, app/r-e and 2 more"],
        ),
    ],
)
def test_a_deleted_zone_names_what_it_waits_for(record_sets: list[KnownRecordSet], told: list[str]) -> None:
    assert list(previews.preview_zone_delete(deletion(zone()), _seen(*record_sets)).warnings) == told


def _claim(namespace: str = "tenant", **changes: object) -> JsonObject:
    return record_set(
        metadata__namespace=namespace,
        spec__zoneRef={"namespace": "app", "name": "example-com"},
        **changes,  # type: ignore[arg-type]
    )


@pytest.mark.spec("CORE-AR-019", "CORE-BY-009")
@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (_claim(), ""),
        (_claim("app", spec__name="anything-1"), ""),
        (_claim("stranger"), f"{NAMESPACE_NOT_ALLOWED}."),
        (_claim("unknown"), f"{NAMESPACE_NOT_ALLOWED}."),
        (_claim(spec__name="www-1"), f"{NAME_NOT_ALLOWED}."),
        (_claim(spec__type="TXT"), f"{TYPE_NOT_ALLOWED}."),
    ],
)
def test_a_claim_outside_the_policy_is_told(claim: JsonObject, message: str) -> None:
    answer = previews.preview_record_set(creation(claim), _seen(policy_zone=zone()))
    assert answer.warnings == ((f"{REFUSED}{message}",) if message else ())
    assert answer.allowed


@pytest.mark.spec("CORE-BY-010")
def test_who_may_not_use_a_name_does_not_learn_whose_it_is() -> None:
    answer = previews.preview_record_set(
        creation(_claim("stranger")), _seen(known("tenant", "www"), policy_zone=zone())
    )
    assert answer.warnings == (f"{REFUSED}{NAMESPACE_NOT_ALLOWED}.",)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (known("app", "www"), "A www in Zone app/example-com belongs to RecordSet app/r-www."),
        (known("app", "www", RecordType.CNAME), "CNAME www in Zone app/example-com belongs to RecordSet app/r-www."),
        (known("app", "www", RecordType.TXT), ""),
        (known("app", "www", held=False), ""),
        (known("app", "api"), ""),
    ],
)
def test_a_taken_name_is_told(other: KnownRecordSet, message: str) -> None:
    answer = previews.preview_record_set(creation(_claim()), _seen(other, policy_zone=zone()))
    assert answer.warnings == ((f"{REFUSED}{message}",) if message else ())


@pytest.mark.parametrize(("namespace", "warned"), [("tenant", False), ("app", True)])
def test_a_leaving_owner_makes_room_in_its_own_namespace_only(namespace: str, warned: bool) -> None:
    leaving = replace(known(namespace, "www"), leaving=True)
    answer = previews.preview_record_set(creation(_claim()), _seen(leaving, policy_zone=zone()))
    assert bool(answer.warnings) is warned


def test_a_claim_is_not_its_own_rival() -> None:
    mine = replace(known("tenant", "www"), key=ObjectKey("tenant", "www"))
    assert not previews.preview_record_set(creation(_claim()), _seen(mine, policy_zone=zone())).warnings


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("www.example.com", "this is www.example.com.example.com; for www.example.com write www"),
        ("example.com", "this is example.com.example.com; for example.com write @"),
        ("*.example.com", "this is *.example.com.example.com; for *.example.com write *"),
        ("wwwexample.com", ""),
        ("www.example", ""),
    ],
)
def test_a_full_name_where_a_relative_one_belongs_is_told(name: str, told: str) -> None:
    answer = previews.preview_record_set(creation(_claim("app", spec__name=name)), _seen(policy_zone=zone()))
    assert answer.warnings == ((f"spec.name is relative to the Zone, so {told}",) if told else ())


def test_a_cname_to_itself_is_told() -> None:
    claim = _claim("app", spec__type="CNAME", spec__a=None, spec__cname={"target": "www.example.com"})
    answer = previews.preview_record_set(creation(claim), _seen(policy_zone=zone()))
    assert answer.warnings == (
        "spec.cname.target is the record's own name www.example.com: resolvers will find no answer",
    )


def test_a_zone_that_is_being_deleted_is_told() -> None:
    leaving = zone(metadata__deletionTimestamp="2026-01-01T00:00:00Z")
    answer = previews.preview_record_set(creation(_claim()), _seen(policy_zone=leaving))
    assert answer.warnings == (f"{REFUSED}Zone app/example-com is being deleted.",)
    mine = replace(known("tenant", "www"), key=ObjectKey("tenant", "www"))
    assert not previews.preview_record_set(creation(_claim()), _seen(mine, policy_zone=leaving)).warnings


def test_a_zone_that_cannot_serve_the_claim_is_told() -> None:
    unusable = zone(
        spec__provider__name="other",
        spec__domainName=".".join(["a" * 62] * 4),
        status={"conditions": [condition("Accepted", "False", "ProviderMismatch")]},
    )
    answer = previews.preview_record_set(creation(_claim()), _seen(policy_zone=unusable))
    assert [text.removeprefix(REFUSED) for text in answer.warnings] == [
        "Zone app/example-com is not accepted itself.",
        "Zone app/example-com is of Provider other.",
        "spec.name must be at most 253 characters with the zone's name, this has 255.",
    ]


@pytest.mark.spec("CORE-RN-006")
@pytest.mark.parametrize(("length", "warned"), [(64, False), (65, True)])
def test_names_fit_up_to_253_characters(length: int, warned: bool) -> None:
    """Case 81: told also where it is not refused, at an update."""
    domain = ".".join(["a" * 62, "a" * 63, "a" * 61])
    name = ".".join(["a" * (length - 32), "a" * 31])
    claim = _claim("app", spec__name=name)
    answer = previews.preview_record_set(creation(claim), _seen(policy_zone=zone(spec__domainName=domain)))
    assert bool(answer.warnings) is warned


def test_a_zone_that_is_not_there_is_nothing_to_warn_about() -> None:
    assert not previews.preview_record_set(creation(_claim()), _seen()).warnings
