import pytest

from e2e.route53.errors import SyntaxProblemError
from e2e.route53.names import canonical, labels, order, parents, within


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("example.com", "example.com."),
        ("Example.COM.", "example.com."),
        ("*.example.com", "\\052.example.com."),
        ("\\052.example.com", "\\052.example.com."),
        ("a@b.example.com", "a\\100b.example.com."),
        ("_dmarc.example.com", "_dmarc.example.com."),
        ("a\\056b.com", "a\\056b.com."),
        ("\\101.com", "a.com."),
        ("\\311.com", "\\311.com."),
        ("x" * 63 + ".com", "x" * 63 + ".com."),
    ],
)
def test_a_name_has_one_spelling(text: str, expected: str) -> None:
    assert canonical(text) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "DomainLabelEmpty"),
        (".", "DomainLabelEmpty"),
        ("a..b", "DomainLabelEmpty"),
        ("x" * 64 + ".com", "DomainLabelTooLong"),
        (".".join(["x" * 60] * 5), "DomainNameTooLong"),
        ("a b.com", "InvalidCharacter"),
        ("é.com", "InvalidCharacter"),
        ("a\\b.com", "InvalidEscapeSequence"),
        ("a\\52.com", "InvalidEscapeSequence"),
    ],
)
def test_a_malformed_name_is_a_problem(text: str, code: str) -> None:
    with pytest.raises(SyntaxProblemError) as caught:
        canonical(text)
    assert caught.value.code == code


def test_the_longest_name_has_255_octets_on_the_wire() -> None:
    longest = ".".join(["x" * 63] * 3 + ["y" * 61])
    assert canonical(longest) == f"{longest}."
    with pytest.raises(SyntaxProblemError):
        canonical(f"{longest}y")


def test_an_escaped_dot_stays_inside_its_label() -> None:
    assert labels("a\\056b.com") == ("a.b", "com")


def test_names_sort_by_reversed_labels_with_their_dots() -> None:
    names = ["z.com.", "a.b.example.com.", "example.com.", "\\052.example.com.", "example-a.com.", "aaa.org."]
    expected = ["example-a.com.", "example.com.", "\\052.example.com.", "a.b.example.com.", "z.com.", "aaa.org."]
    assert sorted(names, key=order) == expected


def test_a_name_is_within_its_zone_only_at_a_label_boundary() -> None:
    assert within("example.com.", "example.com.")
    assert within("a.example.com.", "example.com.")
    assert not within("badexample.com.", "example.com.")


def test_parents_lead_from_the_name_to_the_top_level() -> None:
    assert parents("a.example.com.") == ["a.example.com.", "example.com.", "com."]
