"""What is said when a pipeline's object is deleted: nothing is withdrawn, and how to do it by hand (seed 000)."""

from core_controller.sources.pipelines import PipelineObject, hashed, pipeline_name
from libdnsapi.api.externaldns.dnsprovider import pipeline_resource
from libdnsapi.api.externaldns.names import PIPELINE_LABEL
from libdnsapi.api.meta import reference_to
from libdnsapi.runtime.events import Event


def deletion_notice(source: PipelineObject) -> Event:
    """Return the event about a pipeline that is gone."""
    label = f"{PIPELINE_LABEL}={hashed(pipeline_name(source.key))}"
    note = (
        "the pipeline is gone and its RecordSets stay; to withdraw them:"
        f" kubectl delete recordsets --all-namespaces --selector {label}"
    )
    return Event(reference_to(pipeline_resource(source.key), source), "Normal", "PipelineDeleted", note, "Delete")
