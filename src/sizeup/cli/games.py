"""Games: ``sizeup check``, ``new-game``, ``watch``, ``replay``, ``play``, ``serve``, ``infer``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer
from typer import Argument, Option

from sizeup.cli.shared import (
    Device,
    chosen_device,
    end_by_ctrl_c,
    require_suffix,
    require_writable,
    tell,
    verb,
    write,
)
from sizeup.errors import InvalidInput
from sizeup.words import counted

if TYPE_CHECKING:
    from sizeup.play import Record
    from sizeup.play.infer import Inference
    from sizeup.play.match import Match
    from sizeup.play.played import PlayedGame
    from sizeup.search import SearchOptions

_LARGE = 1_000_000  # bytes of a file whose reading is told

Number = TypeVar("Number", int, float)

Game = Annotated[str, Argument(help="Name of a game, a module, or a Python file.")]
GameFile = Annotated[
    str | None, Option(help="Module or Python file of the game, if it does not come with Sizeup.")
]
TheirGame = Annotated[
    str | None, Option(help="The game, if the file does not name one that comes with Sizeup.")
]
Teams = Annotated[
    list[str], Option("--team", help="A team, such as ca:20+obl:2; give one for each side.")
]
Seed = Annotated[int, Option(help="The same seed gives the same match.")]
Delay = Annotated[float, Option(min=0, help="Seconds between moves on a terminal.")]
Folder = Annotated[Path, Option(help="Folder to write it to.")]
Iterations = Annotated[
    int | None,
    Option(min=1, metavar="N", help="Iterations on the first level of each search."),
]
Params = Annotated[
    list[str] | None,
    Option(metavar="NAME=VALUE", help="A parameter of the game; can be repeated."),
]
Save = Annotated[
    Path | None,
    Option(help="Save the match: as PDN if the file ends in .pdn (checkers), else as JSON."),
]


def check(
    target: Annotated[
        str,
        Argument(
            metavar="GAME|AGENT", help="A game (name, module or file), or an agent: my_agent.py:8."
        ),
    ],
    games: Annotated[int, Option(min=1, help="Random games to play each way.")] = 50,
    seed: Annotated[int, Option(min=0, help="Seed of the random games.")] = 0,
    on: Annotated[str, Option(help="Game on which to check an agent.")] = "connect-four",
    gpu: Annotated[
        bool, Option("--gpu", help="Compile a game's rules for a GPU, too; none is needed.")
    ] = False,
) -> None:
    """Check a game (rules, types, jitted against un-jitted, its look) or an agent of your own."""
    from sizeup.agents.plugin import check_agent
    from sizeup.games.check import check_game
    from sizeup.games.contract import load_game

    if _is_agent(target):
        if gpu:
            raise InvalidInput(f"--gpu checks the rules of a game, and {target} is an agent")
        checked = check_agent(target, load_game(on), games=min(games, 5))
        typer.echo(
            f"{checked.name}: keeps the protocol ({counted(checked.games, 'game')} of {on}, "
            f"{counted(checked.moves, 'move')}, each played twice with the same result)"
        )
        return
    game = load_game(target)
    report = check_game(game, games=games, seed=seed)
    drawn = counted(report.chance_moves, "move") if report.chance_moves else ""
    chance = f" and {drawn} of chance" if drawn else ""
    typer.echo(
        f"{report.name}: keeps the contract ({counted(report.games, 'random game')}, "
        f"{counted(report.moves, 'move')}{chance}, jitted and un-jitted alike)"
    )
    if gpu:
        from sizeup.search.check_gpu import check_gpu

        found = check_gpu(game)
        typer.echo(f"{report.name}: can run on a GPU ({found.rules} rules and the search compiled)")
        for note in found.notes:
            typer.echo(f"note: {note}")


def new_game(
    name: Annotated[str, Argument(help="Name of the game, such as my_game.")],
    folder: Folder = Path(),
) -> None:
    """Write a small, complete, playable game and a test for it."""
    from sizeup.games.template import write_new_game

    _name_files(write_new_game(name, folder), f"{folder / name}.py")


def new_agent(
    name: Annotated[str, Argument(help="Name of the agent, such as my_agent.")],
    folder: Folder = Path(),
) -> None:
    """Write a small, complete agent and a test for it."""
    from sizeup.agents.plugin import write_new_agent

    _name_files(write_new_agent(name, folder), f"{folder / name}.py:4")


def _name_files(paths: Iterable[Path], checked: str) -> None:
    for path in paths:
        typer.echo(f"wrote {path}")
    typer.echo(f"next: sizeup check {checked}")


def _is_agent(target: str) -> bool:
    """Whether to check an agent: a text with a type, or a file that has an agent and no game."""
    from sizeup.games.contract import TAG, load_file

    if target.startswith(TAG):
        return False
    if ":" in target or not target.endswith(".py"):
        return ":" in target
    module = load_file(Path(target))
    return hasattr(module, "Agent") and not hasattr(module, "INFO")


def watch(
    game: Game,
    team: Teams,
    seed: Seed = 0,
    delay: Delay = 0.4,
    save: Save = None,
    iterations: Iterations = None,
    params: Params = None,
) -> None:
    """Watch a match: the board, the moves, and what the players believe about each other."""
    from sizeup.games.contract import load_game
    from sizeup.play import play as play_match
    from sizeup.play.show import MatchView

    module = load_game(game)
    _require_savable(save, module.INFO.name)
    teams, world = _searching(team, iterations), _params(module, params)
    with MatchView(delay=delay) as shown:
        record = play_match(module, teams, seed=seed, params=world, watch=shown)
    shown.end(record)
    _save(record, save)


def replay(
    file: Annotated[Path, Argument(help="A saved match, or the store of an experiment.")],
    game_id: Annotated[
        str | None, Argument(metavar="[ID]", help="Which game of the store.")
    ] = None,
    delay: Delay = 0.4,
    game: GameFile = None,
    save: Save = None,
) -> None:
    """Replay a saved match after checking it against the rules; --save converts it."""
    from sizeup.experiments.stored import is_store, stored_record
    from sizeup.games.contract import load_game
    from sizeup.play import Record
    from sizeup.play.show import MatchView

    _require_file(file)
    if is_store(file) or game_id is not None:
        record, its_game = stored_record(file, game_id or "")
        game = game or its_game
    else:
        record = Record.load(file)
    _require_savable(save, record.game)
    MatchView(delay=delay).play_back(record, load_game(game) if game else None)
    _save(record, save)


def play(
    game: Game,
    team: Teams,
    seat: Annotated[int, Option("--as", min=0, help="The seat you take, from 0.")],
    seed: Seed = 0,
    save: Save = None,
    iterations: Iterations = None,
    params: Params = None,
) -> None:
    """Play in place of one of the agents; type ? to list your moves, quit to leave."""
    from sizeup.games.contract import load_game
    from sizeup.play.match import Match
    from sizeup.play.show import HumanPlayer, MatchView, Quit, with_person
    from sizeup.play.table import set_table

    module = load_game(game)
    teams = _searching(with_person(team, seat, HumanPlayer(), module), iterations)
    _require_savable(save, module.INFO.name)
    match = Match(set_table(module, teams, _params(module, params)), seed)
    shown = MatchView(delay=0, boards=False)
    try:
        while not match.finished:
            before = match.state
            shown(match.table, before, match.step())
    except Quit as left:
        typer.echo(f"\n{left}")
        _save_so_far(match, save)
        raise typer.Exit from None
    record = match.record()
    shown.end(record)
    _save(record, save)


def _save_so_far(match: Match, path: Path | None) -> None:
    """Save a match that somebody has left, as one that was stopped after its moves."""
    from sizeup.play.match import ending

    if path is None:
        return
    if not match.moves:
        tell(f"sizeup: {path} is not written: no move was made")
        return
    match.most_plies = match.plies
    match.reason = ending(match.view, match.state, match.plies, match.quiet, match.plies)
    _save(match.record(), path)


def _searching(teams: Sequence[Any], iterations: int | None) -> list[Any]:
    """Teams whose searches have so many iterations on their first level; as they are if None."""
    from sizeup.agents import AgentConfig
    from sizeup.play.table import members_of

    if iterations is None:
        return list(teams)
    with _as_iterations():
        return [
            [
                replace(one, options=replace(one.options, iterations=iterations))
                if isinstance(one, AgentConfig)
                else one
                for one in team
            ]
            for team in members_of(teams)
        ]


def _params(module: ModuleType, given: Sequence[str] | None) -> Any:
    """Parameters of a game from texts like most_plies=60; the game's own if there are none."""
    from sizeup.games.contract import params_of

    if not given:
        return None
    values: dict[str, Any] = {}
    for text in given:
        try:
            values |= tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            name, _, value = text.partition("=")
            if not value or not name.strip().isidentifier():
                raise InvalidInput(
                    f"--params takes NAME=VALUE, such as most_plies=60, got {text!r}"
                ) from None
            values[name.strip()] = value.strip()  # a text without quotation marks
    return params_of(module, values)


def serve(
    games: Annotated[
        list[str] | None, Argument(metavar="[GAME]...", help="Python files of your games.")
    ] = None,
    agent: Annotated[
        list[str] | None, Option(help="Python file of an agent of yours to offer.")
    ] = None,
    port: Annotated[
        int, Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")
    ] = 8765,
    host: Annotated[str, Option(help="Address to listen on.")] = "127.0.0.1",
    store: Annotated[
        Path | None, Option(help="Store of an experiment whose results to show.")
    ] = None,
    no_browser: Annotated[bool, Option("--no-browser", help="Do not open a browser.")] = False,
    guests: Annotated[
        bool,
        Option("--guests", help="With --host: let people invite somebody to a game by a link."),
    ] = False,
    sign_out: Annotated[
        bool, Option("--sign-out", help="Shut out every browser that was let in before.")
    ] = False,
) -> None:
    """Open the web app on this machine: play, watch, replay, and read results."""
    from sizeup.web import require_web

    require_web()
    from sizeup.web.app import serve as serve_web
    from sizeup.web.settings import Settings

    settings = Settings(
        host=host, port=port, store=store, games=tuple(games or ()), agents=tuple(agent or ()),
        guests=guests,
    )  # fmt: skip
    serve_web(settings, browser=not no_browser, sign_out=sign_out, tell=typer.echo)


def study(
    file: Annotated[Path, Argument(metavar="FILE", help="TOML file of the study.")],
    store: Annotated[Path, Option(help="Where to keep what participants do; resumed if there.")],
    port: Annotated[
        int, Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")
    ] = 8765,
    host: Annotated[str, Option(help="Address to listen on.")] = "127.0.0.1",
    no_browser: Annotated[bool, Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Run a study with people: serve its pages, and keep what participants do in a store."""
    from sizeup.web import require_web

    require_web()
    from sizeup.experiments.study import read_study
    from sizeup.web.app import serve as serve_web
    from sizeup.web.settings import Settings

    read = read_study(file)
    own = tuple(read.home.values())
    settings = Settings(host=host, port=port, study=read, study_store=store, games=own)
    serve_web(settings, browser=not no_browser, tell=typer.echo)


def _require_file(path: Path) -> None:
    """Refuse a device: some of them never end."""
    if path.is_char_device() or path.is_block_device():
        raise InvalidInput(f"{path} is a device: name a file")


def _require_savable(path: Path | None, game: str) -> None:
    """Refuse before a match what could not be saved after it."""
    from sizeup.play.export import require_checkers

    require_writable(path)
    if path is not None and path.suffix.lower() == ".pdn":
        require_checkers(game)


def _save(record: Record, path: Path | None) -> None:
    from sizeup.play.export import to_pdn

    if path is not None:
        write(path, to_pdn(record) if path.suffix.lower() == ".pdn" else record.to_json())


@verb()
def infer(
    files: Annotated[
        list[Path], Argument(help="PDN files, saved matches, or tables of moves (CSV).")
    ],
    types: Annotated[str, Option(help="The depths to choose from.")] = "2,4,6,8",
    rule: Annotated[
        str, Option(help="How a move becomes evidence: sampled or published.")
    ] = "sampled",
    accuracy: Annotated[
        str, Option(metavar="P", help="The error that sampling may add to a probability.")
    ] = "0.05",
    prior: Annotated[
        str | None,
        Option(help="Probability of each depth, such as 0.1,0.2,0.3,0.4; default: equal."),
    ] = None,
    by: Annotated[str, Option(help="Group moves by player name or by seat.")] = "name",
    player: Annotated[list[str] | None, Option(help="Only this player; can be repeated.")] = None,
    iterations: Annotated[
        str,
        Option(metavar="N", help="Iterations on the first level of each search."),
    ] = "200",
    seed: Annotated[str, Option(metavar="N", help="The same seed gives the same result.")] = "0",
    game: TheirGame = None,
    json_file: Annotated[
        Path | None, Option("--json", help="Write every posterior to this file.")
    ] = None,
    plot: Annotated[
        Path | None, Option(help="Draw every posterior to this file, .svg or .png.")
    ] = None,
    html: Annotated[
        Path | None, Option(help="Write the verdicts as one page, with what they rest on.")
    ] = None,
    device: Device = "cpu",
) -> None:
    """How deep does each player think? Estimated from its moves in any number of games."""
    require_suffix("--html", html, ".html", ".htm")
    require_suffix("--json", json_file, ".json")
    settings = {
        "types": _numbers("--types", types, int, "2,4,6,8"),
        "prior": None if prior is None else _numbers("--prior", prior, float, "0.1,0.2,0.3,0.4"),
        "options": _search_options(iterations),
        "seed": _whole_number("--seed", seed),
        "rule": rule,
        "accuracy": _numbers("--accuracy", accuracy, float, "0.05")[0],
        "by": by,
        "players": player or None,
        "device": chosen_device(device),
    }
    found, is_whole = _inferred(files, game, settings, (json_file, plot, html))
    typer.echo(found.table())
    if json_file is not None:
        write(json_file, json.dumps({**found.to_dict(), "complete": is_whole}, indent=1) + "\n")
    if plot is not None:
        found.plot(plot)
        typer.echo(f"wrote {plot}")
    if html is not None:
        from sizeup.report.verdicts import verdicts_page

        write(html, verdicts_page(found))
    if not is_whole:
        moves = sum(len(player.steps) for player in found.players)
        end_by_ctrl_c(f"this is what the first {moves:,} moves say")


def _inferred(
    files: list[Path], game: str | None, settings: dict[str, Any], wanted: Sequence[Path | None]
) -> tuple[Inference, bool]:
    """Look at every move, once it is known that what was asked for can be written.

    Also says whether that was all, or Ctrl-C came before.
    """
    from sizeup.games.contract import load_game
    from sizeup.play.infer import Interrupted
    from sizeup.play.infer import infer as infer_depths
    from sizeup.play.played import By, LookProgress, players_of, plies_of
    from sizeup.play.plots import require_plot
    from sizeup.words import listed

    module = None if game is None else load_game(game)
    for file in files:
        _require_file(file)
    games = [one for file in files for one in _read(file, module)]
    if not any(map(plies_of, games)):
        raise InvalidInput(f"there is no move in {listed(files)}, so there is nothing to go by")
    if (plot := wanted[1]) is not None:
        by = cast(By, settings["by"])  # it is checked where it is used
        require_plot(plot, len(settings["players"] or players_of(games, by)))
    for path in wanted:
        require_writable(path)
    try:
        with LookProgress(games) as progress:
            return infer_depths(games, watch=progress, game=module, **settings), True
    except Interrupted as stopped:
        return stopped.found, False


def _read(file: Path, game: ModuleType | None) -> Sequence[PlayedGame]:
    """The games of a file; a large one takes its time, and that is told."""
    from sizeup.cli.progress import ReadProgress
    from sizeup.play import Record
    from sizeup.play.played import positions, read_games

    if file.is_file() and file.stat().st_size >= _LARGE:
        tell(f"reading {file} ({file.stat().st_size / 1e6:.0f} MB)")
    with ReadProgress(file) as progress:
        games = read_games(file, progress)
    if isinstance(games[0], Record):
        try:
            positions(games, game=game)  # a move that is not legal is told with its file
        except InvalidInput as error:
            raise InvalidInput(f"{file}: {error}") from None
    return games


def _search_options(iterations: str) -> SearchOptions:
    from sizeup.search import SearchOptions

    with _as_iterations():
        return SearchOptions(iterations=_whole_number("--iterations", iterations))


@contextmanager
def _as_iterations() -> Iterator[None]:
    """Call the iterations of a search what they are called here."""
    try:
        yield
    except InvalidInput as error:
        said = str(error).replace("SearchOptions.iterations", "--iterations")
        raise InvalidInput(said) from None


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
