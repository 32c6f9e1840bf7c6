"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from sizeup import __version__
from sizeup.errors import SizeupError

__all__ = ["app", "main"]

app = typer.Typer(
    name="sizeup",
    help="Agents of unequal computing power that size up their teammates while they play.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sizeup {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Agents of unequal computing power that size up their teammates while they play."""


@app.command()
def check(
    game: Annotated[str, typer.Argument(help="A game's name, a module, or a Python file.")],
    games: Annotated[int, typer.Option(min=1, help="Random games to play each way.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random games.")] = 0,
) -> None:
    """Hold a game to the contract: rules un-jitted, typed, then jitted and compared."""
    from sizeup.games.check import check_game
    from sizeup.games.contract import load_game

    report = check_game(load_game(game), games=games, seed=seed)
    chance = f" and {report.chance_moves} moves of chance" if report.chance_moves else ""
    typer.echo(
        f"{report.name}: keeps the contract ({report.games} random games, {report.moves} moves"
        f"{chance}, jitted and un-jitted alike)"
    )


@app.command()
def new_game(
    name: Annotated[str, typer.Argument(help="The game's name, such as my_game.")],
    folder: Annotated[Path, typer.Option(help="Where to write it.")] = Path(),
) -> None:
    """Write a small, complete, playable game with a test beside it."""
    from sizeup.games.template import write_new_game

    for path in write_new_game(name, folder):
        typer.echo(f"wrote {path}")
    typer.echo(f"next: sizeup check {folder / name}.py")


@app.command()
def bench(
    rounds: Annotated[int, typer.Option(min=1, help="How often to measure each thing.")] = 5,
    beside: Annotated[
        str | None,
        typer.Option(help="A command that prints 'start depth 8: 10.2 ms' and so on, to compare."),
    ] = None,
) -> None:
    """Measure the search on this machine: rates, and ratios of things run side by side."""
    from sizeup.bench import rows

    typer.echo(f"{'':58}{'median':>9} {'':8} lowest to highest of {rounds} alternate rounds")
    for row in rows(rounds, beside):
        typer.echo(str(row))


def main() -> None:
    """Run the command; an error that Sizeup raises on purpose is one line and exit code 2."""
    try:
        app()
    except SizeupError as error:
        typer.echo(f"sizeup: {error}", err=True)
        sys.exit(2)
