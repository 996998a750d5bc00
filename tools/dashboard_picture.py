"""`python -m tools.dashboard_picture --prometheus URL [--minutes 20] [--output FILE]`: the dashboard drawn as SVG.

The chart's own JSON says what is asked and where it stands; a Prometheus answers. It is a rendering of that file with
real data, not a screenshot of Grafana: fonts, colours and axes are ours.
"""

import json
import re
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NotRequired
from urllib.parse import urlencode

import typer
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from tools.dashboard import WIDTH, dashboard
from tools.generated import ROOT
from tools.svg_panels import Box, Series, panel, text

PICTURE = ROOT / "docs" / "pictures" / "dashboard.svg"
UNIT = 22.0
"""Pixels of a row of Grafana's grid."""
COLUMN = 50.0
GAP = 6.0
POINTS = 90
_FONT = "font-family=\"Inter, 'Helvetica Neue', Arial, sans-serif\""


class Place(TypedDict):
    """Left, top, width and height in Grafana's grid."""

    x: int
    y: int
    w: int
    h: int


class Target(TypedDict):
    """One query and the name of its lines."""

    expr: str
    legendFormat: str


class Defaults(TypedDict):
    """What all fields of a panel have."""

    unit: str


class Fields(TypedDict):
    """The configuration of a panel's fields."""

    defaults: Defaults


class Panel(TypedDict):
    """What is drawn of a panel; a row has its title alone."""

    type: str
    title: str
    gridPos: Place
    targets: NotRequired[list[Target]]
    fieldConfig: NotRequired[Fields]


def expression(query: str) -> str:
    """Return a query as Grafana sends it: all namespaces and identities, rates over a minute."""
    chosen = query.replace("$__rate_interval", "1m")
    return re.sub(r"\$(ns|identity)", ".*", chosen)


def legend(template: str, labels: dict[str, str]) -> str:
    """Return the name of a line."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), template).strip()


def asked(prometheus: str, query: str, minutes: int) -> list[tuple[dict[str, str], list[tuple[float, float]]]]:
    """Return labels and points of each line; raises OSError where nothing answers."""
    end = time.time()
    step = max(1, minutes * 60 // POINTS)
    parameters = urlencode({"query": expression(query), "start": end - minutes * 60, "end": end, "step": step})
    address = f"{prometheus}/api/v1/query_range?{parameters}"
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 — the address of the command line
        found = json.load(answer)["data"]["result"]
    return [
        (one["metric"], [(float(at), float(value)) for at, value in one["values"] if value not in {"NaN", "+Inf"}])
        for one in found
    ]


def lines(prometheus: str, targets: list[Target], minutes: int) -> Iterator[Series]:
    """Yield the lines of a panel, those without a single value left out."""
    for target in targets:
        for labels, points in asked(prometheus, target["expr"], minutes):
            if points:
                yield Series(legend(target["legendFormat"], labels), tuple(points))


def drawn(one: Panel, prometheus: str, minutes: int) -> str:
    """Return one panel, or the title of a row."""
    x, y, width, height = (one["gridPos"][side] for side in ("x", "y", "w", "h"))
    box = Box(x * COLUMN + GAP, y * UNIT + GAP, width * COLUMN - GAP, height * UNIT - GAP)
    if one["type"] == "row":
        return text(box.x + 2, box.y + 13, one["title"], size=13, colour="#1f2027")
    series = sorted(lines(prometheus, one["targets"], minutes), key=lambda line: line.name)
    unit = one["fieldConfig"]["defaults"]["unit"]
    return panel(one["title"], unit, series, box, large=one["type"] == "stat")


def picture(prometheus: str, minutes: int) -> str:
    """Return the SVG."""
    panels = TypeAdapter(list[Panel]).validate_python(dashboard()["panels"])
    bottom = max(one["gridPos"]["y"] + one["gridPos"]["h"] for one in panels) * UNIT
    size = f"{WIDTH * COLUMN + GAP:.0f} {bottom + GAP:.0f}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {_FONT}>\n'
    parts = "".join(drawn(one, prometheus, minutes) for one in panels)
    return f'{head}<rect width="100%" height="100%" fill="#f4f5f5"/>\n{parts}</svg>\n'


def main(
    prometheus: Annotated[str, typer.Option(help="Where a Prometheus that has read a run's metrics answers.")],
    minutes: Annotated[int, typer.Option(help="How far back the picture goes.")] = 20,
    output: Annotated[Path, typer.Option(help="The file to write.")] = PICTURE,
) -> None:
    """Draw the dashboard of the chart."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(picture(prometheus, minutes))


if __name__ == "__main__":
    typer.run(main)
