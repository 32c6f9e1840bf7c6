"""Records of checkers as PDN, which other programs read, with beliefs in the comments; and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.pdn import PdnGame, write_pdn
from sizeup.games.contract import View
from sizeup.play.match import Match
from sizeup.play.record import Move, Record, Seen
from sizeup.play.replay import view_of
from sizeup.play.table import set_table
from sizeup.play.verdict import Verdict
from sizeup.words import one_line

__all__ = ["from_pdn", "to_pdn"]

_RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}


def to_pdn(record: Record) -> str:
    """Write a match of checkers as PDN.

    A side with several players has all of them in its name, as ``--team`` takes them, and a comment
    after each of its moves says which seat moved. Comments also say what every adaptive player
    believes about its teammate that moved, in whole per cent, if that has changed. The tag
    ``Score`` counts points for black.

    >>> from sizeup.games import checkers
    >>> from sizeup.play import play
    >>> few = checkers.CheckersParams(most_plies=6)
    >>> record = play("checkers", ["ca:4+obl:1", "random"], seed=2, params=few)
    >>> print(to_pdn(record), end="")
    [Event "checkers 2v1"]
    [Black "ca:4+obl:1"]
    [White "random"]
    [Result "1/2-1/2"]
    [GameType "21"]
    [Termination "6 plies played"]
    [Score "0"]
    [Seed "2"]
    <BLANKLINE>
    1. 11-16 {seat 0} 23-18 2. 8-11 {seat 1 | seat 0 on seat 1: 1 98%, 4 2%} 26-23
    3. 9-13 {seat 0} 24-20 1/2-1/2
    """
    require_checkers(record.game)
    view = view_of(record)
    return write_pdn(
        PdnGame(
            tags=tuple(_tags(record)),
            start=view.base_state(view.state_from_text(record.start)),
            actions=tuple(_actions(record, view)),
            result=_RESULTS.get(record.winner, "*"),
            comments=tuple(_comment(record, move) for move in record.moves),
        )
    )


def from_pdn(game: PdnGame) -> Record:
    """Make a record of a game of checkers that somebody played elsewhere.

    Its players are nobody whom Sizeup knows, one on each side, and believe nothing. It ends where
    the rules end it or, as if it was stopped, after the last move: a record says nothing of results
    that players agreed on.

    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> [game] = read_pdn('[Black "Ann"] 1. 11-15 23-19 2. 8-11 1-0')
    >>> from_pdn(game)
    <Record of checkers: Ann against White, 3 moves, winner None>
    """
    match = Match(set_table(checkers, [[_elsewhere], [_elsewhere]]))
    if game.start != match.view.base_state(match.state):
        raise InvalidInput(
            "the game starts from a position of its own (FEN), and a record starts as all games "
            "do; sizeup infer reads such games"
        )
    for ply, action in enumerate(game.actions, start=1):
        if match.finished:
            raise InvalidInput(
                f"the game goes on with move {ply}, but by Sizeup's rules it is over there: "
                f"{match.reason}"
            )
        match.play(action)
    match.stop()
    tags = dict(game.tags)
    names = tuple(tags.get(side, "").strip(" ?") or side for side in ("Black", "White"))
    return replace(match.record(), players=names)


def _elsewhere(*_: Any) -> int:
    """Somebody who has moved, and does so no more."""
    raise InvalidInput("the game was played elsewhere: its players are not here")


def require_checkers(game: str) -> None:
    """Refuse a game, by its name, that PDN has no notation for."""
    if game.partition(" ")[0] != checkers.INFO.name:
        raise InvalidInput(
            f"PDN is for checkers, but this is a match of {game}; save it as a .json file"
        )


def _actions(record: Record, view: View) -> Iterator[int]:
    """The moves as the rules read them."""
    state = view.state_from_text(record.start)
    for move in record.moves:
        try:
            action = view.action_from_text(state, move.action)
        except InvalidInput as error:
            raise InvalidInput(f"ply {move.ply} of the record: {error}") from None
        yield action
        state, _ = view.apply(state, action)


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    yield "Event", record.game
    for side, team in (("Black", 0), ("White", 1)):
        yield side, "+".join(one_line(record.players[player]) for player in _seats(record, team))
    yield "Termination", one_line(record.reason)
    yield "Score", f"{record.total:g}"
    yield "Seed", str(record.seed)


def _seats(record: Record, team: int) -> list[int]:
    return [player for player, side in enumerate(record.teams) if side == team]


def _comment(record: Record, move: Move) -> str:
    """Who moved and what that told others, with | between: some readers cut lines at a ;."""
    several = len(_seats(record, record.teams[move.player])) > 1
    told = [f"seat {move.player}"] if several else []
    told += [_told(record, p, seen) for p, seen in move.seen.items() if p != move.player]
    return " | ".join(filter(None, told))


def _told(record: Record, player: int, seen: Seen) -> str:
    """What a player now believes; nothing if that reads as before."""
    types = record.types_of(player)
    before, after = _belief(types, seen.before), _belief(types, seen.after)
    return "" if before == after else f"seat {player} on seat {seen.actor}: {after}"


def _belief(types: Sequence[int], odds: Sequence[float]) -> str:
    """Types with their shares; no space before %, as a line of PDN that opens with it is lost."""
    if len(types) != len(odds):
        raise InvalidInput(
            f"the record's beliefs {tuple(odds)} are not one for each of the types {tuple(types)}"
        )
    shares = [(str(c), round(100 * p)) for c, p in zip(types, odds, strict=True)]
    shares.append(("none", round(100 * Verdict(tuple(types), odds).none)))
    return ", ".join(f"{name} {share}%" for name, share in shares if share)
