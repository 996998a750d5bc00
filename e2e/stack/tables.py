"""What the stack's commands print for people."""

from rich.console import Console
from rich.table import Table

from e2e.stack.demo import Result
from e2e.stack.layout import ROOT
from e2e.stack.services import SERVICES
from e2e.stack.stack import EMULATOR, Stack
from e2e.toolchain import daemons

console = Console(highlight=False, soft_wrap=True)


def print_result(result: Result) -> None:
    """Print the demo's table and the API calls below it."""
    table = Table(title="Records as Route 53 returns them", title_justify="left")
    table.add_column("name", no_wrap=True)
    table.add_column("type")
    table.add_column("values", overflow="fold")
    table.add_column("s to Programmed", justify="right")
    for row in result.rows:
        table.add_row(row.name, row.type, "\n".join(row.values), f"{row.seconds:.2f}")
    _print_wide(table)
    calls = ", ".join(f"{action} {count}" for action, count in sorted(result.calls.items()))
    console.print(f"API calls used: {sum(result.calls.values())} ({calls})")
    console.print(f"from the first apply to the last Programmed: {result.seconds:.2f} s")
    for name in result.missing:
        console.print(f"[red]not in Route 53: {name}[/red]")


def print_hints(stack: Stack, *, example: bool) -> None:
    """Say how to look at a running stack."""
    emulator = stack.emulator
    host, _, port = emulator.dns.rpartition(":")
    name = "www.quickstart.example.com"
    lines = [
        f"source {stack.layout.env}",
        "kubectl get dns-all -A                  # or: kubectl explain recordset.spec",
        "aws route53 list-hosted-zones           # the emulator answers",
        f"curl -s {emulator.http}/_control/counters",
        f"dig @{host} -p {port} {name}" if example else f"dig @{host} -p {port} NAME",
        _ending(stack),
    ]
    console.print("\nThe stack is running. In a shell:")
    for line in lines:
        console.print(f"  {line}", markup=False)


def _ending(stack: Stack) -> str:
    """Return the command that ends this very stack: `make down` ends the one of the default folder."""
    folder = stack.layout.directory
    if folder == ROOT / ".local":
        return "make down                               # ends it"
    return f"python -m e2e.stack down --directory {folder}"


def print_status(stack: Stack) -> None:
    """Print what runs, with addresses and logs."""
    table = Table()
    for column in ("part", "state", "address", "log"):
        table.add_column(column, no_wrap=True)
    logs = stack.layout.control_plane / "logs"
    table.add_row("control plane", "running", stack.control_plane.server, str(logs))
    names = {EMULATOR: stack.emulator.http} | {one.name: stack.runner.metrics_url(one) for one in SERVICES}
    for name, address in names.items():
        state = "running" if daemons.running(name, stack.layout.pids) else "down"
        table.add_row(name, state, address, str(stack.layout.log(name)))
    _print_wide(table)


def _print_wide(table: Table) -> None:
    """Print a table as wide as it needs to be; output into a file has no width of its own."""
    Console(highlight=False, width=max(console.width, 140)).print(table)
