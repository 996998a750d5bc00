"""What may be added to a RecordSet whose objects cannot all be told: the values of those that can. Pure.

One bad object never stops the others (sources page, Endpoints). A RecordSet does not say which value is whose, so
nothing goes from it while one of its objects is held, and what the others ask for is put beside it. A CNAME and an
alias have one value, that of the oldest object (`contents`): where that is not one of the held ones, it is told.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from pydantic import JsonValue

from core_controller.sources.endpoints import SourceKey
from core_controller.sources.pipelines import hashed
from core_controller.sources.recordsets import DesiredRecordSet
from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.externaldns.names import CONTRIBUTORS_ANNOTATION, SOURCE_LABEL
from libdnsapi.api.meta import JsonObject
from libdnsapi.dns.records import content_problems

_UNKNOWN = datetime.min.replace(tzinfo=UTC)
"""An object of which it is not known when it was made may be the oldest."""


def with_additions(
    existing: RecordSet, wanted: DesiredRecordSet, contributors: tuple[SourceKey, ...], ages: Mapping[str, datetime]
) -> DesiredRecordSet | None:
    """Return a RecordSet as it stands with the wanted values beside its own, None where that cannot be.

    `contributors` are all objects that it comes from then; `ages` says when they were made, as far as that is known.
    """
    spec = _added_spec(existing, wanted)
    if _has_one_value(existing.spec.to_json()) and _has_one_value(wanted.spec):
        oldest = min(contributors, key=lambda one: (ages.get(str(one), _UNKNOWN), str(one)))
        spec = wanted.spec if oldest in wanted.contributors else None
    if spec is None:
        return None
    return replace(
        wanted,
        contributors=contributors,
        labels={**wanted.labels, SOURCE_LABEL: hashed(str(contributors[0]))},
        annotations={**wanted.annotations, CONTRIBUTORS_ANNOTATION: ",".join(map(str, contributors))},
        spec=spec,
    )


def _has_one_value(spec: JsonObject) -> bool:
    """Whether a spec is that of a CNAME or of an alias."""
    return spec["type"] == RecordType.CNAME or "options" in spec


def _added_spec(existing: RecordSet, wanted: DesiredRecordSet) -> JsonObject | None:
    """Return the spec with the values of both, None where there is none that the API would take."""
    now = existing.spec.to_json()
    body = _united(existing.spec.type, now, wanted.spec)
    if body is None:
        return None
    spec: JsonObject = {**now, existing.spec.type.body: body}
    try:
        content = RecordContent.model_validate({key: spec[key] for key in RecordContent.model_fields if key in spec})
    except ValueError:  # more values than a record set can have
        return None
    return None if content_problems(existing.spec.name, existing.spec.type, content) else spec


def _united(type_: RecordType, now: JsonObject, wanted: JsonObject) -> JsonObject | None:
    """Return a body with the values of both, those that stand first; None where a type has one value only."""
    bodies = now.get(type_.body), wanted.get(type_.body)
    if type_ is RecordType.CNAME or not all(isinstance(body, dict) for body in bodies):
        return None
    united: JsonObject = {}
    for body in bodies:
        for member, values in body.items() if isinstance(body, dict) else ():
            united[member] = _with(united.get(member), values)
    return united


def _with(some: JsonValue, more: JsonValue) -> list[JsonValue]:
    """Return the values of two lists, each once."""
    first = some if isinstance(some, list) else []
    return [*first, *(value for value in (more if isinstance(more, list) else ()) if value not in first)]
