"""Games that were played: read from files, and gone through position by position."""

from __future__ import annotations

import gzip
import json
import re
import time
import types as python_types
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.pdn import PdnError, PdnGame, is_game_lines, read_game_lines, read_pdn
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.play.moves_table import MovesTable, is_moves_table, read_moves_table
from sizeup.play.record import Record, read_file
from sizeup.play.replay import view_of
from sizeup.words import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["LookProgress", "PlayedGame", "PlayedMove", "players_of", "positions", "read_games"]

PlayedGame: TypeAlias = Record | PdnGame | MovesTable
By: TypeAlias = Literal["name", "seat"]

_GZIP = b"\x1f\x8b"  # how a packed file begins, whatever its name
_SHOWN = 10  # players who are named where there are many
_PAUSE = 10.0  # seconds between two lines where there is no bar
_SIDES = ("Black", "White")
_UNKNOWN = ("", "?")  # PDN's words for a player without a name
_JSON = r'\s*(\{\s*["}]|\[\s*[^\sA-Za-z0-9_])'  # PDN opens with a tag, a move or a {comment}


def read_games(path: str | Path, watch: Callable[[float], None] | None = None) -> list[PlayedGame]:
    """Read the games of a file, or positions with what was played there.

    It may hold a record of a match (JSON), checkers in PDN or as lines of moves
    (:func:`~sizeup.games.checkers.pdn.is_game_lines`), or a table of moves
    (:mod:`~sizeup.play.moves_table`), in UTF-8 or UTF-16, packed by gzip or not. ``watch`` is told
    now and then how much of many games of checkers has been read, a share of 1.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "games.pdn")
    ...     _ = path.write_text('[Black "Ann"] 1. 11-15 23-19 *')
    ...     len(read_games(path))
    1
    """
    text = _text(Path(path))
    try:
        games = _games(text, watch)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    if not games:
        raise InvalidInput(
            f"{path}: there is no game in it; expected a record (JSON), PDN, or a table of moves"
        )
    named = (
        replace(one, source=str(path)) if isinstance(one, MovesTable) else one for one in games
    )
    return list(named)


def _games(text: str, watch: Callable[[float], None] | None) -> Sequence[PlayedGame]:
    if re.match(_JSON, text) is not None:
        return [Record.from_json(text)]
    if is_moves_table(text):
        return read_moves_table(text)
    return read_game_lines(text, watch) if is_game_lines(text) else read_pdn(text, watch)


def _text(path: Path) -> str:
    try:
        raw = read_file(path)
        if raw.startswith(_GZIP):
            raw = gzip.decompress(raw)
    except (EOFError, zlib.error) as error:
        raise InvalidInput(
            f"cannot read {path}: it is cut off or not a gzip file: {error}"
        ) from None
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from None
    return _decoded(raw, path)


def _decoded(raw: bytes, path: Path) -> str:
    if (form := _utf_16(raw)) is not None:
        try:
            return raw.decode(form)
        except UnicodeDecodeError as error:
            raise InvalidInput(f"cannot read {path}: it is not UTF-16: {error.reason}") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # as old PDN files are


def _utf_16(raw: bytes) -> str | None:
    """Which UTF-16 a text is in: by its mark, or because every other of its bytes is 0."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    head = raw[:200]
    if len(head) < 4:
        return None
    nil = [part.count(0) > 0.9 * len(part) for part in (head[0::2], head[1::2])]
    return None if nil[0] == nil[1] else "utf-16-be" if nil[0] else "utf-16-le"


def _require_games(games: Sequence[PlayedGame]) -> None:
    if isinstance(games, str) or not isinstance(games, Sequence):
        raise InvalidInput(
            f"expected a list of games, got {type(games).__name__}; read_games(path) reads a file"
        )
    for one in games:
        if not isinstance(one, (Record, PdnGame, MovesTable)):
            raise InvalidInput(f"expected records or PDN games, got {type(one).__name__}")


def names_of(game: PlayedGame, by: By = "name") -> list[str]:
    """What the players of a game are called, seat by seat; in a table, as they first move."""
    if isinstance(game, MovesTable):
        return list(game.players) if by == "name" else ["seat 0", "seat 1"]
    if by == "seat":
        seats = len(game.players) if isinstance(game, Record) else 2
        return [f"seat {player}" for player in range(seats)]
    if isinstance(game, Record):
        return list(game.players)
    return [name or side for name, side in zip(_tagged(game), _SIDES, strict=True)]


def is_nameless(game: PlayedGame, seat: int) -> bool:
    """Whether a game does not say who sat there.

    >>> [is_nameless(game, 0) for game in read_pdn('[Black "Ann"] * [Black "?"] * *')]
    [False, True, True]
    """
    return isinstance(game, PdnGame) and not _tagged(game)[seat]


def _tagged(game: PdnGame) -> list[str]:
    """The names in a game's tags, empty where there is none."""
    tags = dict(game.tags)
    given = [tags.get(side, "").strip() for side in _SIDES]
    return ["" if name in _UNKNOWN else name for name in given]


def players_of(games: Sequence[PlayedGame], by: By = "name") -> list[str]:
    """Everybody who played in some games, in the order in which they first sat.

    >>> players_of(read_pdn('[Black "Ann"] [White "Ben"] *  [Black "Ben"] [White "Cid"] *'))
    ['Ann', 'Ben', 'Cid']
    """
    return list(dict.fromkeys(name for game in games for name in names_of(game, by)))


def moves_of(game: Record | PdnGame) -> Iterator[tuple[int, str | int]]:
    """Who moved, and the move as a text or as its number."""
    if isinstance(game, PdnGame):
        yield from (((game.start.side + at) % 2, move) for at, move in enumerate(game.actions))
    else:
        yield from ((move.player, move.action) for move in game.moves)


def plies_of(game: PlayedGame) -> int:
    """How many moves players made."""
    if isinstance(game, MovesTable):
        return len(game.rows)
    return sum(player != CHANCE for player, _ in moves_of(game))


class PlayedMove(NamedTuple):
    """Where a player of a game moved; ``game`` counts from 0, ``ply`` (moves of players) from 1.

    In a table of moves, ``ply`` is the number of the row.
    """

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
            some = [*get_close_matches(player, names), *names]  # those that are most alike first
            shown = list(dict.fromkeys(some if len(names) > _SHOWN else names))[:_SHOWN]
            more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
            raise InvalidInput(
                f"there is no player {player!r} in these games; players are "
                f"{', '.join(map(one_line, shown)) or 'none'}{more}"
            )
    tables = _tables(games, by, game)
    found = (position for table in tables for position in table)
    return (one for one in found if players is None or one.player in players)


def _tables(
    games: Sequence[PlayedGame], by: By, game: python_types.ModuleType | None
) -> list[Iterator[PlayedMove]]:
    """The moves of each game, checked before any is looked at; games of a kind share a view."""
    views: dict[str, View] = {}
    tables = []
    for number, played in enumerate(games):
        try:
            if isinstance(played, MovesTable):
                tables.append(iter(_table_moves(number, played, by, _view(played, game, views))))
            else:
                view, start = _opened(played, game, views)
                names = names_of(played, by)
                tables.append(_positions(number, played, names, view, start))
        except InvalidInput as error:
            known = isinstance(played, MovesTable) and played.source
            raise InvalidInput(f"{known or f'game {number + 1}'}: {error}") from None
        if isinstance(played, Record):  # PDN was checked when it was read
            deque(_positions(number, played, names, view, start), maxlen=0)
    return tables


def _view(table: MovesTable, game: python_types.ModuleType | None, views: dict[str, View]) -> View:
    """The view of a table's game: its own, or what the caller says it is."""
    name = table.game
    first = table.rows[0].line if table.rows else 0
    where = f"line {first}: " if name or first > 2 else ""  # without a column it is no line's fault
    if game is None and name.replace("-", "_") not in GAMES:
        named = f"names the game {name!r}, which does not come with Sizeup" if name else "has none"
        raise InvalidInput(
            f"{where}a table of moves needs a game, and this one {named}; pass game=... in Python, "
            "--game NAME on the command line, or add a column game"
        )
    if game is not None and name and game.INFO.name != name.replace("_", "-"):
        raise InvalidInput(
            f"{where}the table's game is {name!r}, but the given game is {game.INFO.name!r}"
        )
    key = f"moves of {name}"
    if key not in views:
        views[key] = View(load_game(name) if game is None else game)
    return views[key]


def _table_moves(number: int, table: MovesTable, by: By, view: View) -> list[PlayedMove]:
    """All of a table's moves, checked before any of them is looked at."""
    found = []
    for at, row in enumerate(table.rows, 1):
        try:
            state = view.state_from_text(row.position)
            action = view.action_from_text(state, row.move)
            if (seat := view.actor(state)) == CHANCE:
                raise InvalidInput(f"in {row.position!r} chance decides, and no player moves")
        except InvalidInput as error:
            told = error.problem if isinstance(error, PdnError) else error
            raise InvalidInput(f"line {row.line}: {told}") from None
        name = f"seat {seat}" if by == "seat" else row.player
        found.append(PlayedMove(number, at, seat, name, view, state, action))
    return found


def _opened(
    played: Record | PdnGame, game: python_types.ModuleType | None, views: dict[str, View]
) -> tuple[View, Any]:
    """A game's view, which those of the same kind share, and its first state."""
    if isinstance(played, PdnGame):
        if game is not None and game.INFO.name != checkers.INFO.name:
            raise InvalidInput(f"PDN is of checkers, but the given game is {game.INFO.name!r}")
        return views.setdefault("PDN", View(checkers)), played.start
    seats = [played.game, len(played.players), played.teams]
    kind = json.dumps([*seats, dict(played.params)], sort_keys=True)
    if kind not in views:
        views[kind] = view_of(played, game)
    return views[kind], views[kind].state_from_text(played.start)


def _positions(
    number: int, played: Record | PdnGame, names: Sequence[str], view: View, state: Any
) -> Iterator[PlayedMove]:
    ply = 0
    for player, move in moves_of(played):
        try:
            actor = view.actor(state)
            action = view.action_from_text(state, move) if isinstance(move, str) else move
            view.action_text(state, action)  # which refuses what is not legal
            if player != actor:
                raise InvalidInput(f"player {player} moved, but it is the turn of {actor}")
        except InvalidInput as error:
            raise InvalidInput(f"game {number + 1}, ply {ply + 1}: {error}") from None
        if actor != CHANCE:
            ply += 1
            yield PlayedMove(number, ply, actor, names[actor], view, state, action)
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
        place = f"game {one.game + 1:,} of {len(self._begins) - 1:,}"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=place)
        elif self._told is None or done == total or time.monotonic() - self._told >= _PAUSE:
            self._told = time.monotonic()
            self.console.print(f"{place}: {done:,} of {total:,} moves", soft_wrap=True)
