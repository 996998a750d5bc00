"""Disturbances of what stores objects: history that is forgotten, a disk that is full, a quota that is used up."""

from dataclasses import dataclass

from e2e.claims import DNS
from e2e.kube import Document, KubeError
from e2e.soak.claims import NAMESPACE
from e2e.soak.etcd import Etcd
from e2e.soak.programs import Programs
from e2e.soak.requests import EXPECTED, hasty
from e2e.stack import Stack

QUOTA = "no-more-ledgers"
COUNTED = ("count/zoneunits.dns.appthrust.io", "count/zoneunitslices.dns.appthrust.io")


@dataclass
class Storage:
    """API server and etcd of one stack, from below."""

    stack: Stack
    programs: Programs
    etcd: Etcd
    _full: bool = False
    _forbidden: bool = False

    def forget_history(self) -> None:
        """Compact etcd, and have the API server started anew, whose cache then begins now.

        Raises OSError while etcd is down.
        """
        self.etcd.compact()
        self.programs.kill("kube-apiserver")

    def fill(self) -> None:
        """Have etcd refuse writes, and see it do so."""
        try:
            self.etcd.declare_full()
            self._full = self._full or "space exceeded" in self._refusal(_probe())
        except OSError:  # etcd is down: nothing is written either
            pass

    def free(self) -> None:
        """Have etcd take writes again. Raises OSError while it is down, since it would be full when it is back."""
        self.etcd.declare_free()

    def was_full(self) -> bool:
        """Whether a write was refused for want of space."""
        return self._full

    def forbid_ledgers(self) -> None:
        """Set a quota of ledger objects that is used up, and see it refuse one."""
        kube = hasty(self.stack)
        limits = dict.fromkeys(COUNTED, "0")
        quota = _object("v1", "ResourceQuota", QUOTA, {"spec": {"hard": limits}})
        try:
            kube.apply(quota)
            # No controller counts here: what is used is what we say.
            path = f"{kube.path('v1', 'ResourceQuota', NAMESPACE, QUOTA)}/status"
            body = {"status": {"hard": limits, "used": limits}}
            kube.request("PATCH", path, body, content_type="application/merge-patch+json")
            self._forbidden = self._forbidden or "exceeded quota" in self._refusal(_ledger())
        except EXPECTED:
            pass
        finally:
            kube.close()

    def allow_ledgers(self) -> None:
        """Take the quota away. Raises what a request raises."""
        kube = hasty(self.stack)
        try:
            kube.delete("v1", "ResourceQuota", NAMESPACE, QUOTA)
        finally:
            kube.close()

    def was_forbidden(self) -> bool:
        """Whether a ledger object was refused."""
        return self._forbidden

    def _refusal(self, document: Document) -> str:
        """Return with what words the API server refuses to store a document, "" where it does not."""
        kube = hasty(self.stack)
        try:
            kube.create(document)
        except KubeError as error:
            return error.message
        except EXPECTED:
            return ""
        finally:
            kube.close()
        return ""


def _probe() -> Document:
    return _object("v1", "ConfigMap", "", {})


def _ledger() -> Document:
    return _object(DNS, "ZoneUnitSlice", "", {"spec": {"zoneUnitRef": {"name": "nobody"}, "recordSets": []}})


def _object(api_version: str, kind: str, name: str, content: Document) -> Document:
    metadata = {"namespace": NAMESPACE, **({"name": name} if name else {"generateName": "probe-"})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}
