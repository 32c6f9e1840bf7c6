"""Games that were played, from files: records of matches (JSON), or checkers in PDN.

What the two kinds hold is read the same way: who sat where, and which moves were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.games.pdn import PdnGame, read_pdn
from sizeup.play.record import Record

__all__ = [
    "By",
    "Game",
    "checked_games",
    "moves_of",
    "names_of",
    "players_of",
    "plies_of",
    "read_games",
]

Game: TypeAlias = Record | PdnGame
By: TypeAlias = Literal["name", "seat"]

_UNKNOWN = ("", "?")  # PDN's words for a player without a name


def read_games(path: str | Path) -> list[Game]:
    """Read the games of a file: a record of a match (JSON), or checkers in PDN.

    Raises :class:`~sizeup.errors.InvalidInput` with one line that says what is wrong and where.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "games.pdn")
    ...     _ = path.write_text('[Black "Ann"] 1. 11-15 23-19 *')
    ...     len(read_games(path))
    1
    """
    text = _text(Path(path))
    try:
        games: Sequence[Game] = [Record.from_json(text)] if _is_json(text) else read_pdn(text)
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


def _is_json(text: str) -> bool:
    """Whether a text opens like JSON; PDN opens with a tag, a move, or a comment in braces."""
    return re.match(r'\s*(\{\s*["}]|\[\s*[^\sA-Za-z0-9_])', text) is not None


def checked_games(games: Sequence[Game]) -> Sequence[Game]:
    """A list of games, or an error that says what it is instead."""
    if isinstance(games, (str, Path)) or not isinstance(games, Sequence):
        raise InvalidInput(
            f"expected a list of games, got {type(games).__name__}; read_games(path) reads a file"
        )
    for one in games:
        if not isinstance(one, (Record, PdnGame)):
            raise InvalidInput(f"expected records or PDN games, got {type(one).__name__}")
    return games


def names_of(game: Game, by: By = "name") -> list[str]:
    """What the players of a game are called, seat by seat.

    >>> names_of(read_pdn('[Black "Ann"] 1. 11-15 *')[0])
    ['Ann', 'White']
    """
    if by == "seat":
        seats = len(game.players) if isinstance(game, Record) else 2
        return [f"seat {player}" for player in range(seats)]
    if isinstance(game, Record):
        return list(game.players)
    tags = dict(game.tags)
    given = [(tags.get(side, "").strip(), side) for side in ("Black", "White")]
    return [side if name in _UNKNOWN else name for name, side in given]


def players_of(games: Sequence[Game], by: By = "name") -> list[str]:
    """Everybody who played in some games, in the order in which they first sat.

    >>> players_of(read_pdn('[Black "Ann"] [White "Ben"] *  [Black "Ben"] [White "Cid"] *'))
    ['Ann', 'Ben', 'Cid']
    """
    return list(dict.fromkeys(name for game in games for name in names_of(game, by)))


def moves_of(game: Game) -> Iterator[tuple[int, str | int]]:
    """Who moved, and the move as a text or as its number."""
    if isinstance(game, PdnGame):
        yield from (((game.start.side + at) % 2, move) for at, move in enumerate(game.actions))
    else:
        yield from ((move.player, move.action) for move in game.moves)


def plies_of(game: Game) -> int:
    """How many moves players made."""
    return sum(player != CHANCE for player, _ in moves_of(game))
