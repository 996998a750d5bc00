"""Whether a run met what it is for: one whose zones are all gone, or whose names nobody else wants, proves nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from e2e.claims import is_true, verdict
from e2e.kube import Document

CONFLICT = "False/RecordSetConflict"
LIVELY_SHARE = 0.1
"""Least share of looks at which some record set was programmed: much of a run there is no leader, but not all of it."""
LOOKS = 20
"""Fewer looks say nothing."""


@dataclass
class Coverage:
    """What was seen of the claims while they were edited, from a look now and then."""

    looks: int = 0
    lively: int = 0
    """Looks at which a record set was programmed at its newest generation."""
    zones: dict[str, set[str]] = field(default_factory=dict)
    """The uids of the zones that were seen, by name."""
    slices: set[str] = field(default_factory=set)
    """The uids of the ledger slices that were seen."""
    gone: set[str] = field(default_factory=set)
    """Those of them that were gone while their zone stayed."""
    contested: int = 0
    """Looks at which a claim was refused because another has its name."""
    _present: dict[str, str] = field(default_factory=dict)

    def look(self, records: Iterable[Document], zones: Iterable[Document], slices: Iterable[Document]) -> None:
        """Take in what there is now."""
        found = list(records)
        self.looks += 1
        self.lively += any(is_true(one, "Programmed") for one in found)
        self.contested += any(verdict(one, "Accepted") == CONFLICT for one in found)
        staying = set()
        for zone in zones:
            self.zones.setdefault(zone["metadata"]["name"], set()).add(zone["metadata"]["uid"])
            if not zone["metadata"].get("deletionTimestamp"):
                staying.add(zone["metadata"]["name"])
        present = {one["metadata"]["uid"]: one["spec"]["zoneUnitRef"]["name"] for one in slices}
        self.slices |= present.keys()
        self.gone |= {uid for uid, name in self._present.items() if uid not in present and name in staying}
        self._present = present

    def missing(self) -> list[str]:
        """Return what was not met so far, one line each."""
        wanted = {
            f"at least {LOOKS} looks at the claims, of now {self.looks}": self.looks >= LOOKS,
            f"record sets programmed at a tenth of the looks, now {self.lively} of {self.looks}": self.lively
            >= LIVELY_SHARE * self.looks,
            "a zone made anew under its name": any(len(uids) > 1 for uids in self.zones.values()),
            "a ledger slice": bool(self.slices),
            "a ledger slice that goes while its zone stays": bool(self.gone),
            "a name that two namespaces contend for": self.contested > 0,
        }
        return [what for what, met in wanted.items() if not met]

    def __str__(self) -> str:
        """Say what was met."""
        anew = sum(len(uids) - 1 for uids in self.zones.values())
        return (
            f"{self.looks} looks, at {self.lively} a record set was programmed, at {self.contested} a name contested; "
            f"{anew} zones made anew, {len(self.slices)} slices, {len(self.gone)} of them emptied"
        )
