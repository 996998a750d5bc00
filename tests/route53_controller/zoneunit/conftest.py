"""Every plan of every test here is held against the one that takes no short cut."""

from dataclasses import replace

import pytest

from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit import reconciler
from route53_controller.zoneunit.plan import program
from route53_controller.zoneunit.plan.actions import Plan
from route53_controller.zoneunit.snapshot import Item, Observation, Snapshot


@pytest.fixture(autouse=True)
def plans_are_those_made_from_all_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(snapshot: Snapshot, observation: Observation) -> Plan:
        plan = program.make_plan(snapshot, observation)
        assert plan == program.make_plan(_without_short_cuts(snapshot), replace(observation, fresh=None))
        return plan

    monkeypatch.setattr(reconciler, "make_plan", checked)


def _without_short_cuts(snapshot: Snapshot) -> Snapshot:
    items = dict[ObjectKey, Item](snapshot.items)
    return replace(snapshot, open_names=None, restless=items)
