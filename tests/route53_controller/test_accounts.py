import base64

import pytest

from libdnsapi.api.meta import SECRETS, ObjectKey
from libdnsapi.runtime.informer import Informer
from route53_controller.accounts import Accounts
from route53_controller.aws.connection import Connections
from route53_controller.aws.credentials import StaticKeys
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.aws.metrics import AwsMetrics
from route53_controller.aws.session import Sdk, Timeouts
from route53_controller.aws.throttle import Limits
from route53_controller.secrets import CachedSecrets, CredentialSecret
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes
from tests.route53_controller.identity.builders import ROLE, identity

SECRET = {"credentials": {"secretRef": {"name": "aws"}}}
GOOD = {"aws_access_key_id": "AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key": "secret"}


class World:
    """A registry of accounts over a cache of Secrets; nothing is ever called."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.kubernetes = FakeKubernetes(clock=self.clock)
        self.secrets = Informer(self.kubernetes, SECRETS, CredentialSecret)
        metrics = AwsMetrics()
        self.accounts = Accounts(
            connections=Connections(Sdk(Timeouts(), self.clock), metrics),
            secrets=CachedSecrets({"platform": self.secrets}),
            limits=Limits(),
            metrics=metrics,
            clock=self.clock,
        )

    def put(self, values: dict[str, str], *, encoded: bool = False) -> None:
        data = {name: value if encoded else base64.b64encode(value.encode()).decode() for name, value in values.items()}
        body = {"metadata": {"namespace": "platform", "name": "aws"}, "data": data}
        self.secrets.store.observe(self.kubernetes.seed(SECRETS, body))  # type: ignore[arg-type]

    def remove(self) -> None:
        self.secrets.store.forget(ObjectKey("platform", "aws"))


def failure(call: object, *arguments: object, **options: object) -> AwsError:
    with pytest.raises(AwsError) as caught:
        call(*arguments, **options)  # type: ignore[operator]
    return caught.value


@pytest.mark.spec("R53-ID-005")
async def test_runtime_credentials_have_no_keys_of_their_own() -> None:
    source = World().accounts.source(identity(spec={"assumeRoleChain": [{"roleARN": ROLE, "externalID": "ext"}]}))
    assert source.keys is None
    assert [(step.session_name, step.external_id) for step in source.steps] == [("dns-api-platform-main-0", "ext")]


@pytest.mark.spec("R53-CR-001")
async def test_keys_are_read_from_the_secret_with_white_space_left_out() -> None:
    world = World()
    world.put(GOOD | {"aws_secret_access_key": "secret\n", "aws_session_token": "token"})
    assert world.accounts.source(identity(spec=SECRET)).keys == StaticKeys("AKIAIOSFODNN7EXAMPLE", "secret", "token")


@pytest.mark.spec("R53-CR-001")
@pytest.mark.parametrize(
    ("values", "encoded", "message"),
    [
        ({}, False, "the Secret aws has no aws_access_key_id and no aws_secret_access_key"),
        (GOOD | {"aws_secret_access_key": " "}, False, "the Secret aws has no aws_secret_access_key"),
        (GOOD | {"aws_access_key_id": "%%%"}, True, "aws_access_key_id of the Secret aws is no printable ASCII text"),
        (GOOD | {"aws_access_key_id": "schlüssel"}, False, "aws_access_key_id of the Secret aws is no printable"),
        (GOOD | {"aws_access_key_id": "a\nb"}, False, "aws_access_key_id of the Secret aws is no printable"),
    ],
)
async def test_a_secret_without_usable_keys_is_told_by_what_it_lacks(
    values: dict[str, str], encoded: bool, message: str
) -> None:
    world = World()
    world.put(values, encoded=encoded)
    error = failure(world.accounts.route53, identity(spec=SECRET))
    assert error.failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    assert message in error.message


@pytest.mark.spec("R53-CR-002")
async def test_a_changed_secret_gives_other_clients_with_the_next_call() -> None:
    world = World()
    world.put(GOOD)
    first = world.accounts.route53(identity(spec=SECRET))
    assert world.accounts.route53(identity(spec=SECRET)).connection is first.connection
    world.put(GOOD | {"aws_secret_access_key": "other"})
    assert world.accounts.route53(identity(spec=SECRET)).connection is not first.connection


@pytest.mark.spec("R53-IS-009")
async def test_who_asks_is_told_which_identity_has_the_credentials_of_another_account() -> None:
    world, told = World(), []
    world.put(GOOD)
    client = world.accounts.route53(identity(spec=SECRET))
    world.accounts.tell_mismatches(told.append)
    world.accounts.route53(identity(spec=SECRET)).account.on_mismatch()
    client.account.on_mismatch()
    assert told == [identity().key]


@pytest.mark.spec("R53-BU-001")
async def test_identities_of_one_account_share_its_budget() -> None:
    world = World()
    world.put(GOOD)
    runtime, keyed = identity(), identity(spec=SECRET)
    other = identity(spec={"accountID": "999999999999"})
    budget = world.accounts.route53(runtime).account.budget
    assert world.accounts.route53(keyed).account.budget is budget
    assert world.accounts.route53(other).account.budget is not budget


@pytest.mark.spec("R53-HD-011")
async def test_for_cleanup_alone_the_last_good_keys_outlive_their_secret() -> None:
    """Case 39."""
    world = World()
    world.put(GOOD)
    kept = world.accounts.route53(identity(spec=SECRET)).connection
    world.remove()
    assert failure(world.accounts.route53, identity(spec=SECRET)).failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    assert world.accounts.route53(identity(spec=SECRET), cleanup=True).connection is kept


async def test_another_identity_of_the_same_name_inherits_no_keys() -> None:
    world = World()
    world.put(GOOD)
    world.accounts.route53(identity(spec=SECRET))
    world.remove()
    successor = identity(spec=SECRET)
    metadata = successor.metadata.model_copy(update={"uid": "another"})
    error = failure(world.accounts.route53, successor.model_copy(update={"metadata": metadata}), cleanup=True)
    assert "create it again, or clean up by hand" in error.message


@pytest.mark.spec("R53-HD-011")
async def test_a_restart_without_the_secret_names_the_manual_step() -> None:
    error = failure(World().accounts.route53, identity(spec=SECRET), cleanup=True)
    assert "create it again, or clean up by hand" in error.message


@pytest.mark.spec("R53-CR-003")
async def test_a_namespace_that_no_setting_names_is_not_readable() -> None:
    secrets = CachedSecrets({"platform": World().secrets})
    assert (secrets.readable("platform"), secrets.readable("other")) == (True, False)
    assert secrets.get(ObjectKey("other", "aws")) is None
