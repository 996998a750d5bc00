"""What a service does before it is ready: imports, and nothing that it does not need."""

import json
import subprocess
import sys

import pytest

_REPORT = """
import gc, json, runpy, sys
sys.argv = ["service", "--help"]
try:
    runpy.run_module({module!r}, run_name="__main__")
except SystemExit as end:
    print()
    print(json.dumps([end.code or 0, gc.isenabled(), gc.get_freeze_count() > 10000, "typer" in sys.modules]))
"""


@pytest.mark.parametrize("module", ["core_controller", "route53_controller", "webhook"])
def test_what_is_imported_is_not_searched_for_garbage_and_all_else_is(module: str) -> None:
    code = _REPORT.format(module=module)
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 — our own

    status, collects, imports_are_left_out, commands_are_loaded = json.loads(answer.stdout.splitlines()[-1])

    assert status == 0
    assert collects
    assert imports_are_left_out
    assert not commands_are_loaded
