"""Keeps the server's TLS context up to date: asks the source now and then and takes up what is new."""

import asyncio
from datetime import datetime, timedelta

import structlog

from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import KubernetesError, describe
from webhook.measures import Measures
from webhook.tls.pair import Pair, Source, install, server_context

INTERVAL = timedelta(seconds=10)
RETRY = timedelta(seconds=1)
DAY = timedelta(days=1)

log = structlog.get_logger(__name__)


class Keeper:
    """Owns the one context of the server; a failure to renew keeps the certificate that is served."""

    def __init__(self, source: Source, clock: Clock, measures: Measures, interval: timedelta = INTERVAL) -> None:
        """Start with a context without a certificate; `load` must succeed before it serves."""
        self.context = server_context()
        self._source = source
        self._clock = clock
        self._measures = measures
        self._interval = interval
        self._served: Pair | None = None
        self._told_expired: Pair | None = None
        self._started = asyncio.Event()

    @property
    def expires(self) -> datetime | None:
        """When the served certificate expires, None before there is one."""
        return None if self._served is None else self._served.expires

    @property
    def is_valid(self) -> bool:
        """Whether a certificate is served that has not expired."""
        return self.expires is not None and self.expires > self._clock.now()

    async def load(self) -> None:
        """Take up what the source has; raises DnsapiError, then the old certificate stays."""
        pair = await self._source.read()
        if self._served is None or pair.digest != self._served.digest:
            expires = pair.expires
            install(self.context, pair)
            self._served = pair
            self._measures.certificate_reloads.labels("loaded").inc()
            log.info("certificate loaded", expires=expires.isoformat())
        self._measure()

    async def start(self) -> None:
        """Load the first certificate; waits while the API server refuses or is away, raises CertificateError."""
        while True:
            try:
                await self.load()
            except KubernetesError as error:
                log.warning("certificate not ready", error=describe(error))
                await self._clock.sleep(RETRY)
            else:
                self._started.set()
                return

    async def run(self) -> None:
        """Once started, look again at every interval until cancelled."""
        await self._started.wait()
        while True:
            await self._clock.sleep(self._interval)
            try:
                await self.load()
            except Exception as error:  # whatever it is: what is served goes on being served
                self._measures.certificate_reloads.labels("failed").inc()
                self._measure()
                log.error("certificate not renewed", error=describe(error))  # noqa: TRY400 — no content, no trace

    def _measure(self) -> None:
        served, now = self._served, self._clock.now()
        if served is None:
            return
        self._measures.certificate_days.set((served.expires - now) / DAY)
        if served.expires <= now and self._told_expired is not served:
            self._told_expired = served
            log.error("certificate has expired", expires=str(served.expires))
