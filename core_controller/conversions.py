"""Patience with conversion services: few calls at once, and none for a while to one that does not answer.

A service that is down must not hold up a pass over a large zone by one time-out a claim. While it is left alone the
claims hear what the last call heard; the waiting time doubles with each failure up to five minutes.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from libdnsapi.api.dns.conversion import ConversionAnswer, ConversionCall
from libdnsapi.contract.conversion import ConversionClient
from libdnsapi.runtime.backoff import doubled
from libdnsapi.runtime.clock import Clock

CALLS_AT_ONCE = 8
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=5)


class _Service(NamedTuple):
    """What may fail by itself: one Provider's bundle that verifies nothing says nothing of another Provider's calls."""

    host: str
    port: int
    path: str
    ca_bundle: str


@dataclass(frozen=True, slots=True)
class _Outage:
    failures: int
    until: float
    """On the monotonic clock, in seconds."""
    answer: ConversionAnswer


class PatientConversions:
    """A ConversionClient around another one."""

    def __init__(self, client: ConversionClient, clock: Clock) -> None:
        """Start with all services up."""
        self._client = client
        self._clock = clock
        self._slots = asyncio.Semaphore(CALLS_AT_ONCE)
        self._outages: dict[_Service, _Outage] = {}

    async def post(self, call: ConversionCall) -> ConversionAnswer:
        """Make the call, or answer at once what the last one heard while its service is left alone.

        What is known from before holds during an outage too.
        """
        known = self._client.known(call)
        if known is not None:
            return known
        service = _Service(call.host, call.port, call.path, call.ca_bundle)
        async with self._slots:
            outage = self._outages.get(service)
            if outage is not None and self._clock.monotonic() < outage.until:
                return outage.answer
            answer = await self._client.post(call)
        if answer.is_outage:
            self._note(service, answer)
        else:
            self._outages.pop(service, None)
        return answer

    def known(self, call: ConversionCall) -> ConversionAnswer | None:
        """Return what an equal call was answered, where that is kept."""
        return self._client.known(call)

    def forget(self, call: ConversionCall) -> None:
        """Keep nothing of what a call was answered."""
        self._client.forget(call)

    def _note(self, service: _Service, answer: ConversionAnswer) -> None:
        """Lengthen the pause; calls that failed beside each other count once."""
        old, now = self._outages.get(service), self._clock.monotonic()
        if old is not None and now < old.until:
            return
        failures = old.failures + 1 if old is not None else 1
        pause = doubled(FIRST_PAUSE, failures, LONGEST_PAUSE)
        self._outages[service] = _Outage(failures, now + pause.total_seconds(), answer)
