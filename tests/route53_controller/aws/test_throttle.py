import asyncio
from datetime import timedelta

import pytest

from route53_controller.aws.api import Priority
from route53_controller.aws.metrics import AwsMetrics, BudgetGauges
from route53_controller.aws.throttle import Budget, Limits
from tests.fakes.clock import FakeClock, settle


class Clients:
    """Callers of one budget; `served` has the names of those that were let through, in order."""

    def __init__(self, rate: float = 5, burst: float = 10) -> None:
        self.clock = FakeClock()
        self.metrics = AwsMetrics()
        self.budget = Budget(Limits(rate, burst), self.clock, BudgetGauges(self.metrics, "platform/main"))
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, name: str, count: int = 1, *, zone: str = "Z1", priority: Priority = Priority.USER) -> None:
        for _ in range(count):
            self.tasks.append(asyncio.create_task(self._ask(name, zone, priority)))
        await settle()

    async def _ask(self, name: str, zone: str, priority: Priority) -> None:
        await self.budget.acquire(priority, zone)
        self.served.append(name)

    async def after(self, seconds: float) -> list[str]:
        """Return who was served in the next seconds."""
        before = len(self.served)
        await self.clock.advance(timedelta(seconds=seconds))
        return self.served[before:]


@pytest.mark.spec("R53-BU-001")
async def test_a_burst_goes_at_once_and_the_rest_at_the_rate() -> None:
    clients = Clients(rate=5, burst=10)
    await clients.ask("a", 30)
    assert len(clients.served) == 10
    assert len(await clients.after(1)) == 5
    assert len(await clients.after(2.01)) == 10
    assert len(await clients.after(10)) == 5


async def test_unused_budget_is_saved_up_to_the_burst_only() -> None:
    clients = Clients(rate=5, burst=10)
    await clients.after(60)
    await clients.ask("a", 30)
    assert len(clients.served) == 10


@pytest.mark.spec("R53-BU-002")
async def test_user_changes_go_before_drift_checks_that_came_first() -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("first")
    await clients.ask("drift", 3, priority=Priority.DRIFT)
    await clients.ask("verify", priority=Priority.VERIFY)
    await clients.ask("user")
    assert (await clients.after(2))[:2] == ["user", "verify"]


@pytest.mark.spec("R53-BU-002")
async def test_drift_checks_take_no_more_than_half() -> None:
    clients = Clients(rate=4, burst=4)
    await clients.ask("drift", 100, priority=Priority.DRIFT)
    assert len(clients.served) == 2
    assert len(await clients.after(10)) == 20


async def test_a_user_change_need_not_wait_for_the_next_drift_check() -> None:
    clients = Clients(rate=1, burst=2)
    await clients.ask("drift", 2, priority=Priority.DRIFT)
    assert clients.served == ["drift"]
    await clients.ask("user", 2)
    assert clients.served == ["drift", "user"]
    assert await clients.after(1) == ["user"]


@pytest.mark.spec("R53-BU-002")
async def test_a_drift_check_is_not_starved_for_ever() -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("user", 5)
    await clients.ask("drift", priority=Priority.DRIFT)
    for _ in range(80):
        await clients.ask("user")
        await clients.after(1)
    assert 60 < clients.served.index("drift") < 75


@pytest.mark.spec("R53-BU-002", "R53-BU-005")
async def test_what_waited_while_calls_were_refused_does_not_go_before_user_changes() -> None:
    """Nobody was served meanwhile, so nobody was overtaken: after a minute of throttling users' changes drain first."""
    clients = Clients(rate=1, burst=1)
    for _ in range(6):
        clients.budget.slow_down()
        await clients.after(1)
    await clients.ask("drift", priority=Priority.DRIFT)
    for _ in range(3):
        await clients.ask("refused", zone="Z2")
        await clients.after(33)
        clients.budget.slow_down()
    await clients.ask("user", 2)
    await clients.after(66)
    assert clients.served == ["refused"] * 3 + ["user"] * 2
    await clients.after(33)
    assert clients.served[-1] == "drift"


@pytest.mark.spec("R53-BU-003")
async def test_zones_take_turns_however_much_each_has_waiting() -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("big", 20, zone="Z1")
    await clients.ask("small", 2, zone="Z2")
    assert (await clients.after(4)).count("small") == 2


@pytest.mark.spec("R53-BU-004")
async def test_throttling_halves_the_rate_once_a_second_and_success_wins_it_back() -> None:
    clients = Clients(rate=8, burst=8)
    clients.budget.slow_down()
    clients.budget.slow_down()
    assert clients.budget.share == 0.5
    await clients.ask("a", 100)
    assert len(clients.served) == 0
    assert len(await clients.after(2)) == 8
    for _ in range(5):
        clients.budget.speed_up()
    assert clients.budget.share == 1.0
    assert len(await clients.after(2)) == pytest.approx(16, abs=1)


@pytest.mark.spec("R53-BU-004")
async def test_lasting_throttling_slows_down_to_a_trickle_that_never_stops() -> None:
    clients = Clients(rate=5, burst=10)
    for _ in range(60):
        clients.budget.slow_down()
        await clients.after(1)
    await clients.ask("a", 10)
    assert 1 <= len(await clients.after(30)) <= 6


async def test_who_gives_up_waiting_costs_nothing() -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("first")
    await clients.ask("gone", 5)
    for task in clients.tasks[1:]:
        task.cancel()
    await settle()
    await clients.ask("next")
    assert await clients.after(1) == ["next"]


@pytest.mark.spec("R53-BU-006")
async def test_tokens_share_and_waits_are_visible() -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("a", 2)
    await clients.after(1)
    assert clients.metrics.budget_share.labels("platform/main")._value.get() == 1.0
    waits = clients.metrics.budget_wait_seconds.labels("platform/main", "user")
    assert waits._sum.get() == pytest.approx(1.0)


@pytest.mark.parametrize("priority", [Priority.VERIFY, Priority.DRIFT])
async def test_what_waits_for_a_zone_can_be_hurried(priority: Priority) -> None:
    clients = Clients(rate=1, burst=1)
    await clients.ask("first")
    await clients.ask("mine", zone="Z1", priority=priority)
    await clients.ask("other", zone="Z2", priority=priority)
    await clients.ask("change", 3, zone="Z3")
    clients.budget.hurry("Z1")
    assert await clients.after(5.01) == ["change", "mine", "change", "change", "other"]


async def test_hurrying_needs_no_free_half_for_drift_checks() -> None:
    clients = Clients(rate=2, burst=2)
    await clients.ask("drift", 4, priority=Priority.DRIFT)
    assert clients.served == ["drift"]
    clients.budget.hurry("Z1")
    await settle()
    assert clients.served == ["drift", "drift"]
    assert await clients.after(1.01) == ["drift", "drift"]


async def test_hurrying_a_zone_for_which_nobody_waits_does_nothing() -> None:
    clients = Clients()
    clients.budget.hurry("Z1")
    await clients.ask("a")
    assert clients.served == ["a"]
