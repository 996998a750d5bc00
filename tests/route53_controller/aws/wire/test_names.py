"""Names and ids between Route 53's spelling and the canonical one."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from route53_controller.aws import wire

LABEL = st.text(string.ascii_lowercase + string.digits + "_-", min_size=1, max_size=20)
NAME = st.lists(LABEL, min_size=1, max_size=5).map(".".join)


@pytest.mark.spec("R53-OB-011")
@pytest.mark.parametrize(
    ("listed", "canonical"),
    [
        ("\\052.app.example.com.", "*.app.example.com"),
        ("www.Example.COM.", "www.example.com"),
        ("a\\100b.example.com.", "a@b.example.com"),
        ("a\\056b.example.com.", "a\\056b.example.com"),
        ("a\\040b.example.com.", "a\\040b.example.com"),
        ("example.com", "example.com"),
        ("_acme-challenge.example.com.", "_acme-challenge.example.com"),
    ],
)
def test_a_listed_name_becomes_canonical(listed: str, canonical: str) -> None:
    """Cases 1, 5 and 8."""
    assert wire.name_from_wire(listed) == canonical


def test_a_wildcard_is_written_with_an_octal_escape() -> None:
    """Case 1."""
    assert wire.name_to_wire("*.a.example.com") == "\\052.a.example.com."


@given(NAME, st.booleans())
def test_names_survive_the_round_trip(name: str, wildcard: bool) -> None:
    canonical = f"*.{name}" if wildcard else name
    assert wire.name_from_wire(wire.name_to_wire(canonical)) == canonical


@pytest.mark.parametrize("listed", ["/hostedzone/ZAAA", "ZAAA"])
def test_ids_lose_their_path(listed: str) -> None:
    """Case 4."""
    assert wire.id_from_wire(listed) == "ZAAA"


def test_sort_keys_compare_the_dots_too() -> None:
    names = ["example.com", "a.example.com", "a-b.example.com", "www.a.example.com"]
    assert sorted(names, key=wire.sort_key) == ["example.com", "a-b.example.com", "a.example.com", "www.a.example.com"]
