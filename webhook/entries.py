"""The table of kinds: which path checks what, with which rules. Pure; adding a kind is a file and an entry here.

Paths are those of the wire reference ("Webhook paths / ports" and its decisions): `/validate-<group>-<version>-<kind>`
refuses, `/warn-<group>-<version>-<kind>` only warns.
"""

from collections.abc import Callable
from dataclasses import dataclass

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS
from libdnsapi.api.meta import ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from webhook.answer import Answer
from webhook.review import Operation, Review
from webhook.validators import (
    dnsprovider,
    overlaps,
    previews,
    provider,
    recordset,
    route53identity,
    zone,
    zoneclass,
    zoneunit,
    zoneunitslice,
)
from webhook.validators.snapshot import Snapshot

Rule = Callable[[Review, Snapshot], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One path: a kind and its rules; an operation without a rule is allowed.

    `ledger` says that spec and annotations together are what counts as a change, and that a deleting object is checked
    like any other (beyond-the-seeds 12). `warns` marks the entries that never refuse.
    """

    resource: ResourceType
    create: Rule | None = None
    update: Rule | None = None
    status: Rule | None = None
    delete: Rule | None = None
    ledger: bool = False
    warns: bool = False

    @property
    def path(self) -> str:
        """The URL path."""
        verb = "warn" if self.warns else "validate"
        group = self.resource.group.replace(".", "-")
        return f"/{verb}-{group}-{self.resource.version}-{self.resource.kind.lower()}"

    @property
    def guards_deletion(self) -> bool:
        """Whether deletions may be refused here: then any object must be read, however large it was stored."""
        return self.delete is not None and not self.warns

    def rule(self, review: Review) -> Rule | None:
        """Return the rule for what the review asks, None where there is nothing to check."""
        if review.operation is Operation.DELETE:
            return self.delete
        if review.is_status:
            return self.status
        if review.subresource:
            return None
        return {Operation.CREATE: self.create, Operation.UPDATE: self.update}.get(review.operation)

    def leaves_alone(self, review: Review) -> bool:
        """Whether an update is none of our business: metadata only, or of an object on its way out; case 72."""
        if review.operation is not Operation.UPDATE:
            return False
        if review.is_status:
            return not review.changes("status") or (review.is_leaving and not self.ledger)
        if self.ledger:
            return not review.changes("spec") and not review.changes_annotations
        return review.is_leaving or not review.changes("spec")


ENTRIES = (
    Entry(
        resource=PROVIDERS,
        create=provider.validate_spec,
        update=provider.validate_spec,
        delete=provider.validate_delete,
    ),
    Entry(
        resource=ZONE_CLASSES,
        create=zoneclass.validate_spec,
        update=zoneclass.validate_spec,
        status=zoneclass.validate_status,
    ),
    Entry(resource=ZONES, create=zone.validate_spec, update=zone.validate_spec, status=zone.validate_status),
    Entry(
        resource=RECORD_SETS,
        create=recordset.validate_spec,
        update=recordset.validate_spec,
        status=recordset.validate_status,
    ),
    Entry(
        resource=ZONE_UNITS,
        create=zoneunit.validate_spec,
        update=zoneunit.validate_spec,
        status=zoneunit.validate_status,
        delete=zoneunit.validate_delete,
        ledger=True,
    ),
    Entry(
        resource=ZONE_UNIT_SLICES,
        create=zoneunitslice.validate_spec,
        update=zoneunitslice.validate_spec,
        status=zoneunitslice.validate_status,
        delete=zoneunitslice.validate_delete,
        ledger=True,
    ),
    Entry(
        resource=ROUTE53_IDENTITIES,
        create=route53identity.validate_spec,
        update=route53identity.validate_spec,
        status=route53identity.validate_status,
    ),
    Entry(
        resource=DNS_PROVIDERS,
        create=dnsprovider.validate_namespaced,
        update=dnsprovider.validate_namespaced,
        status=dnsprovider.validate_namespaced_status,
    ),
    Entry(
        resource=CLUSTER_DNS_PROVIDERS,
        create=dnsprovider.validate_cluster,
        update=dnsprovider.validate_cluster,
        status=dnsprovider.validate_cluster_status,
    ),
    Entry(resource=ZONES, update=previews.preview_zone_update, delete=previews.preview_zone_delete, warns=True),
    Entry(
        resource=RECORD_SETS,
        create=previews.preview_record_set,
        update=previews.preview_record_set,
        warns=True,
    ),
    Entry(
        resource=DNS_PROVIDERS,
        create=overlaps.preview_overlaps,
        update=overlaps.preview_overlaps,
        warns=True,
    ),
    Entry(
        resource=CLUSTER_DNS_PROVIDERS,
        create=overlaps.preview_cluster_overlaps,
        update=overlaps.preview_cluster_overlaps,
        warns=True,
    ),
)

BY_PATH = {entry.path: entry for entry in ENTRIES}
