"""Both listeners of one emulator process, and the file that says where they are."""

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from e2e.route53.app import create_app
from e2e.route53.connection import CuttableProtocol
from e2e.route53.dns_server import DnsServer
from e2e.route53.world import World

HOST: Final = "127.0.0.1"
BACKLOG: Final = 128


@dataclass(frozen=True, slots=True)
class Options:
    """Where to listen (0: any free port), as which account, and where to say so."""

    port: int
    dns_port: int
    port_file: Path | None
    account_id: str


class _AnnouncingServer(uvicorn.Server):
    """A server that writes the port file once it serves."""

    def __init__(self, config: uvicorn.Config, port_file: Path | None, addresses: dict[str, str]) -> None:
        """Announce these addresses."""
        super().__init__(config)
        self._port_file = port_file
        self._addresses = addresses

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        print(" ".join(f"{name}={address}" for name, address in self._addresses.items()), flush=True)
        if self._port_file is not None:
            write_port_file(self._port_file, self._addresses)


def write_port_file(path: Path, addresses: dict[str, str]) -> None:
    """Write the addresses as JSON, whole or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(json.dumps(addresses) + "\n")
    partial.replace(path)


async def run(options: Options) -> None:
    """Serve until SIGINT or SIGTERM. Raises OSError if a port is taken."""
    if options.port_file is not None:
        options.port_file.unlink(missing_ok=True)
    world = World(options.account_id)
    dns_server = DnsServer(world)
    listener = socket.create_server((HOST, options.port), backlog=BACKLOG)
    # asyncio sets this only on sockets made with an explicit protocol number; without it a page waits 40 ms for an ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await dns_server.start(options.dns_port)
        addresses = {
            "http": f"http://{HOST}:{listener.getsockname()[1]}",
            "dns": f"{HOST}:{dns_server.port}",
        }
        config = uvicorn.Config(
            create_app(world),
            http=CuttableProtocol,
            lifespan="off",
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=75,
        )
        await _AnnouncingServer(config, options.port_file, addresses).serve([listener])
    finally:
        dns_server.stop()
        listener.close()
