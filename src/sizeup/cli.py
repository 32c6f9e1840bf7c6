"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

from typing import Annotated

import typer

from sizeup import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="sizeup",
    help="Agents of unequal computing power that size up their teammates while they play.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sizeup {__version__}")
        raise typer.Exit


@app.callback(
    epilog="This version holds the theory as a library: see `import sizeup.capability` and "
    "`import sizeup.planning`."
)
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Agents of unequal computing power that size up their teammates while they play."""


def main() -> None:
    """Run the command."""
    app()
