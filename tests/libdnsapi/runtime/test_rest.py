"""Objects lose what nobody reads, and keep all else to the letter."""

import sys
import tracemalloc

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime import rest

LAST = rest.LAST_APPLIED
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=5) | JSON,
        "namespace": st.text(max_size=5) | JSON,
        "resourceVersion": st.integers(0, 99).map(str) | JSON,
        "managedFields": JSON,
        "annotations": st.dictionaries(st.sampled_from(("a", LAST, "z")), st.text(max_size=5)),
        "labels": JSON,
    },
)


def found(document: JsonObject) -> rest.RawObject:
    return rest.raw_object(rest.fields(orjson.dumps(document)))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": "a", "managedFields": [{"manager": "x"}]}, {"name": "a"}),
        ({"name": "a", "annotations": {LAST: "{}", "b": "c"}}, {"name": "a", "annotations": {"b": "c"}}),
        ({"name": "a", "annotations": {"b": LAST}}, {"name": "a", "annotations": {"b": LAST}}),
        ({"name": "a", "annotations": None}, {"name": "a", "annotations": None}),
        ({}, {}),
    ],
    ids=["managed fields", "kubectl's copy", "a value that only says so", "no annotations", "nothing"],
)
def test_an_object_loses_its_ballast_and_no_more(metadata: JsonObject, expected: JsonObject) -> None:
    rest_of_it: JsonObject = {"kind": "Widget", "spec": {"managedFields": [1], "a": "\u00e4 \\ \u2028"}, "status": None}
    raw = found({"metadata": metadata, **rest_of_it}).raw
    assert orjson.loads(raw) == {"metadata": expected, **rest_of_it}


def stripped(metadata: JsonObject) -> JsonObject:
    kept = {name: value for name, value in metadata.items() if name != "managedFields"}
    annotations = kept.get("annotations")
    if isinstance(annotations, dict):
        kept["annotations"] = {name: value for name, value in annotations.items() if name != LAST}
    return kept


@given(METADATA, JSON)
def test_what_is_kept_is_what_parsing_all_of_it_would_keep(metadata: JsonObject, spec: JsonValue) -> None:
    document: JsonObject = {"metadata": metadata, "spec": spec}
    seen = found(document)
    assert orjson.loads(seen.raw) == {"metadata": stripped(metadata), "spec": spec}
    name, namespace, version = (metadata.get(field) for field in ("name", "namespace", "resourceVersion"))
    assert seen.key == ObjectKey(namespace if isinstance(namespace, str) else "", name if isinstance(name, str) else "")
    assert seen.resource_version == (version if isinstance(version, str) else "")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'{"metadata":[]}', b'{"metadata":{}', b'{"metadata":"a"}'])
def test_what_is_no_object_is_none(body: bytes) -> None:
    with pytest.raises(ValueError, match="not a JSON object"):
        rest.raw_object(rest.fields(body))


@pytest.mark.parametrize(
    ("version", "expected"), [("7", 7), ("", 0), ("x7", 0), ("-1", 0), ("\u00b2", 0), ("9" * 5000, 0)]
)
def test_a_version_is_a_number_or_none(version: str, expected: int) -> None:
    assert rest.RawObject(ObjectKey("", ""), version, b"").version == expected


@pytest.mark.parametrize("size", [1_500, 20_000])
def test_an_object_that_is_kept_holds_no_more_memory_than_its_bytes(size: int) -> None:
    bodies = [rest.fields(orjson.dumps({"metadata": {"name": "a"}, "spec": "x" * size})) for _ in range(100)]
    tracemalloc.start()
    try:
        kept = [rest.raw_object(body).raw for body in bodies]
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < sum(map(sys.getsizeof, kept)) + 150 * len(kept)
