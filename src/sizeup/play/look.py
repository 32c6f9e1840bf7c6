"""Looking at the moves of games: a search of our own wherever a player had a choice.

In these searches the player is modelled as oblivious: as one that takes everybody for an equal. One
progressive pass shows what a player of each type would have looked at.
"""

from __future__ import annotations

import json
import types as python_types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from sizeup.capability import TypeSet
from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.contract import CHANCE, View
from sizeup.games.pdn import PdnGame
from sizeup.play.read_games import By, Game, checked_games, moves_of, names_of, players_of
from sizeup.play.recorded_game import view_of
from sizeup.search import Searcher, SearchOptions

__all__ = ["GameModule", "Look", "look"]

GameModule: TypeAlias = python_types.ModuleType


@dataclass(frozen=True, eq=False)
class Look:
    """A move, and what a search at its position shows for each type.

    ``game`` counts from 0, ``ply`` (moves of players) from 1. ``shares`` is ``(types, actions)``
    and ``chosen`` the column of the move played; a forced move has neither a search nor shares.
    """

    game: int
    ply: int
    seat: int
    player: str
    action: str
    chosen: int
    shares: NDArray[np.float64] | None

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return self.shares is None


def look(
    games: Sequence[Game],
    types: Sequence[int],
    *,
    by: By = "name",
    players: Sequence[str] | None = None,
    seed: int = 0,
    options: SearchOptions | None = None,
    game: GameModule | None = None,
) -> Iterator[Look]:
    """Search at every move that was not forced, as :func:`~sizeup.play.infer.infer` does.

    The parameters are explained there. One search serves any number of rules: give what it finds
    to :func:`~sizeup.play.depths.conclude`.

    Examples
    --------
    >>> from sizeup.games.pdn import read_pdn
    >>> quick = SearchOptions(iterations=20)
    >>> [first, _] = look(read_pdn("1. 11-15 22-18"), types=(1, 2), options=quick)
    >>> first.player, first.action, first.shares.shape
    ('Black', '11-15', (2, 7))
    """
    if by not in get_args(By):
        raise InvalidInput(f"players are told apart by 'name' or by 'seat', got {by!r}")
    if type(seed) is not int or seed < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    values = TypeSet(types).values
    _require_seated(players or (), checked_games(games), by)
    return _looks(_tables(games, by, game), values, players, seed, options)


class _Table(NamedTuple):
    """A game that was played, and by whom; games of the same kind share a view."""

    number: int
    played: Game
    view: View
    start: Any
    names: Sequence[str]


class _Position(NamedTuple):
    """Where a player moved."""

    ply: int
    state: Any
    actor: int
    action: int


def _tables(games: Sequence[Game], by: By, game: GameModule | None) -> list[_Table]:
    views: dict[str, View] = {}
    tables = []
    for number, played in enumerate(games):
        kind = _kind(played)
        try:
            if kind not in views:
                views[kind] = _view(played, game)
            start = _start(played, views[kind])
        except InvalidInput as error:
            raise InvalidInput(f"game {number + 1}: {error}") from None
        tables.append(_Table(number, played, views[kind], start, names_of(played, by)))
    return tables


def _kind(played: Game) -> str:
    """What games must share to be searched by one searcher."""
    if isinstance(played, PdnGame):
        return "PDN"
    seats = [played.game, len(played.players), played.teams]
    return json.dumps([*seats, dict(played.params)], sort_keys=True)


def _view(played: Game, game: GameModule | None) -> View:
    return View(checkers) if isinstance(played, PdnGame) else view_of(played, game)


def _start(played: Game, view: View) -> Any:
    return played.start if isinstance(played, PdnGame) else view.state_from_text(played.start)


def _require_seated(players: Sequence[str], games: Sequence[Game], by: By) -> None:
    names = players_of(games, by)
    for player in players:
        if player not in names:
            raise InvalidInput(
                f"there is no player {player!r} in these games; players are "
                f"{', '.join(names) or 'none'}"
            )


def _looks(
    tables: Sequence[_Table],
    types: tuple[int, ...],
    players: Sequence[str] | None,
    seed: int,
    options: SearchOptions | None,
) -> Iterator[Look]:
    searcher: Searcher | None = None
    for table in tables:
        if searcher is None or searcher.view is not table.view:
            searcher = Searcher(table.view, types, options)
        for position in _positions(table):
            if players is None or table.names[position.actor] in players:
                yield _look(searcher, table, position, seed)


def _positions(table: _Table) -> Iterator[_Position]:
    """Every move of a player, checked against the rules."""
    view, state, ply = table.view, table.start, 0
    for player, move in moves_of(table.played):
        try:
            actor, action = view.actor(state), _action(view, state, move)
            if player != actor:
                raise InvalidInput(f"player {player} moved, but it is the turn of {actor}")
        except InvalidInput as error:
            raise InvalidInput(f"game {table.number + 1}, ply {ply + 1}: {error}") from None
        if actor != CHANCE:
            ply += 1
            yield _Position(ply, state, actor, action)
        state, _ = view.apply(state, action)


def _action(view: View, state: Any, move: str | int) -> int:
    """The legal action that was written, as a text or as its number."""
    if isinstance(move, str):
        return view.action_from_text(state, move)
    view.action_text(state, move)  # which refuses what is not legal
    return move


def _look(searcher: Searcher, table: _Table, position: _Position, seed: int) -> Look:
    ply, state, actor, action = position
    actions, shares = table.view.actions(state), None
    if len(actions) > 1:
        entropy = np.random.SeedSequence((seed, table.number, ply))
        own_seed = int(entropy.generate_state(1, np.uint64)[0])
        shares = searcher.search(state, seed=own_seed).shares
    text, chosen = table.view.action_text(state, action), actions.index(action)
    return Look(table.number, ply, actor, table.names[actor], text, chosen, shares)
