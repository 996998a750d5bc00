"""Read the conditions of claims, and name the record set that a claim asks for."""

from e2e.conditions import conditions_of
from e2e.kube import Document

DNS = "dns.appthrust.io/v1alpha1"
ROUTE53 = "route53.dns.appthrust.io/v1alpha1"


def condition(document: Document, kind: str) -> Document:
    """Return a condition of the current generation, empty while there is none."""
    generation = document["metadata"]["generation"]
    for one in conditions_of(document):
        if one["type"] == kind and one.get("observedGeneration") == generation:
            found: Document = one
            return found
    return {}


def is_true(document: Document, kind: str) -> bool:
    """Whether a condition of the current generation is True."""
    return bool(condition(document, kind).get("status") == "True")


def verdict(document: Document, kind: str) -> str:
    """Return `status/reason` of a condition of the current generation, empty while there is none."""
    found = condition(document, kind)
    return f"{found['status']}/{found['reason']}" if found else ""


def title(document: Document) -> str:
    """Return kind, namespace and name, for people."""
    metadata = document["metadata"]
    return f"{document['kind']} " + "/".join(filter(None, (metadata.get("namespace"), metadata["name"])))


def summary(document: Document) -> str:
    """Return name, verdicts and messages, for people."""
    conditions = [condition(document, kind) for kind in ("Accepted", "Programmed", "Ready")]
    texts = [f"{one['type']}={one['status']} {one['reason']}: {one['message']}" for one in conditions if one]
    return f"{title(document)}: {'; '.join(texts) or 'no conditions yet'}"


def owner_name(record_set: Document, domain_name: str) -> str:
    r"""Return the name under which Route 53 lists a RecordSet: absolute, `*` as `\052`."""
    name = record_set["spec"]["name"]
    absolute = f"{domain_name}." if name == "@" else f"{name}.{domain_name}."
    return absolute.replace("*", "\\052")
