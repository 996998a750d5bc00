import json
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from tools.dashboard import ROWS
from tools.dashboard_picture import expression, legend, picture
from tools.svg_panels import Box, Series, number, panel, top

BOX = Box(0, 0, 400, 180)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.25, "percentunit", "25 %"),
        (0.0042, "s", "4.2 ms"),
        (3, "s", "3 s"),
        (600, "s", "10 min"),
        (2.5, "reqps", "2.5 req/s"),
        (12345, "short", "12,345"),
        (364, "d", "364 d"),
    ],
)
def test_values_are_written_in_their_unit(value: float, unit: str, text: str) -> None:
    assert number(value, unit) == text


@pytest.mark.parametrize(
    ("values", "highest"), [([], 1), ([0, 0], 1), ([0.3], 0.5), ([7], 10), ([20.0], 20), ([21], 25)]
)
def test_axes_end_at_a_round_number_that_nothing_passes(values: list[float], highest: float) -> None:
    assert top(values) == pytest.approx(highest)


def test_a_panel_shows_lines_names_and_what_is_left_out() -> None:
    series = [Series(f"line <{index}>", ((0.0, 1.0), (60.0, 2.0))) for index in range(30)]
    drawn = ET.fromstring(f"<svg>{panel('A & B', 's', series, BOX)}</svg>")  # noqa: S314 — our own text

    texts = [one.text or "" for one in drawn.iter("text")]
    assert "A & B" in texts
    assert "line <0>" in texts
    assert any(text.startswith("+") for text in texts)
    assert sum(1 for one in drawn.iter("path") if one.get("fill") == "none") == 30


def test_a_line_pauses_where_values_are_missing() -> None:
    series = [Series("one", ((0.0, 1.0), (10.0, 1.0), (60.0, 1.0), (70.0, 1.0)))]
    (line,) = [
        one.get("d") or ""
        for one in ET.fromstring(f"<svg>{panel('t', 's', series, BOX)}</svg>").iter("path")  # noqa: S314 — our own text
        if one.get("fill") == "none"
    ]

    assert line.count("M") == 2


def test_a_panel_without_values_says_so() -> None:
    assert "No data" in panel("t", "s", [], BOX)


def test_queries_are_those_of_the_dashboard_with_every_namespace() -> None:
    assert expression('rate(x{namespace=~"$ns",identity=~"$identity"}[$__rate_interval])') == (
        'rate(x{namespace=~".*",identity=~".*"}[1m])'
    )
    assert legend("{{zone}} held", {"zone": "a/b"}) == "a/b held"


class Prometheus(BaseHTTPRequestHandler):
    """Answers every query with one line that is named after all that was asked for."""

    def do_GET(self) -> None:
        asked = {key: float(value[0]) for key, value in parse_qs(urlsplit(self.path).query).items() if key != "query"}
        values = [[asked["start"], "1"], [asked["end"], "2.5"], [asked["end"], "NaN"]]
        body = json.dumps({"data": {"result": [{"metric": {"action": "GetChange"}, "values": values}]}}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — its name in the base class
        """Say nothing."""


@pytest.fixture
def prometheus() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Prometheus)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_panel_of_the_dashboard_is_drawn(prometheus: str) -> None:
    texts = [one.text for one in ET.fromstring(picture(prometheus, 10)).iter() if one.tag.endswith("text")]  # noqa: S314

    assert [panel.title for panels in ROWS.values() for panel in panels if panel.title not in texts] == []
    assert [title for title in ROWS if title not in texts] == []
    assert "GetChange" in texts
