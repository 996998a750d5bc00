"""What tells one set of AWS credentials from another, as plain values. Pure.

Two identities with equal sources share one session and its clients.
"""

import re
from dataclasses import dataclass, field

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import Route53Identity

SESSION_NAME_LIMIT = 64
_ILLEGAL_IN_SESSION_NAME = re.compile(r"[^A-Za-z0-9_+=,.@-]")


@dataclass(frozen=True, slots=True)
class StaticKeys:
    """An access key as a Secret holds it; its repr shows nothing of it."""

    access_key_id: str = field(repr=False)
    secret_access_key: str = field(repr=False)
    session_token: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class RoleStep:
    """One role to assume; an empty `external_id` is not sent."""

    role_arn: str
    session_name: str
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class CredentialSource:
    """Base credentials (None: the SDK's default chain), the roles to assume from them, and the region."""

    region: str
    keys: StaticKeys | None
    steps: tuple[RoleStep, ...] = ()


def credential_source(identity: Route53Identity, keys: StaticKeys | None) -> CredentialSource:
    """Return an identity's source; `keys` are those of its Secret, None for `runtime`."""
    steps = tuple(
        RoleStep(step.role_arn, step.session_name or session_name(identity.key, index), step.external_id or "")
        for index, step in enumerate(identity.spec.assume_role_chain or ())
    )
    return CredentialSource(identity.spec.region, keys, steps)


def session_name(identity: ObjectKey, index: int) -> str:
    """Return the stable STS session name of a step: `dns-api-<namespace>-<name>-<index>`, at most 64 characters."""
    text = f"dns-api-{identity.namespace}-{identity.name}-{index}"
    return _ILLEGAL_IN_SESSION_NAME.sub("-", text)[:SESSION_NAME_LIMIT]
