"""What is written for one name, and what is left alone."""

from typing import Any

import pytest

from core_controller.sources.endpoints import Endpoint, SourceKey
from core_controller.sources.plan import Change, Create, Delete, HostSnapshot, Orphan, plan_host
from core_controller.sources.recordsets import HostKey, desired
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.recordset import RecordSet
from tests.core_controller.sources.test_routing import pipeline, table, zone

HOST = HostKey("apps", "www.example.com")
MAIN = pipeline("main", zone("example.com"))
TABLE = table(MAIN)


def endpoint(*values: str, type_: str = "A", source: str = "one") -> Endpoint:
    return Endpoint(HOST.hostname, RecordType(type_), values, SourceKey("Service", "apps", source))


def existing(*endpoints: Endpoint, **metadata: object) -> RecordSet:
    """Return the RecordSet that these endpoints were published as."""
    body: dict[str, Any] = desired(HOST, endpoints, TABLE).record_sets[0].body()
    body["metadata"] = {**body["metadata"], "uid": "u", "resourceVersion": "5", **metadata}
    return RecordSet.model_validate(body)


def plan(*endpoints: Endpoint, **fields: object) -> list[Any]:
    return plan_host(HostSnapshot(HOST, endpoints, fields.pop("table", TABLE), **fields)).actions


def kinds(actions: list[Any]) -> list[type]:
    return [type(action) for action in actions]


OLD = endpoint("192.0.2.1")


@pytest.mark.spec("SRC-EP-031")
def test_what_is_as_it_shall_be_is_left() -> None:
    assert plan(OLD, existing=(existing(OLD),)) == []


@pytest.mark.spec("SRC-EP-031")
def test_a_new_value_is_a_patch_of_nothing_else() -> None:
    (action,) = plan(endpoint("192.0.2.2"), existing=(existing(OLD),))

    assert isinstance(action, Change)
    assert action.patch == {"spec": {"a": {"addresses": ["192.0.2.2"]}}}
    assert action.resource_version == "5"


@pytest.mark.spec("SRC-EP-031")
def test_fields_that_go_are_nulls_in_the_patch() -> None:
    alias = endpoint("lb-1.eu-west-1.elb.amazonaws.com", type_="CNAME")
    (action,) = plan(alias, existing=(existing(OLD),))

    assert action.patch["spec"]["a"] is None
    assert action.patch["spec"]["ttl"] is None
    assert action.patch["spec"]["options"]["alias"]["hostedZoneID"] == "Z32O12XQLNTSW2"


@pytest.mark.spec("ROUTE-LC-011")
def test_a_change_of_type_creates_before_it_deletes() -> None:
    assert kinds(plan(endpoint("lb.example.net", type_="CNAME"), existing=(existing(OLD),))) == [Create, Delete]


CNAME = endpoint("lb.example.net", type_="CNAME")
GOING = {"deletionTimestamp": "2026-01-01T00:00:00Z"}


@pytest.mark.spec("ROUTE-LC-013")
def test_what_a_record_set_is_replaced_by_must_stand_before_it_goes() -> None:
    """An address that becomes a host name and an address again at once finds the first claim still on its way out."""
    assert plan(OLD, existing=(existing(OLD, **GOING), existing(CNAME))) == []
    assert kinds(plan(OLD, existing=(existing(CNAME),))) == [Create, Delete]
    assert kinds(plan(OLD, existing=(existing(OLD), existing(CNAME)))) == [Delete]


@pytest.mark.spec("ROUTE-LC-013")
def test_of_two_address_claims_that_a_host_name_replaces_the_ipv4_one_goes_last() -> None:
    """The host name takes over from the last one: until then the name has an answer."""
    both = (existing(OLD), existing(endpoint("2001:db8::1", type_="AAAA")))

    actions = plan(CNAME, existing=both)

    assert kinds(actions) == [Create, Delete, Delete]
    assert [one.type for one in actions[1:]] == ["AAAA", "A"]


def programmed(status: str) -> dict[str, Any]:
    condition = {"type": "Programmed", "status": status, "reason": "Programmed", "message": ""}
    return {"status": {"conditions": [{**condition, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}


MOVES = [
    # the RecordSet in the new Zone, what happens
    (None, [Create]),
    ({}, []),
    (programmed("False"), []),
    (programmed("True"), [Delete]),
]


@pytest.mark.parametrize(("moved", "actions"), MOVES)
@pytest.mark.spec("ROUTE-LC-013")
def test_a_name_that_moves_to_a_nearer_zone_leaves_the_old_one_when_it_is_live_in_the_new_one(
    moved: dict[str, Any] | None, actions: list[type]
) -> None:
    nearer = table(pipeline("main", zone("example.com"), zone("www.example.com")))
    body = desired(HOST, (OLD,), nearer).record_sets[0].body()
    body["metadata"] = {**body["metadata"], "uid": "u", "resourceVersion": "5"}
    there = () if moved is None else (RecordSet.model_validate({**body, **moved}),)

    assert kinds(plan(OLD, existing=(existing(OLD), *there), table=nearer)) == actions


UNWANTED = [
    # what is special, what happens
    ({}, [Delete]),
    ({"complete": False}, []),
    ({"unseen": frozenset({"Service/apps/one"})}, []),
    ({"table": table()}, [Orphan]),
    ({"table": table(), "complete": False}, []),
    ({"table": table(pipeline("main", zone("example.com"), policy="upsert-only"))}, []),
    ({"table": table(pipeline("main", zone("example.com"), policy="create-only"))}, []),
    ({"table": table(pipeline("main"))}, []),
    ({"table": table(pipeline("main", zone("example.com", "other")))}, []),
    ({"table": table(pipeline("main", zone("example.com"), include=("example.org",)))}, []),
]


@pytest.mark.parametrize(("fields", "actions"), UNWANTED)
@pytest.mark.spec("ROUTE-LC-008")
def test_a_record_set_that_nothing_asks_for_goes_only_from_a_full_view(
    fields: dict[str, Any], actions: list[type]
) -> None:
    """Case 29 in its form for sources: never from an empty or failed read."""
    assert kinds(plan(existing=(existing(OLD),), **fields)) == actions


@pytest.mark.spec("ROUTE-RT-014")
def test_a_held_contributor_pins_what_it_has_published_with_others() -> None:
    both = existing(OLD, endpoint("192.0.2.2", source="two"))

    assert plan(endpoint("192.0.2.2", source="two"), existing=(both,), unseen=frozenset({"Service/apps/one"})) == []


@pytest.mark.spec("GW-PL-029")
def test_beside_what_is_held_nothing_is_made_that_could_not_be_accepted() -> None:
    held = frozenset({"Service/apps/one"})
    cname = existing(CNAME)

    assert plan(endpoint("lb.example.net", type_="CNAME"), existing=(existing(OLD),), unseen=held) == []
    assert plan(OLD, existing=(cname,), unseen=held) == []
    assert kinds(plan(endpoint("2001:db8::1", type_="AAAA"), existing=(existing(OLD),), unseen=held)) == [Create]


@pytest.mark.spec("SRC-EP-030")
def test_a_record_set_on_its_way_out_is_waited_for() -> None:
    leaving = existing(OLD, deletionTimestamp="2026-01-01T00:00:00Z")

    assert plan(OLD, existing=(leaving,)) == []
    assert plan(existing=(leaving,)) == []


@pytest.mark.spec("ROUTE-CO-012")
def test_the_name_of_a_record_set_depends_on_owner_zone_and_type_alone() -> None:
    names = {
        desired(HOST, (one,), where).record_sets[0].key.name
        for one in (OLD, endpoint("192.0.2.9", source="two"))
        for where in (TABLE, table(pipeline("main", zone("example.com"), ttl=60)))
    }
    others = {
        desired(HOST, (OLD,), table(pipeline("main", zone("example.com"), owner_id="x"))).record_sets[0].key.name,
        desired(HOST, (OLD,), table(pipeline("main", zone("example.com", "other")))).record_sets[0].key.name,
        desired(HOST, (endpoint("2001:db8::1", type_="AAAA"),), TABLE).record_sets[0].key.name,
    }

    assert len(names) == 1
    assert len(others | names) == 4


@pytest.mark.parametrize(
    "host", ["*.example.com", "_x._y.example.com", "a" * 63 + "." + ("b" * 63 + ".") * 2 + "example.com"]
)
@pytest.mark.spec("ROUTE-CO-012")
def test_names_of_objects_are_legal(host: str) -> None:
    key = HostKey("apps", host)
    made = Endpoint(host, RecordType.TXT, ("x",), SourceKey("Service", "apps", "one"))
    (record_set,) = desired(key, (made,), TABLE).record_sets

    assert len(record_set.key.name) <= 253
    assert record_set.key.name[0].isalnum()
    assert set(record_set.key.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
    assert ".." not in record_set.key.name
    assert "-." not in record_set.key.name
