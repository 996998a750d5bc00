"""Logs: one JSON object a line on stderr, with the controller, key and reconcile id of whoever writes them.

Only what our code passes as fields is written; of foreign errors the type alone (`errors.describe`). The standard
library's loggers (aiohttp, kubernetes_asyncio) come out in the same form from warnings on, without tracebacks.
"""

import json
import logging
import sys
from collections import deque
from typing import Literal, TextIO

import orjson
import structlog
from structlog.typing import Processor

from libdnsapi.api.printable import printable

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["json", "console"]

_NUMBERS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


RECENT = 50


class RecentProblems:
    """The last lines from warnings on, as they were logged: nothing is in them that is not in the log."""

    def __init__(self, limit: int = RECENT) -> None:
        """Keep so many lines."""
        self._lines: deque[str] = deque(maxlen=limit)

    def __call__(self, _logger: object, _name: str, entry: structlog.typing.EventDict) -> structlog.typing.EventDict:
        """Remember a line on its way into the log, and leave it as it is."""
        if entry.get("level") not in ("debug", "info"):
            self._lines.append(_line(entry))
        return entry

    def lines(self) -> list[object]:
        """Return the lines as JSON documents, newest first."""
        return [orjson.loads(line) for line in reversed(self._lines)]


def configure(level: Level = "info", form: Format = "json", stream: TextIO | None = None) -> RecentProblems:
    """Set up logging for the whole process; call it once, before anything else. Returns its memory of problems."""
    out = stream or sys.stderr
    recent = RecentProblems()
    structlog.configure(
        processors=[*_shared(), recent, *_rendering(form)],
        wrapper_class=structlog.make_filtering_bound_logger(_NUMBERS[level]),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_shared(),
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _forget_traceback,
                recent,
                *_rendering(form),
            ],
        )
    )
    logging.basicConfig(level=max(_NUMBERS[level], logging.WARNING), handlers=[handler], force=True)
    return recent


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _rendering(form: Format) -> list[Processor]:
    if form == "console":
        return [_escape_values, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    return [structlog.processors.JSONRenderer(serializer=_line)]


def _line(document: object, **_: object) -> str:
    """Return JSON in which no character moves a terminal: orjson escapes some controls, not DEL and what is beyond."""
    text = orjson.dumps(document, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _escape_values(_logger: object, _name: str, entry: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Write texts for a terminal so that nothing in them moves it."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in entry.items()}


def _forget_traceback(_logger: object, _name: str, entry: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Keep the type of a foreign error; its text may hold what nobody should read."""
    info = entry.pop("exc_info", None)
    if isinstance(info, tuple) and info[0] is not None:
        entry["error"] = info[0].__name__
    return entry
