"""Free TCP ports on the loopback address, for programs that cannot pick one themselves."""

import socket


def free_ports(count: int) -> list[int]:
    """Return `count` different ports that were free a moment ago. The caller tries again if one was taken since."""
    held = [socket.socket() for _ in range(count)]
    try:
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in held]
    finally:
        for one in held:
            one.close()
