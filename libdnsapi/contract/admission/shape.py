"""What a wire model says about a document that does not have its shape, in the words of a manifest's author."""

import re

from pydantic import ValidationError

from libdnsapi.dns.problems import Problem, joined

MAX_PROBLEMS = 20
_WORDS = {
    "missing": "is required",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "tuple_type": "must be a list",
}
_SUBJECT = re.compile(r"[A-Z][a-z]+ should")


def shape_problems(error: ValidationError) -> tuple[Problem, ...]:
    """Return at most 20 findings with wire paths; values are never repeated."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(Problem(_path(d["loc"]), _message(d["type"], d["msg"])) for d in details[:MAX_PROBLEMS])


def _path(steps: tuple[int | str, ...]) -> str:
    path = ""
    for step in steps:
        path = joined(path, f"[{step}]" if isinstance(step, int) else step)
    return path


def _message(kind: str, text: str) -> str:
    if kind in _WORDS:
        return _WORDS[kind]
    text = text.replace(" after validation", "").removesuffix(".")
    subject = _SUBJECT.match(text)
    return f"must{text[subject.end() :]}" if subject else text
