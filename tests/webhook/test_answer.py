"""Answers as kubectl's users read them."""

import pytest

from libdnsapi.dns.problems import Problem
from webhook.answer import ALLOWED, MAX_LISTED, Answer, Refusal, failed, forbidden, message, review_answer


def test_an_allowed_review_says_no_more() -> None:
    assert review_answer("u", ALLOWED)["response"] == {"uid": "u", "allowed": True}


def test_one_problem_is_one_line() -> None:
    assert message((Problem("spec.ttl", "is required"),)) == "spec.ttl: is required"


def test_several_problems_are_a_list() -> None:
    problems = (Problem("spec.ttl", "is required"), Problem("", "is odd"))
    assert message(problems) == "\n- spec.ttl: is required\n- is odd"


def test_very_many_problems_are_counted() -> None:
    text = message(tuple(Problem(f"spec.a[{n}]", "is wrong") for n in range(MAX_LISTED + 7)))
    assert text.endswith("\n- and 7 more")
    assert text.count("\n") == MAX_LISTED + 1


def test_a_refusal_carries_code_reason_and_causes() -> None:
    response = review_answer("u", Answer((Problem("spec.ttl", "is required"), Problem("", "is odd"))))["response"]
    assert isinstance(response, dict)
    assert response["status"] == {
        "status": "Failure",
        "code": 422,
        "reason": "Invalid",
        "message": "\n- spec.ttl: is required\n- is odd",
        "details": {"causes": [{"reason": "FieldValueInvalid", "field": "spec.ttl", "message": "is required"}]},
    }


def test_a_refusal_names_the_object_as_the_api_server_does() -> None:
    response = review_answer("u", Answer((Problem("spec.ttl", "is required"),)), "RecordSet", "www")["response"]
    assert isinstance(response, dict)
    status = response["status"]
    assert isinstance(status, dict)
    details = status["details"]
    assert isinstance(details, dict)
    assert (details["kind"], details["name"]) == ("RecordSet", "www")


@pytest.mark.parametrize(
    ("answer", "code", "reason"),
    [
        (forbidden("no"), 403, "Forbidden"),
        (failed("no"), 500, "InternalError"),
        (failed("no", Refusal.MALFORMED), 400, "BadRequest"),
    ],
)
def test_refusals_differ_by_their_kind(answer: Answer, code: int, reason: str) -> None:
    response = review_answer("u", answer)["response"]
    assert isinstance(response, dict)
    status = response["status"]
    assert isinstance(status, dict)
    assert (response["allowed"], status["code"], status["reason"]) == (False, code, reason)


def test_texts_are_single_lines_of_limited_length() -> None:
    response = review_answer("u", Answer((Problem("spec.a", "x\ny" + "z" * 5000),), ("w\r\n" + "v" * 5000,)))[
        "response"
    ]
    assert isinstance(response, dict)
    status, warnings = response["status"], response["warnings"]
    assert isinstance(status, dict)
    assert isinstance(warnings, list)
    assert len(str(status["message"])) <= 1024
    assert "\n" not in str(status["message"])
    assert str(warnings[0]).startswith("w\\r\\nv")
    assert len(str(warnings[0])) <= 1024


def test_a_field_path_made_of_a_long_key_is_cut() -> None:
    response = review_answer("u", Answer((Problem(f"spec.matchLabels[{'k' * 100_000}]", "is odd"),)))["response"]
    assert len(str(response)) < 3000


def test_what_users_wrote_moves_no_terminal() -> None:
    answer = Answer((Problem("spec.x[\x1b[2J]", 'label "\x1b[31m\u202e" is odd'),), ("\x9b0m",))
    response = review_answer("u", answer)["response"]
    assert isinstance(response, dict)
    status = response["status"]
    assert isinstance(status, dict)
    assert status["message"] == 'spec.x[\\x1b[2J]: label "\\x1b[31m\\u202e" is odd'
    assert status["details"] == {
        "causes": [
            {"reason": "FieldValueInvalid", "field": "spec.x[\\x1b[2J]", "message": 'label "\\x1b[31m\\u202e" is odd'}
        ]
    }
    assert response["warnings"] == ["\\x9b0m"]
