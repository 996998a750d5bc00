"""The control API under `/_control/`: settings, faults, counters, log, and writes behind the API. Not rate limited.

Its functions are coroutines, so that they run on the event loop as calls do: in threads, what they read would change.
"""

from typing import Annotated

from fastapi import APIRouter, Body, HTTPException
from fastapi.responses import JSONResponse
from pydantic import JsonValue, ValidationError

from e2e.route53.edits import BatchDocument, ChangeDocument, RecordDocument, RecordEdits
from e2e.route53.errors import AwsError, SyntaxProblemError
from e2e.route53.faults import Fault
from e2e.route53.journal import CallDocument
from e2e.route53.settings import Settings
from e2e.route53.state import AppliedBatch, State
from e2e.route53.world import World
from e2e.route53.zone import HostedZone


def control_router(world: World) -> APIRouter:
    """Return the routes."""
    router = APIRouter(prefix="/_control")
    _add_scripting(router, world)
    _add_counters(router, world)
    _add_records(router, world)
    return router


def _add_scripting(router: APIRouter, world: World) -> None:
    @router.get("/settings")
    async def settings() -> Settings:
        """Return the settings in force."""
        return world.state.settings

    @router.post("/settings")
    async def configure(patch: Annotated[dict[str, JsonValue], Body()]) -> Settings:
        """Replace the fields that are given."""
        try:
            world.state.configure(world.state.settings.patched(patch))
        except ValidationError as error:
            raise HTTPException(422, str(error)) from None
        return world.state.settings

    @router.get("/faults")
    async def faults() -> list[Fault]:
        """Return the faults that may still strike."""
        return world.state.faults.pending()

    @router.post("/faults")
    async def arm(faults: list[Fault]) -> list[Fault]:
        """Add faults; an empty list forgets all."""
        if not faults:
            world.state.faults.clear()
        world.state.faults.arm(faults, world.state.monotonic())
        return world.state.faults.pending()

    @router.post("/reset")
    async def reset() -> Settings:
        """Forget everything: zones, changes, sessions, counters, faults, log; settings as at the start."""
        world.reset()
        return world.state.settings


def _add_counters(router: APIRouter, world: World) -> None:
    @router.get("/counters")
    async def counters() -> JSONResponse:
        """Return the counts of calls."""
        return JSONResponse(world.state.counters.document())

    @router.post("/counters/reset")
    async def reset_counters() -> JSONResponse:
        """Start counting anew; the answer holds the last counts."""
        return JSONResponse(world.reset_counters())

    @router.get("/journal")
    async def journal(after: int = 0) -> list[CallDocument]:
        """Return the calls whose sequence is greater than `after`, in the order in which they came."""
        return world.state.journal.after(after)

    @router.get("/log")
    async def log(after: int = 0) -> list[BatchDocument]:
        """Return the applied batches whose sequence is greater than `after`."""
        return [_batch(batch) for batch in world.state.log if batch.sequence > after]


def _add_records(router: APIRouter, world: World) -> None:
    @router.get("/zones")
    async def zones() -> list[dict[str, JsonValue]]:
        """Return all zones of all accounts."""
        return [_zone(zone) for zone in world.state.zones.values()]

    @router.delete("/zones/{zone_id}")
    async def delete_zone(zone_id: str) -> dict[str, JsonValue]:
        """Delete a zone with all it holds, as somebody in the console would."""
        zone = _found(world.state, zone_id)
        world.state.remove_zone(zone.id)
        return _zone(zone)

    @router.get("/zones/{zone_id}/records")
    async def records(zone_id: str) -> list[RecordDocument]:
        """Return a zone's record sets in list order."""
        return [RecordDocument.of(record) for record in _found(world.state, zone_id).table.since()]

    @router.post("/records")
    async def edit(edits: RecordEdits) -> dict[str, JsonValue]:
        """Put and delete record sets without any rule."""
        try:
            world.state.edit(edits)
        except AwsError as error:
            raise HTTPException(error.status, error.message) from None
        except SyntaxProblemError as problem:
            raise HTTPException(422, str(problem)) from None
        return _zone(_found(world.state, edits.hosted_zone_id))


def _found(state: State, zone_id: str) -> HostedZone:
    zone = state.zones.get(zone_id.removeprefix("/hostedzone/"))
    if zone is None:
        raise HTTPException(404, f"No hosted zone {zone_id}")
    return zone


def _zone(zone: HostedZone) -> dict[str, JsonValue]:
    return {
        "id": zone.id,
        "name": zone.name,
        "accountId": zone.account_id,
        "callerReference": zone.caller_reference,
        "private": zone.private,
        "comment": zone.comment,
        "nameServers": list(zone.name_servers),
        "tags": dict(zone.tags),
        "recordSetCount": len(zone.table),
    }


def _batch(batch: AppliedBatch) -> BatchDocument:
    return BatchDocument(
        sequence=batch.sequence,
        time=batch.time,
        account_id=batch.account_id,
        hosted_zone_id=batch.zone_id,
        zone=batch.zone_name,
        change_id=batch.change_id,
        changes=tuple(ChangeDocument.of(change) for change in batch.changes),
    )
