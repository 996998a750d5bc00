"""Asking the rules directly, and judging the answers: for tests of what strange requests get and cost."""

from dataclasses import replace

import orjson

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from libdnsapi.runtime.metrics import Metrics
from tests.webhook.objects import PROVIDER, provider
from tests.yardstick import ATTEMPTS, Stopwatch
from webhook.dispatch import Dispatcher, Reply
from webhook.entries import Entry
from webhook.lookup.gather import cpu_deadline
from webhook.measures import Measures
from webhook.review import Review
from webhook.validators.snapshot import KnownPipeline, Snapshot

CPU_LIMIT = 0.1
"""Seconds of CPU that any request may cost, by the pace of the machine."""
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
    """Return the answer with the least CPU time of several times; once is enough where it is short enough."""
    replies, least = [], float("inf")
    while not replies or (least >= CPU_LIMIT and len(replies) < ATTEMPTS):
        with Stopwatch() as watch:
            replies.append(await asked.reply(path, body))
        least = min(least, watch.seconds)
    return replies[0], least


def is_clear(status: int, body: bytes) -> None:
    """Assert that an answer allows, or says what is wrong, and blames nobody but the client."""
    answer = orjson.loads(body)
    if status == 400:
        assert answer["message"]
        return
    assert status == 200
    response = answer["response"]
    assert response["allowed"] or (response["status"]["message"] and response["status"]["code"] < 500)
