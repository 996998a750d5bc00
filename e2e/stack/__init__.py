"""The local stack: control plane, Route 53 emulator and the three services as processes with their own credentials.

What it is not: an installation. Nothing here is used on a real cluster; the charts are. The stack takes CRDs, RBAC
rules, the built-in Provider, the webhook's rules and the services' command lines from those charts, so that they are
proven by every run.
"""

from e2e.stack.bringup import await_service, up
from e2e.stack.layout import Layout
from e2e.stack.services import CORE, ROUTE53, SERVICES, WEBHOOK, Service
from e2e.stack.stack import Stack, StackError

__all__ = [
    "CORE",
    "ROUTE53",
    "SERVICES",
    "WEBHOOK",
    "Layout",
    "Service",
    "Stack",
    "StackError",
    "await_service",
    "up",
]
