"""Deciding, and nothing else: `plan(snapshot)` is a pure function of the frozen input."""

from core_controller.zoneunit.plan.actions import Plan
from core_controller.zoneunit.plan.passes import plan

__all__ = ["Plan", "plan"]
