"""Each AWS partition and region that the SDK knows can be named by an identity, and is told from the others."""

import json
import re
from importlib.resources import files

import pytest

from libdnsapi.api.route53.identity import REGION_PATTERN, ROLE_ARN_PATTERN
from route53_controller.aws.credentials import CredentialSource
from route53_controller.aws.session import Sdk, Timeouts
from route53_controller.identity.plan.acceptance import acceptance
from route53_controller.identity.snapshot import Snapshot
from tests.fakes.clock import FakeClock
from tests.route53_controller.identity.builders import NOW, identity

KNOWN = json.loads((files("botocore") / "data" / "partitions.json").read_text())["partitions"]
PARTITIONS = [partition["id"] for partition in KNOWN]
REGIONS = [
    (partition["id"], region) for partition in KNOWN for region in partition["regions"] if not region.endswith("global")
]


@pytest.mark.spec("R53-ID-010", "R53-IS-003")
@pytest.mark.parametrize(("partition", "region"), REGIONS)
def test_every_region_and_a_role_of_its_partition_are_accepted(partition: str, region: str) -> None:
    sdk = Sdk(Timeouts(), FakeClock())
    assert sdk.partition(region) == partition
    spec = {"region": region, "assumeRoleChain": [{"roleARN": f"arn:{partition}:iam::123456789012:role/dns"}]}
    verdict = acceptance(Snapshot(identity(spec=spec), NOW, partition, CredentialSource(region, None)))
    assert verdict.reason == "Accepted"


@pytest.mark.spec("R53-ID-010")
@pytest.mark.parametrize("partition", ["aws-", "aws-iso-", "aws-iso-g", "aws-eu", "awscn", "aws-cn-b", "AWS"])
def test_no_partition_but_those_is_accepted(partition: str) -> None:
    assert not re.fullmatch(ROLE_ARN_PATTERN, f"arn:{partition}:iam::123456789012:role/dns")


@pytest.mark.spec("R53-IS-003")
@pytest.mark.parametrize(
    "region", ["eusc", "eus-de-east-1", "euscx-de-east-1", "e-central-1", "eu-central", "EU-west-1"]
)
def test_nothing_else_reads_as_a_region(region: str) -> None:
    assert not re.fullmatch(REGION_PATTERN, region)
