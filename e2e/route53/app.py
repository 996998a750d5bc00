"""The HTTP application: Route 53 under `/2013-04-01/`, STS on `/`, the control API under `/_control/`."""

from urllib.parse import parse_qsl

from fastapi import FastAPI, Request, Response

from e2e.route53 import sts
from e2e.route53.actions import OPERATIONS
from e2e.route53.call import Call, Operation, Reply
from e2e.route53.control import control_router
from e2e.route53.errors import AwsError
from e2e.route53.pipeline import Arrival, serve
from e2e.route53.world import World


def create_app(world: World) -> FastAPI:
    """Return the application over a world."""
    app = FastAPI(title="Route 53 emulator", redirect_slashes=False)
    app.include_router(control_router(world))
    for operation in OPERATIONS:
        _add_operation(app, world, operation)
    _add_sts(app, world)
    _add_unknown(app, world)
    return app


def _add_operation(app: FastAPI, world: World, operation: Operation) -> None:
    async def endpoint(request: Request) -> Response:
        arrival = Arrival(operation.action, operation.handler, request.query_params, await request.body())
        return await serve(world.state, request, arrival)

    app.add_api_route(operation.path, endpoint, methods=[operation.method], include_in_schema=False)


def _add_sts(app: FastAPI, world: World) -> None:
    async def endpoint(request: Request) -> Response:
        body = await request.body()
        form = dict(parse_qsl(body.decode(errors="replace")))
        action = form.get("Action", "")
        arrival = Arrival(action, sts.ACTIONS.get(action, _unknown), form, body, sts.NAMESPACE)
        return await serve(world.state, request, arrival)

    app.add_api_route("/", endpoint, methods=["POST"], include_in_schema=False)


def _add_unknown(app: FastAPI, world: World) -> None:
    """Answer actions that are not emulated as unknown, and count them."""

    async def endpoint(request: Request) -> Response:
        arrival = Arrival(f"{request.method} {request.url.path}", _unknown, request.query_params, b"")
        return await serve(world.state, request, arrival)

    methods = ["GET", "POST", "DELETE"]
    app.add_api_route("/2013-04-01/{rest:path}", endpoint, methods=methods, include_in_schema=False)


def _unknown(call: Call) -> Reply:
    raise AwsError("InvalidAction", f"The action {call.action} is not emulated")
