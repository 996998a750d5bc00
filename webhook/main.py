"""The webhook's process: settings in, parts put together, exit status out."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from libdnsapi.runtime.health import write_ports
from libdnsapi.runtime.launch import launch
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.options import run_with
from webhook.dispatch import Dispatcher
from webhook.lookup.caches import Caches, caches
from webhook.lookup.contracts import Contracts
from webhook.lookup.gather import ClusterLookup
from webhook.measures import Measures
from webhook.server import HttpsServer, application, listening_socket
from webhook.settings import WebhookSettings
from webhook.tls.files import FileSource
from webhook.tls.keeper import Keeper
from webhook.tls.pair import Source
from webhook.tls.selfmade import SelfMadeSource
from webhook.tls.trust import TrustPublisher

NAME = "dnsapi-webhook"

log = structlog.get_logger(__name__)


def main(arguments: Sequence[str]) -> int:
    """Serve until a signal and return the exit status; exits with a usage message for a wrong option."""
    return run_with(WebhookSettings, arguments, run)


def run(settings: WebhookSettings) -> int:
    """Serve until a signal; return the exit status."""
    without_ports_file = settings.model_copy(update={"ports_file": None})
    return launch(NAME, without_ports_file, lambda manager: assemble(settings, manager))


def assemble(settings: WebhookSettings, manager: Manager) -> None:
    """Put caches, server and certificate into the manager; raises CannotListenError where the address is taken."""
    measures = Measures(manager.metrics.registry)
    found = caches(manager)
    dispatcher = Dispatcher(_lookup(settings, manager, found), measures)
    keeper = Keeper(_source(settings, manager), manager.clock, measures, settings.tls_interval)
    listener = listening_socket(*settings.host_and_port)
    server = HttpsServer(application(dispatcher, settings.max_body_bytes), listener, keeper.context, settings.drain)
    manager.runnable("https", lambda: _serve(settings, manager, server, _Needs(found, keeper)))
    manager.runnable("certificate", keeper.run)
    manager.health.add_readiness("https", lambda: "" if server.is_serving else "not serving")
    manager.health.add_readiness("certificate", lambda: "" if keeper.is_valid else "missing or expired")


@dataclass(frozen=True, slots=True)
class _Needs:
    """What must be there before the first request is taken."""

    caches: Caches
    keeper: Keeper

    async def ready(self) -> None:
        """Wait for a certificate and for full caches; until then the API server is refused, not misled."""
        await self.keeper.start()
        await self.caches.complete()


async def _serve(settings: WebhookSettings, manager: Manager, server: HttpsServer, needs: _Needs) -> None:
    """Serve as soon as what it needs is there; the ports file appears when connections are accepted."""
    await needs.ready()
    log.info("serving", port=server.port)
    if settings.ports_file is not None:
        ports = {"health": manager.health.port, "webhook": server.port}
        await asyncio.to_thread(write_ports, settings.ports_file, ports)
    await server.run()


def _lookup(settings: WebhookSettings, manager: Manager, found: Caches) -> ClusterLookup:
    engine = InterpretingEngine()
    contracts = Contracts(manager.client, found.providers, lambda provider: compile_contract(provider, engine))
    return ClusterLookup(
        manager.client,
        found,
        contracts,
        controllers=settings.controller_names,
        ledger_writers=settings.ledger_writer_names,
    )


def _source(settings: WebhookSettings, manager: Manager) -> Source:
    if settings.tls_cert_file is not None and settings.tls_key_file is not None:
        return FileSource(settings.tls_cert_file, settings.tls_key_file)
    trust = TrustPublisher(manager.client, settings.webhook_configuration)
    return SelfMadeSource(manager.client, settings.certificate_secret, settings.certificate_names, trust, manager.clock)
