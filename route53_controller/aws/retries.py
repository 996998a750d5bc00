"""Which failed calls the client itself sends again, and how often; everything else is the controllers' to decide.

A throttled page of a list is asked for again as that page: giving up in the middle would cost the whole list. What
may have been applied is never sent again here. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from libdnsapi.runtime.backoff import Backoff
from route53_controller.aws.errors import AwsFailure

PAUSES = Backoff(first=timedelta(milliseconds=250), limit=timedelta(seconds=8), jitter=0.5)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a call is sent again after each kind of failure."""

    again: Mapping[AwsFailure, int]

    def allows(self, failure: AwsFailure, failures: int) -> bool:
        """Whether to send again after this failure, `failures` having gone before it."""
        return failures < self.again.get(failure, 0)


READ = RetryPolicy({AwsFailure.THROTTLED: 4, AwsFailure.UNAVAILABLE: 2, AwsFailure.UNKNOWN_OUTCOME: 1})
PAGE = RetryPolicy({AwsFailure.THROTTLED: 12, AwsFailure.UNAVAILABLE: 3, AwsFailure.UNKNOWN_OUTCOME: 2})
WRITE = RetryPolicy({AwsFailure.THROTTLED: 4, AwsFailure.PRIOR_REQUEST_NOT_COMPLETE: 4})
