from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import crds
from tools.generated import drift, run
from tools.kinds import KINDS, Kind

Schema = dict[str, Any]


def schemas(schema: Schema) -> Iterator[Schema]:
    yield schema
    children = [*schema.get("properties", {}).values()]
    children += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for child in children:
        yield from schemas(child)


def versions(kind: Kind) -> Schema:
    definition: Any = crds.definition(kind)
    version: Schema = definition["spec"]["versions"][0]
    return version


def test_the_committed_files_are_what_the_models_say() -> None:
    assert drift(crds.files(), owned=[crds.FOLDER]) == []


@pytest.mark.parametrize("path", crds.files())
def test_a_file_is_plain_yaml_for_helm_and_kubectl_alike(path: Path) -> None:
    text = crds.files()[path]

    assert "{{" not in text
    assert yaml.safe_load(text)["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"


@pytest.mark.spec("PC-AM-002")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_schemas_are_structural_and_without_defaults(kind: Kind) -> None:
    for schema in schemas(versions(kind)["schema"]["openAPIV3Schema"]):
        assert isinstance(schema.get("type"), str), schema
        assert not {"default", "$ref", "anyOf", "title", "nullable"} & schema.keys()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_every_field_is_described(kind: Kind) -> None:
    root = versions(kind)["schema"]["openAPIV3Schema"]
    bare = [
        name
        for schema in schemas(root)
        for name, child in schema.get("properties", {}).items()
        if not child.get("description") and (name, schema) != ("metadata", root)
    ]

    assert bare == []


@pytest.mark.spec("PC-AM-006")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_lists_and_strings_have_limits_where_rules_look_at_them(kind: Kind) -> None:
    spec = versions(kind)["schema"]["openAPIV3Schema"]["properties"]["spec"]
    unlimited = [schema for schema in schemas(spec) if schema["type"] == "array" and "maxItems" not in schema]

    assert unlimited == []


def test_short_names_are_unique_and_not_those_of_built_in_kinds() -> None:
    names = [name for kind in KINDS for name in kind.short_names]

    assert len(names) == len(set(names))
    assert not set(names) & {"rs", "ns", "po", "svc", "ds", "crd", "ing", "ep", "cm", "sa", "pv", "pvc", "no"}


def test_check_tells_what_drifted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale, missing = tmp_path / "stale.yaml", tmp_path / "missing.yaml"
    stale.write_text("")

    code = run("tools.crds", {missing: "new"}, owned=[tmp_path], argv=["--check"])

    assert code == 1
    assert stale.exists()
    assert "missing.yaml is not there" in capsys.readouterr().err


def test_writing_brings_files_up_to_date_and_removes_stale_ones(tmp_path: Path) -> None:
    stale, fresh = tmp_path / "stale.yaml", tmp_path / "fresh.yaml"
    stale.write_text("")

    run("tools.crds", {fresh: "new"}, owned=[tmp_path], argv=[])

    assert not stale.exists()
    assert fresh.read_text() == "new"
    assert run("tools.crds", {fresh: "new"}, owned=[tmp_path], argv=["--check"]) == 0


def test_only_groups_below_k8s_io_carry_a_word_on_their_approval() -> None:
    texts = [yaml.safe_load(text) for text in crds.files().values()]

    approved = {one["spec"]["group"] for one in texts if "api-approved.kubernetes.io" in one["metadata"]["annotations"]}

    assert approved == {"externaldns.k8s.io"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_what_a_rule_says_in_words_no_pattern_says_before_it(kind: Kind) -> None:
    """The API server says of a pattern only that a value should match it, and then evaluates no rule."""
    both = [
        schema
        for schema in schemas(versions(kind)["schema"]["openAPIV3Schema"])
        if "pattern" in schema and "x-kubernetes-validations" in schema
    ]

    assert both == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_columns_of_dates_show_times_that_are_past(kind: Kind) -> None:
    """The API server shows the time since a date, and `<invalid>` for one that is still to come."""
    dates = {column.path for column in kind.columns if column.type == "date"}

    assert dates <= {".metadata.creationTimestamp", ".status.lastCredentialCheckTime"}
