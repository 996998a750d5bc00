"""Settings that every process has: where the API server is, health, logs, leadership.

A service subclasses `RuntimeSettings`, adds its own fields and says which prefix its environment variables have. Each
field is also a command-line option: `health_port` is `--health-port`. Durations are written `90s`, `1h30m`, `0.5`
(seconds) or in ISO 8601.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from libdnsapi.runtime.leader import LeaseTimes
from libdnsapi.runtime.logging import Format, Level

NAMESPACE_FILE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")

_GO_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")


def read_duration(value: object) -> object:
    """Turn `1h30m`, `500ms` or a number of seconds into a timedelta; leave all else to pydantic."""
    if not isinstance(value, str) or not value:
        return value
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return timedelta(seconds=float(value))
    parts = _GO_DURATION.fullmatch(value)
    if parts is None:
        return value
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in parts.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)


Duration = Annotated[timedelta, BeforeValidator(read_duration)]
"""A timedelta that people may write as Go does."""


class RuntimeSettings(BaseSettings):
    """What the runtime wants to know; options win over environment variables, these over the defaults."""

    model_config = SettingsConfigDict(
        cli_kebab_case=True,
        cli_implicit_flags=True,
        cli_avoid_json=True,
        use_attribute_docstrings=True,
        validate_by_name=True,
        frozen=True,
    )

    kubeconfig: str = Field("", validation_alias="kubeconfig")
    """Path of a kubeconfig file; without one, the service account of the pod."""
    kube_context: str = ""
    """Context of the kubeconfig; without one, its current context."""
    kube_request_timeout: Duration = timedelta(seconds=30)
    """Longest wait for an answer of the API server, lists and watches left out."""

    health_host: str = "0.0.0.0"  # noqa: S104 — kubelet and Prometheus call from outside the pod
    """Address on which health and metrics are served."""
    health_port: int = Field(8081, ge=0, le=65535)
    """Port on which health and metrics are served; 0 takes any free one."""
    ports_file: Path | None = None
    """File into which the ports in use are written as JSON."""

    log_level: Level = "info"
    """Least severe level that is logged."""
    log_format: Format = "json"
    """One JSON object a line, or lines for people."""

    debug_page: bool = False
    """Whether `/debug` of the health port shows queues, caches, lease, tasks and last errors, to local callers only."""

    leader_elect: bool = True
    """Whether to stand for a lease; without it, exactly one process may run."""
    lease_name: str = ""
    """Name of the lease; without one, that of the service. Two deployments in one namespace need two names."""
    lease_namespace: str = ""
    """Namespace of the lease; without one, that of the pod, else `default`."""
    lease_duration: Duration = timedelta(seconds=15)
    """How long others wait before they take over an unrenewed lease."""
    lease_renew_deadline: Duration = timedelta(seconds=10)
    """How long the leader may fail to renew before it stops."""
    lease_retry_period: Duration = timedelta(seconds=2)
    """How long between two tries."""

    shutdown_grace: Duration = timedelta(seconds=20)
    """How long running reconciles may take to finish at the end."""

    @property
    def lease_times(self) -> LeaseTimes:
        """The lease's three durations; raises ValueError where two processes could lead at once."""
        return LeaseTimes(self.lease_duration, self.lease_renew_deadline, self.lease_retry_period)


def pod_namespace() -> str:
    """Return the namespace of the pod this runs in, `default` outside of clusters."""
    try:
        return NAMESPACE_FILE.read_text().strip() or "default"
    except OSError:
        return "default"
