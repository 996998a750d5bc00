"""What the runtime counts, under the names of controller-runtime and client-go where they exist.

One `Metrics` a process; without a registry of the caller's it keeps its own, so that tests never share.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

SECONDS_OF_WORK = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
SECONDS_OF_WAIT = (0.001, 0.01, 0.1, 0.5, 1, 5, 10, 60, 300, 900)
QUEUE = ("name", "controller")


class Metrics:
    """The runtime's metrics in one registry."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Register everything, in a registry of its own unless one is given."""
        self.registry = registry or CollectorRegistry()
        self._register_client()
        self._register_queues()
        self._register_controllers()
        self._register_informers()
        self._register_process()

    def _register_client(self) -> None:
        self.requests = Counter(
            "rest_client_requests",
            "Requests to the API server by method and status code; <error> where no answer came.",
            ("code", "method"),
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "rest_client_request_duration_seconds",
            "Time until the answer, watches left out.",
            ("verb",),
            buckets=SECONDS_OF_WORK,
            registry=self.registry,
        )

    def _register_queues(self) -> None:
        self.queue_depth = Gauge("workqueue_depth", "Keys that wait.", QUEUE, registry=self.registry)
        self.queue_adds = Counter("workqueue_adds", "Keys added.", QUEUE, registry=self.registry)
        self.queue_retries = Counter("workqueue_retries", "Keys added again.", QUEUE, registry=self.registry)
        self.queue_wait_seconds = Histogram(
            "workqueue_queue_duration_seconds",
            "Time that keys waited.",
            QUEUE,
            buckets=SECONDS_OF_WAIT,
            registry=self.registry,
        )
        self.queue_work_seconds = Histogram(
            "workqueue_work_duration_seconds",
            "Time that keys took.",
            QUEUE,
            buckets=SECONDS_OF_WORK,
            registry=self.registry,
        )
        self.queue_unfinished_seconds = Gauge(
            "workqueue_unfinished_work_seconds",
            "Seconds of work in progress, all workers together.",
            QUEUE,
            registry=self.registry,
        )
        self.queue_longest_seconds = Gauge(
            "workqueue_longest_running_processor_seconds",
            "Seconds that the oldest key in work has taken so far.",
            QUEUE,
            registry=self.registry,
        )

    def _register_controllers(self) -> None:
        controller = ("controller",)
        self.reconciles = Counter(
            "controller_runtime_reconcile",
            "Reconciles by result.",
            ("controller", "result"),
            registry=self.registry,
        )
        self.reconcile_errors = Counter(
            "controller_runtime_reconcile_errors", "Failed reconciles.", controller, registry=self.registry
        )
        self.terminal_errors = Counter(
            "controller_runtime_terminal_reconcile_errors",
            "Reconciles that wait for the next event.",
            controller,
            registry=self.registry,
        )
        self.reconcile_seconds = Histogram(
            "controller_runtime_reconcile_time_seconds",
            "Time a reconcile took.",
            controller,
            buckets=SECONDS_OF_WORK,
            registry=self.registry,
        )
        self.max_workers = Gauge(
            "controller_runtime_max_concurrent_reconciles",
            "Workers a controller has.",
            controller,
            registry=self.registry,
        )
        self.active_workers = Gauge(
            "controller_runtime_active_workers",
            "Workers that reconcile now.",
            controller,
            registry=self.registry,
        )

    def _register_informers(self) -> None:
        resource = ("resource",)
        self.cached_objects = Gauge(
            "dnsapi_informer_objects", "Objects in the cache.", resource, registry=self.registry
        )
        self.watch_age_seconds = Gauge(
            "dnsapi_informer_last_event_age_seconds",
            "Seconds since the API server last sent anything: an event, a bookmark or a list.",
            resource,
            registry=self.registry,
        )
        self.lists = Counter("dnsapi_informer_lists", "Complete lists taken.", resource, registry=self.registry)
        self.watch_failures = Counter(
            "dnsapi_informer_failures",
            "Lists and watches that failed, by reason.",
            ("resource", "reason"),
            registry=self.registry,
        )
        self.undecodable = Counter(
            "dnsapi_informer_undecodable_objects",
            "States of objects that did not fit their model, or that our own code failed over.",
            resource,
            registry=self.registry,
        )
        self.unfit_objects = Gauge(
            "dnsapi_informer_unfit_objects",
            "Objects in the cache that do not fit their model and are left out.",
            resource,
            registry=self.registry,
        )

    def _register_process(self) -> None:
        self.started = Gauge(
            "dnsapi_process_start_time_seconds",
            "When this process started, in seconds since 1970.",
            registry=self.registry,
        )
        self.leading = Gauge(
            "leader_election_master_status",
            "1 while this process leads.",
            ("name",),
            registry=self.registry,
        )
        self.events = Counter(
            "dnsapi_events",
            "Events by what became of them: created, updated, dropped-rate, dropped-full, failed.",
            ("outcome",),
            registry=self.registry,
        )
