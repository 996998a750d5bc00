"""Events on claims. The ledger does not carry the claims' uids, so the claims' metadata is looked up."""

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import ObjectKey, ObjectReference, ResourceType
from libdnsapi.runtime.events import Event
from route53_controller.status import Recorder
from route53_controller.zoneunit.plan.actions import Notice
from route53_controller.zoneunit.stores import Claims, Stores


class NoticeBoard:
    """Turns notices into Events; a claim that is not known gets none."""

    def __init__(self, recorder: Recorder, stores: Stores) -> None:
        """Emit nothing yet."""
        self._recorder = recorder
        self._stores = stores

    def post(self, notice: Notice, zone: ObjectKey) -> None:
        """Emit a notice as an Event; those on RecordSets name the Zone as related."""
        if notice.kind == "Zone":
            regarding, related = _reference(ZONES, self._stores.zones, notice.key), None
        else:
            regarding = _reference(RECORD_SETS, self._stores.record_sets, notice.key)
            related = _reference(ZONES, self._stores.zones, zone)
        if regarding is not None:
            self._recorder.emit(
                Event(
                    regarding=regarding,
                    related=related,
                    type=notice.type,
                    reason=notice.reason,
                    note=notice.note,
                    action=notice.action,
                )
            )


def _reference(resource: ResourceType, claims: Claims, key: ObjectKey) -> ObjectReference | None:
    found = claims.digest(key)
    if found is None:
        return None
    return ObjectReference(
        api_version=resource.api_version,
        kind=resource.kind,
        namespace=key.namespace,
        name=key.name,
        uid=found.uid,
    )
