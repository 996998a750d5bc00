"""Free TCP ports on the loopback address, for programs that must be told one."""

import random
import socket

# Below the range from which systems take the ports of outgoing connections: nobody gets one by chance meanwhile.
_LOWEST, _HIGHEST = 18000, 32000
_ATTEMPTS = 200


def free_ports(count: int) -> list[int]:
    """Return `count` different ports that were free a moment ago. The caller tries again if one was taken since."""
    found: set[int] = set()
    for _ in range(_ATTEMPTS):
        if len(found) == count:
            return list(found)
        port = random.SystemRandom().randrange(_LOWEST, _HIGHEST)
        if is_free(port):
            found.add(port)
    raise OSError(f"no {count} free TCP ports between {_LOWEST} and {_HIGHEST} on 127.0.0.1")


def is_free(port: int) -> bool:
    """Whether a listener could bind this port of 127.0.0.1 now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
