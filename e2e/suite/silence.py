"""Count what a cluster's services do: writes at the API server (its own request metrics) and calls at the emulator."""

import re
import time
from collections.abc import Mapping

from e2e.polling import DeadlineError, eventually
from e2e.suite.cluster import Cluster

_GROUPS = ("dns.appthrust.io", "route53.dns.appthrust.io", "events.k8s.io")
_REFUSED = ("403", "404")
_WRITES = ("POST", "PUT", "PATCH", "APPLY", "DELETE")
_SAMPLE = re.compile(r"^apiserver_request_total\{(?P<labels>[^}]*)\} (?P<value>\S+)$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')
QUIET_SECONDS = 3.0

Activity = tuple[dict[str, int], dict[str, int]]
"""Counts of writes at the API server, and of calls at the emulator."""


def writes(cluster: Cluster) -> dict[str, int]:
    """Return the write requests to our kinds and to Events since the API server's start, by `verb resource`.

    Left out is what may follow an earlier test for a while: the count of a repeated Event, which is written once a
    minute, and what becomes of it in a namespace that has gone.
    """
    text = cluster.kube.text("/metrics")
    counts: dict[str, int] = {}
    for sample in _SAMPLE.finditer(text):
        labels = dict(_LABEL.findall(sample["labels"]))
        if _is_write(labels) and not _is_late(labels):
            name = "/".join(filter(None, (labels["resource"], labels["subresource"])))
            key = f"{labels['verb']} {name}"
            counts[key] = counts.get(key, 0) + int(float(sample["value"]))
    return counts


def _is_write(labels: Mapping[str, str]) -> bool:
    return labels["group"] in _GROUPS and labels["verb"] in _WRITES and not labels.get("dry_run")


def _is_late(labels: Mapping[str, str]) -> bool:
    return labels["resource"] == "events" and (labels["verb"] == "PATCH" or labels["code"] in _REFUSED)


def activity(cluster: Cluster) -> Activity:
    """Return writes at the API server and calls at the emulator, ours included."""
    return writes(cluster), cluster.emulator.calls()


def await_silence(cluster: Cluster, *, lasting: float = QUIET_SECONDS, within: float = 60.0) -> Activity:
    """Wait until nothing was written or called for `lasting` seconds; return the counts.

    Raises DeadlineError that tells what broke the silence last.
    """
    last = activity(cluster)
    since = time.monotonic()
    heard: list[str] = []

    def quiet() -> bool:
        nonlocal last, since
        now = activity(cluster)
        if now != last:
            heard[:] = _grown(last, now)
            last, since = now, time.monotonic()
        return time.monotonic() - since >= lasting

    try:
        eventually(quiet, within=within, what=f"{lasting:g} s without a write or a call")
    except DeadlineError as error:
        raise DeadlineError(f"{error}; heard last: {', '.join(heard)}") from error
    return last


def _grown(before: Activity, now: Activity) -> list[str]:
    """Return which counts grew."""
    return [name for old, new in zip(before, now, strict=True) for name in new if new[name] != old.get(name)]
