"""What is counted about zones. Zones are named `namespace/name` after their ZoneUnits."""

from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.zoneunit.plan.actions import Plan, SubmitChanges
from route53_controller.zoneunit.plan.work import paused
from route53_controller.zoneunit.snapshot import Observation, Snapshot

ELEMENTS = (1, 3, 10, 30, 100, 300, 1000)
STATES = ("programmed", "pending", "deferred", "failed", "unknown", "leaving", "withheld")
_WAITING = {Reason.PROVIDER_CHANGE_PENDING.value: "pending", Reason.PROVIDER_CHANGE_DEFERRED.value: "deferred"}


class ZoneMetrics:
    """The metrics of all zones in one registry."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Register everything, in a registry of its own unless one is given."""
        registry = registry or CollectorRegistry()
        self.record_sets = Gauge(
            "route53_zone_record_sets", "Record sets of a zone by state.", ("zone", "state"), registry=registry
        )
        self.programmed = Gauge(
            "route53_zone_programmed",
            "1 where the zone and all its record sets are programmed.",
            ("zone",),
            registry=registry,
        )
        self.pending_age = Gauge(
            "route53_zone_pending_change_age_seconds",
            "Age of a zone's oldest change in flight.",
            ("zone",),
            registry=registry,
        )
        self.isolated = Gauge(
            "route53_zone_isolated_record_sets",
            "Record sets that Route 53 refused and that are kept out of batches.",
            ("zone",),
            registry=registry,
        )
        self.held = Gauge(
            "route53_zone_held_deletions", "1 while the guard holds deletions of a zone.", ("zone",), registry=registry
        )
        self.paused = Gauge(
            "route53_zone_paused",
            "1 while a zone is paused: it is compared, and nothing is written at Route 53.",
            ("zone",),
            registry=registry,
        )
        self.drift = Counter(
            "route53_drift",
            "Programmed record sets that were found otherwise at Route 53 and are put right.",
            ("zone",),
            registry=registry,
        )
        self.batch_elements = Histogram(
            "route53_change_batch_elements",
            "ResourceRecord elements of submitted batches.",
            buckets=ELEMENTS,
            registry=registry,
        )

    def note(self, snapshot: Snapshot, observation: Observation, plan: Plan) -> None:
        """Show how a zone stands after a round."""
        zone = str(snapshot.unit.key)
        for state, count in states(snapshot, plan).items():
            self.record_sets.labels(zone, state).set(count)
        changes = plan.status.state.pending_record_set_changes
        oldest = min((change.submitted_at for change in changes), default=snapshot.now)
        self.pending_age.labels(zone).set((snapshot.now - oldest).total_seconds())
        refused = {key for key, item in snapshot.restless.items() if item.facts.rejected}
        self.isolated.labels(zone).set(len(refused | (snapshot.items.keys() & (observation.rejections or {}).keys())))
        self.held.labels(zone).set(plan.status.state.deletion_guard.held_since is not None)
        self.paused.labels(zone).set(paused(snapshot))
        self.programmed.labels(zone).set(plan.status.aggregate.status == ConditionStatus.TRUE)
        self.drift.labels(zone)  # a counter that is born with its first drift has not increased, for Prometheus
        for action in plan.actions:
            if isinstance(action, SubmitChanges):
                self._note_batches(zone, snapshot, action)

    def _note_batches(self, zone: str, snapshot: Snapshot, action: SubmitChanges) -> None:
        for batch in action.batches:
            self.batch_elements.observe(sum(group.elements for group in batch))
            affected = (each.key for group in batch for each in group.affected if each.digest)
            self.drift.labels(zone).inc(sum(_drifted(snapshot, key) for key in affected))

    def forget(self, key: ObjectKey) -> None:
        """Drop the series of a zone that is gone."""
        zone = str(key)
        for state in STATES:
            _remove(self.record_sets, zone, state)
        for metric in (self.programmed, self.pending_age, self.isolated, self.held, self.paused, self.drift):
            _remove(metric, zone)


def states(snapshot: Snapshot, plan: Plan) -> dict[str, int]:
    """Count a zone's record sets by state."""
    unsteady = snapshot.unsteady(plan.status.items)
    tally = Tally(_state(snapshot, plan, key) for key in unsteady)
    tally["programmed"] += len(snapshot.items) - len(unsteady)
    return {state: tally[state] for state in STATES}


def _state(snapshot: Snapshot, plan: Plan, key: ObjectKey) -> str:
    item, said = snapshot.items[key], plan.status.items.get(key)
    if item.leaving:
        return "leaving"
    if not item.allowed:
        return "withheld"
    fact = said.programmed if said is not None and said.programmed is not None else item.facts.programmed
    if fact is None or fact.status == ConditionStatus.UNKNOWN:
        return "unknown"
    if fact.status == ConditionStatus.TRUE:
        return "programmed"
    return _WAITING.get(fact.reason, "failed")


def _drifted(snapshot: Snapshot, key: ObjectKey) -> bool:
    item = snapshot.items[key]
    said = item.facts.programmed
    return said is not None and said.status == ConditionStatus.TRUE and said.generation == item.generation


def _remove(metric: Gauge | Counter, *labels: str) -> None:
    try:
        metric.remove(*labels)
    except KeyError:
        return
