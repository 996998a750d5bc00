"""Settings that every process has: where the API server is, health, logs, leadership.

A service subclasses `RuntimeSettings`, adds its own fields and says which prefix its environment variables have. Each
field is also a command-line option: `health_port` is `--health-port`. Durations are written `90s`, `1h30m`, `0.5`
(seconds) or in ISO 8601.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Self, get_origin

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from libdnsapi.runtime.leader import LeaseTimes
from libdnsapi.runtime.logging import Format, Level

NAMESPACE_FILE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")

_ISO_DURATION = TypeAdapter(timedelta)
_GO_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")


LONGEST_DURATION = timedelta(days=366)
"""More is a slip of the pen, of which neither dates nor the seconds of a Lease hold the end."""


def read_duration(value: object) -> object:
    """Turn `1h30m`, `500ms`, ISO 8601 or a number of seconds into a timedelta; raises ValueError for other texts."""
    if not isinstance(value, str):
        return value
    try:
        duration = _read_text(value)
    except OverflowError:
        duration = timedelta.max
    if duration > LONGEST_DURATION:
        raise ValueError("must be a duration of at most 8784h, which is a year")
    return duration


def _read_text(value: str) -> timedelta:
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return timedelta(seconds=float(value))
    parts = _GO_DURATION.fullmatch(value)
    if parts is None or not value:
        return _read_iso(value)
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in parts.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)


def _read_iso(value: str) -> timedelta:
    try:
        return _ISO_DURATION.validate_python(value)
    except ValidationError:
        raise ValueError("must be a duration, such as 90s, 1h30m, 500ms or 0.5 (seconds)") from None


Duration = Annotated[timedelta, BeforeValidator(read_duration)]
"""A timedelta that people may write as Go does."""


class Environment(EnvSettingsSource):
    """Environment variables, in which lists are written as on the command line, with commas, or as JSON."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: object) -> object:
        """Return the items of a list; raises ValueError for what is neither."""
        if get_origin(field.annotation) is tuple and isinstance(value, str) and not value.startswith("["):
            return value.split(",") if value else []
        decoded: object = super().decode_complex_value(field_name, field, value)
        return decoded


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
    kube_request_timeout: Duration = Field(timedelta(seconds=30), gt=timedelta())
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
    lease_retry_period: Duration = Field(timedelta(seconds=2), gt=timedelta())
    """How long between two tries."""

    shutdown_grace: Duration = Field(timedelta(seconds=20), ge=timedelta())
    """How long running reconciles may take to finish at the end."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read lists of the environment as those of the command line."""
        return init_settings, Environment(settings_cls), dotenv_settings, file_secret_settings

    @model_validator(mode="after")
    def _leads_alone(self) -> Self:
        """Refuse, before anything runs, times under which two processes could lead at once."""
        try:
            _ = self.lease_times
        except ValueError:
            raise ValueError(
                "--lease-duration must be longer than --lease-renew-deadline, and that more than 1.2 times as long as "
                "--lease-retry-period"
            ) from None
        return self

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
