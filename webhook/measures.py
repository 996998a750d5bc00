"""What the webhook counts: reviews by path and verdict, their time, and the certificate's days."""

from contextlib import AbstractContextManager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1)


class Measures:
    """The webhook's metrics, in the registry that its health server shows."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register everything."""
        self._reviews = Counter(
            "dnsapi_webhook_reviews", "Requests by path and verdict.", ("path", "verdict"), registry=registry
        )
        self._seconds = Histogram(
            "dnsapi_webhook_review_duration_seconds",
            "Time from the whole body to the answer.",
            ("path",),
            buckets=SECONDS,
            registry=registry,
        )
        self.certificate_days = Gauge(
            "dnsapi_webhook_certificate_days_left", "Days until the served certificate expires.", registry=registry
        )
        self.certificate_reloads = Counter(
            "dnsapi_webhook_certificate_reloads", "Certificates taken up, by outcome.", ("outcome",), registry=registry
        )

    def count(self, path: str, verdict: str) -> None:
        """Count one request; the verdict is "allowed", "malformed" or the refusal's reason word."""
        self._reviews.labels(path, verdict).inc()

    def timed(self, path: str) -> AbstractContextManager[object]:
        """Measure what happens inside."""
        return self._seconds.labels(path).time()
