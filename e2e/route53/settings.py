"""What the control API can set. Every field has the value of a fast, permissive account as default."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, NonNegativeFloat, PositiveFloat, PositiveInt
from pydantic.alias_generators import to_camel


class ControlModel(BaseModel):
    """Base of control documents: frozen, camelCase, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class RateLimit(ControlModel):
    """A token bucket: `per_second` tokens a second up to `burst`."""

    per_second: PositiveFloat
    burst: PositiveInt


class Role(ControlModel):
    """How AssumeRole of one role ARN ends: `external_id`, where set, must be given; `deny` refuses always."""

    external_id: str = ""
    deny: bool = False


class Settings(ControlModel):
    """The emulator's behaviour. Seconds are floats."""

    insync_delay_seconds: NonNegativeFloat = 0.2
    """From a change's submission to INSYNC. Lowering it also brings pending changes forward."""
    latency_seconds: NonNegativeFloat = 0.0
    """Added to every Route 53 and STS call."""
    rate_limit: RateLimit | None = None
    """Per account, Route 53 calls only; refused calls answer Throttling (HTTP 400)."""
    prior_request_not_complete: bool = False
    """Whether a batch refuses another one on its zone while it is being worked on."""
    batch_seconds: NonNegativeFloat = 0.05
    """How long a batch is worked on where `prior_request_not_complete` is set."""
    change_batch_error_form: Literal["error-response", "messages"] = "error-response"
    change_batch_messages: Literal["all", "first", "vague"] = "all"
    """Which findings InvalidChangeBatch names; `vague` names none."""
    accounts: dict[str, str] = Field(default_factory=dict)
    """Account id by access key id."""
    strict_credentials: bool = False
    """Whether unknown access keys are refused; else they act as the default account."""
    roles: dict[str, Role] = Field(default_factory=dict)
    strict_roles: bool = False
    """Whether a role that is not in `roles` is refused."""
    session_seconds: PositiveFloat | None = None
    """Lifetime of assumed credentials in place of the one asked for."""
    max_hosted_zones: int = 500
    max_record_sets_per_zone: int | None = None

    def patched(self, patch: dict[str, JsonValue]) -> "Settings":
        """Return settings with some fields replaced. Raises pydantic.ValidationError."""
        return Settings.model_validate(self.model_dump(by_alias=True) | patch)
