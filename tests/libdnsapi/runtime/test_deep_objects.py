"""Objects that are nested deeper than parsers go: the API server stores them, and they hide no other object."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime import rest
from libdnsapi.runtime.client import read_page
from libdnsapi.runtime.splitting import elements, members
from libdnsapi.runtime.store import Store

FINE = b'{"metadata": {"namespace": "b", "name": "fine", "resourceVersion": "7"}, "spec": {}}'
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def deep(levels: int, opening: bytes = b'{"x":', closing: bytes = b"}") -> bytes:
    """Return a RecordSet with options that deep."""
    options = opening * levels + b"1" + closing * levels
    metadata = b'{"namespace": "a", "name": "deep", "resourceVersion": "6", "annotations": {"a\\"}": "]}[{,:"}}'
    return b'{"metadata": %s, "spec": {"options": {"a": %s}}}' % (metadata, options)


@pytest.mark.parametrize("levels", [900, 1500, 10_000, 22_000])
@pytest.mark.parametrize(("opening", "closing"), [(b'{"x":', b"}"), (b"[", b"]")], ids=["objects", "arrays"])
async def test_an_object_that_is_nested_deep_hides_no_other_of_its_list(
    levels: int, opening: bytes, closing: bytes
) -> None:
    body = b'{"metadata": {"resourceVersion": "9"}, "items": [%s, %s]}' % (deep(levels, opening, closing), FINE)
    page = await read_page(body)
    assert [str(each.key) for each in page.items] == ["a/deep", "b/fine"]
    assert b'"annotations"' in page.items[0].raw
    assert sys.getrecursionlimit() < rest.DEEPEST


async def test_a_cache_keeps_an_object_that_is_nested_deep_as_one_that_fits_no_model() -> None:
    store = Store(RecordSet)
    page = await read_page(b'{"metadata": {"resourceVersion": "9"}, "items": [%s]}' % deep(5000))
    await store.replace([*map(store.lean, page.items)], 9)
    assert list(store.unfit()) == [ObjectKey("a", "deep")]
    assert store.raw(ObjectKey("a", "deep")) is not None


@given(st.dictionaries(st.text(), JSON, max_size=5), st.sampled_from([None, 1]))
def test_an_object_is_split_as_a_parser_splits_it(document: dict[str, object], indent: int | None) -> None:
    body = _written(document, indent)
    assert {rest.text(name): _read(value) for name, value in members(body)} == document


@given(st.lists(JSON, max_size=5), st.sampled_from([None, 1]))
def test_an_array_is_split_as_a_parser_splits_it(document: list[object], indent: int | None) -> None:
    assert [_read(element) for element in elements(_written(document, indent))] == document


@pytest.mark.parametrize("body", [b"", b"[", b'{"a": 1', b'{"a" 1}', b"{1: 2}", b"null"])
def test_what_is_no_object_is_not_split(body: bytes) -> None:
    with pytest.raises(ValueError, match="JSON"):
        list(members(body))


def _written(document: object, indent: int | None) -> bytes:
    return json.dumps(document, indent=indent, ensure_ascii=False).encode()


def _read(body: bytes) -> object:
    return json.loads(body)
