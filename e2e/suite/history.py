"""Every state that claims went through, not only the last one: followed by watches from a moment on."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from e2e.claims import DNS
from e2e.conditions import conditions_of
from e2e.kube import Document, Kube
from e2e.polling import eventually

KINDS = ("Zone", "RecordSet", "ZoneUnit")
_WATCH_SECONDS = 1


class History:
    """What the condition Programmed said of each object of a namespace, in order; repetitions are left out.

    Names are `Kind/name`; a record set's entry in its ledger is `ZoneUnit/name/record set`.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._seen: dict[str, list[str]] = {}
        self._messages: dict[str, list[str]] = {}
        self._failure: BaseException | None = None

    def of(self, name: str) -> list[str]:
        """Return the verdicts `status/reason` of an object. Raises what a watch ended with."""
        if self._failure is not None:
            raise self._failure
        return list(self._seen.get(name, ()))

    def messages(self, name: str) -> str:
        """Return all messages of an object, a line each."""
        return "\n".join(self._messages.get(name, ()))

    def names(self) -> list[str]:
        """Return the names of all objects seen."""
        return sorted(self._seen)

    def caught_up(self, document: Document) -> list[str]:
        """Wait until the last verdict of a claim is the present one; return all of them."""
        name = f"{document['kind']}/{document['metadata']['name']}"
        present = _verdict(_programmed(document))
        return eventually(lambda: self.of(name), lambda seen: seen[-1:] == [present], what=f"{name} in the history")

    def note(self, kind: str, document: Document) -> None:
        """Take notice of a version of an object."""
        name = f"{kind}/{document['metadata']['name']}"
        self._add(name, document)
        for entry in (document.get("status") or {}).get("recordSets") or () if kind == "ZoneUnit" else ():
            self._add(f"{name}/{entry['recordSetName']}", {"status": entry})

    def _add(self, name: str, document: Document) -> None:
        condition = _programmed(document)
        seen, messages = self._seen.setdefault(name, []), self._messages.setdefault(name, [])
        if condition and seen[-1:] != [_verdict(condition)]:
            seen.append(_verdict(condition))
        if condition and messages[-1:] != [condition["message"]]:
            messages.append(condition["message"])

    def fail(self, failure: BaseException) -> None:
        """Keep what a watch ended with."""
        self._failure = failure


@contextmanager
def history(kube: Kube, namespace_name: str) -> Iterator[History]:
    """Follow the claims and ledgers of a namespace, from their present state on."""
    seen, over = History(), threading.Event()
    threads = [
        threading.Thread(target=_follow, args=(seen, kube, kind, namespace_name, over), daemon=True) for kind in KINDS
    ]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _follow(seen: History, kube: Kube, kind: str, namespace_name: str, over: threading.Event) -> None:
    own = Kube(kube.kubeconfig)
    try:
        path = own.path(DNS, kind, namespace_name)
        listed = own.request("GET", path)
        for one in listed["items"]:
            seen.note(kind, one)
        version = str(listed["metadata"]["resourceVersion"])
        while not over.is_set():
            version = _watch_once(seen, own, kind, path, version)
    except BaseException as failure:  # it is raised again where the history is read
        seen.fail(failure)
    finally:
        own.close()


def _watch_once(seen: History, kube: Kube, kind: str, path: str, version: str) -> str:
    """Take in what has happened since a version; return the version up to which that is."""
    query = urlencode({"watch": "true", "resourceVersion": version, "timeoutSeconds": _WATCH_SECONDS})
    for line in kube.text(f"{path}?{query}").splitlines():
        event = json.loads(line)
        if event["type"] == "ERROR":
            raise RuntimeError(f"the watch of {kind} ended: {event['object']}")
        seen.note(kind, event["object"])
        version = event["object"]["metadata"]["resourceVersion"]
    return version


def _programmed(document: Document) -> Document:
    """Return the condition Programmed, of whatever generation it speaks; empty while there is none."""
    return next((one for one in conditions_of(document) if one["type"] == "Programmed"), {})


def _verdict(condition: Document) -> str:
    return f"{condition['status']}/{condition['reason']}" if condition else ""
