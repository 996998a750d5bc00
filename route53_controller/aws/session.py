"""SDK sessions and clients, one set for each distinct credential source, shared and closed when unused.

Nothing is read from or written to the process environment on behalf of an identity with a Secret; `runtime` alone
uses the SDK's default chain. Endpoints follow the SDK's own AWS_ENDPOINT_URL_ROUTE_53 and AWS_ENDPOINT_URL_STS.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from aiobotocore.config import AioConfig
from aiobotocore.credentials import AioCredentials, AioDeferredRefreshableCredentials
from aiobotocore.session import AioSession
from botocore.exceptions import UnknownRegionError

from libdnsapi.runtime.clock import Clock
from route53_controller.aws.credentials import CredentialSource, RoleStep, StaticKeys
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.aws.translation import translated

if TYPE_CHECKING:
    from types_aiobotocore_sts import STSClient
    from types_aiobotocore_sts.type_defs import AssumeRoleRequestTypeDef

USER_AGENT = "dnsapi-route53"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long one call may take: to connect, between two reads, and in all."""

    connect: timedelta = timedelta(seconds=3)
    read: timedelta = timedelta(seconds=15)
    whole: timedelta = timedelta(seconds=30)


class CredentialProvider(Protocol):
    """What a session asks for its credentials (the SDK's `credential_provider` component)."""

    async def load_credentials(self) -> AioCredentials | None:
        """Return credentials, which may refresh themselves, or None."""
        ...


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Credentials that were decided on before."""

    credentials: AioCredentials

    async def load_credentials(self) -> AioCredentials:
        return self.credentials


class Sdk:
    """Makes sessions that share the loaded service models (a session alone costs ten megabytes)."""

    def __init__(self, timeouts: Timeouts, clock: Clock) -> None:
        """Load nothing yet."""
        self._first = AioSession()
        self._clock = clock
        self.timeouts = timeouts
        self.config = AioConfig(
            connect_timeout=timeouts.connect.total_seconds(),
            read_timeout=timeouts.read.total_seconds(),
            retries={"mode": "standard", "total_max_attempts": 1},
            parameter_validation=False,
            user_agent_extra=USER_AGENT,
        )

    def partition(self, region: str) -> str | None:
        """Return the AWS partition that a region belongs to by its name, None where no partition knows it."""
        try:
            return str(self._first.get_partition_for_region(region))
        except UnknownRegionError:
            return None

    def session(self, source: CredentialSource) -> AioSession:
        """Return a new session that acts with this source; nothing is called yet."""
        root = self._rooted(source.region, source.keys)
        if not source.steps:
            return root
        chain = RoleChain(root, source.region, source.steps, self.config)
        credentials = AioDeferredRefreshableCredentials(chain.assume, "assume-role", time_fetcher=self._local_now)
        return self._new(source.region, _Fixed(credentials))

    def _rooted(self, region: str, keys: StaticKeys | None) -> AioSession:
        if keys is None:
            return self._new(region, None)
        static = AioCredentials(keys.access_key_id, keys.secret_access_key, keys.session_token or None)
        return self._new(region, _Fixed(static))

    def _new(self, region: str, provider: CredentialProvider | None) -> AioSession:
        session = AioSession()
        session.register_component("data_loader", self._first.get_component("data_loader"))
        session.set_config_variable("region", region)
        if provider is not None:
            session.register_component("credential_provider", provider)
        return session

    def _local_now(self) -> datetime:
        return self._clock.now()


class RoleChain:
    """Assumes roles one after the other, each with the credentials of the one before."""

    def __init__(self, root: AioSession, region: str, steps: tuple[RoleStep, ...], config: AioConfig) -> None:
        """Start from the root session's own credentials."""
        self._root = root
        self._region = region
        self._steps = steps
        self._config = config

    async def assume(self) -> dict[str, str]:
        """Return the last role's credentials as the SDK's refreshable credentials want them.

        Raises AwsError with `step` set to the index of the step that failed.
        """
        keys: StaticKeys | None = None
        expires = ""
        for index, step in enumerate(self._steps):
            try:
                keys, expires = await self._assume(step, keys)
            except AwsError as error:
                raise _at_step(error, index) from None
        if keys is None:
            raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, "the chain of roles is empty")
        return {
            "access_key": keys.access_key_id,
            "secret_key": keys.secret_access_key,
            "token": keys.session_token,
            "expiry_time": expires,
        }

    async def _assume(self, step: RoleStep, keys: StaticKeys | None) -> tuple[StaticKeys, str]:
        with translated("sts:AssumeRole"):
            async with self._root.create_client("sts", config=self._config, **_explicit(keys)) as sts:
                return await _assumed(sts, step)


async def _assumed(sts: "STSClient", step: RoleStep) -> tuple[StaticKeys, str]:
    request: AssumeRoleRequestTypeDef = {"RoleArn": step.role_arn, "RoleSessionName": step.session_name}
    if step.external_id:
        request["ExternalId"] = step.external_id
    answer = await sts.assume_role(**request)
    found = answer["Credentials"]
    keys = StaticKeys(found["AccessKeyId"], found["SecretAccessKey"], found["SessionToken"])
    return keys, found["Expiration"].isoformat()


def _explicit(keys: StaticKeys | None) -> dict[str, str]:
    if keys is None:
        return {}
    return {
        "aws_access_key_id": keys.access_key_id,
        "aws_secret_access_key": keys.secret_access_key,
        "aws_session_token": keys.session_token,
    }


def _at_step(error: AwsError, index: int) -> AwsError:
    if error.failure is AwsFailure.CREDENTIALS_UNAVAILABLE and index == 0:
        return error
    message = f"assumeRoleChain[{index}]: {error.message}"
    return AwsError(error.failure, message, error.code, error.messages, step=index)
