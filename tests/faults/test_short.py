"""The short form of `make soak`: one of each disturbance, two replicas of each controller, a fixed seed."""

from pathlib import Path

import pytest

from e2e.soak.driver import Soak
from e2e.stack import Stack, up

SECONDS = 50.0


@pytest.mark.apiserver
@pytest.mark.parametrize("seed", [20261129])
def test_after_a_bad_day_route53_holds_what_is_desired_and_nothing_else(tmp_path: Path, seed: int) -> None:
    """Case 63, and beyond-the-seeds 2 to 5."""
    stack = up(tmp_path, print)
    try:
        Soak(stack, seed, print).run(SECONDS)
    finally:
        Stack.down(tmp_path)
