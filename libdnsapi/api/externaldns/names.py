"""Group, labels and annotations of the sources: the literal names on the wire."""

EXTERNALDNS_GROUP = "externaldns.k8s.io"
EXTERNALDNS_VERSION = "v1alpha1"
SOURCES_GROUP = "sources.dns.appthrust.io"

ANNOTATION_PREFIXES = ("external-dns.kubernetes.io/", "external-dns.alpha.kubernetes.io/")
"""Both are read; where both are set the first wins (sources page, Endpoints)."""

MANAGED_BY_LABEL = "app.kubernetes.io/managed-by"
MANAGED_BY = "dnsapi-sources"
OWNER_LABEL = f"{SOURCES_GROUP}/owner"
"""On what a pipeline made: the hash of its owner id, which itself may be longer than a label."""
PIPELINE_LABEL = f"{SOURCES_GROUP}/pipeline"
"""On what a pipeline made: the hash of its kind, namespace and name."""
SOURCE_LABEL = f"{SOURCES_GROUP}/source"
"""On a RecordSet: the hash of its first contributing object."""
ORPHANED_LABEL = f"{SOURCES_GROUP}/orphaned"
"""On a RecordSet whose pipeline is gone."""
OWNER_ANNOTATION = f"{SOURCES_GROUP}/owner-id"
PIPELINE_ANNOTATION = f"{SOURCES_GROUP}/pipeline"
HOSTNAME_ANNOTATION = f"{SOURCES_GROUP}/hostname"
CONTRIBUTORS_ANNOTATION = f"{SOURCES_GROUP}/contributors"
"""On a RecordSet: every contributing object as `kind/namespace/name`, comma-separated and sorted."""
