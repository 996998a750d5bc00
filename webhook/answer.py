"""What a validator found, and how the API server is told (AdmissionReview response, metav1.Status)."""

from dataclasses import dataclass
from enum import Enum

from libdnsapi.api.meta import JsonObject
from libdnsapi.api.printable import printable
from libdnsapi.dns.problems import Problem
from webhook.review import REVIEW_API_VERSION, REVIEW_KIND

MAX_LISTED = 50
"""Problems named in one answer; further ones are only counted."""
TEXT_LIMIT = 1024
"""Characters of one problem; payloads that users wrote may stand in a message."""
WARNING_LIMIT = 1024
"""Characters of one warning; the API server itself shortens when all together pass 4096."""
MAX_WARNINGS = 16


class Refusal(Enum):
    """Why a request is refused, as an HTTP code and the reason word of a Status."""

    INVALID = (422, "Invalid")
    FORBIDDEN = (403, "Forbidden")
    CONFLICT = (409, "Conflict")
    MALFORMED = (400, "BadRequest")
    FAILED = (500, "InternalError")

    @property
    def code(self) -> int:
        """The HTTP code that the client sees."""
        return self.value[0]

    @property
    def word(self) -> str:
        """The Status reason that the client sees."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Answer:
    """Allowed without problems; warnings are shown either way."""

    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    refusal: Refusal = Refusal.INVALID

    @property
    def allowed(self) -> bool:
        """Whether the request may go on."""
        return not self.problems


ALLOWED = Answer()


def forbidden(message: str) -> Answer:
    """Refuse the request as a whole, whatever the object says."""
    return Answer((Problem("", message),), refusal=Refusal.FORBIDDEN)


def in_use(message: str) -> Answer:
    """Refuse a change that would pull the rug from under other objects."""
    return Answer((Problem("", message),), refusal=Refusal.CONFLICT)


def failed(message: str, refusal: Refusal = Refusal.FAILED) -> Answer:
    """Refuse what could not be checked."""
    return Answer((Problem("", message),), refusal=refusal)


def review_answer(uid: str, answer: Answer, kind: str = "", name: str = "") -> JsonObject:
    """Return the AdmissionReview that carries the answer back; kind and name are what kubectl calls the object."""
    response: JsonObject = {"uid": uid, "allowed": answer.allowed}
    if not answer.allowed:
        response["status"] = _status(answer, kind, name)
    if answer.warnings:
        response["warnings"] = [_clean(text, WARNING_LIMIT) for text in answer.warnings[:MAX_WARNINGS]]
    return {"apiVersion": REVIEW_API_VERSION, "kind": REVIEW_KIND, "response": response}


def message(problems: tuple[Problem, ...]) -> str:
    """Put all problems into one text: one as a line, several as a list."""
    lines = [_clean(str(problem), TEXT_LIMIT) for problem in problems[:MAX_LISTED]]
    if len(problems) > MAX_LISTED:
        lines.append(f"and {len(problems) - MAX_LISTED} more")
    return lines[0] if len(lines) == 1 else "".join(f"\n- {line}" for line in lines)


def _status(answer: Answer, kind: str, name: str) -> JsonObject:
    return {
        "status": "Failure",
        "code": answer.refusal.code,
        "reason": answer.refusal.word,
        "message": message(answer.problems),
        "details": {
            **({"kind": kind, "name": name} if kind and name else {}),
            "causes": [_cause(problem) for problem in answer.problems[:MAX_LISTED] if problem.path],
        },
    }


def _cause(problem: Problem) -> JsonObject:
    message = _clean(problem.message, TEXT_LIMIT)
    return {"reason": "FieldValueInvalid", "field": _clean(problem.path, TEXT_LIMIT), "message": message}


def _clean(text: str, limit: int) -> str:
    """Make a text one printable line of limited length."""
    line = printable(text[: limit + 1])
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
