"""`python -m e2e.route53 --port N --dns-port N --port-file PATH --account-id ID`: run the emulator on loopback."""

import argparse
import asyncio
import contextlib
import sys
from pathlib import Path

from e2e.route53.server import Options, run


def options(arguments: list[str] | None = None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m e2e.route53", description="Route 53 and STS emulator for tests")
    parser.add_argument("--port", type=int, default=0, help="HTTP port, 0 for any free one")
    parser.add_argument("--dns-port", type=int, default=0, help="DNS port (UDP and TCP), 0 for any free one")
    parser.add_argument("--port-file", type=Path, default=None, help="where to write the addresses as JSON")
    parser.add_argument("--account-id", default="123456789012", help="account of access keys that are not set up")
    parsed = parser.parse_args(arguments)
    return Options(parsed.port, parsed.dns_port, parsed.port_file, parsed.account_id)


def main() -> int:
    """Run until a signal; 1 if a port is taken."""
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(run(options()))
    except OSError as error:
        print(f"route53 emulator: cannot listen: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
