"""Tells of the objects of one kind that a cache cannot take in: each is counted, the first twenty are logged.

A whole kind that does not fit, as after a downgrade, must not flood the log. Of an error that is not our own only the
type and the places are logged, since its text may hold secrets.
"""

import structlog
from prometheus_client import Counter
from pydantic import ValidationError

from libdnsapi.api.meta import ObjectKey, unfit_fields
from libdnsapi.runtime.errors import frames

UNFIT_LOGGED = 20

log = structlog.get_logger(__name__)


class UnfitReports:
    """The reports of one cache."""

    def __init__(self, kind: str, counter: Counter | None) -> None:
        """Begin with none; `kind` is what the log calls the objects."""
        self._kind = kind
        self._counter = counter
        self._reported = 0

    def does_not_fit(self, key: ObjectKey, error: ValidationError) -> None:
        """Tell which fields do not fit the model."""
        if self._is_logged():
            log.warning("object does not fit its model", kind=self._kind, key=str(key), fields=unfit_fields(error))

    def failed(self, key: ObjectKey, error: Exception) -> None:
        """Tell that our own code fails over an object, which therefore counts as one that fits no model."""
        if self._is_logged():
            log.error(
                "object cannot be taken in",
                kind=self._kind,
                key=str(key),
                error=type(error).__name__,
                frames=frames(error),
            )

    def not_trimmed(self, key: ObjectKey, error: str, where: list[str]) -> None:
        """Tell that an object is kept whole, for trimming fails: why, and at which lines."""
        if self._is_logged():
            log.error("object cannot be trimmed", kind=self._kind, key=str(key), error=error, frames=where)

    def listener_failed(self, key: ObjectKey, error: Exception) -> None:
        """Tell that a listener fails over a change; the object itself is taken in, and so it is not counted."""
        log.error("listener failed", kind=self._kind, key=str(key), error=type(error).__name__)

    def _is_logged(self) -> bool:
        """Count an object, and return whether the log hears of it."""
        if self._counter is not None:
            self._counter.inc()
        self._reported += 1
        return self._reported <= UNFIT_LOGGED
