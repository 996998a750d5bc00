"""Host names: canonical forms, legality, and the laws of their intersection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_controller.sources.hostnames import canonical, hostname_problem, intersection, is_fully_qualified

LABELS = st.sampled_from(["a", "b", "c"])
NAMES = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
HOSTS = st.one_of(NAMES, NAMES.map(lambda name: f"*.{name}"))


def covers(host: str, name: str) -> bool:
    """Say what a host stands for, written once more and differently."""
    if not host.startswith("*."):
        return host == name
    labels, suffix = name.split("."), host.split(".")[1:]
    return len(labels) > len(suffix) and labels[-len(suffix) :] == suffix


@given(HOSTS, HOSTS)
@pytest.mark.spec("GW-DN-013")
def test_an_intersection_is_symmetric(one: str, other: str) -> None:
    assert intersection(one, other) == intersection(other, one)


@given(HOSTS)
@pytest.mark.spec("GW-DN-015")
def test_an_intersection_is_idempotent(host: str) -> None:
    assert intersection(host, host) == host


@given(HOSTS, HOSTS, NAMES)
@pytest.mark.spec("GW-DN-014")
def test_an_intersection_covers_what_both_cover_and_nothing_else(one: str, other: str, name: str) -> None:
    both = intersection(one, other)

    assert (both is not None and covers(both, name)) == (covers(one, name) and covers(other, name))


@given(HOSTS, HOSTS, HOSTS)
@pytest.mark.spec("GW-DN-015")
def test_intersections_are_associative(one: str, two: str, three: str) -> None:
    left = intersection(one, two)
    right = intersection(two, three)

    assert (intersection(left, three) if left else None) == (intersection(one, right) if right else None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("5HW598.Example.com", "5hw598.example.com"),
        ("a.example.com.", "a.example.com"),
        (" a.example.com ", "a.example.com"),
        ("app.bücher.example", "app.xn--bcher-kva.example"),
        ("*.bücher.example", "*.xn--bcher-kva.example"),
        ("app.xn--bcher-kva.example", "app.xn--bcher-kva.example"),
        ("*.Example.com", "*.example.com"),
    ],
)
@pytest.mark.spec("GW-DN-017")
def test_names_are_made_canonical(text: str, name: str) -> None:
    """Cases 5, 7, 15."""
    assert canonical(text) == name


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("a.example.com", True),
        ("*.example.com", True),
        ("_acme-challenge.example.com", True),
        ("a_b.example.com", False),
        ("*example.com", False),
        ("a.*.example.com", False),
        ("192.0.2.1", False),
        ("", False),
        ("a..b", False),
        (".a", False),
        ("-a.b", False),
        ("a-.b", False),
        ("a" * 64, False),
        ("a b", False),
        ("é.example", False),
        (".".join(["a" * 63] * 4), False),
    ],
)
@pytest.mark.spec("GW-DN-018")
def test_a_host_name_is_legal_or_not(name: str, legal: bool) -> None:
    """Case 8: underscores are legal in owner names."""
    assert (hostname_problem(name) is None) is legal


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("a.b", True),
        ("a.b.", True),
        ("a", False),
        ("a_b.c", False),
        ("", False),
        ("[map[value:1]]", False),
        ("*.a.b", False),
    ],
)
@pytest.mark.spec("TF-BE-020")
def test_a_full_name_has_two_plain_labels(name: str, full: bool) -> None:
    assert is_fully_qualified(name) is full
