"""Whole record sets: made from ledger items, and compared with what Route 53 lists."""

import sys
from hashlib import sha256

from pydantic import ValidationError

from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import unfit_fields
from libdnsapi.api.route53.payloads import RecordSetOptions
from libdnsapi.dns.names import fqdn
from route53_controller.aws.api import AliasRecord, RecordKey, ResourceRecordSet
from route53_controller.aws.wire.names import id_from_wire, name_from_wire
from route53_controller.aws.wire.sizes import size_problem
from route53_controller.aws.wire.values import KINDS, read_values, text_problem

DIGEST_LENGTH = 16


class UnwritableError(Exception):
    """An item that Route 53 cannot hold; the text is for its owner and says why."""


def desired_record_set(item: RecordSetItem, domain: str) -> ResourceRecordSet:
    """Return the record set that an item asks for: either TTL and values, or an alias, never both.

    Raises UnwritableError for a payload, text or size that Route 53 would refuse.
    """
    key = RecordKey(sys.intern(fqdn(item.name, domain)), item.type.value)
    alias = _alias(item)
    if alias is not None:
        return ResourceRecordSet(key, ttl=None, alias=alias)
    problem = text_problem(item)
    if problem:
        raise UnwritableError(problem)
    values = tuple(KINDS[item.type.value].write(item))
    if item.ttl is None or not values:
        raise UnwritableError("a record set that is no alias needs a TTL and at least one value")
    record_set = ResourceRecordSet(key, ttl=item.ttl, values=values)
    problem = size_problem(record_set)
    if problem:
        raise UnwritableError(problem)
    return record_set


def _alias(item: RecordSetItem) -> AliasRecord | None:
    if not item.options:
        return None
    try:
        alias = RecordSetOptions.model_validate(item.options).alias
    except ValidationError as error:
        raise UnwritableError(f"options do not fit the Provider's schema: {', '.join(unfit_fields(error))}") from None
    if alias is None:
        return None
    return AliasRecord(_target(alias.dns_name), id_from_wire(alias.hosted_zone_id), alias.evaluate_target_health)


def _target(dns_name: str) -> str:
    return name_from_wire(dns_name.lower())


def matches(desired: ResourceRecordSet, observed: ResourceRecordSet) -> bool:
    """Whether an observed record set means what is desired: name, type, TTL and values, or the alias target.

    Spelling does not matter: IPv6 forms, TXT chunks and quoting, final dots, case of names, `/hostedzone/`.
    A routing policy, a health check or an unreadable value never matches.
    """
    if desired.key != observed.key or observed.routing:
        return False
    if desired.alias is not None or observed.alias is not None:
        return _same_alias(desired.alias, observed.alias)
    if desired.ttl != observed.ttl:
        return False
    if desired.values == observed.values:
        return True
    meaning = read_values(observed.key.type, observed.values)
    return meaning is not None and meaning == read_values(desired.key.type, desired.values)


def _same_alias(desired: AliasRecord | None, observed: AliasRecord | None) -> bool:
    return desired is not None and observed is not None and _alias_meaning(desired) == _alias_meaning(observed)


def _alias_meaning(alias: AliasRecord) -> tuple[str, str, bool]:
    return _target(alias.dns_name), id_from_wire(alias.hosted_zone_id), alias.evaluate_target_health


def digest(record_set: ResourceRecordSet) -> str:
    """Return a short digest of what a record set means; equal meaning gives an equal digest.

    It stands in the ledger as the intent of a write, so it must not depend on this process. An unreadable record
    set has the digest of its spelling, which is no digest of ours.
    """
    if record_set.alias is not None:
        meaning = repr(_alias_meaning(record_set.alias))
    else:
        readable = read_values(record_set.key.type, record_set.values)
        values = sorted(map(str, record_set.values if readable is None else readable))
        meaning = repr((record_set.ttl, readable is not None, values))
    text = repr((record_set.key.name, str(record_set.key.type), record_set.routing, meaning))
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
