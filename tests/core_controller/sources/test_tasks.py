"""Background tasks of the sources."""

import structlog

from core_controller.sources.watches import Tasks


async def test_what_a_reconcile_starts_does_not_log_under_its_name() -> None:
    seen: list[dict[str, object]] = []

    async def work() -> None:
        seen.append(structlog.contextvars.get_contextvars())

    with structlog.contextvars.bound_contextvars(controller="sources", key="ns/a", reconcile_id=1):
        task = Tasks().start("references", work())
    await task

    assert seen == [{}]
    assert task.get_name() == "references"
