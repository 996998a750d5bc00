"""Patience with conversion services."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core_controller.conversions import CALLS_AT_ONCE, LONGEST_PAUSE, PatientConversions
from libdnsapi.api.dns.conversion import ConversionAnswer, ConversionCall
from tests.fakes.clock import FakeClock

CALL = ConversionCall("key", "provider", "convert", 443, "/convert", "", timedelta(seconds=10), {})
AWAY, UP = ConversionAnswer(failure="refused"), ConversionAnswer(200, b"{}")


class Service:
    """A conversion service that counts its calls."""

    def __init__(self, answer: ConversionAnswer) -> None:
        self.answer = answer
        self.calls = self.running = self.most = 0
        self.kept: dict[str, ConversionAnswer] = {}

    async def post(self, _: ConversionCall) -> ConversionAnswer:
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        return self.answer

    def known(self, call: ConversionCall) -> ConversionAnswer | None:
        return self.kept.get(call.key)

    def forget(self, call: ConversionCall) -> None:
        self.kept.pop(call.key, None)


@pytest.mark.spec("PC-CV-011")
@pytest.mark.parametrize("answer", [AWAY, ConversionAnswer(503, b""), ConversionAnswer(429, b"")])
async def test_a_service_that_is_away_is_left_alone_for_growing_pauses(answer: ConversionAnswer) -> None:
    clock, service = FakeClock(), Service(answer)
    patient = PatientConversions(service, clock)
    times = []
    for second in range(200):
        before = service.calls
        assert await patient.post(CALL) == answer
        times += [second] * (service.calls - before)
        clock.jump(timedelta(seconds=1))
    assert times == [0, 5, 15, 35, 75, 155]


async def test_a_pass_over_many_claims_pays_for_one_time_out_only() -> None:
    service = Service(AWAY)
    patient = PatientConversions(service, FakeClock())
    answers = await asyncio.gather(*(patient.post(replace(CALL, key=str(n))) for n in range(500)))
    assert set(answers) == {AWAY}
    assert service.calls <= CALLS_AT_ONCE


async def test_pauses_end_with_the_first_answer_and_never_pass_five_minutes() -> None:
    clock, service = FakeClock(), Service(AWAY)
    patient = PatientConversions(service, clock)
    for _ in range(20):
        await patient.post(CALL)
        clock.jump(LONGEST_PAUSE)
    assert service.calls == 20
    service.answer = UP
    assert await patient.post(CALL) == UP
    service.answer = AWAY
    await patient.post(CALL)
    clock.jump(timedelta(seconds=5))
    await patient.post(CALL)
    assert service.calls == 23


async def test_few_calls_run_at_once_and_services_do_not_share_an_outage() -> None:
    service = Service(UP)
    patient = PatientConversions(service, FakeClock())
    await asyncio.gather(*(patient.post(replace(CALL, key=str(n))) for n in range(50)))
    assert (service.calls, service.most) == (50, CALLS_AT_ONCE)
    service.answer = AWAY
    await patient.post(CALL)
    service.answer = UP
    assert await patient.post(replace(CALL, service="other")) == UP


async def test_a_refusal_of_one_payload_is_no_outage() -> None:
    service = Service(ConversionAnswer(400, b""))
    patient = PatientConversions(service, FakeClock())
    for _ in range(3):
        await patient.post(CALL)
    assert service.calls == 3


@pytest.mark.spec("PC-CV-007", "PC-CV-011")
async def test_what_is_known_is_known_while_the_service_is_left_alone() -> None:
    """Case 69."""
    service = Service(AWAY)
    patient = PatientConversions(service, FakeClock())
    service.kept["old"] = UP
    await patient.post(CALL)

    assert await patient.post(replace(CALL, key="old")) == UP
    patient.forget(replace(CALL, key="old"))
    assert await patient.post(replace(CALL, key="old")) == AWAY
    assert service.calls == 1


@pytest.mark.spec("PC-CV-011")
@pytest.mark.parametrize("other", [{"ca_bundle": "good"}, {"path": "/other"}, {"port": 8443}, {"namespace": "n"}])
async def test_what_fails_for_one_provider_says_nothing_of_anothers_calls(other: dict[str, Any]) -> None:
    """Two Providers may share a service; a wrong bundle, path or port is one's own mistake."""
    service = Service(AWAY)
    patient = PatientConversions(service, FakeClock())
    await patient.post(CALL)
    service.answer = UP

    assert await patient.post(replace(CALL, **other)) == UP
    assert await patient.post(CALL) == AWAY
