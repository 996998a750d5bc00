"""A storm of strange requests, and what must hold through it."""

import random
import time

import structlog

from tests.webhook.judging import CPU_LIMIT, dispatcher, is_clear, timed
from tests.webhook.mutations import bodies
from webhook.server import MAX_BODY


async def storm(seed: int, requests: int) -> None:
    """Send so many requests; each gets a clear answer, none an error in the log, none takes longer than the limit."""
    asked, slowest = dispatcher(), (0.0, "")
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
    assert not logs
    assert slowest[0] < CPU_LIMIT, slowest
