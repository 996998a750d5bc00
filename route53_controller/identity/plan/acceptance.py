"""Whether an identity's spec can be accepted, without asking AWS: an ordered list of small checks. Pure.

Source: provider seed, Route53Identity, "Accepted=False reasons".
"""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from libdnsapi.api.conditions import Verdict
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.identity import REGION_PATTERN, ROLE_ARN_PATTERN, AssumeRole
from libdnsapi.api.verdicts import accepted, refused
from route53_controller.identity.snapshot import Snapshot

AcceptanceCheck = Callable[[Snapshot], Verdict | None]


def acceptance(snapshot: Snapshot) -> Verdict:
    """Return Accepted of the identity: the first check that objects, or True."""
    for check in _CHECKS:
        objection = check(snapshot)
        if objection is not None:
            return objection
    return accepted("The spec is acceptable")


def _region(snapshot: Snapshot) -> Verdict | None:
    region = snapshot.identity.spec.region
    if not re.fullmatch(REGION_PATTERN, region):
        return refused(Reason.INVALID_REGION, f"spec.region: {region!r} is not written like eu-central-1")
    if snapshot.partition is None:
        return refused(Reason.INVALID_REGION, f"spec.region: AWS has no region like {region}")
    return None


def _credential_source(snapshot: Snapshot) -> Verdict | None:
    credentials = snapshot.identity.spec.credentials
    if (credentials.runtime is None) == (credentials.secret_ref is None):
        return refused(
            Reason.INVALID_CREDENTIAL_SOURCE, "spec.credentials: exactly one of runtime and secretRef must be set"
        )
    return None


def _chain(snapshot: Snapshot) -> Verdict | None:
    for index, step in enumerate(snapshot.identity.spec.assume_role_chain or ()):
        problem = _step_problem(step, snapshot.partition or "")
        if problem:
            return refused(Reason.INVALID_ASSUME_ROLE_CHAIN, f"spec.assumeRoleChain[{index}]: {problem}")
    return None


def _step_problem(step: AssumeRole, partition: str) -> str:
    if not re.fullmatch(ROLE_ARN_PATTERN, step.role_arn):
        return "roleARN is not the ARN of an IAM role"
    if step.role_arn.split(":")[1] != partition:
        return "roleARN is in another AWS partition than spec.region"
    return ""


def _secret_policy(snapshot: Snapshot) -> Verdict | None:
    if snapshot.identity.spec.credentials.secret_ref is not None and not snapshot.secrets_readable:
        return refused(
            Reason.DENIED_BY_POLICY,
            "spec.credentials.secretRef: Secrets of this namespace are not read; ask the platform team to add it to "
            "--secret-namespaces",
        )
    return None


def _runtime_policy(snapshot: Snapshot) -> Verdict | None:
    runtime = snapshot.identity.spec.credentials.runtime is not None
    if runtime and not _matches(snapshot.identity.metadata.namespace, snapshot.policy.runtime_namespaces):
        return refused(
            Reason.DENIED_BY_POLICY,
            "spec.credentials.runtime: identities of this namespace may not use the controller's own credentials; "
            "use secretRef, or ask the platform team to add it to --runtime-identity-namespaces",
        )
    return None


def _role_policy(snapshot: Snapshot) -> Verdict | None:
    for index, step in enumerate(snapshot.identity.spec.assume_role_chain or ()):
        if not _matches(step.role_arn, snapshot.policy.role_arns):
            return refused(
                Reason.DENIED_BY_POLICY,
                f"spec.assumeRoleChain[{index}]: the platform does not allow this role (--allowed-role-arns)",
            )
    return None


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


_CHECKS: tuple[AcceptanceCheck, ...] = (
    _region,
    _credential_source,
    _chain,
    _secret_policy,
    _runtime_policy,
    _role_policy,
)
