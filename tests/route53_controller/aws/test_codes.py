import pytest

from route53_controller.aws.codes import error_from_response, sanitised, split_messages
from route53_controller.aws.errors import AwsFailure
from route53_controller.failures import CONSEQUENCES, Mends, consequence, failure_message


def answer(code: str, message: str = "", status: int = 400, **more: object) -> dict[str, object]:
    return {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}, **more}


@pytest.mark.spec("R53-BU-007")
@pytest.mark.parametrize(
    ("code", "status", "failure"),
    [
        ("Throttling", 400, AwsFailure.THROTTLED),
        ("ThrottlingException", 400, AwsFailure.THROTTLED),
        ("PriorRequestNotComplete", 400, AwsFailure.PRIOR_REQUEST_NOT_COMPLETE),
        ("AccessDenied", 403, AwsFailure.ACCESS_DENIED),
        ("ExpiredToken", 403, AwsFailure.ACCESS_DENIED),
        ("InvalidClientTokenId", 403, AwsFailure.ACCESS_DENIED),
        ("SignatureDoesNotMatch", 403, AwsFailure.ACCESS_DENIED),
        ("403", 403, AwsFailure.ACCESS_DENIED),
        ("NoSuchHostedZone", 404, AwsFailure.NO_SUCH_HOSTED_ZONE),
        ("NoSuchChange", 404, AwsFailure.NO_SUCH_CHANGE),
        ("HostedZoneAlreadyExists", 409, AwsFailure.HOSTED_ZONE_ALREADY_EXISTS),
        ("HostedZoneNotEmpty", 400, AwsFailure.HOSTED_ZONE_NOT_EMPTY),
        ("InvalidChangeBatch", 400, AwsFailure.INVALID_CHANGE_BATCH),
        ("TooManyHostedZones", 400, AwsFailure.LIMIT_EXCEEDED),
        ("DelegationSetNotAvailable", 400, AwsFailure.LIMIT_EXCEEDED),
        ("InvalidDomainName", 400, AwsFailure.INVALID_REQUEST),
        ("InvalidInput", 400, AwsFailure.INVALID_REQUEST),
        ("InternalFailure", 500, AwsFailure.UNAVAILABLE),
        ("502", 502, AwsFailure.UNAVAILABLE),
        ("NeverHeardOf", 503, AwsFailure.UNAVAILABLE),
        ("NeverHeardOf", 400, AwsFailure.INVALID_REQUEST),
        ("", 500, AwsFailure.UNAVAILABLE),
        ("", 400, AwsFailure.INVALID_REQUEST),
    ],
)
def test_each_error_code_has_one_outcome(code: str, status: int, failure: AwsFailure) -> None:
    error = error_from_response(answer(code, "some text", status), "route53:GetChange")
    assert (error.failure, error.code) == (failure, code)
    assert error.message


SIGNED = "The specified hosted zone contains DNSSEC Key Signing Keys and so cannot be deleted."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The specified hosted zone contains non-required resource record sets", "still holds record sets"),
        (SIGNED, "DNSSEC key signing keys; remove them"),
    ],
)
def test_what_keeps_a_hosted_zone_is_told(said: str, told: str) -> None:
    assert told in failure_message(error_from_response(answer("HostedZoneNotEmpty", said), "route53:DeleteHostedZone"))


DENIED = (
    "User: arn:aws:sts::123456789012:assumed-role/dns/dns-api-ns is not authorized to perform: "
    "route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone/Z1 because no policy allows it"
)


@pytest.mark.spec("R53-BU-010")
def test_a_denial_names_the_action_and_nothing_else() -> None:
    """Case 78."""
    error = error_from_response(answer("AccessDenied", DENIED, 403), "route53:GetChange")
    assert error.message == "AWS denied route53:ChangeResourceRecordSets"


@pytest.mark.spec("R53-BU-010", "R53-IS-022")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("role arn:aws:iam::123456789012:role/x cannot", "role [arn] cannot"),
        ("arn:aws-us-gov:iam::123456789012:role/path/x, then", "[arn], then"),
        ("account 123456789012 is closed", "account [account] is closed"),
        ("key AKIAIOSFODNN7EXAMPLE is bad", "key [key] is bad"),
        ("failed (Request ID: 5d7d4f2e-1111-2222-3333-0123456789ab)", "failed [request]"),
        ("RequestId: ABC123DEF", "[request]"),
        ("id 5d7d4f2e-1111-2222-3333-0123456789ab", "id [id]"),
        ("zone Z10219583PPQMV0U1KGN2 stays", "zone Z10219583PPQMV0U1KGN2 stays"),
        ("x" * 600, "x" * 512),
    ],
)
def test_what_aws_says_is_sanitised(said: str, kept: str) -> None:
    """Case 78."""
    assert sanitised(said) == kept


NUMBERED = "123456789012.example.com."
UUID = "5d7d4f2e-1111-2222-3333-0123456789ab.example.com."


@pytest.mark.spec("R53-BU-010")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"name='{NUMBERED}', type='A'", f"name='{NUMBERED}', type='A'"),
        (f"DNS name {NUMBERED} is not permitted", f"DNS name {NUMBERED} is not permitted"),
        (f"targets {NUMBERED}, type A", f"targets {NUMBERED}, type A"),
        ("name 123456789012.example.com exists", "name 123456789012.example.com exists"),
        (f"name {UUID} of account 123456789012", f"name {UUID} of account [account]"),
        (f"name='www.{NUMBERED}'", "name='www.[account].example.com.'"),
        ("123456789012.example.com.evil.net", "[account].example.com.evil.net"),
        ("123456789012.example.community", "[account].example.community"),
        ("123456789012.signin.aws.amazon.com", "[account].signin.aws.amazon.com"),
        ("name='210987654321.example.com.'", "name='[account].example.com.'"),
        ("arn:aws:iam::123456789012:role/123456789012.example.com.", "[arn]"),
        ("account 123456789012. It is closed", "account [account]. It is closed"),
    ],
)
def test_a_name_that_was_sent_is_told_as_it_is_and_no_other(said: str, kept: str) -> None:
    assert sanitised(said, (NUMBERED, UUID, "123456789012.", "www.example.com.")) == kept


def test_a_name_in_a_zone_named_by_its_account_is_recognised_where_it_was_sent() -> None:
    said = f"[RRSet of type A with DNS name {NUMBERED} is not permitted in zone {NUMBERED}]"
    error = error_from_response(answer("InvalidChangeBatch", said), "route53:ChangeResourceRecordSets", [NUMBERED])
    assert error.messages == (said.strip("[]"),)


def test_reasons_are_cut_for_people_only() -> None:
    said = f"Invalid Resource Record: 'FATAL problem encountered with '{'x' * 900}''"
    error = error_from_response(answer("InvalidChangeBatch", f"[{said}]"), "route53:ChangeResourceRecordSets")
    assert error.messages == (said,)
    assert len(error.message) == 512


EXISTS = "Tried to create resource record set [name='a.example.com.', type='A'] but it already exists"
ILLEGAL = "Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (bad) encountered with 'x''"
CUT = "Message was too long, it was truncated. ["
LONG = "Invalid Resource Record: FATAL problem: CharacterStringTooLong (too long) encountered with '\"v=DKIM1, K"
"""mail-in-a-box/mailinabox#1839."""


@pytest.mark.spec("R53-IB-001")
@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (f"[{EXISTS}]", (EXISTS,)),
        (f"[{EXISTS}, {ILLEGAL}]", (EXISTS, ILLEGAL)),
        (f"[{ILLEGAL}, {EXISTS}]", (ILLEGAL, EXISTS)),
        (f"{CUT}{EXISTS}, {ILLEGAL}, {EXISTS[:60]}", (EXISTS, ILLEGAL)),
        (f"{CUT}{EXISTS}, {LONG}", (EXISTS,)),
        (f"{CUT}{LONG}", (LONG,)),
        ("no brackets", ("no brackets",)),
        ("encountered with 'a, B'", ("encountered with 'a, B'",)),
        ("[]", ()),
        ("", ()),
    ],
)
def test_the_reasons_of_a_rejected_batch_are_told_apart(text: str, messages: tuple[str, ...]) -> None:
    assert split_messages(text) == messages


@pytest.mark.spec("R53-IB-001")
@pytest.mark.parametrize(
    "response",
    [
        answer("InvalidChangeBatch", f"[{EXISTS}, {ILLEGAL}]"),
        answer("", "", Messages=[EXISTS, ILLEGAL]),
        answer("", "", Messages={"Message": [EXISTS, ILLEGAL]}),
    ],
)
def test_both_forms_of_a_rejected_batch_say_the_same(response: dict[str, object]) -> None:
    error = error_from_response(response, "route53:ChangeResourceRecordSets")
    assert (error.failure, error.code) == (AwsFailure.INVALID_CHANGE_BATCH, "InvalidChangeBatch")
    assert error.messages == (EXISTS, ILLEGAL)
    assert error.message == EXISTS


def test_a_batch_rejected_without_reasons_is_still_a_rejected_batch() -> None:
    error = error_from_response(answer("", "", Messages={"Message": {}}), "route53:ChangeResourceRecordSets")
    assert (error.failure, error.messages) == (AwsFailure.INVALID_CHANGE_BATCH, ())


@pytest.mark.spec("R53-BU-007")
def test_every_failure_has_a_consequence() -> None:
    assert set(CONSEQUENCES) == set(AwsFailure)


@pytest.mark.spec("R53-BU-007")
@pytest.mark.parametrize(
    ("code", "reason", "mends"),
    [
        ("AccessDenied", "ProviderAccessDenied", Mends.LATER),
        ("Throttling", "ProviderUnavailable", Mends.SOON),
        ("NoSuchHostedZone", "ExternalResourceNotFound", Mends.LATER),
        ("HostedZoneNotEmpty", "ProviderConflict", Mends.LATER),
        ("ConflictingDomainExists", "ProviderConflict", Mends.LATER),
        ("TooManyHostedZones", "ProviderInvalidRequest", Mends.LATER),
        ("InvalidDomainName", "ProviderInvalidRequest", Mends.EDIT),
        ("InternalFailure", "ProviderUnavailable", Mends.SOON),
    ],
)
def test_an_error_code_ends_as_the_reason_that_the_user_reads(code: str, reason: str, mends: Mends) -> None:
    error = error_from_response(answer(code, "the domain name is bad"), "route53:CreateHostedZone")
    assert (consequence(error).reason, consequence(error).mends) == (reason, mends)
    assert failure_message(error)[0].isupper()


IN_THE_FIELD = [
    # report, operation, code, what AWS says, the reason, what is told
    (
        "awslabs/aws-saas-boost#404",
        "CreateHostedZone",
        ("InvalidDomainName", "test2 is reserved by AWS!"),
        "ProviderInvalidRequest",
        "Test2 is reserved by AWS!",
    ),
    (
        "ansible/ansible#29225",
        "CreateHostedZone",
        ("ConflictingDomainExists", "A conflicting domain is already associated with the given VPC or Delegation Set."),
        "ProviderConflict",
        "another hosted zone",
    ),
    (
        "openshift/openshift-docs#93291",
        "CreateHostedZone",
        ("TooManyHostedZones", "Limits Exceeded: MAX_HOSTED_ZONES_BY_OWNER - Cannot create more hosted zones."),
        "ProviderInvalidRequest",
        "quota",
    ),
    (
        "hashicorp/terraform-provider-aws#21368",
        "DeleteHostedZone",
        (
            "HostedZoneNotEmpty",
            "The specified hosted zone contains DNSSEC Key Signing Keys and so cannot be deleted.",
        ),
        "ProviderConflict",
        "DNSSEC key signing keys",
    ),
    (
        "hashicorp/terraform#12407",
        "DeleteHostedZone",
        (
            "HostedZoneNotEmpty",
            "The specified hosted zone contains non-required resource record sets  and so cannot be deleted.",
        ),
        "ProviderConflict",
        "record sets that are not managed here",
    ),
    (
        "ansible-collections/community.aws#1904",
        "GetChange",
        (
            "AccessDenied",
            "User: arn:aws:sts::111122223333:assumed-role/r/s is not authorized to perform: route53:GetChange on "
            "resource: arn:aws:route53:::change/C06400651MBI4Q3GLGAHH because no identity-based policy allows it",
        ),
        "ProviderAccessDenied",
        "AWS denied route53:GetChange; grant it",
    ),
    (
        "cert-manager/cert-manager#668",
        "ListHostedZonesByName",
        ("SignatureDoesNotMatch", "The request signature we calculated does not match"),
        "ProviderAccessDenied",
        "wrong secret key, or a clock that is off",
    ),
    (
        "kubernetes-sigs/external-dns#1293",
        "ListResourceRecordSets",
        ("Throttling", "Rate exceeded"),
        "ProviderUnavailable",
        "asked too often",
    ),
]


@pytest.mark.parametrize(("report", "operation", "said", "reason", "told"), IN_THE_FIELD)
def test_what_aws_says_in_the_field_ends_as_a_reason_and_words_that_say_what_to_do(
    report: str, operation: str, said: tuple[str, str], reason: str, told: str
) -> None:
    error = error_from_response(answer(*said), f"route53:{operation}")
    assert consequence(error).reason == reason, report
    assert told in failure_message(error)
    assert "111122223333" not in failure_message(error)
