"""A call of the API as an action sees it, and its answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from e2e.route53.errors import invalid_input
from e2e.route53.identities import Caller
from e2e.route53.journal import Entry
from e2e.route53.state import State
from e2e.route53.zone import HostedZone


@dataclass(frozen=True, slots=True)
class Reply:
    """A good answer: an XML document, its HTTP status and extra headers."""

    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """One call, after identification. `path` holds the path parameters, `query` the query parameters."""

    action: str
    state: State
    caller: Caller
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    entry: Entry

    def zone(self) -> HostedZone:
        """Return the zone of the path. Raises AwsError."""
        return self.state.zone(self.path["zone"], self.caller.account_id)

    def max_items(self, most: int) -> int:
        """Return `maxitems`, at most `most`. Raises AwsError InvalidInput."""
        text = self.query.get("maxitems") or str(most)
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            raise invalid_input(f"Invalid MaxItems: {text}")
        return min(int(text), most)


Handler = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Operation:
    """One API action and where it is served."""

    action: str
    method: str
    path: str
    handler: Handler
