"""What can go wrong between this process and the API server, and how it is recognised.

Every failure of a request becomes one of the classes below at the client's door. Their messages are the
server's own `Status.message`, trimmed: no headers, no bodies, no tokens. So they may be logged.
"""

import os
import traceback
from datetime import timedelta
from http import HTTPStatus

import orjson

MESSAGE_LIMIT = 1024
DEFAULT_RETRY_AFTER = timedelta(seconds=1)
MOST_DIGITS = 9
LONGEST_RETRY_AFTER = timedelta(minutes=5)
"""However long a server or a proxy before it asks to wait: what was true then need not be so for hours."""


class DnsapiError(Exception):
    """An error whose text was written for people: it holds no secret and may appear in logs."""


class CannotListenError(DnsapiError):
    """Nothing can be served at an address; the text names it and the option that chose it."""


class TerminalError(DnsapiError):
    """Trying again cannot help: the key waits for the next event."""


class UndecodableError(DnsapiError):
    """A cached object does not fit its model; the text names the object and never its content."""


class KubernetesError(DnsapiError):
    """The API server refused a request or could not be asked.

    `status` is the HTTP status (0 where there was no answer), `reason` the machine-readable word of the
    Status object, `message` its trimmed text.
    """

    def __init__(self, status: int, reason: str, message: str) -> None:
        """Keep the three parts and join them into the text of the error."""
        self.status = status
        self.reason = reason
        self.message = message[:MESSAGE_LIMIT]
        super().__init__(f"{reason} ({status}): {self.message}")


class UnauthorizedError(KubernetesError):
    """401: the credentials were not accepted."""


class ForbiddenError(KubernetesError):
    """403: no right to do this, or an admission rule refused it."""


class NamespaceTerminatingError(ForbiddenError):
    """403 on a create, because its namespace is being deleted."""


class NotFoundError(KubernetesError):
    """404: neither object nor, perhaps, kind."""


class ConflictError(KubernetesError):
    """409: the resourceVersion or a precondition is out of date, or another writer owns a field."""


class AlreadyExistsError(KubernetesError):
    """409 on a create: the name is taken."""


class GoneError(KubernetesError):
    """410: the resourceVersion or continue token is too old; list again."""


class TooLargeError(KubernetesError):
    """The object is too large for the API server or for etcd."""


class InvalidError(KubernetesError):
    """422 or 400: the object breaks its schema or a validation rule; `fields` are the paths that the server names."""

    fields: tuple[str, ...] = ()


class ThrottledError(KubernetesError):
    """429: asked too often."""

    def __init__(self, status: int, reason: str, message: str, retry_after: timedelta) -> None:
        """Keep how long the server asks to wait."""
        super().__init__(status, reason, message)
        self.retry_after = retry_after


class UnavailableError(KubernetesError):
    """No answer, an answer too late, or 5xx: the request may or may not have been carried out."""


_BY_STATUS: dict[int, type[KubernetesError]] = {
    400: InvalidError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: TooLargeError,
    422: InvalidError,
}


def from_response(status: int, body: bytes, retry_after: str = "") -> KubernetesError:
    """Translate an answer with an error status; `body` is a Status object or anything else (a proxy's HTML)."""
    document = _status_document(body)
    reason = str(document.get("reason") or "Unknown")
    message = str(document.get("message") or f"HTTP status {status} without a Status object")
    if (status, message) == (HTTPStatus.UNAUTHORIZED, "Unauthorized"):
        message = "the API server does not accept the credentials: have they expired, or are they of another cluster?"
    causes = _causes(document, "reason")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ThrottledError(status, reason, message, seconds(retry_after))
    if "request is too large" in message:
        return TooLargeError(status, reason, message)
    if status == HTTPStatus.CONFLICT and reason == "AlreadyExists":
        return AlreadyExistsError(status, reason, message)
    if status == HTTPStatus.FORBIDDEN and "NamespaceTerminating" in causes:
        return NamespaceTerminatingError(status, reason, message)
    unlisted = UnavailableError if status >= HTTPStatus.INTERNAL_SERVER_ERROR else KubernetesError
    error = _BY_STATUS.get(status, unlisted)(status, reason, message)
    if isinstance(error, InvalidError):
        error.fields = tuple(_causes(document, "field"))
    return error


def from_status(document: object) -> KubernetesError:
    """Translate a Status object that arrived as the object of a watch's ERROR event."""
    body = orjson.dumps(document)
    code = document.get("code") if isinstance(document, dict) else None
    return from_response(code if isinstance(code, int) else 500, body)


def cannot_listen(address: str, option: str, error: OSError | UnicodeError) -> CannotListenError:
    """Return what to raise where the system refuses an address that an option names, or its host is no name."""
    return CannotListenError(f"cannot listen on {address}, see {option}: {_refusal(error)}")


def _refusal(error: OSError | UnicodeError) -> str:
    match error:
        case UnicodeError():
            return "the host is no name"
        case OSError(errno=int() as number) if number > 0:  # negative where the resolver says it
            return os.strerror(number).lower()
        case _:
            return error.strerror or type(error).__name__


def seconds(retry_after: str) -> timedelta:
    """Read a Retry-After header in seconds, at most five minutes; a date, nonsense or nothing is the default."""
    if not (retry_after.isascii() and retry_after.isdigit()):
        return DEFAULT_RETRY_AFTER
    return min(timedelta(seconds=int(retry_after[:MOST_DIGITS])), LONGEST_RETRY_AFTER)


def describe(error: BaseException) -> str:
    """Return what of an error may be logged: our own text, of foreign errors the type alone."""
    return str(error) if isinstance(error, DnsapiError) else type(error).__name__


def frames(error: BaseException) -> list[str]:
    """Return where a foreign error came from, innermost last, without its text, which may hold secrets.

    Of our own errors the text says enough.
    """
    if isinstance(error, DnsapiError):
        return []
    return [f"{entry.name} ({entry.filename}:{entry.lineno})" for entry in traceback.extract_tb(error.__traceback__)]


def _status_document(body: bytes) -> dict[str, object]:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def _causes(document: dict[str, object], part: str) -> list[str]:
    """Return one part, `reason` or `field`, of each cause that a Status names."""
    details = document.get("details")
    causes = details.get("causes") if isinstance(details, dict) else None
    if not isinstance(causes, list):
        return []
    return [str(cause[part]) for cause in causes if isinstance(cause, dict) and part in cause]
