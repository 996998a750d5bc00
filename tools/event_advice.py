"""Reasons of pipelines and of Events: what each means and what a person does; part of `docs/reference/conditions.md`.

Events that tell of a changed condition carry the condition's reason and are not repeated here.
"""

from tools.reason_advice import NOTHING, Advice

_KEPT = "Nothing is withdrawn meanwhile."
_BY_ITSELF = f"Wait; it goes on by itself. {_KEPT}"

PIPELINES: dict[str, Advice] = {
    "ProviderInitialized": Advice("The pipeline publishes into at least one Zone.", NOTHING),
    "InvalidSpec": Advice(
        "The pipeline's spec, or what was made of it, is refused.", "Correct what the message names."
    ),
    "AuthFailed": Advice(
        "The credentials behind its Zones do not work.", "Read the Ready condition of the Route53Identity."
    ),
    "ZoneNotFound": Advice(
        "There is no Zone for it, or one is not well.",
        "Correct `spec.zones` or `spec.domainFilter`, or read the conditions of the Zone that the message names.",
    ),
}
"""Reasons of the condition Ready of DNSProvider and ClusterDNSProvider."""

ROUTE53: dict[str, Advice] = {
    "Route53HostedZoneChangeSubmitted": Advice("Route 53 took a change of the hosted zone itself.", NOTHING),
    "Route53HostedZoneChangeInSync": Advice("That change is in force.", NOTHING),
    "Route53RecordSetChangeSubmitted": Advice("Route 53 took a change of this record set.", NOTHING),
    "Route53RecordSetChangeInSync": Advice("That change is in force.", NOTHING),
    "Route53OwnershipTagsReplaced": Advice(
        "The hosted zone said that it was somebody else's; adoption made it this Zone's.",
        "Make sure that no other cluster works on it.",
    ),
    "Route53DeletionsHeld": Advice(
        "More deletions are wanted than the guard lets through.",
        "If they are meant, annotate the Zone with the token of the message.",
    ),
    "Route53StillInUse": Advice(
        "A ZoneClass or Route53Identity was deleted and is kept, as the cleanup of Zones needs it.",
        "Delete the Zones that the message names; until then it serves them as before.",
    ),
    "ExternalResourceAdopted": Advice("What was at Route 53 already is now managed.", NOTHING),
    "ExternalResourceDeleted": Advice("The hosted zone or record set is deleted at Route 53.", NOTHING),
    "ExternalResourceRetained": Advice(
        "The Zone is gone and its hosted zone stays, as the class says; or a RecordSet is gone and its record set "
        "stays, as its annotation `deletion-policy` says, or as somebody gave it a routing policy or health check.",
        "Nothing where that is wanted. A record set that is not wanted is to be deleted at Route 53.",
    ),
}
"""By the Route 53 controller, on Zones and RecordSets but where it says otherwise."""

SOURCES: dict[str, Advice] = {
    "RecordSetCreated": Advice("A RecordSet was made for this object.", NOTHING),
    "RecordSetDeleted": Advice("A RecordSet of this object was withdrawn.", NOTHING),
    "RecordSetProgrammed": Advice("A RecordSet of this object is live.", NOTHING),
    "RecordSetRefused": Advice(
        "The API server or the webhook refuses the RecordSet; the message says why.", "Correct what it names."
    ),
    "RecordSetExists": Advice(
        "A RecordSet of that name was made by somebody else.", "Rename or delete it, or leave it in charge."
    ),
    "PipelineNotFound": Advice(f"An annotation names a pipeline that is not there. {_KEPT}", "Correct the annotation."),
    "PipelineDeleted": Advice(
        "The pipeline is gone; its RecordSets stay, with the label `sources.dns.appthrust.io/orphaned`.",
        "Delete them by that label, or let another pipeline take them up.",
    ),
    "NoPipeline": Advice(
        "No pipeline admits this object.", "Ask the pipelines' owner, or name one that admits it by annotation."
    ),
    "AmbiguousPipeline": Advice(
        f"Several pipelines would publish the name; none does. {_KEPT}",
        "Name one by the annotation `provider` or `cluster-provider`.",
    ),
    "OutsideDomainFilter": Advice(
        f"The name is outside of the pipeline's `domainFilter`. {_KEPT}", "Use another name or pipeline."
    ),
    "ZoneNotFound": Advice(f"The pipeline has no Zone for the name. {_KEPT}", "Add the Zone, or correct the name."),
    "AmbiguousZone": Advice(
        f"Several Zones of the pipeline have the same domain. {_KEPT}", "Narrow the pipeline's `spec.zones`."
    ),
    "RoutingPolicyNotSupported": Advice(f"`set-identifier` is refused. {_KEPT}", "Remove it to publish one record."),
    "RecordTypeNotSupported": Advice("The record type is none of the seven.", "Remove the entry."),
    "RecordTypesConflict": Advice(
        "Addresses and a CNAME are wanted at one name.", "Give all objects of the name the same kind of target."
    ),
    "SeveralHostnameTargets": Advice(
        "Several host names are wanted as the target of one name; the first one is used.", "Leave one."
    ),
    "AliasZoneUnknown": Advice(
        "The target is to be an alias, but its hosted zone is not known.",
        "Say it by the annotation `alias-hosted-zone-id`; within a Zone, wait until it is Programmed.",
    ),
    "ApexNeedsAlias": Advice(
        f"The domain itself cannot be a CNAME. {_KEPT}", "Point it at addresses, or at a target that can be an alias."
    ),
    "TargetIsItself": Advice(
        "A name would be its own target and is not published.", "Give the name itself addresses, or another target."
    ),
    "InvalidHostnameSource": Advice(
        "`ingress-hostname-source` or `gateway-hostname-source` has a value that means nothing.",
        "Write `annotation-only` or `defined-hosts-only`.",
    ),
    "InvalidHostname": Advice(f"A name is no legal host name. {_KEPT}", "Correct it."),
    "InvalidTarget": Advice("A target is neither an IP address nor a host name.", "Correct it."),
    "InvalidOption": Advice(
        "The value of an annotation, or of a property of a DNSEndpoint's entry, means nothing; it has no effect.",
        "Write one of those that the message names.",
    ),
    "InvalidTTL": Advice("The `ttl` cannot be read; the default is used.", "Write seconds, or `1m30s`."),
    "TTLWithoutEffect": Advice("An alias has the TTL of its target.", "Remove the TTL, or leave it."),
    "InvalidRecord": Advice(f"The content does not fit the record type. {_KEPT}", "Correct what the message names."),
    "AnnotationsDisagree": Advice(
        "Both prefixes are there and say different things; the first one is used.", "Remove the second."
    ),
    "AnnotationNotSupported": Advice(
        "Annotations of ExternalDNS that have no meaning here.", "Remove them, or see the how-to on migration."
    ),
    "PropertyNotSupported": Advice(
        "Properties of a DNSEndpoint's entry that have no meaning here.", "Remove them, or see the how-to on migration."
    ),
    "FQDNTemplateFailed": Advice(
        f"`--fqdn-template` does not fit this object. {_KEPT}", "Correct the template, or name hosts by annotation."
    ),
    "TargetFromUnresolved": Advice(
        f"What `target-from` refers to is not there, or may not be read. {_KEPT}",
        "Correct the annotation; what may be read is `sources.references` of the chart.",
    ),
    "GatewayNotFound": Advice("A Gateway, or a listener of it, that the object names is not there.", _BY_ITSELF),
    "GatewayWithoutAddress": Advice("The Gateway has no address at the moment.", _BY_ITSELF),
    "IngressWithoutAddress": Advice("The Ingress has no address at the moment.", _BY_ITSELF),
    "LoadBalancerWithoutAddress": Advice("The load balancer has no address at the moment.", _BY_ITSELF),
    "PodsWithoutAddress": Advice("No pod of the headless Service is ready at the moment.", _BY_ITSELF),
    "NodesWithoutAddress": Advice("No node answers for the Service at the moment.", _BY_ITSELF),
    "WaitsForHeldObject": Advice(
        "Another object of the namespace has a record of the name that is kept as it is.",
        "Put that object right; its own events say what is wrong.",
    ),
    "NoTarget": Advice(
        "The object names a host and has no address to publish it with.",
        "Wait for its load balancer or Gateway, or give a target; for a Service of type ClusterIP see the message.",
    ),
    "NameNotServed": Advice(
        "No listener of the Gateways that accept the route covers the name.", "Correct the name, or the listener."
    ),
    "RouteNotAccepted": Advice("A Gateway does not accept the route.", "Read the route's own status."),
    "RouteStatusOutdated": Advice(
        "A Gateway has not judged this generation of the route. What others give is published; nothing is withdrawn.",
        "Look at the Gateway's controller, or take the Gateway out of the route.",
    ),
    "GatewaysNotRead": Advice("Gateways cannot be seen at the moment.", _BY_ITSELF),
    "ListenerSetsNotRead": Advice("ListenerSets cannot be seen at the moment.", _BY_ITSELF),
    "AddressesNotRead": Advice("What gives the addresses cannot be seen at the moment.", _BY_ITSELF),
    "Unreadable": Advice("The object does not have the form of its kind.", "Correct it, or the CRD's version."),
    "EvaluationFailed": Advice(
        "A fault inside the sources.", "If it stays, look for the object's name in the log and report it."
    ),
}
"""On source objects, by the sources; some are told by the metric `dnsapi_sources_findings` alone."""
