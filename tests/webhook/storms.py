"""A storm of strange requests, and what must hold through it."""

import random
import time
from collections import Counter

import orjson
import structlog
from pydantic import ValidationError

from libdnsapi.api.meta import JsonObject
from tests.webhook.generation import MODELS
from tests.webhook.judging import CPU_LIMIT, dispatcher, is_clear, timed
from tests.webhook.mutations import bodies
from webhook.entries import BY_PATH
from webhook.server import MAX_BODY


async def storm(seed: int, requests: int) -> None:
    """Send so many requests.

    Each gets a clear answer, none an error in the log, none takes longer than the limit, and nothing is created that
    does not fit its own model. A quarter at least get as far as the rules and are refused by them.
    """
    asked, slowest, codes = dispatcher(), (0.0, ""), Counter[int]()
    with structlog.testing.capture_logs() as logs:
        for path, body in bodies(random.Random(seed), requests):  # noqa: S311 — no secret
            if len(body) > MAX_BODY:
                continue
            started = time.process_time()
            reply = await asked.reply(path, body)
            seconds = time.process_time() - started
            if seconds > slowest[0]:
                reply, seconds = await timed(asked, path, body)
                slowest = max(slowest, (seconds, f"{path} {body[:200]!r}"))
            is_clear(reply.status, reply.body)
            codes[_code(path, body, reply.status, reply.body)] += 1
    assert not logs
    assert slowest[0] < CPU_LIMIT, slowest
    assert codes[422] > requests / 4, codes


def _code(path: str, body: bytes, status: int, answer: bytes) -> int:
    """Return the code that the client sees; an object that is created must fit its model."""
    if status != 200:
        return status
    response = orjson.loads(answer)["response"]
    if not response["allowed"]:
        return int(response["status"]["code"])
    entry = BY_PATH[path]
    if entry.warns:
        return status  # who only warns lets even what cannot be read through
    request = orjson.loads(body)["request"]
    if request["operation"] == "CREATE" and not request.get("subResource"):
        assert _fits(entry.resource.kind, request.get("object") or {}), (path, body[:2000])
    return status


def _fits(kind: str, document: JsonObject) -> bool:
    try:
        MODELS[kind].model_validate(document)
    except ValidationError:
        return False
    return True
