from libdnsapi.api import names
from libdnsapi.api.reasons import Reason
from tools import reference
from tools.annotation_advice import ANNOTATIONS
from tools.generated import drift
from tools.kinds import KINDS
from tools.reason_advice import ACTORS, ADVICE, NOBODY, NOTHING, WHO


def test_the_committed_pages_are_what_the_models_say() -> None:
    assert drift(reference.files()) == []


def test_every_reason_says_what_it_means_and_what_to_do() -> None:
    assert set(ADVICE) == set(Reason)
    assert all(advice.meaning.endswith(".") and advice.action.endswith(".") for advice in ADVICE.values())


def test_every_reason_has_a_row_that_says_who_acts() -> None:
    rows = [line for line in reference.conditions_page().splitlines() if line.count("|") == 5]
    told = {cells[1]: cells[3] for line in rows for cells in ([cell.strip() for cell in line.split("|")],)}

    assert {reason.value for reason in Reason} <= told.keys()
    assert {told[reason.value] for reason in Reason} == set(WHO)


def test_who_is_told_to_do_nothing_is_nobody_and_nobody_else() -> None:
    idle = {reason for reason, advice in ADVICE.items() if advice.action == NOTHING}

    assert set(ACTORS) == set(Reason)
    assert {ACTORS[reason] for reason in idle} == {NOBODY}


def test_every_reason_stands_in_a_table() -> None:
    listed = {
        str(reason) for table in reference.TABLES.values() for _, _, row in reference._rows(table) for reason in row
    }

    assert {reason.value for reason in Reason} == listed


def test_every_kind_has_a_section_and_its_rules() -> None:
    page = reference.api_page()

    assert all(f"\n## {kind.resource.kind}\n" in page for kind in KINDS)
    assert "- `spec.domainName`: domainName is immutable: create another object and delete this one\n" in page
    told = "How long resolvers may keep the answer, in seconds; required unless an option of the provider rules it out."
    assert f"| `spec.ttl` | int32, 1…2147483647 |  | {told} |\n" in page


def test_every_annotation_that_people_write_is_described() -> None:
    annotations = {value for name, value in vars(names).items() if name.endswith("_ANNOTATION")}

    assert set(ANNOTATIONS) == annotations
    assert all(f"| `{name}` |" in reference.api_page() for name in annotations)


def test_what_the_route_53_provider_takes_is_described() -> None:
    page = reference.api_page()

    assert "| `ZoneClass.spec.parameters.sameNameZonePolicy` | Allow \\| Deny |  | Controls whether" in page
    assert "| `RecordSet.spec.options.alias.hostedZoneID` | string | yes | Hosted zone ID of the alias target" in page
    assert "- RecordSet: spec.ttl must be absent when spec.options.alias is set\n" in page
