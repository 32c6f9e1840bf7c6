"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer
from typer import Option

from sizeup import __version__
from sizeup.cli import bench, games, results, run
from sizeup.errors import SizeupError

__all__ = ["app", "main"]

_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)
_VERBS = (
    games.check, games.new_game, games.new_agent, run.run, run.plan, run.status, results.report,
    results.export, results.merge, results.verify, results.backup, results.repair, bench.bench,
    games.watch, games.replay, games.play, games.infer, games.serve,
)  # fmt: skip

app = typer.Typer(
    name="sizeup",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _verb in _VERBS:
    app.command()(_verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sizeup {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Agents of unequal computing power that size up their teammates while they play."""


def main() -> None:
    """Run the command; an error that Sizeup raises on purpose is one line and exit code 2."""
    try:
        app()
    except SizeupError as error:
        typer.echo(f"sizeup: {' '.join(str(error).splitlines())}", err=True)
        sys.exit(2)
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            if error.filename is None:
                raise  # no file of the user's
            typer.echo(f"sizeup: {error.filename}: {error.strerror}", err=True)
            sys.exit(2)
        typer.echo(f"sizeup: cannot write the output: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the rest of it
        sys.exit(2)
