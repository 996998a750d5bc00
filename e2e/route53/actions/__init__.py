"""The API actions, by subject. Each takes a Call and returns a Reply or raises AwsError or InvalidChangeBatchError."""

from typing import Final

from e2e.route53.actions import changes, health_checks, limits, records, tags, vpcs, zone_lists, zones
from e2e.route53.call import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *zones.OPERATIONS,
    *zone_lists.OPERATIONS,
    *records.OPERATIONS,
    *changes.OPERATIONS,
    *tags.OPERATIONS,
    *limits.OPERATIONS,
    *vpcs.OPERATIONS,
    *health_checks.OPERATIONS,
)
