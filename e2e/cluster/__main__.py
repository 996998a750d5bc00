"""`python -m e2e.cluster up | images | install | suite | starts | down | clean | status`: the cluster as commands."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from e2e.cluster import images, network, node, release
from e2e.cluster.layout import EMULATOR_PORT, Layout
from e2e.cluster.programs import ClusterError, find
from e2e.controlplane import BinariesMissingError
from e2e.helm import HelmMissingError
from e2e.polling import DeadlineError
from e2e.stack.layout import ACCOUNT_ID, DUMMY_CREDENTIALS, ROOT
from e2e.stack.stack import endpoints
from e2e.toolchain.progress import ProgramError

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)
DirectoryOption = Annotated[Path, typer.Option(help="Everything lives under this directory.")]
DEFAULT = ROOT / ".local" / "cluster"
EXPECTED = (BinariesMissingError, ClusterError, DeadlineError, HelmMissingError, ProgramError)


@app.command()
def up(directory: DirectoryOption = DEFAULT) -> None:
    """Start the cluster, or what of it does not run."""
    node.up(Layout(directory.absolute()), find(), typer.echo)


@app.command("images")
def build_images(directory: DirectoryOption = DEFAULT) -> None:
    """Build the images and import them."""
    layout = Layout(directory.absolute())
    images.build(layout, typer.echo)
    images.load(layout, typer.echo)
    for name, size in images.sizes(layout).items():
        typer.echo(f"{size / 1e6:6.0f} MB over the base  {name}")


@app.command()
def install(directory: DirectoryOption = DEFAULT) -> None:
    """Install the charts with helm, or upgrade them, and run helm's test."""
    release.install(Layout(directory.absolute()), typer.echo)


@app.command()
def uninstall(directory: DirectoryOption = DEFAULT) -> None:
    """Uninstall the chart; the job after it releases what is left."""
    release.uninstall(Layout(directory.absolute()), typer.echo)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def suite(context: typer.Context, directory: DirectoryOption = DEFAULT) -> None:
    """Run the end-to-end suite, inside of the network namespace; further arguments are pytest's."""
    layout = Layout(directory.absolute())
    url = f"http://127.0.0.1:{EMULATOR_PORT}"
    environment = dict(os.environ) | DUMMY_CREDENTIALS | dict(endpoints(url))
    environment |= {"KUBECONFIG": str(layout.kubeconfig("admin")), "ROUTE53_EMULATOR_URL": url}
    environment |= {"AWS_ACCOUNT_ID": ACCOUNT_ID}
    command = [sys.executable, "-m", "pytest", "-q", *(context.args or ["e2e/suite"])]
    answer = subprocess.run(network.inside(command), env=environment, cwd=ROOT, check=False)  # noqa: S603 — composed here
    raise typer.Exit(answer.returncode)


@app.command()
def starts(directory: DirectoryOption = DEFAULT) -> None:
    """Measure how long each image takes until its service answers."""
    command = [sys.executable, "-m", "e2e.cluster.starts", str(directory.absolute())]
    answer = subprocess.run(network.inside(command), cwd=ROOT, check=False)  # noqa: S603 — composed here
    raise typer.Exit(answer.returncode)


@app.command()
def down(directory: DirectoryOption = DEFAULT) -> None:
    """End what was started, and nothing else."""
    ended = node.down(Layout(directory.absolute()))
    typer.echo(f"stopped: {', '.join(ended)}" if ended else "nothing ran")


@app.command()
def clean(directory: DirectoryOption = DEFAULT) -> None:
    """End the cluster and remove its images from the disk."""
    layout = Layout(directory.absolute())
    node.down(layout)
    for path in images.remove(layout):
        typer.echo(f"removed: {path}")


@app.command()
def status(directory: DirectoryOption = DEFAULT) -> None:
    """Print what runs."""
    for name, runs in node.status(Layout(directory.absolute())).items():
        typer.echo(f"{'runs' if runs else '-':6}{name}")


def main() -> int:
    """Run the command line; errors that a person can act on are printed without a traceback."""
    try:
        app(standalone_mode=True)
    except EXPECTED as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
