"""Requests of somebody who does not wait: while something is down, the next turn tries again."""

import http.client

from e2e.kube import Kube, KubeError
from e2e.stack import Stack

EXPECTED = (KubeError, OSError, http.client.HTTPException)
"""What a request may end with on a bad day."""
TIMEOUT_SECONDS = 5.0


def hasty(stack: Stack) -> Kube:
    """Return a client with the administrator's rights that gives up soon."""
    return Kube(stack.control_plane.kubeconfig, timeout=TIMEOUT_SECONDS)
