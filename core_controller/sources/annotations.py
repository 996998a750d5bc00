"""The annotations that users of ExternalDNS write, under both of its prefixes (sources page, Endpoints). Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libdnsapi.api.externaldns.names import ANNOTATION_PREFIXES

CONTROLLER = "dns-controller"
KNOWN = frozenset(
    {
        "access",
        "alias",
        "alias-hosted-zone-id",
        "aws-evaluate-target-health",
        "aws-target-hosted-zone",
        "cluster-provider",
        "controller",
        "dualstack",
        "gateway-hostname-source",
        "hostname",
        "ingress",
        "ingress-hostname-source",
        "internal-hostname",
        "provider",
        "set-identifier",
        "target",
        "target-from",
        "ttl",
    }
)
"""What is read under either prefix, on one kind or another."""
DUALSTACK = (
    ("alb.ingress.kubernetes.io/ip-address-type", ("dualstack", "dualstack-without-public-ipv4")),
    ("service.beta.kubernetes.io/aws-load-balancer-ip-address-type", ("dualstack",)),
)
"""Annotations of the AWS Load Balancer Controller, and the values that give the load balancer IPv6 addresses too."""
YES_OR_NO = ("true", "false")
CHOICES = {
    "access": ("public", "private"),
    "alias": (*YES_OR_NO, "A", "AAAA"),
    "aws-evaluate-target-health": YES_OR_NO,
    "dualstack": YES_OR_NO,
}
"""What options may say, in any case; all else has no effect."""
TTL_MAX = 2147483647
NOTE_MAX_LENGTH = 500
_DURATION = re.compile(r"(?P<number>\d+(?:\.\d*)?|\.\d+)(?P<unit>ns|us|µs|ms|s|m|h)")
_LONGEST_TTL = 64
"""Characters: the longest text that is read as a TTL; longer ones say nothing that a TTL can be."""
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to tell about a source object: `reason` is an event's reason, `note` a sentence for people.

    `pipelines` names the pipelines that it is about, for the metric; a quiet one is only counted there. A patient one
    is told only if it still is so some seconds later.
    """

    reason: str
    note: str
    warning: bool = True
    pipelines: str = ""
    quiet: bool = False
    patient: bool = False


class Annotations:
    """One object's annotations by their names without prefix; the first prefix wins.

    What is blank, as charts write what nobody set, counts as not written.
    """

    def __init__(self, annotations: Mapping[str, str]) -> None:
        """Read the supported prefixes."""
        self._annotations = annotations

    def get(self, name: str) -> str | None:
        """Return a value without white space around it, None where none or a blank one stands under any prefix."""
        found = (self._annotations.get(prefix + name, "").strip() for prefix in ANNOTATION_PREFIXES)
        return next((text for text in found if text), None)

    def written(self, name: str) -> str | None:
        """Return a value as it is written, a blank one too; None where there is none under any prefix."""
        return next((self._annotations[p + name] for p in ANNOTATION_PREFIXES if p + name in self._annotations), None)

    def items(self, name: str) -> tuple[str, ...]:
        """Return the comma-separated items of a value, trimmed, each once, in their order."""
        found = (item.strip() for item in (self.get(name) or "").split(","))
        return tuple(dict.fromkeys(item for item in found if item))

    def flag(self, name: str) -> bool | None:
        """Return a yes or no, None where neither was said."""
        return yes_or_no(self.get(name))

    def disagreements(self) -> tuple[Finding, ...]:
        """Name the annotations whose two prefixes say different things (case 55)."""
        first, second = ANNOTATION_PREFIXES
        said = {key: text.strip() for key, text in self._annotations.items() if text.strip()}
        names = sorted(key.removeprefix(first) for key in said if key.startswith(first))
        return tuple(
            Finding(
                "AnnotationsDisagree",
                f"{first}{name} and {second}{name} differ; the first one is used. Remove the second.",
            )
            for name in names
            if said.get(second + name, said[first + name]) != said[first + name]
        )

    def unsupported(self) -> tuple[Finding, ...]:
        """Name the annotations under our prefixes that have no meaning here."""
        keys = (key for key in self._annotations if key.startswith(ANNOTATION_PREFIXES))
        unknown = sorted(key for key in keys if key.partition("/")[2] not in KNOWN)
        note = f"without effect, because they are not supported: {', '.join(unknown)}"
        return (Finding("AnnotationNotSupported", note[:NOTE_MAX_LENGTH]),) if unknown else ()

    def meaningless(self) -> tuple[Finding, ...]:
        """Name the options whose values mean nothing."""
        said = ((name, self.get(name)) for name in CHOICES)
        return tuple(found for name, text in said if text is not None and (found := choice_problem(name, name, text)))

    @property
    def dualstack(self) -> bool:
        """Whether the object says that its load balancer has IPv6 addresses too."""
        if (said := self.flag("dualstack")) is not None:
            return said
        return any(self._annotations.get(key, "").strip() in values for key, values in DUALSTACK)

    @property
    def ask_for_dns(self) -> bool:
        """Whether the object says anything to us beyond who is to read it."""
        return any(
            key.startswith(prefix) and key != prefix + "controller"
            for key in self._annotations
            for prefix in ANNOTATION_PREFIXES
        )

    @property
    def is_for_us(self) -> bool:
        """Whether the `controller` annotation leaves the object to us; a blank one does not, as ExternalDNS has it."""
        named = self.written("controller")
        return named is None or named.strip() == CONTROLLER


def yes_or_no(text: str | None) -> bool | None:
    """Read a yes or no; None where it is neither."""
    return {"true": True, "false": False}.get(text.strip().lower()) if text is not None else None


def choice_problem(shown: str, option: str, text: str) -> Finding | None:
    """Say when a value of an option means nothing; `shown` is what its writer calls it."""
    choices = CHOICES[option]
    if text.strip().lower() in map(str.lower, ("", *choices)):
        return None
    return Finding("InvalidOption", f"{shown} is {text[:40]!r}, without effect: write one of {', '.join(choices)}")


def ttl_seconds(text: str) -> int | None:
    """Read a TTL: whole seconds, or a Go duration such as 1m30s; None for anything that is no TTL."""
    text = text.strip()
    if len(text) > _LONGEST_TTL:
        return None
    if text.isascii() and text.isdigit():
        seconds = int(text)
    else:
        parts = list(_DURATION.finditer(text))
        if not parts or "".join(part.group() for part in parts) != text:
            return None
        seconds = int(sum(float(part["number"]) * _SECONDS[part["unit"]] for part in parts))
    return seconds if 1 <= seconds <= TTL_MAX else None
