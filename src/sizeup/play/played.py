"""Games that were played: read from files, and gone through position by position."""

from __future__ import annotations

import json
import re
import time
import types as python_types
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.pdn import PdnGame, read_pdn
from sizeup.games.contract import CHANCE, View
from sizeup.play.record import Record
from sizeup.play.replay import view_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["LookProgress", "PlayedGame", "PlayedMove", "players_of", "positions", "read_games"]

PlayedGame: TypeAlias = Record | PdnGame
By: TypeAlias = Literal["name", "seat"]

_PAUSE = 10.0  # seconds between two lines where there is no bar
_UNKNOWN = ("", "?")  # PDN's words for a player without a name
_JSON = r'\s*(\{\s*["}]|\[\s*[^\sA-Za-z0-9_])'  # PDN opens with a tag, a move or a {comment}


def read_games(path: str | Path) -> list[PlayedGame]:
    """Read the games of a file: a record of a match (JSON), or checkers in PDN.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "games.pdn")
    ...     _ = path.write_text('[Black "Ann"] 1. 11-15 23-19 *')
    ...     len(read_games(path))
    1
    """
    text = _text(Path(path))
    is_json = re.match(_JSON, text) is not None
    try:
        games: Sequence[PlayedGame] = [Record.from_json(text)] if is_json else read_pdn(text)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    if not games:
        raise InvalidInput(f"{path}: there is no game in it; expected a record (JSON) or PDN")
    return list(games)


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # as old PDN files are


def _require_games(games: Sequence[PlayedGame]) -> None:
    if isinstance(games, str) or not isinstance(games, Sequence):
        raise InvalidInput(
            f"expected a list of games, got {type(games).__name__}; read_games(path) reads a file"
        )
    for one in games:
        if not isinstance(one, (Record, PdnGame)):
            raise InvalidInput(f"expected records or PDN games, got {type(one).__name__}")


def names_of(game: PlayedGame, by: By = "name") -> list[str]:
    """What the players of a game are called, seat by seat."""
    if by == "seat":
        seats = len(game.players) if isinstance(game, Record) else 2
        return [f"seat {player}" for player in range(seats)]
    if isinstance(game, Record):
        return list(game.players)
    tags = dict(game.tags)
    given = [(tags.get(side, "").strip(), side) for side in ("Black", "White")]
    return [side if name in _UNKNOWN else name for name, side in given]


def players_of(games: Sequence[PlayedGame], by: By = "name") -> list[str]:
    """Everybody who played in some games, in the order in which they first sat.

    >>> players_of(read_pdn('[Black "Ann"] [White "Ben"] *  [Black "Ben"] [White "Cid"] *'))
    ['Ann', 'Ben', 'Cid']
    """
    return list(dict.fromkeys(name for game in games for name in names_of(game, by)))


def moves_of(game: PlayedGame) -> Iterator[tuple[int, str | int]]:
    """Who moved, and the move as a text or as its number."""
    if isinstance(game, PdnGame):
        yield from (((game.start.side + at) % 2, move) for at, move in enumerate(game.actions))
    else:
        yield from ((move.player, move.action) for move in game.moves)


def plies_of(game: PlayedGame) -> int:
    """How many moves players made."""
    return sum(player != CHANCE for player, _ in moves_of(game))


class PlayedMove(NamedTuple):
    """Where a player of a game moved; ``game`` counts from 0, ``ply`` (moves of players) from 1."""

    game: int
    ply: int
    seat: int
    player: str
    view: View
    state: Any
    action: int

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return len(self.view.actions(self.state)) < 2


def positions(
    games: Sequence[PlayedGame],
    by: By = "name",
    players: Sequence[str] | None = None,
    game: python_types.ModuleType | None = None,
) -> Iterator[PlayedMove]:
    """Every move of some players, or of all, checked against the rules.

    The parameters are those of :func:`~sizeup.play.infer.infer`.

    >>> [first, _] = positions(read_pdn("1. 11-15 22-18"))
    >>> first.player, first.ply, first.is_forced
    ('Black', 1, False)
    """
    if by not in get_args(By):
        raise InvalidInput(f"players are told apart by 'name' or by 'seat', got {by!r}")
    _require_games(games)
    names = players_of(games, by)
    for player in players or ():
        if player not in names:
            raise InvalidInput(
                f"there is no player {player!r} in these games; players are "
                f"{', '.join(names) or 'none'}"
            )
    tables = _tables(games, by, game)
    found = (position for table in tables for position in _positions(table))
    return (one for one in found if players is None or one.player in players)


class _PlayedTable(NamedTuple):
    """A game that was played, and by whom; games of the same kind share a view."""

    number: int
    played: PlayedGame
    view: View
    start: Any
    names: Sequence[str]


def _tables(
    games: Sequence[PlayedGame], by: By, game: python_types.ModuleType | None
) -> list[_PlayedTable]:
    views: dict[str, View] = {}
    tables = []
    for number, played in enumerate(games):
        try:
            view, start = _opened(played, game, views)
        except InvalidInput as error:
            raise InvalidInput(f"game {number + 1}: {error}") from None
        tables.append(_PlayedTable(number, played, view, start, names_of(played, by)))
    return tables


def _opened(
    played: PlayedGame, game: python_types.ModuleType | None, views: dict[str, View]
) -> tuple[View, Any]:
    """A game's view, which those of the same kind share, and its first state."""
    if isinstance(played, PdnGame):
        return views.setdefault("PDN", View(checkers)), played.start
    seats = [played.game, len(played.players), played.teams]
    kind = json.dumps([*seats, dict(played.params)], sort_keys=True)
    if kind not in views:
        views[kind] = view_of(played, game)
    return views[kind], views[kind].state_from_text(played.start)


def _positions(table: _PlayedTable) -> Iterator[PlayedMove]:
    view, state, ply = table.view, table.start, 0
    for player, move in moves_of(table.played):
        try:
            actor = view.actor(state)
            action = view.action_from_text(state, move) if isinstance(move, str) else move
            view.action_text(state, action)  # which refuses what is not legal
            if player != actor:
                raise InvalidInput(f"player {player} moved, but it is the turn of {actor}")
        except InvalidInput as error:
            raise InvalidInput(f"game {table.number + 1}, ply {ply + 1}: {error}") from None
        if actor != CHANCE:
            ply += 1
            yield PlayedMove(table.number, ply, actor, table.names[actor], view, state, action)
        state, _ = view.apply(state, action)


class LookProgress:
    """Shows how many moves have been looked at, as ``watch`` of :func:`~sizeup.play.infer.infer`.

    ``games`` are all that is looked at; without a console it goes to the standard error.

    >>> from rich.console import Console
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> from sizeup.play.infer import infer
    >>> games = read_pdn("1. 11-15 22-18 *  1. 11-15 *")
    >>> with LookProgress(games, Console()) as progress:
    ...     found = infer(games, types=(1, 2), watch=progress)
    game 1 of 2: 1 of 3 moves
    game 2 of 2: 3 of 3 moves
    """

    def __init__(self, games: Sequence[PlayedGame], console: Console | None = None) -> None:
        from rich.console import Console

        self.console = Console(stderr=True) if console is None else console
        self._begins = list(accumulate((plies_of(game) for game in games), initial=0))
        self._bar: Progress | None = None
        self._told: float | None = None  # when the last line was printed

    def __enter__(self) -> LookProgress:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            from rich.progress import Progress

            self._bar = Progress(console=self.console, transient=True)
            self._bar.add_task("looking", total=self._begins[-1])
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, one: PlayedMove) -> None:
        """Show a move that has been looked at."""
        done, total = self._begins[one.game] + one.ply, self._begins[-1]
        place = f"game {one.game + 1} of {len(self._begins) - 1}"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=place)
        elif self._told is None or done == total or time.monotonic() - self._told >= _PAUSE:
            self._told = time.monotonic()
            self.console.print(f"{place}: {done} of {total} moves", soft_wrap=True)
