"""`spec.config` of a pipeline: flag-equivalent settings (sources page, DNSProvider and ClusterDNSProvider)."""

import re
from collections.abc import Iterator, Mapping

from libdnsapi.api.externaldns.dnsprovider import CONFIG_KEYS, PipelineSpec
from libdnsapi.api.route53.identity import REGION_PATTERN, ROLE_ARN_PATTERN
from libdnsapi.dns.problems import Problem

PATH = "spec.config"
_ROLE, _ACCOUNT, _EXTERNAL_ID = "aws-assume-role", "aws-account-id", "aws-assume-role-external-id"
_SHAPES: Mapping[str, tuple[str, str]] = {
    _ACCOUNT: (r"[0-9]{12}", "must be an AWS account id: twelve digits"),
    _ROLE: (ROLE_ARN_PATTERN, "must be the ARN of an IAM role such as arn:aws:iam::111122223333:role/dns"),
    _EXTERNAL_ID: (r"(?s).{2,1224}", "must have 2 to 1224 characters"),
    "aws-evaluate-target-health": ("true|false", 'must be "true" or "false"'),
    "aws-prefer-cname": ("true|false", 'must be "true" or "false"'),
    "aws-region": (REGION_PATTERN, "must be an AWS region such as eu-central-1"),
    "aws-zone-type": ("public", "must be public: private hosted zones are not supported"),
}
_OF_IDENTITY = (_ACCOUNT, _ROLE, _EXTERNAL_ID, "aws-region")
"""Settings of the identity that a managed pipeline gets; existing Zones have their own."""


def config_problems(spec: PipelineSpec) -> Iterator[Problem]:
    """Yield unknown settings, wrong values, and what a managed pipeline's identity lacks."""
    config = spec.config or {}
    for key, value in config.items():
        if key not in _SHAPES:
            yield Problem(PATH, f'unknown setting "{key[:253]}"; known settings: {", ".join(CONFIG_KEYS)}')
        elif not re.fullmatch(_SHAPES[key][0], value):
            yield Problem(f"{PATH}.{key}", _SHAPES[key][1])
    if _EXTERNAL_ID in config and _ROLE not in config:
        yield Problem(f"{PATH}.{_EXTERNAL_ID}", f"has a meaning only beside {_ROLE}")
    if spec.type == "aws" and spec.is_managed:
        yield from _account_problems(config)


def idle_settings(spec: PipelineSpec) -> Iterator[str]:
    """Yield warnings about settings that have no effect, since the Zones exist already."""
    if spec.is_managed:
        return
    for key in _OF_IDENTITY:
        if key in (spec.config or {}):
            yield f"{PATH}.{key} has no effect beside spec.zones: those Zones have an identity of their own"
    if spec.credentials_ref is not None:
        yield "spec.credentialsRef has no effect beside spec.zones: those Zones have an identity of their own"


def _account_problems(config: Mapping[str, str]) -> Iterator[Problem]:
    role, account = config.get(_ROLE), config.get(_ACCOUNT)
    if role is None and account is None:
        yield Problem(f"{PATH}.{_ACCOUNT}", f"is required where no {_ROLE} names the account")
    if role is not None and account is not None and f"::{account}:" not in role:
        yield Problem(f"{PATH}.{_ACCOUNT}", f"must be the account of {_ROLE}")
