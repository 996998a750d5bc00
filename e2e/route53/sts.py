"""STS beside Route 53: GetCallerIdentity, AssumeRole and AssumeRoleWithWebIdentity, form-encoded POST on `/`.

Source: AWS Security Token Service API reference (version 2011-06-15).
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from e2e.route53.call import Call, Reply
from e2e.route53.errors import AwsError, access_denied
from e2e.route53.identities import Session
from e2e.route53.state import State
from e2e.route53.xml import document, element, wrap

NAMESPACE: Final = "https://sts.amazonaws.com/doc/2011-06-15/"
UNSIGNED: Final = frozenset({"AssumeRoleWithWebIdentity"})
"""Actions that need no signature."""


def get_caller_identity(call: Call) -> Reply:
    """Say who signed."""
    caller = call.caller
    parts = (
        element("Arn", caller.arn),
        element("UserId", caller.user_id),
        element("Account", caller.account_id),
    )
    return _reply("GetCallerIdentity", *parts)


def assume_role(call: Call) -> Reply:
    """Return credentials that act as the role's account, unless the settings refuse the role."""
    form = call.query
    role_arn, settings = form.get("RoleArn", ""), call.state.settings
    role = settings.roles.get(role_arn)
    refused = settings.strict_roles if role is None else role.deny
    if refused or (role and role.external_id and role.external_id != form.get("ExternalId", "")):
        message = f"User: {call.caller.arn} is not authorized to perform: sts:AssumeRole on resource: {role_arn}"
        raise AwsError("AccessDenied", message, 403)
    session = _session(call.state, form)
    return _reply("AssumeRole", _credentials(session), _assumed(session))


def assume_role_with_web_identity(call: Call) -> Reply:
    """Return credentials for a web identity token, whose content is not checked."""
    role_arn, settings = call.query.get("RoleArn", ""), call.state.settings
    role = settings.roles.get(role_arn)
    if (settings.strict_roles if role is None else role.deny) or not call.query.get("WebIdentityToken"):
        raise access_denied("anonymous", "AssumeRoleWithWebIdentity", role_arn, "sts")
    session = _session(call.state, call.query)
    return _reply("AssumeRoleWithWebIdentity", _credentials(session), _assumed(session))


def _session(state: State, form: Mapping[str, str]) -> Session:
    name, seconds = form.get("RoleSessionName", ""), form.get("DurationSeconds", "3600")
    if not 2 <= len(name) <= 64:
        raise AwsError("ValidationError", "roleSessionName must have 2 to 64 characters")
    if not seconds.isdigit() or not 900 <= int(seconds) <= 43_200:
        raise AwsError("ValidationError", "durationSeconds must be from 900 to 43200")
    lifetime = timedelta(seconds=state.settings.session_seconds or int(seconds))
    return state.identities.assume(form.get("RoleArn", ""), name, lifetime, state.now())


def _credentials(session: Session) -> str:
    return wrap(
        "Credentials",
        element("AccessKeyId", session.access_key_id),
        element("SecretAccessKey", session.secret_access_key),
        element("SessionToken", session.token),
        element("Expiration", f"{session.expires_at:%Y-%m-%dT%H:%M:%SZ}"),
    )


def _assumed(session: Session) -> str:
    caller = session.caller
    return wrap("AssumedRoleUser", element("Arn", caller.arn), element("AssumedRoleId", caller.user_id))


def _reply(action: str, *parts: str) -> Reply:
    metadata = wrap("ResponseMetadata", element("RequestId", "00000000-0000-0000-0000-000000000000"))
    return Reply(document(f"{action}Response", wrap(f"{action}Result", *parts), metadata, namespace=NAMESPACE))


ACTIONS: Final[Mapping[str, Callable[[Call], Reply]]] = {
    "GetCallerIdentity": get_caller_identity,
    "AssumeRole": assume_role,
    "AssumeRoleWithWebIdentity": assume_role_with_web_identity,
}
