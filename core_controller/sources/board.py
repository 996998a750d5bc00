"""What all source objects come to, by object and by host name: the state between evaluation and planning.

Used from one event loop. It is made anew at each start; until every object has been evaluated once, nothing may be
deleted.
"""

from collections.abc import Iterable

from core_controller.sources.endpoints import Endpoint, Evaluation, SourceKey
from core_controller.sources.recordsets import HostKey


class Board:
    """The evaluations of all source objects."""

    def __init__(self) -> None:
        """Start with none."""
        self._evaluations: dict[SourceKey, Evaluation] = {}
        self._by_host: dict[HostKey, set[SourceKey]] = {}
        self._fresh: set[SourceKey] = set()

    @property
    def held(self) -> list[SourceKey]:
        """The objects whose published records, if there are any, are held."""
        return [key for key, evaluation in list(self._evaluations.items()) if evaluation.hold is not None]

    @property
    def has_fresh(self) -> bool:
        """Whether there is an object that was never evaluated."""
        return bool(self._fresh)

    def expect(self, key: SourceKey) -> None:
        """Note that an object is there and waits for its evaluation."""
        if key not in self._evaluations:
            self._fresh.add(key)

    def get(self, key: SourceKey) -> Evaluation | None:
        """Return the last evaluation of an object."""
        return self._evaluations.get(key)

    def put(self, evaluation: Evaluation) -> set[HostKey]:
        """Keep an evaluation and return the host names that the object published before or publishes now."""
        key = evaluation.source
        before = self.remove(key)
        self._evaluations[key] = evaluation
        now = hosts_of(evaluation.endpoints)
        for host in now:
            self._by_host.setdefault(host, set()).add(key)
        return before | now

    def remove(self, key: SourceKey) -> set[HostKey]:
        """Forget an object and return the host names that it published."""
        self._fresh.discard(key)
        old = self._evaluations.pop(key, None)
        hosts = hosts_of(old.endpoints) if old is not None else set()
        for host in hosts:
            sources = self._by_host[host]
            sources.discard(key)
            if not sources:
                del self._by_host[host]
        return hosts

    def sources(self, kind: str) -> list[SourceKey]:
        """Return all evaluated objects of a kind."""
        return [key for key in self._evaluations if key.kind == kind]

    def hosts(self) -> list[HostKey]:
        """Return all host names that any object publishes."""
        return list(self._by_host)

    def endpoints(self, host: HostKey) -> tuple[Endpoint, ...]:
        """Return the endpoints of a host name, in the order of their objects."""
        sources = sorted(self._by_host.get(host, ()), key=str)
        return tuple(
            endpoint
            for source in sources
            for endpoint in self._evaluations[source].endpoints
            if endpoint.name == host.hostname
        )

    def is_held(self, key: SourceKey, host: HostKey) -> bool:
        """Whether an object's published records of a name are to be kept, or it was not evaluated yet."""
        evaluation = self._evaluations.get(key)
        if key in self._fresh or evaluation is None or evaluation.hold is None:
            return key in self._fresh
        return not (evaluation.hold.lost_names and key in self._by_host.get(host, ()))


def hosts_of(endpoints: Iterable[Endpoint]) -> set[HostKey]:
    """Return the host names of endpoints, each in the namespace of its object."""
    return {HostKey(endpoint.source.namespace, endpoint.name) for endpoint in endpoints}
