"""Group, annotations, labels, finalizers and tag keys: the literal names of the API."""

GROUP = "dns.appthrust.io"
VERSION = "v1alpha1"
API_VERSION = f"{GROUP}/{VERSION}"
ROUTE53_GROUP = "route53.dns.appthrust.io"
ROUTE53_PROVIDER = "route53.dns.appthrust.io"
ROUTE53_CONTROLLER = "route53.dns.appthrust.io/controller"

ZONE_FINALIZER = f"{GROUP}/zone-finalizer"
RECORDSET_FINALIZER = f"{GROUP}/recordset-finalizer"
ZONEUNIT_FINALIZER = f"{GROUP}/zoneunit-finalizer"
ROUTE53_ZONEUNIT_FINALIZER = f"{ROUTE53_GROUP}/zoneunit-finalizer"
ROUTE53_IN_USE_FINALIZER = f"{ROUTE53_GROUP}/in-use"

DESCRIPTION_ANNOTATION = f"{GROUP}/description"
RECONCILE_REQUEST_ANNOTATION = f"{GROUP}/reconcile-request"
PAUSED_ANNOTATION = f"{GROUP}/paused"
CONFIRM_DELETIONS_ANNOTATION = f"{GROUP}/confirm-deletions"
RECREATE_ZONE_ANNOTATION = f"{GROUP}/recreate-zone"
RESTORE_ANNOTATION = f"{GROUP}/restore"
DELETION_POLICY_ANNOTATION = f"{GROUP}/deletion-policy"
"""On a RecordSet: what its deletion does with what it has at the provider, Delete (as if absent) or Retain."""
ALLOW_RETAIN_ANNOTATION = f"{GROUP}/allow-retain"
"""On a Zone: "true" lets RecordSets of other namespaces leave their record sets behind."""

COPIED_ANNOTATIONS = (
    RECONCILE_REQUEST_ANNOTATION,
    PAUSED_ANNOTATION,
    CONFIRM_DELETIONS_ANNOTATION,
    RECREATE_ZONE_ANNOTATION,
)
"""What core mirrors from a Zone to its ZoneUnit, removal included."""

ZONE_UNIT_LABEL = f"{GROUP}/zone-unit"
"""On a ZoneUnitSlice: the name of its ZoneUnit, or a hash of it where the name is longer than a label may be."""

TAG_MANAGED_BY = "appthrust.io/managed-by"
TAG_ZONE_NAMESPACE = "appthrust.io/zone-namespace"
TAG_ZONE_NAME = "appthrust.io/zone-name"
TAG_ZONE_CLASS_NAMESPACE = "appthrust.io/zone-class-namespace"
TAG_ZONE_CLASS_NAME = "appthrust.io/zone-class-name"
RESERVED_TAG_KEYS = frozenset(
    {TAG_MANAGED_BY, TAG_ZONE_NAMESPACE, TAG_ZONE_NAME, TAG_ZONE_CLASS_NAMESPACE, TAG_ZONE_CLASS_NAME}
)
