"""A synchronous client of the control API, for tests and the local stack. It makes no Route 53 call."""

import http.client
import json
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue, TypeAdapter

from e2e.route53.edits import BatchDocument, RecordDocument, RecordEdits
from e2e.route53.faults import Fault
from e2e.route53.journal import CallDocument
from e2e.route53.settings import Settings

TIMEOUT_SECONDS: Final = 60
_BATCHES: Final = TypeAdapter(list[BatchDocument])
_CALLS: Final = TypeAdapter(list[CallDocument])
_RECORDS: Final = TypeAdapter(list[RecordDocument])
_ZONES: Final = TypeAdapter(list[dict[str, JsonValue]])


class ControlError(RuntimeError):
    """The control API refused; the message says why."""


class Remote:
    """The control API of one emulator. `http` is its URL, `dns` its DNS address as `host:port`."""

    def __init__(self, http_url: str, dns_address: str = "") -> None:
        """Talk to this emulator."""
        self.http = http_url
        self.dns = dns_address

    @property
    def dns_port(self) -> int:
        """The DNS port."""
        return int(self.dns.rpartition(":")[2])

    def settings(self, **fields: JsonValue) -> Settings:
        """Replace the given settings (camelCase names) and return all. Raises ControlError."""
        return Settings.model_validate_json(self._request("POST", "/settings", fields))

    def arm(self, *faults: Fault) -> None:
        """Add faults."""
        self._request("POST", "/faults", [fault.model_dump(mode="json", by_alias=True) for fault in faults])

    def disarm(self) -> None:
        """Forget all faults."""
        self._request("POST", "/faults", [])

    def calls(self, account_id: str = "") -> dict[str, int]:
        """Return the calls by action since the last reset, of one account if given."""
        counters = json.loads(self._request("GET", "/counters"))
        return dict(counters["byAccount"].get(account_id, {}) if account_id else counters["calls"])

    def throttled(self) -> dict[str, int]:
        """Return the throttled calls by action since the last reset."""
        return dict(json.loads(self._request("GET", "/counters"))["throttled"])

    def errors(self) -> dict[str, int]:
        """Return the error answers by code since the last reset."""
        return dict(json.loads(self._request("GET", "/counters"))["errors"])

    def reset_counters(self) -> dict[str, int]:
        """Count anew; return the calls by action until now."""
        return dict(json.loads(self._request("POST", "/counters/reset"))["calls"])

    def reset(self) -> None:
        """Forget everything."""
        self._request("POST", "/reset")

    def log(self, after: int = 0) -> list[BatchDocument]:
        """Return the applied batches with a greater sequence."""
        return _BATCHES.validate_json(self._request("GET", f"/log?after={after}"))

    def journal(self, after: int = 0) -> list[CallDocument]:
        """Return the calls with a greater sequence, in the order in which they came."""
        return _CALLS.validate_json(self._request("GET", f"/journal?after={after}"))

    def zones(self) -> list[dict[str, JsonValue]]:
        """Return all zones of all accounts."""
        return _ZONES.validate_json(self._request("GET", "/zones"))

    def records(self, zone_id: str) -> list[RecordDocument]:
        """Return a zone's record sets in list order. Raises ControlError for an unknown zone."""
        return _RECORDS.validate_json(self._request("GET", f"/zones/{_bare(zone_id)}/records"))

    def edit(self, edits: RecordEdits) -> None:
        """Write record sets behind the API. Raises ControlError."""
        self._request("POST", "/records", edits.model_dump(mode="json", by_alias=True))

    def delete_zone(self, zone_id: str) -> None:
        """Delete a zone with all it holds. Raises ControlError for an unknown zone."""
        self._request("DELETE", f"/zones/{_bare(zone_id)}")

    def _request(
        self, method: str, path: str, body: Mapping[str, JsonValue] | Sequence[JsonValue] | None = None
    ) -> bytes:
        address = urlsplit(self.http)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_SECONDS)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/_control{path}", content, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            read = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise ControlError(f"{method} {path}: {answer.status} {read.decode(errors='replace')}")
        return read


def _bare(zone_id: str) -> str:
    return zone_id.removeprefix("/hostedzone/")
