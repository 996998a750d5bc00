"""One pipeline: the objects that it manages, and its status. The table of all pipelines is rebuilt here too."""

import contextlib
from collections.abc import Callable
from datetime import timedelta

from core_controller.sources.host_reconciler import BY_PIPELINE
from core_controller.sources.managed import ManagedObject, managed_name, managed_objects, spec_problem
from core_controller.sources.measures import Measures
from core_controller.sources.patches import replacing
from core_controller.sources.pipelines import Pipeline, PipelineObject
from core_controller.sources.standing import Standing, status_of
from core_controller.sources.tables import PipelineStores, PipelineTables
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.externaldns.dnsprovider import pipeline_resource
from libdnsapi.api.externaldns.names import MANAGED_BY, MANAGED_BY_LABEL, PIPELINE_LABEL
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime import rest
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import AlreadyExistsError, ForbiddenError, InvalidError, NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.store import Store

TABLE = ObjectKey("", "")
"""The key that has the table rebuilt."""
CHECK = timedelta(minutes=10)


class PipelineReconciler:
    """Keeps the table, the managed objects and the status of pipelines."""

    def __init__(  # noqa: PLR0913 — the parts of the controller, each by keyword
        self,
        *,
        client: Kubernetes,
        stores: PipelineStores,
        tables: PipelineTables,
        record_sets: Store[RecordSet],
        identities: Store[Route53Identity],
        changed: Callable[[frozenset[ObjectKey]], None],
        measures: Measures,
        clock: Clock,
        home: str,
    ) -> None:
        """Keep the parts; `changed` hears which pipelines differ, `home` is the controller's own namespace."""
        self._client = client
        self._stores = stores
        self._tables = tables
        self._record_sets = record_sets
        self._identities = identities
        self._changed = changed
        self._measures = measures
        self._clock = clock
        self._home = home

    async def reconcile(self, key: ObjectKey) -> Result:
        """Rebuild the table, or bring one pipeline's objects and status up to date."""
        if key == TABLE:
            changed = self._tables.rebuild()
            if changed:
                self._changed(changed)
            return Result()
        source = self._stores.get(key)
        if source is None or source.metadata.deleting:
            return Result()
        pipeline = self._tables.pipeline(source)
        refusal = None
        if source.spec.is_managed and spec_problem(source) is None and key not in self._tables.rivals:
            refusal = await self._manage(source, pipeline)
        await self._report(source, pipeline, refusal)
        return Result(requeue_after=CHECK)

    async def _report(self, source: PipelineObject, pipeline: Pipeline, refusal: str | None) -> None:
        records = self._record_sets.count(BY_PIPELINE, pipeline.label)
        self._measures.records.labels(pipeline.full_name).set(records)
        standing = Standing(
            source,
            pipeline,
            records,
            self._clock.now(),
            self._identity(source, pipeline),
            self._tables.rivals.get(source.key),
            refusal,
            tuple(found for zone in pipeline.zones if (found := self._stores.zones.fitting(zone.key)) is not None),
        )
        status = status_of(standing)
        if status == source.status:
            return
        patch: JsonObject = {
            "metadata": {"resourceVersion": source.metadata.resource_version},
            "status": status.model_dump(mode="json", by_alias=True, exclude_none=True),
        }
        resource = pipeline_resource(source.key)
        raw = await self._client.merge_patch(resource, source.key, patch, subresource="status")
        if source.metadata.namespace:
            self._stores.pipelines.observe(raw)
        else:
            self._stores.cluster_pipelines.observe(raw)

    # Managed pipelines.

    async def _manage(self, source: PipelineObject, pipeline: Pipeline) -> str | None:
        """Make what a managed pipeline needs; return what the API does not let us make."""
        home = source.metadata.namespace or self._home
        identity = self._identity(source, pipeline)
        hosted = (identity.status.hosted_zones if identity is not None else None) or ()
        zones = [
            zone.key
            for zone in self._stores.all_zones()
            if zone.metadata.namespace == home and zone.metadata.labels.get(PIPELINE_LABEL) == pipeline.label
        ]
        for wanted in managed_objects(source, pipeline, home, hosted, zones):
            shown = f"{wanted.resource.kind} {wanted.key}"
            try:
                if not await self._ensure(wanted):
                    return f"{shown} exists and was not made for this pipeline; it is left alone"
            except (ForbiddenError, InvalidError, NotFoundError) as error:
                return f"{shown} cannot be made: {error.message}"
        return None

    async def _ensure(self, wanted: ManagedObject) -> bool:
        """Create an object, or bring its spec up to date; say False of one that others made, which is left alone.

        Raises NotFoundError where its namespace or its kind does not exist.
        """
        try:
            existing = rest.read_object(await self._client.get(wanted.resource, wanted.key))
        except NotFoundError:
            if not wanted.is_kept:
                with contextlib.suppress(AlreadyExistsError):
                    await self._client.create(wanted.resource, wanted.key.namespace, wanted.body())
            return True
        labels = _labels(existing)
        if labels.get(MANAGED_BY_LABEL) != MANAGED_BY or labels.get(PIPELINE_LABEL) != wanted.labels[PIPELINE_LABEL]:
            return False
        spec = existing.get("spec")
        now: JsonObject = spec if isinstance(spec, dict) else {}
        patch: JsonObject = {
            key: replacing(now.get(key), value) for key, value in wanted.spec.items() if now.get(key) != value
        }
        patch |= {key: None for key in ("assumeRoleChain",) if key in now and key not in wanted.spec}
        if patch:
            await self._client.merge_patch(wanted.resource, wanted.key, {"spec": patch})
        return True

    def _identity(self, source: PipelineObject, pipeline: Pipeline) -> Route53Identity | None:
        if not source.spec.is_managed:
            return None
        home = source.metadata.namespace or self._home
        return self._identities.fitting(ObjectKey(home, managed_name(source, pipeline)))


def _labels(document: JsonObject) -> JsonObject:
    metadata = document.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return labels if isinstance(labels, dict) else {}
