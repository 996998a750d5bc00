"""`python -m e2e.stack up | down | status | demo | run`: the local stack on the command line."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from e2e.controlplane import BinariesMissingError, ControlPlaneError
from e2e.helm import HelmMissingError
from e2e.kube import KubeError
from e2e.polling import DeadlineError
from e2e.stack import SERVICES, Stack, StackError, demo, up
from e2e.stack.charts import ChartError
from e2e.stack.layout import ROOT
from e2e.stack.services import log_tail
from e2e.stack.tables import console, print_hints, print_result, print_status
from e2e.toolchain import endings

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)

DirectoryOption = Annotated[Path, typer.Option(help="Everything lives under this directory.")]
DEFAULT = ROOT / ".local"

EXPECTED_ERRORS = (
    BinariesMissingError,
    ChartError,
    ControlPlaneError,
    DeadlineError,
    HelmMissingError,
    KubeError,
    StackError,
    demo.DemoError,
)


def _say(text: str) -> None:
    console.print(text, markup=False)


@app.command("up")
def up_command(directory: DirectoryOption = DEFAULT) -> None:
    """Start the stack, or find the one that runs."""
    print_hints(up(directory.absolute(), _say), example=False)


@app.command("down")
def down_command(directory: DirectoryOption = DEFAULT) -> None:
    """End what was started, and nothing else."""
    ended = Stack.down(directory.absolute())
    _say(f"stopped: {', '.join(ended)}" if ended else "nothing ran")


@app.command("status")
def status_command(directory: DirectoryOption = DEFAULT) -> None:
    """Print what runs."""
    print_status(Stack.open(directory.absolute()))


@app.command("demo")
def demo_command(directory: DirectoryOption = DEFAULT, *, keep: bool = False) -> None:
    """Run the quickstart example; exit code 0 only if every record is in Route 53."""
    path = directory.absolute()
    ran_before = Stack.find(path) is not None
    stack = up(path, _say)
    kube = stack.kube()
    try:
        result = demo.run(kube, stack.emulator, _say)
        print_result(result)
    except (demo.DemoError, DeadlineError):
        _print_logs(stack)
        raise
    finally:
        kube.close()
        if not (keep or ran_before):
            Stack.down(path)
    if keep or ran_before:
        print_hints(stack, example=True)
    if result.missing:
        raise typer.Exit(1)


@app.command("run", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run_command(context: typer.Context, directory: DirectoryOption = DEFAULT) -> None:
    """Run a command on a fresh stack with the stack's environment; end the stack; exit with the command's code."""
    path = directory.absolute()
    Stack.down(path)
    stack = up(path, _say)
    try:
        environment = dict(os.environ) | stack.environment()
        code = subprocess.run(context.args, env=environment, cwd=ROOT, check=False).returncode  # noqa: S603 — the caller's own command
        if code:
            _print_logs(stack)
    finally:
        Stack.down(path)
    raise typer.Exit(code)


def _print_logs(stack: Stack) -> None:
    for service in SERVICES:
        _say(log_tail(stack.layout, service.name, lines=30))


def main() -> int:
    """Run the command line; errors that a person can act on are printed without a traceback."""
    endings.make_orderly()
    try:
        app(standalone_mode=True)
    except EXPECTED_ERRORS as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
