"""The match loop: agents take turns, everybody watches, everything is written down."""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from sizeup.agents import Agent, AgentConfig, Choice, read_agent
from sizeup.agents.engine import MakeSearcher
from sizeup.capability import Beliefs, differences, stack
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View, load_game
from sizeup.games.seats import Params as SeatedParams
from sizeup.games.seats import seat, teams_to_seat
from sizeup.play.record import Move, Record, Seen
from sizeup.search import Searcher

__all__ = ["OVER", "AgentLike", "Match", "Player", "Table", "play", "play_at", "set_table"]

Player: TypeAlias = Callable[[View, Any, int], int]
"""A player of one's own: a function from (game, state, seed) to a legal action."""

AgentLike: TypeAlias = str | AgentConfig | Player

OVER = "the game is over"
"""Why a match ended that its game itself ended, and no limit."""

ACTING, WATCHING, CHANCES, OBSERVING, LOOKING_UP = range(5)  # what a random number is for


@dataclass(frozen=True, eq=False)
class Table:
    """A game with somebody in every seat."""

    view: View
    seats: tuple[Agent | Player, ...]
    names: tuple[str, ...]
    types: tuple[int, ...]

    @property
    def agents(self) -> dict[int, Agent]:
        """Agents of ours, by seat."""
        return {p: seated for p, seated in enumerate(self.seats) if isinstance(seated, Agent)}

    @property
    def beliefs(self) -> dict[int, Beliefs]:
        """What adaptive agents believe by now, by seat, to be carried to the next match."""
        return {p: agent.beliefs for p, agent in self.agents.items() if agent.config.is_adaptive}


def set_table(
    game: str | python_types.ModuleType | View,
    teams: Sequence[str | Sequence[AgentLike]],
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    searcher: MakeSearcher = Searcher,
) -> Table:
    """Seat teams at a game.

    Parameters
    ----------
    game
        A name, a module, or a view. A game of two sides, or of one whose players merely take
        turns, gets as many seats as the teams need (:mod:`sizeup.games.seats`).
    teams
        One entry for each team: agents as text with ``+`` between them (``"ca:8+obl:2"``), or a
        list of texts, configurations and functions.
    params
        Parameters of the game, if not its own.
    beliefs
        What agents, by seat, already believe from earlier games.
    searcher
        Makes what agents search with, if that is to be shared or stopped.
    """
    members = [_members(team) for team in teams]
    view = _seated(game, [len(team) for team in members], params)
    everybody = [member for team in members for member in team]
    configs = {p: c for p, c in enumerate(everybody) if isinstance(c, AgentConfig)}
    truth = {p: c.own for p, c in configs.items() if c.model != "random"}
    types = tuple(sorted({*truth.values(), *(t for c in configs.values() for t in c.types)}))
    held = beliefs or {}
    seats = tuple(
        Agent(who, view, p, types, truth, beliefs=held.get(p), searcher=searcher)
        if isinstance(who, AgentConfig)
        else who
        for p, who in enumerate(everybody)
    )
    names = tuple(str(who) if isinstance(who, AgentConfig) else _name_of(who) for who in everybody)
    return Table(view, seats, names, types)


def play(
    game: str | python_types.ModuleType | View,
    teams: Sequence[str | Sequence[AgentLike]],
    *,
    seed: int = 0,
    params: Any = None,
    beliefs: Mapping[int, Beliefs] | None = None,
    watch: Callable[[Table, Any, Move], None] | None = None,
) -> Record:
    """Play a match and return its record; the same seed gives the same record.

    Parameters
    ----------
    game, teams, params, beliefs
        See :func:`set_table`.
    seed
        Any whole number of 0 or more.
    watch
        Called after every move with the table, the state before it and the move.

    Examples
    --------
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

    Parameters
    ----------
    table
        A game with somebody in every seat.
    seed
        Any whole number of 0 or more.
    searches
        Whether to keep what was found by the searches behind the moves.

    Examples
    --------
    >>> match = Match(set_table("wall-of-fire", ["ca:20+obl:2"]), seed=1)
    >>> match.step().action, match.finished
    ('E', False)
    """

    def __init__(self, table: Table, seed: int = 0, searches: bool = True) -> None:
        self.table, self.view, self.searches = table, table.view, searches
        if type(seed) is not int or seed < 0:
            raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
        self.seed = seed
        self.state = self._start = self.view.start()
        self.moves: list[Move] = []
        self.plies = self.quiet = 0
        self._first = {p: agent.probabilities().tolist() for p, agent in self._adaptive().items()}
        self._reason = self._ended()

    @property
    def finished(self) -> bool:
        """Whether the match has ended."""
        return self._reason is not None

    @property
    def first_beliefs(self) -> Mapping[int, Any]:
        """What adaptive agents, by seat, believed before the first move."""
        return self._first

    def step(self, action: int | None = None) -> Move:
        """Play one move, and let everybody learn from it.

        A given ``action`` is played whatever the player in the seat would do. An agent is still
        asked, so that it can learn from what it saw.
        """
        if self._reason is not None:
            raise InvalidInput(f"the match has ended ({self._reason}): there is no move to play")
        move = self._played(action)
        self.moves.append(move)
        self._reason = self._ended()
        return move

    def record(self) -> Record:
        """The record of a match that has ended."""
        if self._reason is None:
            raise InvalidInput("the match has not ended: step until it is finished")
        total = float(sum(move.reward for move in self.moves))
        return Record.of(
            self.view, self.table.names, self.table.types, self.seed, self._start, self._first,
            tuple(self.moves), self._reason, total, self._winner(total),
        )  # fmt: skip

    def _played(self, given: int | None) -> Move:
        actor = self.view.actor(self.state)
        if actor == CHANCE:
            return self._chance()
        choice = self._choose(actor, given)
        text = self.view.action_text(self.state, choice.action)
        seen, apart = self._watched(actor, choice.action)
        kept = self.searches and choice.search is not None
        summary = _summary(self.view, self.state, choice) if kept else None
        reward = self._apply(choice.action)
        self.plies += 1
        self.quiet = self.quiet + 1 if reward == 0 else 0
        return Move(self.plies, actor, text, reward, summary, seen, apart)

    def _choose(self, actor: int, given: int | None) -> Choice:
        seated, seed = self.table.seats[actor], self._random(ACTING, actor)
        if isinstance(seated, Agent):
            choice = seated.act(self.state, seed)
            return choice if given is None else replace(choice, action=self._legal(actor, given))
        chosen = seated(self.view, self.state, seed) if given is None else given
        action, actions = self._legal(actor, chosen), self.view.actions(self.state)
        return Choice(action, actions, np.array([float(a == action) for a in actions]))

    def _legal(self, actor: int, action: int) -> int:
        actions = self.view.actions(self.state)
        if action not in actions:
            raise InvalidInput(
                f"{self.table.names[actor]} in seat {actor} chose {action!r}, which is not legal; "
                f"legal are {actions}"
            )
        return action

    def _watched(self, actor: int, action: int) -> tuple[dict[int, Seen], float | None]:
        """What each adaptive agent made of the move, and how far a team's beliefs are apart."""
        seen: dict[int, Seen] = {}
        for player, agent in self._adaptive().items():
            if actor not in agent.team:
                continue  # nobody learns about opponents
            shared = agent.config.common_seed
            seed = self._random(WATCHING, 0 if shared else 1 + player)
            told = agent.observe(self.state, actor, action, seed)
            if told is not None:
                evidence = [None if np.isnan(e) else float(e) for e in told.evidence]
                seen[player] = Seen(
                    actor, tuple(evidence), tuple(told.before.tolist()), tuple(told.after.tolist())
                )
        return seen, self._distance(actor) if seen else None

    def _distance(self, actor: int) -> float | None:
        """Distance between the beliefs of the actor's teammates, if all of them keep any."""
        team = [a for a in self._adaptive().values() if actor in a.team]
        if len(team) < 2 or len(team) < len(team[0].team) or len({a.types for a in team}) > 1:
            return None
        return float(differences(stack([agent.beliefs for agent in team])).max())

    def _chance(self) -> Move:
        outcomes, odds = self.view.actions(self.state), self.view.probabilities(self.state)
        rng = np.random.default_rng(self._random(CHANCES, len(self.moves)))
        action = outcomes[int(rng.choice(len(outcomes), p=odds))]
        text = self.view.action_text(self.state, action)
        return Move(self.plies, CHANCE, text, self._apply(action), None, {}, None)

    def _apply(self, action: int) -> float:
        self.state, reward = self.view.apply(self.state, action)
        return reward

    def _ended(self) -> str | None:
        if not self.view.actions(self.state):
            return OVER
        return adjourned(self.view, self.plies, self.quiet)

    def _winner(self, total: float) -> int | None:
        return winner(self.view, self.state, total)

    def _adaptive(self) -> dict[int, Agent]:
        return {p: agent for p, agent in self.table.agents.items() if agent.config.is_adaptive}

    def _random(self, purpose: int, who: int) -> int:
        return random_seed(self.seed, self.plies, purpose, who)


def random_seed(seed: int, ply: int, purpose: int, who: int) -> int:
    """A seed of its own for everything that is random in a match, whatever else is."""
    key = (ply, purpose, who)
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def winner(view: View, state: Any, total: float) -> int | None:
    """Team that has won, None for a draw or where only one team plays.

    A side that cannot move has lost in games that say so (``NO_MOVE_LOSES``); otherwise the higher
    reward wins.
    """
    if len(set(view.teams)) < 2:
        return None
    if getattr(view.game, "NO_MOVE_LOSES", False) and not view.actions(state):
        return 1 - view.teams[int(view.acting(state))]
    return None if total == 0 else int(total < 0)


def adjourned(view: View, plies: int, quiet: int) -> str | None:
    rule = getattr(view.game, "adjourned", None)
    if rule is None:
        return None
    reason: str | None = rule(plies, quiet, view.params)
    return reason


def _summary(view: View, state: Any, choice: Choice) -> dict[str, Any]:
    """What is kept of a search."""
    found = choice.search
    assert found is not None
    return {
        "iterations": found.iterations,
        "nodes": found.nodes,
        "types": list(found.types),
        "actions": [view.action_text(state, action) for action in found.actions],
        "visits": found.visits.tolist(),
        "values": [[None if np.isnan(v) else float(v) for v in row] for row in found.values],
    }


def _members(team: str | Sequence[AgentLike]) -> list[AgentConfig | Player]:
    parts: Sequence[AgentLike] = team.split("+") if isinstance(team, str) else team
    members = [read_agent(part) if isinstance(part, str) else part for part in parts]
    for member in members:
        if not isinstance(member, AgentConfig) and not callable(member):
            raise InvalidInput(f"{member!r} is no player; expected a text like ca:8 or a function")
    if not members:
        raise InvalidInput("a team needs a member, such as obl:2")
    return members


def _name_of(player: Player) -> str:
    """A function's name, or that of an object's class; a lambda has none."""
    name = getattr(player, "__name__", type(player).__name__)
    return "function" if name == "<lambda>" else name


def _seated(game: str | python_types.ModuleType | View, sizes: list[int], params: Any) -> View:
    """The game with a seat for every member of the teams."""
    if isinstance(game, View):
        game, params = game.game, game.params
    module = load_game(game) if isinstance(game, str) else game
    info = module.INFO
    wanted = [info.teams.count(team) for team in sorted(set(info.teams))]
    if sizes == wanted:
        return View(module, params)
    if sizes and len(sizes) == teams_to_seat(module):
        first, second = (*sizes, 0)[:2]
        own = None if params is None else SeatedParams(params, first, second)
        return View(seat(module, first=first, second=second), own)
    if teams_to_seat(module):
        raise InvalidInput(
            f"{info.name} is for {teams_to_seat(module)} team(s) of 1 to 4 players, got "
            f"{len(sizes)}; write {' and '.join(['a team like obl:2+obl:4'] * len(wanted))}"
        )
    described = " against ".join(map(str, wanted))
    given = " against ".join(map(str, sizes)) or "nobody"
    raise InvalidInput(
        f"{info.name} is for {described} player(s), got teams of {given}; write teams like "
        f"{' and '.join('+'.join(['obl:2'] * size) for size in wanted)}"
    )
