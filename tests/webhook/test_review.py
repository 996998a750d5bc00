"""AdmissionReview bodies: what is read of them, and what is said about bad ones."""

import orjson
import pytest

from tests.webhook.objects import TENANT, creation, deletion, envelope, record_set, status_update, update, zone
from webhook.review import MalformedReviewError, Operation, parse_review

UID = '"uid": "u", "operation": "CREATE"'
HEAD = '"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"'


def test_a_review_is_read_with_its_user_and_objects() -> None:
    asked = update(zone(), zone(spec__allowedRecordSets=None), TENANT)
    assert parse_review(orjson.dumps(envelope(asked))) == asked


def test_a_status_review_knows_its_subresource() -> None:
    read = parse_review(orjson.dumps(envelope(status_update(zone(), {"observedGeneration": 1}))))
    assert (read.is_status, read.changes("status"), read.changes("spec")) == (True, True, False)


def test_everything_of_a_new_object_counts_as_changed() -> None:
    assert creation(record_set()).changes("spec")


def test_the_deletion_of_a_collection_names_each_object() -> None:
    document = envelope(deletion(zone()))
    request = document["request"]
    assert isinstance(request, dict)
    del request["name"]
    assert parse_review(orjson.dumps(document)).name == "example-com"


def test_dry_run_is_read() -> None:
    document = envelope(creation(zone()))
    request = document["request"]
    assert isinstance(request, dict)
    request["dryRun"] = True
    assert parse_review(orjson.dumps(document)).dry_run


@pytest.mark.parametrize(
    ("body", "message", "uid"),
    [
        ("", "the body is not valid JSON", ""),
        ("{", "the body is not valid JSON", ""),
        ('{"a": "\\ud800"}', "the body is not valid JSON", ""),
        ("[" * 100_000, "the object is nested too deeply", ""),
        ("[]", "the body is not a JSON object", ""),
        ("{}", "the body is not an admission.k8s.io/v1 AdmissionReview", ""),
        ('{"request": {"uid": "u"}}', "the body is not an admission.k8s.io/v1 AdmissionReview", "u"),
        (f"{{{HEAD}}}", "request.uid is missing", ""),
        (f'{{{HEAD}, "request": []}}', "request.uid is missing", ""),
        (f'{{{HEAD}, "request": {{"uid": "u"}}}}', "request.operation is none of CREATE, UPDATE, DELETE", "u"),
        (f'{{{HEAD}, "request": {{"uid": "u", "operation": "PATCH"}}}}', "request.operation is none of", "u"),
        (f'{{{HEAD}, "request": {{{UID}, "object": []}}}}', "request.object is not a JSON object", "u"),
        (f'{{{HEAD}, "request": {{{UID}, "oldObject": 1}}}}', "request.oldObject is not a JSON object", "u"),
    ],
)
def test_a_bad_body_is_named(body: str, message: str, uid: str) -> None:
    with pytest.raises(MalformedReviewError, match=message) as caught:
        parse_review(body.encode())
    assert caught.value.uid == uid


def test_invalid_utf_8_is_a_bad_body() -> None:
    with pytest.raises(MalformedReviewError, match="not valid JSON"):
        parse_review(b'{"a": "\xff"}')


def test_strange_members_of_a_review_are_left_out() -> None:
    document = orjson.loads(f'{{{HEAD}, "request": {{{UID}, "userInfo": {{"groups": [1, "g"], "username": 5}}}}}}')
    review = parse_review(orjson.dumps(document))
    assert (review.operation, review.user.name, review.user.groups) == (Operation.CREATE, "", frozenset({"g"}))
