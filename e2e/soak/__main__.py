"""`python -m e2e.soak [--minutes M] [--seed N]`: a long run on a stack of its own; exit status 1 where it fails."""

import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from e2e.soak.driver import Soak, SoakError
from e2e.stack import Stack, up
from e2e.stack.layout import ROOT
from e2e.toolchain import endings


def command(
    minutes: Annotated[float, typer.Option(help="How long things go wrong.")] = 1.0,
    seed: Annotated[int, typer.Option(help="What is done, and in which order; 0 takes any.")] = 0,
    directory: Annotated[Path, typer.Option(help="Everything lives under this directory.")] = ROOT / ".local" / "soak",
) -> None:
    """Run bad days on a fresh stack, and say what came of it."""
    chosen = seed or random.SystemRandom().randrange(1, 1_000_000)
    typer.echo(f"seed {chosen}")
    endings.make_orderly()
    path = directory.absolute()
    Stack.down(path)
    stack = up(path, typer.echo)
    try:
        Soak(stack, chosen, typer.echo).run(60 * minutes)
    except SoakError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from None
    finally:
        Stack.down(path)
    typer.echo("all is as desired, and nothing else is there")


if __name__ == "__main__":
    typer.run(command)
    sys.exit(0)
