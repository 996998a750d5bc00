"""The path table: which paths there are, and which requests need no rule."""

from dataclasses import replace

import pytest

from libdnsapi.api.meta import JsonObject
from tests.webhook.objects import (
    NOW,
    changed,
    creation,
    deletion,
    provider,
    record_set,
    status_update,
    update,
    zone,
    zone_unit,
)
from webhook.entries import BY_PATH, ENTRIES, Entry
from webhook.review import Review
from webhook.validators.snapshot import Snapshot

VALIDATE = "/validate-dns-appthrust-io-v1alpha1"


def test_the_paths_are_those_of_the_wire_reference() -> None:
    kinds = ("provider", "zoneclass", "zone", "recordset", "zoneunit", "zoneunitslice")
    assert set(BY_PATH) == {
        *(f"{VALIDATE}-{kind}" for kind in kinds),
        "/validate-route53-dns-appthrust-io-v1alpha1-route53identity",
        "/validate-externaldns-k8s-io-v1alpha1-dnsprovider",
        "/validate-externaldns-k8s-io-v1alpha1-clusterdnsprovider",
        "/warn-dns-appthrust-io-v1alpha1-zone",
        "/warn-dns-appthrust-io-v1alpha1-recordset",
        "/warn-externaldns-k8s-io-v1alpha1-dnsprovider",
        "/warn-externaldns-k8s-io-v1alpha1-clusterdnsprovider",
    }
    assert len(BY_PATH) == len(ENTRIES)


def _with(document: JsonObject, **metadata: object) -> JsonObject:
    return changed(document, **{f"metadata__{name}": value for name, value in metadata.items()})  # type: ignore[arg-type]


BROKEN = record_set(spec__provider__version="gone")


@pytest.mark.spec("PC-AM-009")
@pytest.mark.parametrize(
    ("kind", "review", "alone"),
    [
        ("recordset", creation(BROKEN), False),
        ("recordset", update(BROKEN, _with(BROKEN, labels={"a": "b"})), True),
        ("recordset", update(_with(BROKEN, finalizers=["a"]), BROKEN), True),
        ("recordset", update(BROKEN, _with(BROKEN, annotations={"dns.appthrust.io/reconcile-request": "1"})), True),
        ("recordset", update(BROKEN, changed(_with(BROKEN, deletionTimestamp=NOW), spec__ttl=5)), True),
        ("recordset", update(BROKEN, changed(BROKEN, spec__ttl=5)), False),
        ("recordset", status_update(record_set(), {"observedGeneration": 1}), False),
        ("recordset", status_update(_with(record_set(), deletionTimestamp=NOW), {"observedGeneration": 1}), True),
        ("zoneunit", update(zone_unit(), _with(zone_unit(), finalizers=["a"])), True),
        ("zoneunit", update(zone_unit(), _with(zone_unit(), annotations={"a": "b"})), False),
        (
            "zoneunit",
            update(zone_unit(), changed(_with(zone_unit(), deletionTimestamp=NOW), spec__recordSets=[])),
            False,
        ),
        ("zoneunit", status_update(_with(zone_unit(), deletionTimestamp=NOW), {"observedGeneration": 1}), False),
        ("provider", update(provider(), _with(provider(), labels={"a": "b"})), True),
    ],
)
def test_what_leaves_spec_alone_is_left_alone(kind: str, review: Review, alone: bool) -> None:
    """Case 72."""
    assert BY_PATH[f"{VALIDATE}-{kind}"].leaves_alone(review) is alone


@pytest.mark.parametrize(
    ("kind", "review", "checked"),
    [
        ("provider", deletion(provider()), True),
        ("zone", deletion(zone()), False),
        ("zoneunit", deletion(zone_unit()), True),
        ("provider", status_update(provider(), {}), False),
        ("zone", status_update(zone(), {}), True),
        ("zone", creation(zone()), True),
    ],
)
def test_operations_have_their_rules(kind: str, review: Review, checked: bool) -> None:
    assert (BY_PATH[f"{VALIDATE}-{kind}"].rule(review) is not None) is checked


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if not entry.warns], ids=lambda entry: entry.path)
def test_of_a_large_object_every_rule_tells_the_first_fault_alone(entry: Entry) -> None:
    faulty: JsonObject = {
        "kind": entry.resource.kind,
        "metadata": {"name": "x", "namespace": "app", "labels": "hush", "annotations": "hush"},
        "spec": "hush",
    }
    snapshot = Snapshot(ledger_writers=frozenset({"system:masters"}))
    for rule, review in (
        (entry.create, creation(faulty)),
        (entry.status, status_update(faulty, {"conditions": "hush"})),
    ):
        if rule is not None:
            (fault,) = rule(replace(review, bulky=True), snapshot).problems
            assert fault.message.endswith("(the first fault in a large object)")
            assert "hush" not in fault.message
