"""`python -m e2e.controlplane binaries | up | down`: the control plane by itself, for work on one API server."""

from pathlib import Path
from typing import Annotated

import typer

from e2e.controlplane.binaries import BinariesMissingError, find_binaries
from e2e.controlplane.plane import ControlPlane, ControlPlaneError
from e2e.toolchain import endings

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

DirectoryOption = Annotated[Path, typer.Option(help="Everything lives under this directory.")]
DEFAULT = Path(".local/controlplane")


@app.command()
def binaries() -> None:
    """Find the three programs, building or downloading what is missing, and print where they are."""
    found = find_binaries()
    for path in (found.etcd, found.apiserver, found.controller_manager):
        typer.echo(path)


@app.command()
def up(directory: DirectoryOption = DEFAULT, *, audit: bool = False) -> None:
    """Start a control plane, or find the one that runs there, and print its kubeconfig."""
    path = directory.absolute()
    plane = ControlPlane.find(path) or ControlPlane.start(path, find_binaries(), audit=audit)
    typer.echo(f"export KUBECONFIG={plane.kubeconfig}")


@app.command()
def down(directory: DirectoryOption = DEFAULT) -> None:
    """End what `up` started there, and nothing else."""
    stopped = ControlPlane.stop_in(directory.absolute())
    typer.echo("stopped" if stopped else "nothing ran")


if __name__ == "__main__":
    endings.make_orderly()
    try:
        app()
    except (BinariesMissingError, ControlPlaneError) as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(1) from None
