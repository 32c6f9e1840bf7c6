"""The match: players take turns, everybody watches, everything is written down.

Whoever follows a match, here, in the browser or in somebody else's environment, does so with the
verbs of :class:`Match`: ``choose``, ``play``, ``step``. What is random in it comes from
:func:`random_seed`, so that the same seed gives the same match wherever it is played.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents import Agent, Choice, Observation, PluginAgent, Seated
from sizeup.capability import Beliefs, differences, stack
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import CHANCE, OVER, TERMINAL, View
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import AgentLike, GameLike, Table, set_table
from sizeup.search import SearchResult

__all__ = ["Match", "checked_seed", "play", "play_at", "random_seed"]

# What a random number is for; fixed for good, since every stored match depends on it.
ACTING, WATCHING, CHANCES, OBSERVING, LOOKING_UP = range(5)

DRAWN = "a draw was agreed"
_RESIGNED = re.compile(r"seat ([0-9]) resigned")


def play(
    game: GameLike,
    teams: Sequence[str | Sequence[AgentLike]],
    *,
    seed: int = 0,
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    watch: Callable[[Table, Any, Move], None] | None = None,
) -> Record:
    """Play a match and return its record; the same seed gives the same record.

    ``game``, ``teams``, ``params`` and ``beliefs`` are those of :func:`set_table`; ``watch`` is
    called after every move with the table, the state before it and the move.

    The expert tries the fire once, sees what its partner does, and leaves it at that:

    >>> record = play("wall-of-fire", ["ca:20+obl:2"], seed=1)
    >>> record.total, record.moves[0].action, record.moves[1].action
    (-2.0, 'E', 'W')
    >>> play("wall-of-fire", ["obl:20+obl:2"], seed=1).total
    -20.0
    """
    return play_at(set_table(game, teams, params, beliefs), seed=seed, watch=watch)


def play_at(
    table: Table,
    *,
    seed: int = 0,
    watch: Callable[[Table, Any, Move], None] | None = None,
    searches: bool = True,
) -> Record:
    """Play a match at a table that is set; the agents keep what they have come to believe.

    Without ``searches`` nothing is kept of the searches behind the moves, which is quicker: to
    write down every action that was considered can take as long as to consider it.

    >>> table = set_table("wall-of-fire", ["ca:20+obl:2"])
    >>> record = play_at(table, seed=1)
    >>> again = play("wall-of-fire", ["ca:20+obl:2"], seed=2, beliefs=table.beliefs)
    >>> record.total, again.total
    (-2.0, 0.0)
    """
    match = Match(table, seed, searches)
    while not match.finished:
        before = match.state
        move = match.step()
        if watch is not None:
            watch(table, before, move)
    return match.record()


class Match:
    """One match while it is played, move by move.

    ``state``, ``moves``, ``plies`` and ``total`` say where it stands, ``reason`` why it ended.
    ``searches`` is whether to keep what was found by the searches behind the moves, ``most_plies``
    after how many moves of players the match is stopped, if the game itself does not do so.

    >>> match = Match(set_table("wall-of-fire", ["ca:20+obl:2"]), seed=1)
    >>> match.view.action_text(match.state, match.choose().action)
    'E'
    >>> match.step().action, match.actor, match.finished
    ('E', 1, False)
    """

    def __init__(
        self, table: Table, seed: int = 0, searches: bool = True, most_plies: int | None = None
    ) -> None:
        self.table, self.view, self.searches = table, table.view, searches
        self.seed, self.most_plies = checked_seed(seed), most_plies
        self.state = self._start = self.view.start()
        self.moves: list[Move] = []
        self.actions: list[int] = []
        self.plies = self.quiet = 0
        self.total = 0.0
        self._watching: list[tuple[int, Seated]] = [
            (p, one)
            for p, one in enumerate(table.seats)
            if one.is_adaptive or isinstance(one, PluginAgent)
        ]
        if table.observer is not None:
            self._watching.append((table.observer.player, table.observer))
        self.first_beliefs = {
            p: watcher.probabilities().tolist() for p, watcher in table.watchers.items()
        }
        self._choice: Choice | None = None
        self.reason = self._ended()

    def __repr__(self) -> str:
        now = self.reason or ("chance decides" if self.actor == CHANCE else f"{self.actor} to move")
        return f"<Match of {self.view.info.name}: {len(self.moves)} moves, {now}>"

    @property
    def finished(self) -> bool:
        """Whether the match has ended."""
        return self.reason is not None

    @property
    def is_over(self) -> bool:
        """Whether the game itself is over, and the match was not only stopped."""
        return self.reason == OVER

    @property
    def actor(self) -> int:
        """The seat to move, or ``CHANCE``; ``TERMINAL`` where the match has ended."""
        return TERMINAL if self.finished else self.view.actor(self.state)

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, or what chance may do."""
        return () if self.finished else self.view.actions(self.state)

    @property
    def winner(self) -> int | None:
        """The team that has won, if the match has ended and there is one."""
        if self.reason is None:
            return None
        return winner_by(self.reason, self.view, self.state, self.total)

    @property
    def asked(self) -> bool:
        """Whether the player to move has already been asked for its choice."""
        return self._choice is not None

    def choose(self) -> Choice:
        """What the player to move would play; asked again, it says the same."""
        if self._choice is None:
            actor = self._require_player()
            choice = self.table.seats[actor].choose(self.state, self.random_seed(ACTING, actor))
            self._require_legal(choice.action, actor)
            self._choice = choice
        return self._choice

    def step(self, action: int | None = None) -> Move:
        """Play the move that the player to move chooses, or that chance does.

        A given ``action`` is played whatever an agent in the seat would do; it is still asked, so
        that it can learn from its own search.
        """
        if self.actor == CHANCE:
            return self.play(self._drawn() if action is None else action)
        is_agent = self.table.seats[self._require_player()].config is not None
        chosen = self.choose().action if action is None or is_agent else action
        return self.play(chosen if action is None else action)

    def play(self, action: int, watched: bool = True) -> Move:
        """Make a move for whoever is to move, and let everybody learn from it if it is watched."""
        actor = self._require_going()
        self._require_legal(action, actor)
        action = int(action)
        text, (summary, note) = self.view.action_text(self.state, action), self._behind(action)
        learn = watched and actor != CHANCE
        seen, apart = self._watched(actor, action) if learn else ({}, None)
        self.state, reward = self.view.apply(self.state, action)
        self._choice = None
        if actor != CHANCE:
            self.plies += 1
            self.quiet = self.quiet + 1 if reward == 0 else 0
        move = Move(self.plies, actor, text, reward, summary, seen, apart, note)
        self.moves.append(move)
        self.actions.append(action)
        self.total += reward
        self.reason = self._ended()
        return move

    def stop(self) -> None:
        """End the match here, as one that was to be stopped after so many moves.

        >>> match = Match(set_table("wall-of-fire", ["random+random"]), seed=1)
        >>> match.stop()
        >>> match.record().reason
        '0 moves made'
        """
        if self.reason is None:
            self.most_plies = self.plies
            self.reason = self._ended()

    def resign(self, seat: int) -> None:
        """Give the match up for the team in a seat, which loses it.

        >>> match = Match(set_table("connect-four", ["random", "random"]), seed=1)
        >>> match.resign(0)
        >>> match.reason, match.winner
        ('seat 0 resigned', 1)
        """
        self._settle(f"seat {seat} resigned")

    def agree_draw(self) -> None:
        """End the match as a draw, whatever it is worth by now."""
        self._settle(DRAWN)

    def _settle(self, reason: str) -> None:
        self._require_going()
        if not is_settled(reason, self.view.teams):
            raise InvalidInput(
                f"a match of {self.view.info.name} with the teams {tuple(self.view.teams)} cannot "
                f"end because {reason}"
            )
        self.reason = reason

    def record(self) -> Record:
        """The record of a match that has ended."""
        if self.reason is None:
            raise InvalidInput("the match has not ended: step until it is finished")
        total = float(sum(move.reward for move in self.moves))
        return Record.of(
            self.table, self.seed, self._start, self.first_beliefs, tuple(self.moves), self.reason,
            total, winner_by(self.reason, self.view, self.state, total), self.most_plies,
        )  # fmt: skip

    def random_seed(self, purpose: int, who: int, ply: int | None = None) -> int:
        """A seed for one purpose at one ply of this match; see :func:`random_seed`."""
        return random_seed(self.seed, self.plies if ply is None else ply, purpose, who)

    def _require_going(self) -> int:
        if self.reason is not None:
            raise InvalidInput(f"the match has ended ({self.reason}): there is no move to play")
        return self.actor

    def _require_player(self) -> int:
        if self._require_going() == CHANCE:
            raise InvalidInput("chance decides here, and no player: step() plays on")
        return self.actor

    def _require_legal(self, action: int, actor: int) -> None:
        if not isinstance(action, (int, np.integer)) or action not in self.legal:
            who = "chance" if actor == CHANCE else f"{self.table.names[actor]} in seat {actor}"
            raise IllegalAction(
                f"{who} chose {action!r}, which is not legal; legal are {self.legal}"
            )

    def _behind(self, action: int) -> tuple[dict[str, Any] | None, str]:
        """What is kept of the search behind a move, and what its player says about it."""
        choice = self._choice
        if choice is None:
            return None, ""
        found = choice.search if self.searches else None
        summary = None if found is None else _summary(self.view, self.state, found)
        return summary, choice.note if choice.action == action else ""

    def _watched(self, actor: int, action: int) -> tuple[dict[int, Seen], float | None]:
        """What each watcher made of the move, and how far a team's beliefs are apart."""
        seen: dict[int, Seen] = {}
        teams = self.view.teams
        for player, watcher in self._watching:
            if isinstance(watcher, Agent) and teams[player] != teams[actor]:
                continue  # nobody learns about opponents
            told = watcher.observe(self.state, actor, action, self.eyes(player, watcher))
            if told is not None:
                seen[player] = _seen(told)
        return seen, self._distance(actor) if seen else None

    def eyes(self, player: int, watcher: Seated) -> int:
        """The random numbers with which somebody watches a move that is about to be made."""
        if watcher is self.table.observer:
            return self.random_seed(OBSERVING, player, self.plies + 1)
        shared = watcher.config is not None and watcher.config.common_seed
        return self.random_seed(WATCHING, 0 if shared else 1 + player)

    def _distance(self, actor: int) -> float | None:
        """Distance between the beliefs of the actor's teammates, if all of them keep any."""
        teams = self.view.teams
        mates = [p for p, team in enumerate(teams) if team == teams[actor]]
        team = [self.table.seats[p] for p in mates if self.table.seats[p].is_adaptive]
        held = [seated.beliefs for seated in team if seated.beliefs is not None]
        if len(held) < max(2, len(mates)) or len({seated.types for seated in team}) > 1:
            return None
        return float(differences(stack(held)).max())

    def _drawn(self) -> int:
        """What chance does."""
        outcomes, odds = self.legal, self.view.probabilities(self.state)
        rng = np.random.default_rng(self.random_seed(CHANCES, len(self.moves)))
        return outcomes[int(rng.choice(len(outcomes), p=odds))]

    def _ended(self) -> str | None:
        return ending(self.view, self.state, self.plies, self.quiet, self.most_plies)


def ending(
    view: View, state: Any, plies: int, quiet: int, most_plies: int | None = None
) -> str | None:
    """Why a match ends in a state, after so many moves, the last ones without reward; or None."""
    if not view.actions(state):
        return OVER
    if most_plies is not None and plies >= most_plies:
        return f"{most_plies} moves made"
    return view.adjourned(plies, quiet)


def resigned(reason: str, teams: Sequence[int]) -> int | None:
    """The seat that resigned, if that is why a match ended.

    >>> resigned("seat 1 resigned", teams=(0, 1)), resigned("seat 1 resigned", teams=(0, 0))
    (1, None)
    """
    found = _RESIGNED.fullmatch(reason)
    is_known = found is not None and len(set(teams)) > 1 and int(found[1]) < len(teams)
    return int(found[1]) if found is not None and is_known else None


def is_settled(reason: str, teams: Sequence[int]) -> bool:
    """Whether players ended a match between them, and not the rules."""
    return len(set(teams)) > 1 and (reason == DRAWN or resigned(reason, teams) is not None)


def winner_by(reason: str, view: View, state: Any, total: float) -> int | None:
    """The team that has won a match that ended for some reason."""
    if not is_settled(reason, view.teams):
        return view.winner(state, total)
    seat = resigned(reason, view.teams)
    return None if seat is None else 1 - view.teams[seat]


def random_seed(seed: int, ply: int, purpose: int, who: int) -> int:
    """A seed of its own for everything that is random in a match, whatever else is."""
    key = (ply, purpose, who)
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def checked_seed(seed: Any) -> int:
    """A whole number of 0 or more, also one of NumPy's.

    >>> checked_seed(-1)
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: a seed is a whole number of 0 or more, got -1
    """
    try:
        whole = operator.index(seed)
    except TypeError:
        whole = -1
    if isinstance(seed, bool) or whole < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    return whole


def _seen(told: Observation) -> Seen:
    return Seen(
        told.actor, _known(told.evidence), tuple(told.before.tolist()), tuple(told.after.tolist()),
        () if told.played is None else _known(told.played), told.samples, told.error,
    )  # fmt: skip


def _known(numbers: NDArray[np.float64]) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(one) else float(one) for one in numbers)


def _summary(view: View, state: Any, found: SearchResult) -> dict[str, Any]:
    """What is kept of a search."""
    return {
        "iterations": found.iterations,
        "nodes": found.nodes,
        "types": list(found.types),
        "actions": [view.action_text(state, action) for action in found.actions],
        "visits": found.visits.tolist(),
        "values": [[None if np.isnan(v) else float(v) for v in row] for row in found.values],
    }
