"""Record sets as control documents: writes behind the API's back, and what the log shows."""

from typing import Literal

from pydantic import NonNegativeInt

from e2e.route53.model import AliasTarget, Change, RecordSet, RoutingPolicy
from e2e.route53.names import canonical
from e2e.route53.settings import ControlModel


class AliasDocument(ControlModel):
    """An alias target."""

    hosted_zone_id: str
    dns_name: str
    evaluate_target_health: bool = False

    def target(self) -> AliasTarget:
        """Return it as the zone holds it. Raises SyntaxProblemError."""
        return AliasTarget(self.hosted_zone_id, canonical(self.dns_name), self.evaluate_target_health)


class RecordKey(ControlModel):
    """Which record set."""

    name: str
    type: str
    set_identifier: str = ""

    @property
    def canonical_name(self) -> str:
        """The name in its one spelling. Raises SyntaxProblemError."""
        return canonical(self.name)


class RecordDocument(RecordKey):
    """A record set: `ttl` (seconds) and `values` in Route 53's syntax, or `alias`. `weight` needs a set identifier."""

    ttl: NonNegativeInt | None = None
    values: tuple[str, ...] = ()
    weight: NonNegativeInt | None = None
    alias: AliasDocument | None = None

    @classmethod
    def of(cls, record: RecordSet) -> "RecordDocument":
        """Show a record set. Policies other than weights show as their set identifier only."""
        weight = record.routing.value if record.routing and record.routing.kind == "Weight" else None
        return cls(
            name=record.name,
            type=record.type,
            set_identifier=record.set_identifier,
            ttl=record.ttl,
            values=record.values,
            weight=int(weight) if isinstance(weight, str) else None,
            alias=_alias_document(record.alias),
        )

    def record_set(self) -> RecordSet:
        """Return it as the zone holds it; values are not checked. Raises SyntaxProblemError for the names."""
        alias = None if self.alias is None else self.alias.target()
        routing = None if self.weight is None else RoutingPolicy("Weight", str(self.weight))
        ttl = 300 if self.ttl is None and alias is None else self.ttl
        return RecordSet(canonical(self.name), self.type, ttl, self.values, alias, self.set_identifier, routing)


def _alias_document(alias: AliasTarget | None) -> AliasDocument | None:
    if alias is None:
        return None
    return AliasDocument(
        hosted_zone_id=alias.hosted_zone_id,
        dns_name=alias.dns_name,
        evaluate_target_health=alias.evaluate_target_health,
    )


class RecordEdits(ControlModel):
    """What to put and what to take away in one zone, with no rule but the names checked."""

    hosted_zone_id: str
    put: tuple[RecordDocument, ...] = ()
    delete: tuple[RecordKey, ...] = ()


class ChangeDocument(ControlModel):
    """One applied change."""

    action: Literal["CREATE", "DELETE", "UPSERT"]
    record_set: RecordDocument

    @classmethod
    def of(cls, change: Change) -> "ChangeDocument":
        """Show a change."""
        return cls(action=change.action, record_set=RecordDocument.of(change.record_set))


class BatchDocument(ControlModel):
    """One applied batch. `time` is seconds since the epoch; `sequence` counts applied batches from 1."""

    sequence: int
    time: float
    account_id: str
    hosted_zone_id: str
    zone: str
    change_id: str
    changes: tuple[ChangeDocument, ...]
