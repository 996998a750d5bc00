"""The table of canonical hosted zones and the script that makes it anew."""

import re

import pytest

from core_controller.sources.canonical_zones import LOAD_BALANCERS
from tools.canonical_zones import PATH, main, rewritten, rows_of

PAGE = """
<table><tr><th>Region Name</th><th>Region</th><th>Endpoint</th><th>Protocol</th><th>Zone</th><th>Zone</th></tr>
<tr><td>Europe (Ireland)</td><td>eu-west-1</td><td>elasticloadbalancing.eu-west-1.amazonaws.com</td><td>HTTPS</td>
<td>Z32O12XQLNTSW2</td><td>Z2IFOLAFXWLO4F</td></tr>
<tr><td>US East (Ohio)</td><td><code>us-east-2</code></td><td>x</td><td>HTTPS</td><td>Z3AADJGX6KTTL2</td>
<td>ZLMOA37VPKANP</td></tr>
<tr><td>Not a region</td><td>ZLMOA37VPKANP</td></tr></table>
"""


def test_rows_are_read_from_the_page() -> None:
    assert rows_of(PAGE) == [
        ("eu-west-1", "Z32O12XQLNTSW2", "Z2IFOLAFXWLO4F"),
        ("us-east-2", "Z3AADJGX6KTTL2", "ZLMOA37VPKANP"),
    ]


def test_a_page_without_the_table_changes_nothing() -> None:
    with pytest.raises(ValueError, match="no row"):
        rows_of("<html></html>")


def test_the_same_rows_give_the_same_file() -> None:
    source = PATH.read_text()

    assert rewritten(source, [*LOAD_BALANCERS]) == source


def test_every_row_is_whole_and_no_zone_stands_twice() -> None:
    zones = [zone for _, *pair in LOAD_BALANCERS for zone in pair]

    assert all(re.fullmatch(r"Z[A-Z0-9]{10,31}", zone) for zone in zones)
    assert len(zones) == len(set(zones))
    assert [row[0] for row in LOAD_BALANCERS] == sorted(row[0] for row in LOAD_BALANCERS)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["no-such-page.html"]])
def test_without_a_page_it_says_what_it_wants(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == "usage: python -m tools.canonical_zones PAGE.html\n"
