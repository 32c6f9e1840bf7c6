"""Records played back, every move and the end checked against the rules; and played again."""

from __future__ import annotations

import math
import re
import reprlib
import types as python_types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sizeup.agents.engine import MakeSearcher
from sizeup.agents.protocol import Player
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, INT64, OVER, View, array_like, is_ours, load_game
from sizeup.games.look import Look, look_of
from sizeup.games.seats import SeatedParams, seat, with_players
from sizeup.play.match import DRAWN, Match, ending, is_settled, resigned, winner_by
from sizeup.play.record import Move, Record
from sizeup.play.table import AgentLike, set_table
from sizeup.search import Searcher

__all__ = ["first_beliefs", "play_again", "rematch", "replay", "view_of"]


def view_of(record: Record, game: python_types.ModuleType | None = None) -> View:
    """The game of a record, with its seats and parameters, each of them checked.

    ``game`` is the game's module, if it is not one of ours.

    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random+random", "random"], seed=3)
    >>> view_of(record).info.name
    'connect-four 2v1'
    """
    module, sizes = _module_of(record.game, game)
    look = look_of(module)
    if sizes is None:
        view = View(module, params_like(module.INFO.params, record.params, look))
    else:
        params = params_like(SeatedParams(module.INFO.params, *sizes), record.params, look)
        if params[1:] != sizes:
            raise InvalidInput(
                f"the record is of {record.game}, but its params are for {params[1]}v{params[2]}"
            )
        view = View(seat(module, first=sizes[0], second=sizes[1]), params)
    if tuple(record.teams) != tuple(view.teams) or len(record.players) != len(view.teams):
        raise InvalidInput(
            f"the record has players {record.players} in teams {record.teams}, but {record.game} "
            f"has teams {tuple(view.teams)}"
        )
    _require_room(view)
    return view


def _require_room(view: View) -> None:
    """The parameters are for as many players as there are, where they have to know."""
    params, players = view.base.params, len(view.teams)
    adapted = with_players(view.base.game, params, players)
    for field, given, expected in zip(params._fields, params, adapted, strict=True):
        fits = np.array_equal(given, expected)
        _require(fits, f"params.{field}", given, f"{expected} for a team of {players}")


def _module_of(
    name: str, game: python_types.ModuleType | None
) -> tuple[python_types.ModuleType, tuple[int, int] | None]:
    """The module of a record's game, and how many sit on each side if the game was seated.

    A record may come from anywhere: what is imported is one of ours, or what the caller gave.
    """
    if game is not None and game.INFO.name == name:
        if not hasattr(game, "BASE"):
            return game, None
        game = game.BASE
    match = re.fullmatch(r"(.+) (\d)v(\d)", name)
    plain = match[1] if match else name
    if game is None:
        if not is_ours(plain):
            raise InvalidInput(
                f"{name!r} is not a game that comes with Sizeup; pass the game's module: "
                "game=my_game in Python, --game my_game.py on the command line"
            )
        game = load_game(plain)
    elif game.INFO.name != plain:
        raise InvalidInput(f"the record is of {name!r}, but the given game is {game.INFO.name!r}")
    return game, (int(match[2]), int(match[3])) if match else None


def params_like(model: Any, given: Any, look: Look, where: str = "params") -> Any:
    """Parameters of the kinds that a model has, within the limits that its game's look names.

    Compiled rules look things up by these numbers without asking, so what does not fit is refused.
    """
    if not isinstance(given, Mapping) or set(given) != set(model._fields):
        held = list(given) if isinstance(given, Mapping) else given
        raise InvalidInput(
            f"the record's {where} hold {held!r}, expected the fields {', '.join(model._fields)}"
        )
    fields = model._asdict().items()
    params = type(model)(
        *(_value_like(value, given[name], look, f"{where}.{name}") for name, value in fields)
    )
    seated = any(isinstance(value, tuple) for value in params)  # the game's own are inside
    for limit in look.limits(params) if look.limits and not seated else ():
        _require(limit.holds, f"{where}.{limit.field}", given[limit.field], limit.expected)
    return params


def _require(holds: bool, where: str, given: Any, expected: str) -> None:
    if not holds:
        raise InvalidInput(f"the record's {where} is {reprlib.repr(given)}, expected {expected}")


def _value_like(model: Any, given: Any, look: Look, where: str) -> Any:
    if isinstance(model, tuple):
        return params_like(model, given, look, where)
    if isinstance(model, np.ndarray):
        array = array_like(model, given)
        expected = f"a list of {model.dtype} in {model.ndim} dimension(s)"
        _require(array is not None, where, given, expected)
        return array
    allowed: tuple[type, ...] = (int, float) if isinstance(model, float) else (type(model),)
    _require(type(given) in allowed, where, given, f"something like {model!r}")
    if type(given) is int:
        _require(INT64[0] <= given <= INT64[1], where, given, "a whole number of 64 bits")
    return type(model)(given)


def replay(
    record: Record, game: python_types.ModuleType | None = None
) -> Iterator[tuple[Any, Move]]:
    """Every move of a record with the state before it, checked against the rules as it goes.

    ``game`` is the game's module, if it is not one of ours.

    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> [move.action for _, move in replay(record)] == [move.action for move in record.moves]
    True
    >>> from dataclasses import replace
    >>> list(replay(replace(record, total=5.0)))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record's total is 5, but its moves are worth -1
    """
    view = view_of(record, game)
    first_beliefs(record)
    record.beliefs_carried()
    start = view.state_text(view.start())
    if record.start != start:
        raise InvalidInput(f"the record starts at {record.start!r}, but the game at {start!r}")
    return _steps(record, view)


def _steps(record: Record, view: View) -> Iterator[tuple[Any, Move]]:
    state, total, ply, quiet = view.start(), 0.0, 0, 0
    for move in record.moves:
        stopped = ending(view, state, ply, quiet, record.most_plies)
        ply += move.player != CHANCE
        try:
            if stopped not in (None, OVER):
                raise InvalidInput(f"the match had stopped before it: {stopped}")
            after, reward = _checked(view, state, move, ply)
            _check_seen(record, move)
        except InvalidInput as error:
            raise InvalidInput(f"ply {ply} of the record: {error}") from None
        yield state, move
        state, total = after, total + reward
        if move.player != CHANCE:
            quiet = quiet + 1 if reward == 0 else 0
    _check_result(record, view, state, total)
    _check_reason(record, ending(view, state, ply, quiet, record.most_plies), ply)


def _checked(view: View, state: Any, move: Move, ply: int) -> tuple[Any, float]:
    """The state after a move that follows the rules, and what the move is worth."""
    actor = view.actor(state)
    if move.ply != ply:
        raise InvalidInput(f"it is numbered {move.ply}")
    if move.player != actor:
        turn = "chance's" if actor == CHANCE else f"player {actor}'s" if actor >= 0 else "nobody's"
        raise InvalidInput(f"player {move.player} moves, but it is {turn} turn")
    after, reward = view.apply(state, view.action_from_text(state, move.action))
    if not math.isclose(reward, move.reward, abs_tol=1e-9):
        raise InvalidInput(f"{move.action} is worth {reward:g}, not {move.reward:g}")
    return after, reward


def _check_seen(record: Record, move: Move) -> None:
    """Whoever learnt from a move sits at the table, and learnt about this move."""
    for player, seen in move.seen.items():
        if player not in record.first_beliefs or seen.actor != move.player:
            raise InvalidInput(
                f"player {player} learnt about player {seen.actor}, but player {move.player} moved "
                f"and the players that learn are {sorted(record.first_beliefs)}"
            )
        count = len(record.types_of(player))
        evidence = [0.0 if e is None else e for e in seen.evidence]
        told = [(evidence, math.inf), (seen.before, 1.0), (seen.after, 1.0)]
        if seen.samples or seen.played:
            told.append(([n or 0.0 for n in seen.played], seen.samples))
        for numbers, most in told:
            fit = all(isinstance(n, (int, float)) and -1e-9 <= n <= most + 1e-9 for n in numbers)
            if len(numbers) != count or not fit:
                raise InvalidInput(
                    f"player {player} considers {count} types; expected a number for each, got "
                    f"{list(numbers)}"
                )


def _check_result(record: Record, view: View, state: Any, total: float) -> None:
    if not math.isclose(total, record.total, abs_tol=1e-9):
        raise InvalidInput(
            f"the record's total is {record.total:g}, but its moves are worth {total:g}"
        )
    won = winner_by(record.reason, view, state, total)
    if record.winner != won:
        raise InvalidInput(f"the record's winner is {record.winner}, but the moves say {won}")


def _check_reason(record: Record, reason: str | None, ply: int) -> None:
    settled = reason is None and is_settled(record.reason, record.teams)
    if record.reason != reason and not settled:
        rules = "goes on there" if reason is None else f"ends there with {reason!r}"
        raise InvalidInput(
            f"the record ends after ply {ply} with {record.reason!r}; by the rules it {rules}"
        )


def first_beliefs(record: Record) -> dict[int, list[Any]]:
    """Beliefs before the first move, checked."""
    beliefs: dict[int, list[Any]] = {}
    for player, rows in record.first_beliefs.items():
        seated = player in range(len(record.players))
        count = len(record.types_of(player)) if seated else 0
        try:
            odds = np.asarray(rows, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            odds = np.zeros(())
        fits = odds.ndim == 2 and len(odds) >= len(record.players) and odds.shape[1] == count
        if not fits or not ((odds >= 0) & (odds <= 1 + 1e-9)).all():
            raise InvalidInput(
                f"the record's first beliefs of player {player} are {rows!r}; expected a row of "
                "probabilities for each player"
            )
        beliefs[player] = list(rows)
    return beliefs


def rematch(
    record: Record,
    game: python_types.ModuleType | None = None,
    *,
    searcher: MakeSearcher = Searcher,
    instead: Mapping[int, AgentLike] | None = None,
) -> Match:
    """The match of a record once more, from its first move: the same players and the same seed.

    Stepped through, it is the same match, move for move and belief for belief. The moves of people
    and functions have to be given (:meth:`Match.step`), as they are in the record.

    ``game`` is the game's module, if it is not one of ours; ``searcher`` makes what agents search
    with; ``instead`` are players, by seat, that take seats of others.
    """
    taken: dict[int, AgentLike | None] = {**dict(enumerate(record.agents)), **(instead or {})}
    teams = [
        [taken[p] or _absent(record, p) for p, side in enumerate(record.teams) if side == team]
        for team in sorted(set(record.teams))
    ]
    carried = {p: b for p, b in record.beliefs_carried().items() if p not in (instead or {})}
    table = set_table(
        view_of(record, game), teams, beliefs=carried, searcher=searcher,
        observer=record.observer, types=record.types,
    )  # fmt: skip
    searches = any(move.search for move in record.moves)
    return Match(table, record.seed, searches, record.most_plies)


def play_again(record: Record, game: python_types.ModuleType | None = None) -> Record:
    """Play the match of a record again, and return its record.

    >>> from sizeup.play import play
    >>> record = play("connect-four", ["obl:2", "random"], seed=3)
    >>> play_again(record) == record
    True
    """
    match = rematch(record, game)
    for move in record.moves:
        given = move.player != CHANCE and record.agents[move.player] is None
        match.step(match.view.action_from_text(match.state, move.action) if given else None)
        if match.finished:
            break
    if (seat := resigned(record.reason, record.teams)) is not None:
        match.resign(seat)
    elif record.reason == DRAWN:
        match.agree_draw()
    return match.record()


def _absent(record: Record, player: int) -> Player:
    """Somebody whose moves are known from the record only."""

    def absent(view: View, state: Any, seed: int) -> int:
        raise InvalidInput(f"{record.players[player]} in seat {player} is not here: give its move")

    absent.__name__ = record.players[player]
    return absent
