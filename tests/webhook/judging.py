"""Asking the rules directly, and judging the answers: for tests of what strange requests get and cost."""

import time
from dataclasses import replace

import orjson

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from libdnsapi.runtime.metrics import Metrics
from tests.webhook.objects import PROVIDER, provider
from tests.yardstick import slowness
from webhook.dispatch import Dispatcher, Reply
from webhook.entries import Entry
from webhook.lookup.gather import cpu_deadline
from webhook.measures import Measures
from webhook.review import Review
from webhook.validators.snapshot import KnownPipeline, Snapshot

CPU_LIMIT = 0.1
"""Seconds of CPU that any request may cost where the bounds were set."""
PIPELINES = tuple(
    KnownPipeline(ObjectKey("", f"p{number}"), f"p{number}", tuple(f"z{n}.example.com" for n in range(20)))
    for number in range(2000)
)


class FixedLookup:
    """A lookup with one snapshot."""

    def __init__(self, document: JsonObject) -> None:
        contract = compile_contract(Provider.model_validate(document), InterpretingEngine())
        self._snapshot = Snapshot(
            contracts={PROVIDER: contract}, ledger_writers=frozenset({"system:masters"}), pipelines=PIPELINES
        )

    async def gather(self, entry: Entry, review: Review) -> Snapshot:
        """Return the snapshot, with the deadline that a running webhook sets."""
        del entry, review
        return replace(self._snapshot, deadline=cpu_deadline())


def dispatcher(document: JsonObject | None = None) -> Dispatcher:
    """Return a dispatcher that knows one Provider, the test Provider unless another is given."""
    return Dispatcher(FixedLookup(document or provider()), Measures(Metrics().registry))


async def timed(asked: Dispatcher, path: str, body: bytes) -> tuple[Reply, float]:
    """Ask three times and return the answer with the least CPU time: what others do to the machine does not count."""
    replies, seconds = [], []
    for _ in range(3):
        started = time.process_time()
        replies.append(await asked.reply(path, body))
        seconds.append(time.process_time() - started)
    return replies[0], min(seconds)


def cpu_limit() -> float:
    """Return the seconds of CPU that any request may cost on this machine."""
    return CPU_LIMIT * slowness()


def is_clear(status: int, body: bytes) -> None:
    """Assert that an answer allows, or says what is wrong, and blames nobody but the client."""
    answer = orjson.loads(body)
    if status == 400:
        assert answer["message"]
        return
    assert status == 200
    response = answer["response"]
    assert response["allowed"] or (response["status"]["message"] and response["status"]["code"] < 500)
