"""Carries out the plan of a host name: one write an action, in the plan's order."""

from core_controller.sources.annotations import Finding
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.measures import Measures
from core_controller.sources.news import News
from core_controller.sources.pipelines import Pipeline
from core_controller.sources.plan import Action, Change, Create, Delete, HostPlan, Orphan, is_ours
from core_controller.sources.recordsets import DesiredRecordSet
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.externaldns.names import HOSTNAME_ANNOTATION, ORPHANED_LABEL
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import (
    AlreadyExistsError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NamespaceTerminatingError,
    NotFoundError,
    TooLargeError,
)
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store

Refusals = list[tuple[SourceKey, Finding]]


class Publication:
    """Writes RecordSets."""

    def __init__(self, client: Kubernetes, record_sets: Store[RecordSet], news: News, measures: Measures) -> None:
        """Keep the parts; what is written is fed back into the store."""
        self._client = client
        self._record_sets = record_sets
        self._news = news
        self._measures = measures

    async def carry_out(self, plan: HostPlan) -> Refusals:
        """Write what is planned; return what the API refused. Other failures are raised, to be tried again.

        After a refused creation or change nothing is deleted: what it would replace stays.
        """
        refusals: Refusals = []
        for action in plan.actions:
            if not (refusals and isinstance(action, Delete)):
                refusals += await self._attempt(action)
        return refusals

    async def _attempt(self, action: Action) -> Refusals:
        try:
            return await self._do(action)
        except NamespaceTerminatingError:
            return []
        except (ForbiddenError, InvalidError, TooLargeError) as error:
            if isinstance(action, Create | Change):
                note = f"the API refused {action.desired.spec['type']} {action.desired.spec['name']}: {error.message}"
                return _for_all(action.desired, "RecordSetRefused", note)
            raise

    async def _do(self, action: Action) -> Refusals:
        match action:
            case Create():
                return await self._create(action.desired)
            case Change():
                await self._patch(action.desired.key, action.patch, action.resource_version)
                self._count(action.desired.pipeline, "update")
            case Orphan():
                mark: JsonObject = {"metadata": {"labels": {ORPHANED_LABEL: "true"}}}
                await self._patch(action.key, mark, action.resource_version)
            case Delete():
                await self._delete(action)
        return []

    async def _create(self, desired: DesiredRecordSet) -> Refusals:
        try:
            raw = await self._client.create(RECORD_SETS, desired.key.namespace, desired.body())
        except AlreadyExistsError:
            return await self._meet(desired)
        self._record_sets.observe(raw)
        self._count(desired.pipeline, "create")
        shown = f"{desired.pipeline.kind} {desired.pipeline.key.name}"
        note = f"{shown} publishes {desired.spec['type']} {desired.spec['name']} in Zone {desired.zone}"
        for source in desired.contributors:
            self._news.emit(source, Finding("RecordSetCreated", note, warning=False), "Publish")
        return []

    async def _meet(self, desired: DesiredRecordSet) -> Refusals:
        """Look at what has the name: our own, of which the cache does not know yet, or somebody else's."""
        raw = await self._client.get(RECORD_SETS, desired.key)
        found = RecordSet.model_validate_json(raw)
        self._record_sets.observe(raw)
        if is_ours(found):
            if found.metadata.annotations.get(HOSTNAME_ANNOTATION) != desired.annotations[HOSTNAME_ANNOTATION]:
                return await self._reclaim(found, desired)
            raise ConflictError(409, "Conflict", f"RecordSet {desired.key} was not in the cache yet")
        note = f"RecordSet {desired.key.name} exists and was not made by the sources; it is left alone"
        return _for_all(desired, "RecordSetExists", note)

    async def _reclaim(self, found: RecordSet, desired: DesiredRecordSet) -> Refusals:
        """Put the annotations of a RecordSet of ours right whose host name somebody edited: it was not found by it."""
        annotations: JsonObject = {**desired.annotations}
        await self._patch(found.key, {"metadata": {"annotations": annotations}}, found.metadata.resource_version)
        self._count(desired.pipeline, "update")
        return []

    async def _patch(self, key: ObjectKey, patch: JsonObject, resource_version: str) -> None:
        metadata = patch.get("metadata")
        conditional: JsonObject = {**metadata} if isinstance(metadata, dict) else {}
        conditional["resourceVersion"] = resource_version
        raw = await self._client.merge_patch(RECORD_SETS, key, {**patch, "metadata": conditional})
        self._record_sets.observe(raw)

    async def _delete(self, action: Delete) -> None:
        try:
            await self._client.delete(RECORD_SETS, action.key, uid=action.uid, resource_version=action.resource_version)
            # Read what is left of it, so that the cache knows of the deletion before the watch does.
            self._record_sets.observe(await self._client.get(RECORD_SETS, action.key))
        except NotFoundError:
            self._record_sets.forget(action.key)
        self._count(action.pipeline, "delete")
        for contributor in action.contributors:
            note = f"{action.pipeline.kind} {action.pipeline.key.name} withdraws RecordSet {action.key.name}"
            finding = Finding("RecordSetDeleted", note, warning=False)
            self._news.emit(SourceKey.parse(contributor), finding, "Publish")

    def _count(self, pipeline: Pipeline, action: str) -> None:
        self._measures.writes.labels(pipeline.full_name, action).inc()


def _for_all(desired: DesiredRecordSet, reason: str, note: str) -> Refusals:
    return [(source, Finding(reason, note)) for source in desired.contributors]
