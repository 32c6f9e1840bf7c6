"""The ``sizeup`` command: parsing and printing only.

Heavy imports belong inside the verbs, so that the command starts at once.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from sizeup import __version__
from sizeup.cli_experiments import add_verbs
from sizeup.errors import InvalidInput, SizeupError

if TYPE_CHECKING:
    from types import ModuleType

    from sizeup.play import Record
    from sizeup.play.infer import Game as Recorded
    from sizeup.play.infer import Inference
    from sizeup.search import SearchOptions

__all__ = ["app", "main"]

_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)

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


add_verbs(app)


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
Save = Annotated[
    Path | None,
    typer.Option(help="Where to write the match: PDN for a .pdn of checkers, else a JSON record."),
]


@app.command()
def watch(game: Game, team: Teams, seed: Seed = 0, delay: Delay = 0.4, save: Save = None) -> None:
    """Watch a match: the board, what happens, and what the players make of each other."""
    from sizeup.games.contract import load_game
    from sizeup.play import play as play_match
    from sizeup.play.show import MatchView

    module = load_game(game)
    _require_savable(save, module.INFO.name)
    with MatchView(delay=delay) as shown:
        record = play_match(module, team, seed=seed, watch=shown)
    shown.end(record)
    _save(record, save)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record, or a store of an experiment's games.")],
    game_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Which game of a store, by its name.")
    ] = None,
    delay: Delay = 0.4,
    game: Annotated[
        str | None, typer.Option(help="The game's module or Python file, if it is not ours.")
    ] = None,
    save: Save = None,
) -> None:
    """Watch a recorded match again, after checking it against the rules; --save converts it."""
    from sizeup.experiments.stored import is_store, stored_record
    from sizeup.games.contract import load_game
    from sizeup.play import Record
    from sizeup.play.show import MatchView

    if is_store(file) or game_id is not None:
        record, its_game = stored_record(file, game_id or "")
        game = game or its_game
    else:
        record = Record.load(file)
    _require_savable(save, record.game)
    MatchView(delay=delay).play_back(record, load_game(game) if game else None)
    _save(record, save)


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
    module = load_game(game)
    _require_savable(save, module.INFO.name)
    shown = MatchView(delay=0, boards=False)
    try:
        record = play_match(module, teams, seed=seed, watch=shown)
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
    prior: Annotated[
        str | None,
        typer.Option(help="Probability of each type, such as 0.1,0.2,0.3,0.4; equal if not given."),
    ] = None,
    by: Annotated[str, typer.Option(help="Tell players apart by name or by seat.")] = "name",
    player: Annotated[
        list[str] | None, typer.Option(help="Only this player; can be given again.")
    ] = None,
    iterations: Annotated[
        str, typer.Option(metavar="N", help="Iterations of a search's first level; fitted for 200.")
    ] = "200",
    seed: Annotated[
        str, typer.Option(metavar="N", help="The same seed gives the same result.")
    ] = "0",
    game: Annotated[
        str | None, typer.Option(help="The game's module or Python file, if it is not ours.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Where to write every posterior.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Where to draw every posterior, as .svg or .png.")
    ] = None,
) -> None:
    """How deep does each player think? From its moves in any number of games."""
    with _stoppable():
        settings = {
            "types": _numbers("--types", types, int, "2,4,6,8"),
            "prior": _probabilities(prior),
            "options": _search_options(iterations),
            "seed": _whole_number("--seed", seed),
            "game": _game_if_named(game),
            "rule": rule,
            "by": by,
            "players": player or None,
        }
        games = _games_in(files)
        _require_drawable(plot, games, by, player)
        for path in (json_file, plot):
            _require_writable(path)
        _show_inference(_looked_at(games, settings), json_file, plot)


def _probabilities(prior: str | None) -> tuple[float, ...] | None:
    return None if prior is None else _numbers("--prior", prior, float, "0.1,0.2,0.3,0.4")


def _search_options(iterations: str) -> SearchOptions:
    from sizeup.search import SearchOptions

    number = _whole_number("--iterations", iterations)
    try:
        return SearchOptions(iterations=number)
    except InvalidInput as error:
        said = str(error).replace("SearchOptions.iterations", "--iterations")
        raise InvalidInput(said) from None


def _game_if_named(game: str | None) -> ModuleType | None:
    from sizeup.games.contract import load_game

    return None if game is None else load_game(game)


def _games_in(files: list[Path]) -> list[Recorded]:
    from sizeup.play.infer import read_games

    return [one for file in files for one in read_games(file)]


def _require_drawable(
    plot: Path | None, games: list[Recorded], by: str, players: list[str] | None
) -> None:
    from sizeup.play.infer_plot import require_plot
    from sizeup.play.read_games import By, players_of

    if plot is not None:
        told_by = cast(By, by)  # which is checked where it is used
        require_plot(plot, len(players or players_of(games, told_by)))


def _looked_at(games: list[Recorded], settings: dict[str, Any]) -> Inference:
    from sizeup.play.infer import infer as infer_depths
    from sizeup.play.progress import LookProgress

    with LookProgress(games) as progress:
        return infer_depths(games, watch=progress, **settings)


def _show_inference(found: Inference, json_file: Path | None, plot: Path | None) -> None:
    import json

    typer.echo(found.table())
    if json_file is not None:
        _write(json_file, json.dumps(found.to_dict(), indent=1) + "\n")
    if plot is not None:
        found.plot(plot)
        typer.echo(f"wrote {plot}")


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0: any.")] = 8765,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    store: Annotated[
        Path | None, typer.Option(help="Games of an experiment, to show its results.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
) -> None:
    """Open the web app on this machine: play, watch, replay, and read results."""
    from sizeup.web import require_web

    require_web()
    from sizeup.web.serve import serve as serve_web
    from sizeup.web.settings import Settings

    settings = Settings(host=host, port=port, store=store)
    serve_web(settings, browser=not no_browser, tell=typer.echo)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Ctrl-C ends what is done here with one line, and the code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("sizeup: stopped", err=True)
        raise typer.Exit(130) from None


Number = TypeVar("Number", int, float)


def _numbers(option: str, text: str, kind: type[Number], example: str) -> tuple[Number, ...]:
    try:
        return tuple(kind(part) for part in text.split(","))
    except ValueError:
        raise InvalidInput(f"{option} takes numbers such as {example}, got {text!r}") from None


def _whole_number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(f"{option} takes a whole number, got {text!r}") from None


def _require_writable(path: Path | None) -> None:
    """Refuse before long work, and not after it, what cannot be written."""
    if path is None:
        return
    try:
        if not path.absolute().parent.is_dir():
            raise InvalidInput(f"cannot write {path}: there is no folder {path.parent}")
        if path.is_dir():
            raise InvalidInput(f"cannot write {path}: it is a folder")
        is_new = not path.exists()
        path.open("ab").close()  # there is no surer way to know, and nothing is changed by it
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
    if is_new:
        path.unlink()


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error}") from None
    typer.echo(f"wrote {path}")


def _is_pdn(path: Path | None) -> bool:
    return path is not None and path.suffix.lower() == ".pdn"


def _require_savable(path: Path | None, game: str) -> None:
    """Refuse before a match what could not be saved after it."""
    _require_writable(path)
    if _is_pdn(path):
        from sizeup.play.export import require_checkers

        require_checkers(game)


def _save(record: Record, path: Path | None) -> None:
    if path is not None:
        _write(path, _text_of(record, path))


def _text_of(record: Record, path: Path) -> str:
    if not _is_pdn(path):
        return record.to_json()
    from sizeup.play.export import to_pdn

    return to_pdn(record)


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
        typer.echo(f"sizeup: the output cannot be written: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is left of it
        sys.exit(2)
