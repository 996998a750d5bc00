"""`python -m tools.canonical_zones PAGE.html`: the table of AWS's canonical hosted zones, from a saved page.

The page is AWS General Reference, "Elastic Load Balancing endpoints and quotas". Its first table has a row for each
region with the region's code and, in its last columns, the hosted zone ids of Application and Classic and of Network
Load Balancers. The constants of CloudFront and Global Accelerator are kept as they are.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

from tools.generated import ROOT

PATH = ROOT / "core_controller" / "sources" / "canonical_zones.py"
_REGION = re.compile(r"(?:eusc|[a-z]{2})(?:-[a-z]+)+-\d")
_ZONE = re.compile(r"Z[A-Z0-9]{10,31}")
_TABLE = re.compile(r"LOAD_BALANCERS = \(\n.*?\n\)\n", re.DOTALL)

Row = tuple[str, str, str]


class _Cells(HTMLParser):
    """Collects the text of table cells, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self._inside = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data


def rows_of(page: str) -> list[Row]:
    """Return region and both zones of every row that has them, sorted; raises ValueError where there is none."""
    cells = _Cells()
    cells.feed(page)
    found: dict[str, Row] = {}
    for row in cells.rows:
        regions = [text for cell in row if (text := cell.strip()) and _REGION.fullmatch(text)]
        zones = _ZONE.findall(" ".join(row))
        if regions and len(zones) > 1:
            found[regions[0]] = (regions[0], zones[0], zones[1])
    if not found:
        raise ValueError("the page has no row with a region and two hosted zone ids")
    return [found[region] for region in sorted(found)]


def rewritten(source: str, rows: list[Row]) -> str:
    """Return the module's text with the table of these rows."""
    lines = "".join(f'    ("{region}", "{application}", "{network}"),\n' for region, application, network in rows)
    return _TABLE.sub(lambda _: f"LOAD_BALANCERS = (\n{lines})\n", source)


def main(arguments: list[str]) -> int:
    """Rewrite the table from a saved page."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        sys.stderr.write("usage: python -m tools.canonical_zones PAGE.html\n")
        return 2
    rows = rows_of(Path(arguments[0]).read_text())
    PATH.write_text(rewritten(PATH.read_text(), rows))
    sys.stdout.write(f"{len(rows)} regions\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
