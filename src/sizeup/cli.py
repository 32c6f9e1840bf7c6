"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sizeup import __version__
from sizeup.errors import InvalidInput, SizeupError

if TYPE_CHECKING:
    from sizeup.play import Record

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
def run(
    experiment: Annotated[str, typer.Argument(help="wall-of-fire or narrow-tunnel.")],
    runs: Annotated[int, typer.Option(min=1, help="Runs of each team.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first run.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores if not given.")
    ] = None,
) -> None:
    """Play the four teams of a toy table and show their scores beside the published ones."""
    from sizeup.play.toys import HEADER, run_toy

    def tell(text: str) -> None:
        typer.echo(text, err=True)

    cells = list(run_toy(experiment, runs, seed, workers, tell))
    typer.echo(HEADER)
    for cell in cells:
        typer.echo(str(cell))


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


Game = Annotated[str, typer.Argument(help="A game's name, a module, or a Python file.")]
Teams = Annotated[
    list[str], typer.Option("--team", help="A team, such as ca:20+obl:2; once for each side.")
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same match.")]
Delay = Annotated[float, typer.Option(min=0, help="Seconds between moves on a terminal.")]
Save = Annotated[Path | None, typer.Option(help="Where to write the record of the match.")]


@app.command()
def watch(game: Game, team: Teams, seed: Seed = 0, delay: Delay = 0.4, save: Save = None) -> None:
    """Watch a match: the board, what happens, and what the players make of each other."""
    from sizeup.games.contract import load_game
    from sizeup.play import play as play_match
    from sizeup.play.show import MatchView

    with MatchView(delay=delay) as shown:
        record = play_match(load_game(game), team, seed=seed, watch=shown)
    shown.end(record)
    _save(record, save)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record that watch or play has saved.")],
    delay: Delay = 0.4,
    game: Annotated[
        str | None, typer.Option(help="The game's module or Python file, if it is not ours.")
    ] = None,
) -> None:
    """Watch a recorded match again, after checking it against the rules."""
    from sizeup.games.contract import load_game
    from sizeup.play import Record
    from sizeup.play.show import MatchView

    record = Record.load(file)
    MatchView(delay=delay).play_back(record, load_game(game) if game else None)


@app.command()
def play(
    game: Game,
    team: Teams,
    seat: Annotated[int, typer.Option("--as", min=0, help="The seat you take, counted from 0.")],
    seed: Seed = 0,
    save: Save = None,
) -> None:
    """Play in the place of one of the agents; ? lists your moves, quit leaves."""
    from sizeup.games.contract import load_game
    from sizeup.play import play as play_match
    from sizeup.play.person import HumanPlayer, Quit, with_person
    from sizeup.play.show import MatchView

    teams = with_person(team, seat, HumanPlayer())
    shown = MatchView(delay=0, boards=False)
    try:
        record = play_match(load_game(game), teams, seed=seed, watch=shown)
    except Quit as left:
        typer.echo(f"\n{left}")
        raise typer.Exit from None
    shown.end(record)
    _save(record, save)


@app.command()
def infer(
    files: Annotated[list[Path], typer.Argument(help="PDN files of checkers, or JSON records.")],
    types: Annotated[str, typer.Option(help="Depths to tell apart.")] = "2,4,6,8",
    rule: Annotated[str, typer.Option(help="Likelihood of a move: fitted or paper.")] = "fitted",
    seed: Seed = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Where to write every posterior.")
    ] = None,
) -> None:
    """How deep does each player think? From its moves in any number of games."""
    import json

    from sizeup.play.infer import infer as infer_depths
    from sizeup.play.infer import read_games

    try:
        depths = tuple(int(depth) for depth in types.split(","))
    except ValueError:
        raise InvalidInput(f"types are numbers such as 2,4,6,8; got {types!r}") from None
    games = [game for file in files for game in read_games(file)]
    found = infer_depths(games, depths, rule=rule, seed=seed)
    typer.echo(found.table())
    if json_file is not None:
        _write(json_file, json.dumps(found.to_dict(), indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error}") from None
    typer.echo(f"wrote {path}")


def _save(record: Record, path: Path | None) -> None:
    if path is not None:
        _write(path, record.to_json())


def main() -> None:
    """Run the command; an error that Sizeup raises on purpose is one line and exit code 2."""
    try:
        app()
    except SizeupError as error:
        typer.echo(f"sizeup: {error}", err=True)
        sys.exit(2)
