"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

from sizeup import __version__
from sizeup.cli import bench, games, results, run
from sizeup.errors import SizeupError
from sizeup.words import SIMILAR

__all__ = ["app", "main"]

_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)
_VERBS = (
    games.check, games.new_game, games.new_agent, run.run, run.crossplay, run.plan, run.status,
    results.report, results.export, results.merge, results.verify, results.backup, results.repair,
    bench.bench, games.watch, games.replay, games.play, games.infer, games.serve,
    games.study, results.study_tables,
)  # fmt: skip


class _Verbs(TyperGroup):
    """The verbs with whole sentences about them, in the order in which they are needed."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each verb does; nothing is cut off."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, " ".join((command.help or "").split("\n\n")[0].split())))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(
    name="sizeup",
    cls=_Verbs,
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


def _from_here(text: str) -> str:
    """Hints to install something, as they work in a clone: no package index has that version."""
    clone = Path(__file__).resolve().parents[3]
    if not (clone / "pyproject.toml").is_file():
        return text
    return re.sub(r"pip install 'sizeup\[([\w-]+)\]'", rf"pip install -e '{clone}[\1]'", text)


def _print_any_letter() -> None:
    """Let standard output print whatever comes, in any locale."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and out.errors == "strict":
        out.reconfigure(errors=SIMILAR)


def main() -> None:
    """Run the command; an error that Sizeup raises on purpose is one line and exit code 2."""
    _print_any_letter()
    try:
        app()
    except SizeupError as error:
        typer.echo(f"sizeup: {_from_here(' '.join(str(error).splitlines()))}", err=True)
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
