"""All that one decision about a class is made of, frozen. Pure."""

from dataclasses import dataclass
from datetime import datetime

from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.dns.problems import Problem
from route53_controller.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A class, its parameters in the storage version (or why there are none), and the identity that it names.

    `rule_problems` are what the Provider version's own rules object to.
    """

    zone_class: ZoneClass
    now: datetime
    parameters: Parameters
    identity: Route53Identity | None
    rule_problems: tuple[Problem, ...] = ()
