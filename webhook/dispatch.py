"""From bytes to bytes: read the review, find its rules, gather, decide, write the answer; no body makes it raise."""

from dataclasses import dataclass
from typing import Protocol

import orjson
import structlog

from libdnsapi.api.meta import JsonObject
from libdnsapi.runtime.errors import frames
from libdnsapi.runtime.rest import fields, text
from webhook.answer import ALLOWED, Answer, Refusal, failed, review_answer
from webhook.entries import BY_PATH, Entry
from webhook.measures import Measures
from webhook.review import MalformedReviewError, Review, parse_review
from webhook.validators.snapshot import Snapshot

log = structlog.get_logger(__name__)

UNREADABLE = 400


class Lookup(Protocol):
    """Where a snapshot comes from."""

    async def gather(self, entry: Entry, review: Review) -> Snapshot:
        """Return everything that the entry's rules read for this review."""
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: JSON of an AdmissionReview with 200, or a plain text about the body with 400."""

    status: int
    body: bytes


class Dispatcher:
    """The path table at work."""

    def __init__(self, lookup: Lookup, measures: Measures) -> None:
        """Keep where snapshots come from and where reviews are counted."""
        self._lookup = lookup
        self._measures = measures

    async def reply(self, path: str, body: bytes) -> Reply:
        """Answer the body that came to a path of the table; raises KeyError for any other path."""
        entry = BY_PATH[path]
        with self._measures.timed(path):
            try:
                review = parse_review(body)
            except MalformedReviewError as error:
                return self._malformed(entry, error, body)
            answer = await self._decide(entry, review)
            return self._said(path, answer, review_answer(review.uid, answer, entry.resource.kind, review.name))

    async def _decide(self, entry: Entry, review: Review) -> Answer:
        """Run the rule; whatever goes wrong on the way refuses, or only passes where the entry never refuses."""
        rule = entry.rule(review)
        if rule is None or entry.leaves_alone(review):
            return ALLOWED
        try:
            answer = rule(review, await self._lookup.gather(entry, review))
        except RecursionError:
            answer = failed("the object is nested too deeply", Refusal.INVALID)
        except Exception as error:  # a broken rule must answer, not drop the connection
            where = f"{entry.resource.kind} {review.key}"
            log.error(  # noqa: TRY400 — the text of a foreign error may hold secrets
                "review failed", object=where, error=type(error).__name__, frames=frames(error)
            )
            answer = failed("the object could not be checked; the webhook's log says why")
        return Answer(warnings=answer.warnings) if entry.warns else answer

    def _malformed(self, entry: Entry, error: MalformedReviewError, body: bytes) -> Reply:
        if uid := error.uid or _uid(body):
            answer = ALLOWED if entry.warns else failed(str(error), Refusal.MALFORMED)
            return self._said(entry.path, answer, review_answer(uid, answer))
        self._measures.count(entry.path, "malformed")
        return Reply(UNREADABLE, orjson.dumps({"message": str(error)}))

    def _said(self, path: str, answer: Answer, review: JsonObject) -> Reply:
        self._measures.count(path, "allowed" if answer.allowed else answer.refusal.word)
        return Reply(200, orjson.dumps(review))


def _uid(body: bytes) -> str:
    """Return the uid of a request that is nested too deep to be read, so that its sender is told that; "" for none."""
    try:
        return text(fields(fields(body)["request"]).get("uid"))
    except (ValueError, KeyError):
        return ""
