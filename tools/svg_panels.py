"""Panels of a dashboard as SVG: lines over time with axes and legend, or the last values in large print.

Pure: series in, text out. Measures are pixels; times are seconds of any clock, values are in the panel's unit.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

COLOURS = ("#3274d9", "#e0752d", "#299c46", "#a352cc", "#c4162a", "#0f9bb8", "#b8860b", "#6e7687")
LEGEND_LINES = 3
LONGEST_NAME = 40
THOUSAND, MINUTE = 1000, 60
_LEFT, _TOP, _RIGHT, _LINE = 56, 28, 12, 13
_TICKS = 4
_CHARACTER = 6.0
_STEPS = (1, 2, 2.5, 5, 10)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """One line and its name; points in order of time."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """Where a panel stands."""

    x: float
    y: float
    width: float
    height: float


def number(value: float, unit: str) -> str:
    """Write a value as Grafana does, nearly: three digits and the unit."""
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit == "s":
        return _seconds(value)
    suffix = {"reqps": " req/s", "ops": " /s", "d": " d"}.get(unit, "")
    return f"{value:.3g}{suffix}" if abs(value) < THOUSAND else f"{value:,.0f}{suffix}"


def _seconds(value: float) -> str:
    if 0 < abs(value) < 1:
        return f"{value * 1000:.3g} ms"
    return f"{value:.3g} s" if abs(value) < 2 * MINUTE else f"{value / MINUTE:.3g} min"


def top(values: Sequence[float]) -> float:
    """Return a round number that no value passes, 1 where there is nothing above 0."""
    highest = max((value for value in values if math.isfinite(value)), default=0.0)
    if highest <= 0:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(highest))
    return next(scale * step for step in _STEPS if highest <= scale * step * (1 + 1e-9))


def panel(title: str, unit: str, series: Sequence[Series], box: Box, *, large: bool = False) -> str:
    """Return one panel; one without series says that there is no data."""
    body = _figures if large else _graph
    content = body(unit, series, box) if series else _nothing(box)
    return "".join((_frame(title, box), *content))


def text(x: float, y: float, words: str, *, size: int = 11, colour: str = "#52545c", anchor: str = "start") -> str:
    """Return a line of text whose left end, middle or right end (`anchor`) is at x."""
    style = f'font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>\n'


def _frame(title: str, box: Box) -> str:
    rectangle = (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="3" '
        'fill="#fff" stroke="#dcdde0"/>\n'
    )
    return rectangle + text(box.x + 10, box.y + 18, title, size=12, colour="#1f2027")


def _nothing(box: Box) -> Iterator[str]:
    yield text(box.x + box.width / 2, box.y + box.height / 2 + 8, "No data", colour="#9fa1a8", anchor="middle")


def _figures(unit: str, series: Sequence[Series], box: Box) -> Iterator[str]:
    width = box.width / len(series)
    for index, one in enumerate(series):
        middle = box.x + width * (index + 0.5)
        last = number(one.points[-1][1], unit)
        yield text(middle, box.y + box.height / 2 + 10, last, size=26, colour="#299c46", anchor="middle")
        yield text(middle, box.y + box.height - 22, one.name, anchor="middle")


def _graph(unit: str, series: Sequence[Series], box: Box) -> Iterator[str]:
    lines = list(_legend_lines(series, box.width - 20))
    bottom = 22 + _LINE * len(lines)
    plot = Box(box.x + _LEFT, box.y + _TOP, box.width - _LEFT - _RIGHT, box.height - _TOP - bottom)
    every = [point for one in series for point in one.points]
    begin, end, highest = min(t for t, _ in every), max(t for t, _ in every), top([value for _, value in every])

    def place(point: Point) -> Point:
        share = (point[0] - begin) / (end - begin or 1)
        return plot.x + share * plot.width, plot.y + plot.height * (1 - max(point[1], 0) / highest)

    yield from _axes(unit, highest, (end - begin) / 60, plot)
    for index, one in enumerate(series):
        yield _line(one.points, place, COLOURS[index % len(COLOURS)])
    for row, entries in enumerate(lines):
        for x, name, colour in entries:
            y = box.y + box.height - bottom + 30 + _LINE * row
            yield f'<rect x="{box.x + x:.1f}" y="{y - 8:.1f}" width="10" height="3" fill="{colour}"/>\n'
            yield text(box.x + x + 14, y - 3, name, size=10)


def _axes(unit: str, highest: float, minutes: float, plot: Box) -> Iterator[str]:
    for tick in range(_TICKS + 1):
        y = plot.y + plot.height * (1 - tick / _TICKS)
        yield f'<path d="M{plot.x:.1f} {y:.1f}h{plot.width:.1f}" stroke="#eceded"/>\n'
        yield text(plot.x - 5, y + 3, number(highest * tick / _TICKS, unit), size=9, anchor="end")
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        label = f"{minutes * share:.0f} min"
        yield text(plot.x + plot.width * share, plot.y + plot.height + 12, label, size=9, anchor=anchor)


def _line(points: Sequence[Point], place: Callable[[Point], Point], colour: str) -> str:
    """Return a path that pauses where a value is missing for more than two steps."""
    step = min((after[0] - before[0] for before, after in pairwise(points)), default=0.0)
    path = []
    last: Point | None = None
    for point in points:
        command = "L" if last is not None and point[0] - last[0] <= 2 * step else "M"
        x, y = place(point)
        path.append(f"{command}{x:.1f} {y:.1f}")
        last = point
    return f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="1.4" stroke-linejoin="round"/>\n'


def _legend_lines(series: Sequence[Series], width: float) -> Iterator[list[tuple[float, str, str]]]:
    """Yield rows of (x, name, colour); what does not fit is counted in the last one."""
    rows: list[list[tuple[float, str, str]]] = [[]]
    x = 10.0
    for index, one in enumerate(series):
        name = one.name if len(one.name) <= LONGEST_NAME else f"{one.name[: LONGEST_NAME - 1]}…"
        needed = 24 + len(name) * _CHARACTER
        if rows[-1] and x + needed > width:
            if len(rows) == LEGEND_LINES:
                rows[-1].append((x, f"+{len(series) - index}", "#fff"))
                break
            rows.append([])
            x = 10.0
        rows[-1].append((x, name, COLOURS[index % len(COLOURS)]))
        x += needed
    yield from rows
