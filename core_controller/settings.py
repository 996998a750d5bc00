"""What the core controller wants to know: command-line options, or environment variables with DNSAPI_CORE_."""

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from core_controller.sources.settings import SourcesSettings
from core_controller.zoneunit.snapshot import Limits
from libdnsapi.runtime.settings import RuntimeSettings

KNOWN_CONTROLLERS = frozenset({"zoneunit", "sources"})


class CoreSettings(RuntimeSettings, SourcesSettings):
    """Options of `python -m core_controller`. Durations are written 90s or 1h30m, lists with commas.

    `python -m core_controller release --help` is the operator's command, for the day of an uninstall.
    """

    model_config = SettingsConfigDict(env_prefix="DNSAPI_CORE_", cli_prog_name="python -m core_controller")

    controllers: str = "zoneunit"
    """Which controllers run, comma-separated: zoneunit, sources."""
    workers: int = Field(4, ge=1, le=64)
    """Units that are worked on at once."""
    status_workers: int = Field(5, ge=1, le=64)
    """Statuses of RecordSets that are written at once; more where the API server is far away."""
    inline_record_sets: int = Field(100, ge=0, le=1000)
    """Record sets in a ZoneUnit itself before slices are used."""
    record_sets_per_slice: int = Field(100, ge=1, le=1000)
    """Record sets in one ZoneUnitSlice."""
    ledger_object_bytes: int = Field(256 * 1024, ge=64 * 1024, le=1024 * 1024)
    """Largest size of one ledger object, in bytes."""
    conversion_addresses: dict[str, str] = Field(default_factory=dict)
    """Addresses of conversion Services (namespace/name: host:port) where cluster DNS is out of reach."""

    @property
    def limits(self) -> Limits:
        """How the ledger is divided."""
        return Limits(self.inline_record_sets, self.record_sets_per_slice, self.ledger_object_bytes)

    @property
    def enabled(self) -> frozenset[str]:
        """The controllers that run."""
        return frozenset(name.strip() for name in self.controllers.split(","))

    @field_validator("controllers")
    @classmethod
    def _are_known(cls, value: str) -> str:
        unknown = {name.strip() for name in value.split(",")} - KNOWN_CONTROLLERS
        if unknown:
            raise ValueError(f"unknown controller {sorted(unknown)}; there are {sorted(KNOWN_CONTROLLERS)}")
        return value
