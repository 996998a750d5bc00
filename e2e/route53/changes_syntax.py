"""Rules of a single record set in a batch: its name, its type at that name, its values. Pure."""

from collections import Counter
from collections.abc import Container, Iterator
from typing import Final

from e2e.route53.errors import SyntaxProblemError
from e2e.route53.model import RecordSet
from e2e.route53.names import WILDCARD, within
from e2e.route53.rdata import check_value

MAX_VALUES: Final = 400


def problems(record: RecordSet, zone: str, health_checks: Container[str]) -> Iterator[str]:
    """Yield what is wrong with a record set of the zone, whatever else the zone holds."""
    yield from _placement(record, zone)
    yield from _values(record)
    if record.health_check_id and record.health_check_id not in health_checks:
        yield f"The specified health check {record.health_check_id} does not exist."


def _placement(record: RecordSet, zone: str) -> Iterator[str]:
    at = f"RRSet of type {record.type} with DNS name {record.name} is not permitted"
    if not within(record.name, zone):
        yield f"RRSet with DNS name {record.name} is not permitted in zone {zone}"
    elif record.type == "CNAME" and record.name == zone:
        yield f"{at} at apex in zone {zone}"
    elif record.type == "SOA" and record.name != zone:
        yield f"{at} below the apex in zone {zone}"
    elif record.type == "NS" and record.name.startswith(f"{WILDCARD}."):
        yield f"{at} as a wildcard in zone {zone}"
    if record.alias and record.type in {"NS", "SOA"}:
        yield f"{at} as an alias in zone {zone}"


def _values(record: RecordSet) -> Iterator[str]:
    for value in record.values:
        try:
            check_value(record.type, value)
        except SyntaxProblemError as problem:
            yield f"Invalid Resource Record: {problem}"
    for value, count in Counter(record.values).items():
        if count > 1:
            yield f"Duplicate Resource Record: '{value}'"
    if record.type in {"CNAME", "SOA"} and len(record.values) > 1:
        yield f"RRSet of type {record.type} with DNS name {record.name} must have exactly one resource record"
    if len(record.values) > MAX_VALUES:
        yield f"RRSet with DNS name {record.name}, type {record.type} has more than {MAX_VALUES} resource records"
