"""Who calls: access keys, accounts and assumed roles. Signatures are not checked."""

import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from e2e.route53.errors import AwsError
from e2e.route53.settings import Settings

_CREDENTIAL: Final = re.compile(r"Credential=([^/,\s]+)/")
_ROLE: Final = re.compile(r"arn:(aws(?:-[a-z]+)*):iam::(\d{12}):role/(?:[\w+=,.@/-]*/)?([\w+=,.@-]+)")


@dataclass(frozen=True, slots=True)
class Caller:
    """The identity behind a call."""

    account_id: str
    arn: str
    user_id: str


@dataclass(frozen=True, slots=True)
class Session:
    """Temporary credentials of an assumed role."""

    access_key_id: str
    secret_access_key: str
    token: str
    expires_at: datetime
    caller: Caller


@dataclass
class Identities:
    """The sessions handed out so far, by access key id."""

    sessions: dict[str, Session] = field(default_factory=dict)

    def caller(self, authorization: str, settings: Settings, default_account_id: str, now: datetime) -> Caller:
        """Return who signed. Raises AwsError MissingAuthenticationToken, InvalidClientTokenId or ExpiredToken."""
        match = _CREDENTIAL.search(authorization)
        if match is None:
            raise AwsError("MissingAuthenticationToken", "Request is missing Authentication Token", 403)
        key = match[1]
        session = self.sessions.get(key)
        if session is not None:
            if now >= session.expires_at:
                raise AwsError("ExpiredToken", "The security token included in the request is expired", 403)
            return session.caller
        return _user(key, settings, default_account_id)

    def assume(self, role_arn: str, session_name: str, lifetime: timedelta, now: datetime) -> Session:
        """Hand out credentials that act as the role's account. Raises AwsError ValidationError for a malformed ARN."""
        match = _ROLE.fullmatch(role_arn)
        if match is None:
            raise AwsError("ValidationError", f"{role_arn} is invalid")
        partition, account_id, role = match.groups()
        arn = f"arn:{partition}:sts::{account_id}:assumed-role/{role}/{session_name}"
        user_id = f"AROA{secrets.token_hex(8).upper()}:{session_name}"
        key = f"ASIA{secrets.token_hex(8).upper()}"
        caller = Caller(account_id, arn, user_id)
        session = Session(key, secrets.token_urlsafe(30), secrets.token_urlsafe(60), now + lifetime, caller)
        self.sessions[key] = session
        return session


def _user(key: str, settings: Settings, default_account_id: str) -> Caller:
    account_id = settings.accounts.get(key)
    if account_id is None:
        if settings.strict_credentials:
            raise AwsError("InvalidClientTokenId", "The security token included in the request is invalid.", 403)
        account_id = default_account_id
    return Caller(account_id, f"arn:aws:iam::{account_id}:user/emulated", f"AIDA{account_id}EMUL")
