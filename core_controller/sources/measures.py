"""What the sources count, labelled by pipeline (seed 000, Status and Observability)."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class Measures:
    """The metrics of the sources controller."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register them."""
        self.writes = Counter(
            "dnsapi_sources_recordset_writes",
            "RecordSets written, by pipeline and action.",
            ("provider_resource", "action"),
            registry=registry,
        )
        self.records = Gauge(
            "dnsapi_sources_records", "RecordSets of a pipeline.", ("provider_resource",), registry=registry
        )
        self.findings = Gauge(
            "dnsapi_sources_findings",
            "What keeps source objects from being published as they ask, by reason and the pipelines that it is about.",
            ("reason", "pipelines"),
            registry=registry,
        )
        self.held = Gauge("dnsapi_sources_held", "Source objects whose records are held.", registry=registry)
