"""Logs are JSON lines that say where they come from and hold no foreign text."""

import io
import logging
from collections.abc import Iterator

import orjson
import pytest
import structlog

from libdnsapi.runtime.logging import Format, configure


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    handlers, level = logging.root.handlers[:], logging.root.level
    yield io.StringIO()
    structlog.reset_defaults()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def test_a_line_is_json_with_the_bound_context(stream: io.StringIO) -> None:
    configure("info", "json", stream)
    with structlog.contextvars.bound_contextvars(controller="zoneunit", key="ns/a", reconcile_id=3):
        structlog.get_logger("x").info("done", count=2)
        structlog.get_logger("x").debug("unseen")
    (line,) = stream.getvalue().splitlines()
    entry = orjson.loads(line)
    assert entry.pop("timestamp").endswith("Z")
    expected = {"controller": "zoneunit", "key": "ns/a", "reconcile_id": 3, "event": "done", "count": 2}
    assert entry == {**expected, "level": "info"}


def test_foreign_loggers_lose_tracebacks_and_texts(stream: io.StringIO) -> None:
    configure("debug", "json", stream)
    logger = logging.getLogger("aiohttp.server")
    logger.info("unseen")
    try:
        int("hunter2")
    except ValueError:
        logger.exception("Error handling request")
    (line,) = stream.getvalue().splitlines()
    assert orjson.loads(line)["error"] == "ValueError"
    assert "hunter2" not in line


def test_the_console_form_is_for_people(stream: io.StringIO) -> None:
    configure("info", "console", stream)
    structlog.get_logger("x").warning("careful", zone="a")
    assert "careful" in stream.getvalue()
    assert "zone=a" in stream.getvalue()


HOSTILE = "\x1b[2Jwww\x7f\x9b0m\u202e\nERROR made up"


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_users_wrote_moves_no_terminal_and_makes_no_lines(stream: io.StringIO, form: Format) -> None:
    configure("info", form, stream)
    structlog.get_logger("x").info("refused", name=HOSTILE)
    (line,) = stream.getvalue().splitlines()
    assert line.isprintable()


def test_an_escaped_line_is_still_the_same_json(stream: io.StringIO) -> None:
    configure("info", "json", stream)
    structlog.get_logger("x").info("refused", name=HOSTILE, other="tag \U000e0041")
    entry = orjson.loads(stream.getvalue())
    assert (entry["name"], entry["other"]) == (HOSTILE, "tag \U000e0041")
