"""What if: a record up to some move, then another one, and agents that play on to the end."""

from __future__ import annotations

import secrets

from sizeup.agents import AgentConfig, read_agent
from sizeup.agents.engine import MakeSearcher
from sizeup.errors import InvalidInput
from sizeup.play.match import Match, set_table
from sizeup.play.record import Record
from sizeup.web.endings import inferred_depth, result_data
from sizeup.web.modest import require_modest
from sizeup.web.players import config_of
from sizeup.web.records import Kept, Opened, Origin, keep

__all__ = ["Branch", "keep_branch"]


class Branch:
    """A match that goes as a record says, up to a move that is another one.

    A person's seat is taken by an oblivious agent of the depth that was inferred.

    Parameters
    ----------
    opened
        The record.
    ply
        The number of the move that is another one, from 1.
    action
        What is played there; None to search again with another seed.
    searcher
        Makes what agents search with.
    most_plies
        Where it is given up.
    """

    def __init__(
        self, opened: Opened, ply: int, action: str | None, searcher: MakeSearcher, most_plies: int
    ) -> None:
        moves = opened.record.moves
        if not 1 <= ply <= len(moves):
            raise InvalidInput(f"the match has moves 1 to {len(moves)}, got {ply}")
        state = opened.states[ply - 1]
        if action is not None:
            opened.view.action_from_text(state, action)  # said now if it is not legal
        self._past = [move.action for move in moves[: ply - 1]]
        self._action, self._most = action, most_plies
        table = set_table(opened.view, _teams(opened), searcher=searcher)
        self._match = Match(table, opened.record.seed)

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""
        return self._match.finished

    def step(self) -> None:
        """Play the next move."""
        match = self._match
        number = len(match.moves)
        if number >= self._most:
            raise InvalidInput(f"the match goes on for more than {self._most} moves")
        action: str | None = None
        if number < len(self._past):
            action = self._past[number]
        elif number == len(self._past):
            action = self._action
            if action is None:
                match.seed = secrets.randbelow(2**32)
        match.step(None if action is None else match.view.action_from_text(match.state, action))

    def record(self) -> Record:
        """The record of the branch, once it is finished."""
        return self._match.record()


def keep_branch(record: Record, opened: Opened, ply: int, owner: str) -> Kept:
    """Pack the record of a branch, with where it comes from."""
    first = opened.record
    origin = Origin(opened.kept.id, ply, first.players, result_data(first))
    return keep(record, "branch", owner, origin=origin)


def _teams(opened: Opened) -> list[list[AgentConfig]]:
    record = opened.record
    agents = [_agent(opened, seat) for seat in range(len(record.players))]
    for agent in agents:
        require_modest(opened.view, agent)
    return [
        [agent for agent, side in zip(agents, record.teams, strict=True) if side == team]
        for team in sorted(set(record.teams))
    ]


def _agent(opened: Opened, seat: int) -> AgentConfig:
    known = config_of(opened.record.players[seat])
    if known is not None:
        return known
    depth = inferred_depth(opened.story, seat) or min(opened.record.types, default=2)
    return read_agent(f"obl:{depth}")
