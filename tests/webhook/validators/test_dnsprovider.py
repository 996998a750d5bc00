"""DNSProvider and ClusterDNSProvider: every rule with its path and words."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.externaldns.dnsprovider import CONFIG_KEYS
from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.webhook.objects import (
    changed,
    cluster_dns_provider,
    condition,
    creation,
    dns_provider,
    status_update,
    update,
)
from webhook.answer import Answer
from webhook.review import Review
from webhook.validators.dnsprovider import (
    validate_cluster,
    validate_cluster_status,
    validate_namespaced,
    validate_namespaced_status,
)
from webhook.validators.snapshot import KnownPipeline, Snapshot

SELECTED: JsonObject = {"refs": [{"name": "example-com"}]}
CLUSTER_SELECTED: JsonObject = {"refs": [{"namespace": "dns", "name": "example-com"}]}
MOVING = "to take over records of another deployment set spec.adoption to Matching and see the migration page"
KNOWN = f"known settings: {', '.join(CONFIG_KEYS)}"


def _check(review: Review, *known: KnownPipeline) -> Answer:
    rule = validate_namespaced if review.namespace else validate_cluster
    return rule(review, Snapshot(pipelines=known))


def _told(document: JsonObject, *known: KnownPipeline) -> list[str]:
    return [str(problem) for problem in _check(creation(document), *known).problems]


@pytest.mark.parametrize(
    "document",
    [
        dns_provider(),
        dns_provider(spec__domainFilter={"include": [".app.example.com"]}),
        dns_provider(spec__domainFilter=None),
        dns_provider(spec__zones=SELECTED, spec__credentialsRef=None, spec__config=None),
        dns_provider(spec__zones={"refs": [{"namespace": "dns", "name": "shared"}]}, spec__config=None),
        dns_provider(spec__type="dns-api", spec__zones={"selector": {}}, spec__config=None),
        dns_provider(spec__registry={"type": "ledger", "txtOwnerId": "app/mine"}),
        dns_provider(
            spec__config={"aws-assume-role": "arn:aws-cn:iam::111122223333:role/a", "aws-region": "cn-north-1"}
        ),
        dns_provider(
            spec__config={
                "aws-account-id": "111122223333",
                "aws-assume-role": "arn:aws:iam::111122223333:role/dns",
                "aws-assume-role-external-id": "a secret between two",
                "aws-evaluate-target-health": "false",
                "aws-prefer-cname": "true",
                "aws-zone-type": "public",
            },
            spec__policy="upsert-only",
            spec__adoption="Matching",
            spec__defaults={"ttl": 60},
        ),
        cluster_dns_provider(),
        cluster_dns_provider(spec__credentialsRef={"name": "keys"}),
        cluster_dns_provider(spec__allowedRecords={"name": {"pattern": ".*"}, "types": ["A", "TXT", "NS"]}),
        cluster_dns_provider(spec__zones=CLUSTER_SELECTED, spec__allowedNamespaces=None, spec__allowedRecords=None),
        cluster_dns_provider(spec__registry={"txtOwnerId": "anything at all"}),
    ],
)
@pytest.mark.spec("ROUTE-GO-011")
def test_a_sound_pipeline_is_allowed(document: JsonObject) -> None:
    assert _told(document) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"spec__type": "cloudflare"}, "spec.type: must be one of aws, dns-api"),
        ({"spec__type": None}, "spec.type: is required"),
        ({"spec__policy": "delete"}, "spec.policy: must be one of sync, upsert-only, create-only"),
        ({"spec__adoption": "Always"}, "spec.adoption: must be one of Never, Matching"),
        ({"spec__defaults": {"ttl": 0}}, "spec.defaults.ttl: must be at least 1"),
        (
            {"spec__type": "dns-api", "spec__config": None},
            "spec.zones: is required when type is dns-api: only aws finds the zones of an account itself",
        ),
        ({"spec__zones": {}}, "spec.zones: must name Zones by selector, by refs, or by both"),
        (
            {"spec__zones": {"selector": {"matchLabels": {"a b": "c"}}}},
            'spec.zones.selector.matchLabels[a b]: "a b" is no label key: write name or domain/name, '
            "such as appthrust.io/tenant",
        ),
        (
            {"spec__zones": {"refs": [{"namespace": "a.b", "name": "x"}]}},
            "spec.zones.refs[0].namespace: is no legal namespace name: use at most 63 lower-case letters, digits and "
            '"-", beginning and ending with a letter or digit',
        ),
        (
            {"spec__credentialsRef": {"name": "Keys"}},
            'spec.credentialsRef.name: is no legal object name: use lower-case letters, digits, "-" and ".", '
            "beginning and ending with a letter or digit",
        ),
        (
            {"spec__credentialsRef": None},
            "spec.credentialsRef: is required without spec.zones: a namespace never acts with the controller's own "
            "role",
        ),
    ],
)
@pytest.mark.spec("ROUTE-CO-003", "ROUTE-GO-016")
def test_a_wrong_shape_or_mode_is_refused(changes: dict[str, JsonValue], told: str) -> None:
    assert _told(dns_provider(**changes)) == [told]


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"include": ["Example.com"]}, "include[0]: must be lower case: write example.com"),
        ({"include": ["a.example.com", "example.com."]}, "include[1]: must not end with a dot: write example.com"),
        (
            {"include": ["*.example.com"]},
            "include[0]: must not have a wildcard: example.com covers every name below it",
        ),
        ({"include": ["https://example.com"]}, "include[0]: must be a DNS name, not a URL"),
        ({"exclude": ["bücher.example"]}, "exclude[0]: must be ASCII: write xn--bcher-kva.example"),
        ({"exclude": [""]}, "exclude[0]: must not be empty"),
        ({"exclude": ["."]}, "exclude[0]: must not be empty"),
        ({"include": ["example.com", ".example.com"]}, "include[1]: is listed twice"),
    ],
)
@pytest.mark.spec("ROUTE-GO-017")
def test_a_domain_filter_holds_domain_names(filters: JsonObject, told: str) -> None:
    assert _told(dns_provider(spec__domainFilter=filters)) == [f"spec.domainFilter.{told}"]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"aws-profile": "x"}, [f'spec.config: unknown setting "aws-profile"; {KNOWN}']),
        ({"aws-account-id": "1"}, ["spec.config.aws-account-id: must be an AWS account id: twelve digits"]),
        (
            {"aws-assume-role": "dns"},
            ["spec.config.aws-assume-role: must be the ARN of an IAM role such as arn:aws:iam::111122223333:role/dns"],
        ),
        ({"aws-region": "Frankfurt"}, ["spec.config.aws-region: must be an AWS region such as eu-central-1"]),
        ({"aws-prefer-cname": "yes"}, ['spec.config.aws-prefer-cname: must be "true" or "false"']),
        ({"aws-evaluate-target-health": ""}, ['spec.config.aws-evaluate-target-health: must be "true" or "false"']),
        (
            {"aws-zone-type": "private"},
            ["spec.config.aws-zone-type: must be public: private hosted zones are not supported"],
        ),
        (
            {"aws-assume-role-external-id": "abc"},
            ["spec.config.aws-assume-role-external-id: has a meaning only beside aws-assume-role"],
        ),
    ],
)
@pytest.mark.spec("ROUTE-GO-018")
def test_a_setting_is_known_and_has_a_sensible_value(config: JsonObject, told: list[str]) -> None:
    account: JsonObject = {} if {"aws-account-id", "aws-assume-role"} & config.keys() else {"aws-account-id": "1" * 12}
    assert _told(dns_provider(spec__config={**account, **config})) == told


@pytest.mark.spec("ROUTE-GO-018")
def test_very_many_unknown_settings_are_counted_no_further_than_needed() -> None:
    config: JsonObject = {f"key-{number}": "x" for number in range(5000)}
    assert len(_told(dns_provider(spec__config=config))) == 200


@pytest.mark.parametrize("config", [None, {}, {"aws-region": "eu-central-1"}])
@pytest.mark.spec("ROUTE-CO-006")
def test_a_managed_pipeline_knows_its_account(config: JsonValue) -> None:
    told = "spec.config.aws-account-id: is required where no aws-assume-role names the account"
    assert _told(dns_provider(spec__config=config)) == [told]
    assert _told(cluster_dns_provider(spec__config=config)) == [told]
    assert _told(dns_provider(spec__config=config, spec__zones=SELECTED)) == []


@pytest.mark.spec("ROUTE-CO-006")
def test_account_and_role_are_of_one_account() -> None:
    config: JsonObject = {"aws-account-id": "9" * 12, "aws-assume-role": "arn:aws:iam::111122223333:role/dns"}
    assert _told(dns_provider(spec__config=config)) == [
        "spec.config.aws-account-id: must be the account of aws-assume-role"
    ]


@pytest.mark.parametrize(
    ("registry", "told"),
    [
        (
            {"type": "txt"},
            "spec.registry.type: must be ledger: ownership is kept in the Kubernetes API, not in TXT records; "
            f"{MOVING}",
        ),
        (
            {"txtPrefix": "edns-"},
            f"spec.registry.txtPrefix: has no meaning here: no TXT records are written; {MOVING}",
        ),
        ({"txtOwnerId": "other/mine"}, "spec.registry.txtOwnerId: must start with app/ in a DNSProvider"),
        ({"txtOwnerId": "application"}, "spec.registry.txtOwnerId: must start with app/ in a DNSProvider"),
    ],
)
@pytest.mark.spec("ROUTE-CO-010", "ROUTE-GO-021")
def test_a_registry_other_than_the_ledger_is_refused(registry: JsonObject, told: str) -> None:
    assert _told(dns_provider(spec__registry=registry)) == [told]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"spec__allowedNamespaces": None},
            "spec.allowedNamespaces: is required without spec.zones: it is what the managed Zones admit",
        ),
        (
            {"spec__allowedRecords": None},
            "spec.allowedRecords: is required without spec.zones: it is what the managed Zones admit",
        ),
        (
            {"spec__allowedNamespaces": {"selector": {}}},
            "spec.allowedNamespaces.selector: must not be empty: zones cannot be opened to all namespaces, select them "
            "by a label",
        ),
        ({"spec__allowedNamespaces": {}}, "spec.allowedNamespaces.selector: is required"),
        (
            {"spec__allowedRecords": {"name": {"pattern": "(a"}}},
            "spec.allowedRecords.name.pattern: is not a valid RE2 expression: missing ): (a",
        ),
        (
            {"spec__allowedRecords": {"types": ["A", "SRV"]}},
            'spec.allowedRecords.types[1]: "SRV" is no record type; write one of A, AAAA, TXT, CNAME, MX, CAA, NS',
        ),
        (
            {"spec__zones": SELECTED},
            "spec.zones.refs[0].namespace: is required: a ClusterDNSProvider has no namespace of its own",
        ),
    ],
)
@pytest.mark.spec("ROUTE-MG-003")
def test_a_cluster_pipeline_says_what_its_zones_admit(changes: dict[str, JsonValue], told: str) -> None:
    assert _told(cluster_dns_provider(**changes)) == [told]


def _known(namespace: str, name: str, owner: str) -> KnownPipeline:
    return KnownPipeline(ObjectKey(namespace, name), owner)


@pytest.mark.parametrize(
    ("document", "rival", "whose"),
    [
        (cluster_dns_provider(), _known("", "other", "prod"), "ClusterDNSProvider other"),
        (cluster_dns_provider(spec__registry={"txtOwnerId": "a/b"}), _known("a", "b", "a/b"), "DNSProvider a/b"),
        (dns_provider(), _known("app", "other", "app/team"), "DNSProvider app/other"),
        (dns_provider(), _known("", "greedy", "app/team"), "another pipeline"),
    ],
)
@pytest.mark.spec("ROUTE-CO-007", "ROUTE-CO-008")
def test_an_owner_id_is_unique_and_strangers_are_not_named(
    document: JsonObject, rival: KnownPipeline, whose: str
) -> None:
    own = rival.owner_id
    assert _told(document, rival) == [
        f'spec.registry.txtOwnerId: "{own}" is already the owner id of {whose}; choose another one'
    ]
    assert _told(document, replace(rival, owner_id="free")) == []


@pytest.mark.spec("ROUTE-CO-008")
def test_a_pipeline_is_not_its_own_rival_and_keeps_what_it_has() -> None:
    same, rival = _known("", "prod", "prod"), _known("", "other", "prod")
    assert _told(cluster_dns_provider(), same) == []
    kept = update(cluster_dns_provider(), cluster_dns_provider(spec__policy="sync"))
    assert _check(kept, same, rival).allowed
    taken = update(cluster_dns_provider(), cluster_dns_provider(spec__registry={"txtOwnerId": "x"}))
    assert not _check(taken, same, _known("", "other", "x")).allowed


@pytest.mark.spec("ROUTE-GO-023")
def test_settings_without_effect_are_told() -> None:
    answer = _check(creation(dns_provider(spec__zones=SELECTED)))
    assert answer.allowed
    assert answer.warnings == (
        "spec.config.aws-assume-role has no effect beside spec.zones: those Zones have an identity of their own",
        "spec.credentialsRef has no effect beside spec.zones: those Zones have an identity of their own",
    )
    answer = _check(creation(cluster_dns_provider(spec__zones=CLUSTER_SELECTED, spec__config=None)))
    assert answer.warnings == (
        "spec.allowedNamespaces has no effect beside spec.zones: those Zones say themselves what they admit",
        "spec.allowedRecords has no effect beside spec.zones: those Zones say themselves what they admit",
    )


@pytest.mark.parametrize("setting", ["aws-account-id", "aws-assume-role-external-id", "aws-region"])
@pytest.mark.spec("ROUTE-GO-023")
def test_every_setting_of_an_identity_is_told_beside_zones_alone(setting: str) -> None:
    values: dict[str, JsonValue] = {
        "aws-account-id": "111122223333",
        "aws-assume-role": "arn:aws:iam::111122223333:role/dns",
        "aws-assume-role-external-id": "id",
        "aws-region": "eu-central-1",
    }
    told = f"spec.config.{setting} has no effect beside spec.zones: those Zones have an identity of their own"
    assert told in _check(creation(dns_provider(spec__zones=SELECTED, spec__config=values))).warnings
    assert _check(creation(dns_provider(spec__config=values))).warnings == ()
    assert _check(creation(cluster_dns_provider(spec__config=values))).warnings == ()


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ({"observedGeneration": 3, "conditions": [condition("Ready", "True", "ProviderInitialized")]}, []),
        ({"conditions": [condition("Ready", "False", "ZoneNotFound")]}, []),
        ({"conditions": [condition("Ready", "False", "InvalidSpec")]}, []),
        ({"conditions": [condition("Ready", "False", "AuthFailed")], "records": 4}, []),
        ({"observedGeneration": 4}, ["status.observedGeneration: must be at most metadata.generation (3), is 4"]),
        (
            {"conditions": [condition("Accepted", "True", "Accepted")]},
            ['status.conditions[0].type: "Accepted" is unknown; known types: Ready'],
        ),
        (
            {"conditions": [condition("Ready", "True", "AuthFailed")]},
            ['status.conditions[0].reason: "AuthFailed" is no reason for Ready=True'],
        ),
    ],
)
@pytest.mark.spec("ROUTE-ST-008")
def test_a_status_has_known_reasons(status: JsonObject, told: list[str]) -> None:
    namespaced = validate_namespaced_status(status_update(dns_provider(), status), Snapshot())
    cluster = validate_cluster_status(status_update(changed(cluster_dns_provider()), status), Snapshot())
    assert [str(problem) for problem in namespaced.problems] == told
    assert [str(problem) for problem in cluster.problems] == told
