"""Gathers a class's snapshot: the class itself if it is ours, its Provider, its parameters, its identity."""

from dataclasses import dataclass

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.contract.targets import Target
from libdnsapi.dns.problems import Problem
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.store import Lister
from route53_controller.parameters import ClassParameters
from route53_controller.zoneclass.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Reads caches; calls nobody but, where a conversion needs it, the conversion service."""

    zone_classes: Lister[ZoneClass]
    providers: Lister[Provider]
    identities: Lister[Route53Identity]
    parameters: ClassParameters
    clock: Clock
    controller_name: str

    async def snapshot(self, key: ObjectKey) -> Snapshot | None:
        """Return all that bears on a class, None where it is gone or another controller's."""
        zone_class = self.zone_classes.get(key)
        if zone_class is None or zone_class.spec.controller_name != self.controller_name:
            return None
        provider = self.providers.get(ObjectKey("", zone_class.spec.provider.name))
        return Snapshot(
            zone_class=zone_class,
            now=self.clock.now(),
            parameters=await self.parameters.read(zone_class, provider),
            identity=self.identities.get(zone_class.identity_key),
            rule_problems=self._rule_problems(zone_class, provider),
        )

    def _rule_problems(self, zone_class: ZoneClass, provider: Provider | None) -> tuple[Problem, ...]:
        version = None if provider is None else self.parameters.version(provider, zone_class.spec.provider.version)
        if version is None:
            return ()
        document: JsonObject = {
            **zone_class.to_json(),
            "apiVersion": ZONE_CLASSES.api_version,
            "kind": ZONE_CLASSES.kind,
        }
        return version.rule_problems(Target.ZONE_CLASS, document)
