"""What crosses the door between the plan, the workers and the store: plain data only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["Job", "Outcome", "Play"]


@dataclass(frozen=True)
class Job:
    """One planned game, or a series of games in which beliefs carry over.

    Parameters
    ----------
    job_id
        Hash of everything that decides what will be played: configuration, cell, seed and slot.
    index
        Place in the plan, from 0.
    cell
        Which cell of the experiment's tables it counts for, such as ``"ca 2+8"``.
    block, slot
        Number of the seed block within the cell, and place in the block (colours and seat orders).
    seed
        Seed of the match, the same for all games of a block.
    config
        What to play, ready for JSON: game, parameters, teams, options, rounds.
    home
        Where the game's own file is, if it has one: no part of what is played.
    code
        Fingerprints of the code that it was planned for, which a worker must have too; nothing if
        any code will do. No part of what is played either.
    """

    job_id: str
    index: int
    cell: str
    block: int
    slot: int
    seed: int
    config: Mapping[str, Any]
    home: str = field(default="", compare=False)
    code: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def game(self) -> str:
        """What to load the game by."""
        return self.home or str(self.config["game"])

    @property
    def rounds(self) -> int:
        """How many games one after the other."""
        return int(self.config.get("rounds", 1))

    def game_id(self, number: int = 0) -> str:
        """Name of one game of the job, counted from 0."""
        return f"{self.job_id}-{number}"


@dataclass(frozen=True)
class Outcome:
    """How one game went, seen from the team that the experiment is about.

    Parameters
    ----------
    score
        1 for a win, 0 for a draw, -1 for a loss; None where only one team plays.
    total
        Undiscounted reward of the team (in checkers: the difference in captured pieces).
    reason
        Why the game ended.
    plies
        Moves of players.
    rewards
        Reward of every move to the team.
    moves
        Every move as text, in order.
    posteriors
        Final beliefs of the team's adaptive members, ``{"0": [[...], ...]}``: for each of them
        (members, types) probabilities. Members are numbered as the experiment writes them, whatever
        seat they have in this game.
    deviations
        ``{"0": {"1": [...]}}``: how far member 0 was from the truth about its teammate 1, before
        its first update and after each.
    """

    score: int | None
    total: float
    reason: str
    plies: int
    rewards: tuple[float, ...]
    moves: tuple[str, ...]
    posteriors: Mapping[str, Any]
    deviations: Mapping[str, Any]


Play: TypeAlias = Callable[[Job], tuple[Outcome, ...]]
"""Plays a job's games, an outcome for each; runs in a worker and must be importable there."""
