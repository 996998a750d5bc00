"""Settings of the webhook: command-line options, else environment variables (DNSAPI_WEBHOOK_...), else defaults."""

from datetime import timedelta
from pathlib import Path
from typing import Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.settings import Duration, RuntimeSettings

LARGEST_PORT = 65535


class WebhookSettings(RuntimeSettings):
    """Options of `python -m webhook`. Durations are written 90s or 1h30m, lists with commas."""

    model_config = SettingsConfigDict(
        env_prefix="DNSAPI_WEBHOOK_",
        cli_prog_name="python -m webhook",
    )

    address: str = Field("127.0.0.1:9443", pattern=r"^(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):[0-9]{1,5}$")
    """Host and port of the HTTPS server; port 0 takes any free one."""
    drain: Duration = Field(timedelta(), ge=timedelta())
    """How long requests are still taken after the signal to end, while the Service learns that this pod goes."""
    max_body_bytes: int = Field(1024 * 1024, ge=1024)
    """Longest request body that is read; one about a ledger or a Provider may have 4 MiB."""

    tls_cert_file: Path | None = None
    """PEM file with the server certificate; read again when it changes."""
    tls_key_file: Path | None = None
    """PEM file with the certificate's private key."""

    tls_interval: Duration = Field(timedelta(seconds=10), gt=timedelta())
    """How often files or Secret are looked at for a new certificate."""

    self_signed: bool = False
    """Whether to make the certificate here, instead of reading it from files."""
    self_signed_secret: str = Field("dns-system/dnsapi-webhook-tls", pattern="^[^/]+/[^/]+$")
    """Secret, as namespace/name, that all replicas share the self-made certificate in."""
    self_signed_names: str = "dnsapi-webhook.dns-system.svc"
    """DNS names and addresses that the self-made certificate is for, separated by commas."""
    webhook_configuration: str = "dnsapi-webhook"
    """ValidatingWebhookConfiguration whose caBundle follows the self-made authority."""

    controllers: str = ""
    """User names of our controllers, separated by commas: they may write ledgers and delete slices."""
    ledger_writers: str = "system:masters"
    """Users and groups beside the controllers that may write ZoneUnits and ZoneUnitSlices, separated by commas."""

    leader_elect: bool = False
    """Not used: every replica serves."""

    @model_validator(mode="after")
    def _has_one_certificate(self) -> Self:
        files = (self.tls_cert_file is not None, self.tls_key_file is not None)
        if files[0] != files[1]:
            raise ValueError("--tls-cert-file and --tls-key-file go together")
        if self.self_signed == files[0]:
            raise ValueError("give either --tls-cert-file with --tls-key-file, or --self-signed")
        return self

    @field_validator("address")
    @classmethod
    def _has_a_port(cls, value: str) -> str:
        if int(value.rpartition(":")[2]) > LARGEST_PORT:
            raise ValueError(f"must have a port of at most {LARGEST_PORT}")
        return value

    @property
    def host_and_port(self) -> tuple[str, int]:
        """The address in its two parts, an IPv6 address without its brackets."""
        host, _, port = self.address.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def certificate_secret(self) -> ObjectKey:
        """The key of the shared Secret."""
        return ObjectKey.parse(self.self_signed_secret)

    @property
    def certificate_names(self) -> tuple[str, ...]:
        """What the self-made certificate is for."""
        return _listed(self.self_signed_names)

    @property
    def controller_names(self) -> frozenset[str]:
        """The controllers' user names."""
        return frozenset(_listed(self.controllers))

    @property
    def ledger_writer_names(self) -> frozenset[str]:
        """Further users and groups that may write ledgers."""
        return frozenset(_listed(self.ledger_writers))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
