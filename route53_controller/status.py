"""Writes a status and tells of changed conditions: what the controllers of identities and classes share."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from libdnsapi.api.conditions import Condition, ConditionStatus
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectReference, ResourceType, WireModel
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.kubernetes import Kubernetes


class Recorder(Protocol):
    """Where Events go (`EventRecorder`)."""

    def emit(self, event: Event) -> None:
        """Have an Event written soon; never raises."""
        ...


class PatientRecorder(Recorder, Protocol):
    """Where Events go that may be put off (`EventRecorder`)."""

    def emit_if_it_stays(self, event: Event, stands: Callable[[], bool]) -> None:
        """Have an Event written some seconds later if what it tells of still stands then."""
        ...


async def replace_status(
    kubernetes: Kubernetes, resource: ResourceType, target: KubernetesObject, status: WireModel
) -> bytes:
    """PUT a status on the very version that `target` was read at; raises ConflictError and NotFoundError.

    The API server takes nothing else from the body: spec and metadata of a write to `/status` stay what they are.
    """
    body: JsonObject = {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {
            "namespace": target.metadata.namespace,
            "name": target.metadata.name,
            "uid": target.metadata.uid,
            "resourceVersion": target.metadata.resource_version,
        },
        "status": status.model_dump(mode="json", by_alias=True, exclude_none=True),
    }
    return await kubernetes.replace(resource, target.key, body, subresource="status")


def tell(
    recorder: Recorder, regarding: ObjectReference, conditions: Iterable[Condition], action: str = "Reconcile"
) -> None:
    """Emit one Event for each condition: Normal where it is True, Warning otherwise, its reason as the reason."""
    for condition in conditions:
        recorder.emit(_event(regarding, condition, action))


def tell_patiently(
    recorder: PatientRecorder,
    regarding: ObjectReference,
    conditions: Iterable[Condition],
    action: str,
    stands: Callable[[Condition], bool],
) -> None:
    """Tell of conditions; of an Unknown one, which may merely be new, some seconds later, if it `stands` then."""
    for condition in conditions:
        event = _event(regarding, condition, action)
        if condition.status == ConditionStatus.UNKNOWN:
            recorder.emit_if_it_stays(event, partial(stands, condition))
        else:
            recorder.emit(event)


def _event(regarding: ObjectReference, condition: Condition, action: str) -> Event:
    return Event(
        regarding=regarding,
        type="Normal" if condition.is_true else "Warning",
        reason=condition.reason,
        note=condition.message,
        action=action,
    )
