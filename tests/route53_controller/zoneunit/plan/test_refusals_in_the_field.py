"""Route 53's refusals as reports on other DNS controllers quote them: whom they accuse, why, and what is said of it."""

import pytest

from libdnsapi.api.reasons import Reason
from route53_controller.aws.api import AliasRecord, Change, ChangeAction, RecordKey, ResourceRecordSet
from route53_controller.aws.codes import split_messages
from route53_controller.zoneunit.plan.isolation import Cause, isolate
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.state import Affected

CONFLICT, INVALID = Reason.PROVIDER_CONFLICT, Reason.PROVIDER_INVALID_REQUEST


def created(name: str, type_: str = "A", *values: str, alias: str = "") -> ChangeGroup:
    """Return the creation of a record set."""
    target = AliasRecord(alias, "ZELB", evaluate_target_health=False) if alias else None
    found = ResourceRecordSet(RecordKey(name, type_), None if alias else 300, values, alias=target)
    affected = Affected(namespace="app", name=name, digest="x", type=type_)
    return ChangeGroup(name, (Change(ChangeAction.CREATE, found),), (affected,), removal=False)


BATCH = (
    created("good.example.com", "A", "192.0.2.1"),
    created("demo.example.com", "A", "192.0.2.2"),
    created("demo.example.com", "TXT", '"demo"'),
    created("*.example.com", "CNAME", "lb.example.net."),
    created("lb.example.com", "A", alias="d1997.cloudfront.net"),
    created("text.example.com", "TXT", '""aaa" "bbb""'),
    created("many.example.com", "A", "10.221.8.236", "10.221.3.179"),
    created("mail.example.com", "MX", "10 aspmx.example.net."),
)
TWO = (
    "RRSet of type {} with DNS name demo.example.com. is not permitted because a conflicting RRSet of type  CNAME with"
    " the"
)
REFUSALS = [
    # report, message, whom it accuses, why, the reason
    (
        "kubernetes-sigs/external-dns#1517",
        ", ".join(f"{TWO.format(type_)} same DNS name already exists in zone example.com." for type_ in ("A", "TXT")),
        ["demo.example.com A", "demo.example.com TXT"],
        Cause.OTHER,
        CONFLICT,
    ),
    (
        "cert-manager/cert-manager#7547",
        "Tried to delete resource record set [name='demo.example.com.', type='TXT', set-identifier='\\\"1JUZ\\\"']"
        " but it was not found",
        ["demo.example.com TXT"],
        Cause.STALE,
        CONFLICT,
    ),
    (
        "ansible/ansible#7335",
        "Tried to create resource record set [name='\\052.example.com.', type='CNAME'] but it already exists",
        ["*.example.com CNAME"],
        Cause.STALE,
        CONFLICT,
    ),
    (
        "caddyserver/certmagic#208",
        "Tried to create resource record set [name='demo.example.com', type='TXT'] but it already exists",
        ["demo.example.com TXT"],
        Cause.STALE,
        CONFLICT,
    ),
    (
        "cert-manager/cert-manager#5388",
        'RRSet with DNS name demo.example.com., type TXT, SetIdentifier "x" cannot be created because a non multivalue'
        " answer rrset exists with the same name and type.",
        ["demo.example.com TXT"],
        Cause.OTHER,
        CONFLICT,
    ),
    (
        "kubernetes-sigs/external-dns#4058",
        "RRSet with DNS name demo.example.com., type A cannot be created as other RRSets exist with the same name and"
        " type.",
        ["demo.example.com A"],
        Cause.OTHER,
        CONFLICT,
    ),
    (
        "kubernetes-sigs/external-dns#4345",
        "RRSet with DNS name demo.example.com., type A, SetIdentifier us cannot be created as a non-weighted set exists"
        " with the same name and type",
        ["demo.example.com A"],
        Cause.OTHER,
        CONFLICT,
    ),
    (
        "hashicorp/terraform#9732",
        "RRSet of type CNAME with DNS name \\052.example.com. is not permitted as it conflicts with other records with"
        " the same DNS name in zone example.com.",
        ["*.example.com CNAME"],
        Cause.OTHER,
        CONFLICT,
    ),
    (
        "kubernetes-sigs/external-dns#2426",
        "Tried to create an alias that targets d1997.cloudfront.net., type A in zone ZELB, but the alias target name"
        " does not lie within the target zone, Tried to create an alias that targets d1997.cloudfront.net., type A in"
        " zone ZELB, but that target was not found",
        ["lb.example.com A"],
        Cause.OTHER,
        INVALID,
    ),
    (
        "hashicorp/terraform#10048",
        "Invalid Resource Record: FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks)"
        ' encountered with \'""aaa" "bbb""\'',
        ["text.example.com TXT"],
        Cause.MALFORMED,
        INVALID,
    ),
    (
        "kubernetes-sigs/external-dns#1929",
        "Duplicate Resource Record: '10.221.8.236', Duplicate Resource Record: '10.221.3.179'",
        ["many.example.com A"],
        Cause.MALFORMED,
        INVALID,
    ),
    (
        "ansible/ansible#23435",
        "Invalid Resource Record: 'FATAL problem: MXRRDATAPriorityRequired (MX record must have a priority) encountered"
        " with '10 aspmx.example.net.''",
        ["mail.example.com MX"],
        Cause.MALFORMED,
        INVALID,
    ),
    (
        "amazon-archives/service-discovery-ecs-dns#3",
        "RRSet with DNS name demo.example.com. is not permitted in zone example.org.",
        ["demo.example.com A", "demo.example.com TXT"],
        Cause.MALFORMED,
        INVALID,
    ),
    (
        "virtualmin/virtualmin-gpl#1000",
        "The request contains an invalid set of changes for a resource record set 'MX mail.example.com.'",
        ["mail.example.com MX"],
        Cause.OTHER,
        INVALID,
    ),
]


@pytest.mark.parametrize(("report", "said", "accused", "cause", "reason"), REFUSALS)
@pytest.mark.spec("R53-IB-001", "R53-IB-003")
def test_a_refusal_accuses_the_record_sets_that_it_is_about_and_no_other(
    report: str, said: str, accused: list[str], cause: Cause, reason: Reason
) -> None:
    offences = isolate(BATCH, split_messages(f"[{said}]")).offences

    assert [f"{each.group.name} {each.group.types[0]}" for each in offences] == accused, report
    assert {(each.cause, each.reason) for each in offences} == {(cause, reason)}


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ("kubernetes-sigs/external-dns#515", "RDATA character limit of 32000 exceeded."),
        ("kubernetes-sigs/external-dns#368", "Cannot have more than 4000 changes in a batch."),
        ("kubernetes/kops#551", "Duplicate Resource Record: 10.221.3.179"),
        ("ansible/ansible#6112", "Invalid Resource Record: FATAL problem: InvalidTXTRDATA encountered at demo"),
        ("rancher/rancher#10253", "Cannot have more than 100 records in a RRSet"),
        (
            "ministryofjustice/cloud-platform#4294",
            f"FATAL problem: DomainLabelTooLong (Domain label is too long) encountered with 'cname-{'x' * 64}'",
        ),
        (
            "crossplane-contrib/provider-upjet-aws#1806",
            "Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or"
            " TrafficPolicyInstanceId], but found none in Change with [Action=CREATE, Name=x.example.com., Type=A,"
            " SetIdentifier=null]",
        ),
    ],
)
@pytest.mark.spec("R53-IB-002")
def test_a_refusal_that_accuses_nobody_halves_the_batch(report: str, said: str) -> None:
    isolation = isolate(BATCH, split_messages(f"[{said}]"))

    assert (isolation.offences, [len(batch) for batch in isolation.batches]) == ((), [4, 4]), report
