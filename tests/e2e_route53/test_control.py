import inspect
from typing import Any

from fastapi.routing import APIRoute

from e2e.route53.control import control_router
from e2e.route53.world import World


def test_control_requests_run_where_calls_do_so_that_nothing_changes_while_it_is_read() -> None:
    world: Any = object.__new__(World)
    routes = [route for route in control_router(world).routes if isinstance(route, APIRoute)]

    assert len(routes) > 10
    assert [route.path for route in routes if not inspect.iscoroutinefunction(route.endpoint)] == []
