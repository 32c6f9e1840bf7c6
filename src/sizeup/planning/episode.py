"""A complete episode between players that plan exactly and update their beliefs.

Every player watches every move and updates on its own, with nothing but its own belief and the
types it can evaluate; nobody tells anybody anything. That the beliefs still agree is the theorem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability import Beliefs, Exact, UpdateRule, public_beliefs
from sizeup.capability.arrays import FloatArray, require, whole
from sizeup.planning.planner import Planner
from sizeup.planning.tabular import CHANCE, TERMINAL

__all__ = ["Episode", "EpisodeMove", "PlanName", "observe_action", "play_episode"]

PlanName: TypeAlias = Literal["aware", "oblivious", "public", "minimizer"]
"""How a player plans: on its own belief, taking all for equals, on the public belief, or
expecting the worst."""


@dataclass(frozen=True)
class EpisodeMove:
    """One player's move, and everybody's beliefs after it.

    ``beliefs`` are the team's, one holder for each player; ``reward`` is team 0's, with what
    chance added before the next player's turn.

    >>> from sizeup.planning import Planner, corridors
    >>> move = play_episode(Planner(corridors(), (2, 6)), (6, 2), turns=1, seed=0).moves[0]
    >>> move.actor, move.action, move.reward
    (0, 1, -1.0)
    """

    turn: int
    state: int
    actor: int
    action: int
    reward: float
    beliefs: Beliefs


@dataclass(frozen=True)
class Episode:
    """What happened: the players' types, their first beliefs, every move, and where it ended.

    ``first_reward`` is what chance gave before the first move.

    >>> from sizeup.planning import Planner, corridors
    >>> episode = play_episode(Planner(corridors(), (2, 6)), (6, 6), turns=8, seed=0)
    >>> len(episode.moves), episode.total
    (8, 34.0)
    """

    own: tuple[int, ...]
    first_beliefs: Beliefs
    first_reward: float
    moves: tuple[EpisodeMove, ...]
    last_state: int

    @property
    def total(self) -> float:
        """Sum of the rewards to team 0, undiscounted."""
        return self.first_reward + float(sum(move.reward for move in self.moves))

    @property
    def beliefs(self) -> Beliefs:
        """The team's beliefs at the end."""
        return self.moves[-1].beliefs if self.moves else self.first_beliefs


def play_episode(
    planner: Planner,
    own: Sequence[int],
    *,
    turns: int,
    seed: int,
    plan: PlanName | Sequence[PlanName] = "aware",
    rule: UpdateRule | None = None,
    prior: ArrayLike | None = None,
    look_ahead: int = 1,
) -> Episode:
    """Play an episode; the same seed gives the same episode.

    Parameters
    ----------
    own
        Type of each player.
    turns
        Most moves that players make; planners do not know of this limit.
    plan
        How the players plan: one word for all, or one for each. However they plan, everybody
        updates as if all were aware. Who plans on the public belief is told the weakest type on
        its team.
    rule
        The update rule; if left out :class:`~sizeup.capability.Exact`, with the planner's
        tolerance for ties.
    prior
        Common prior over the types, uniform if left out.
    look_ahead
        Steps for which an aware player plans without assuming that types are revealed.

    Examples
    --------
    A deep and a shallow player at a burning corridor: aware of each other they pay once, taking
    each other for equals they pay again and again.

    >>> from sizeup.capability import TypeSet
    >>> from sizeup.planning import Planner, corridors
    >>> planner = Planner(corridors(), TypeSet((2, 6)))
    >>> play_episode(planner, (6, 2), turns=20, seed=1).total
    -1.0
    >>> play_episode(planner, (6, 2), turns=20, seed=1, plan="oblivious").total
    -10.0
    """
    require(isinstance(planner, Planner), f"expected a Planner, got {planner!r}")
    game, rule = planner.game, Exact(planner.tie_tolerance) if rule is None else rule
    plans = _one_each(plan, game.players)
    _check_rule(rule)
    require(
        np.shape(own) == (game.players,),
        f"own must give a type for each of {game.players} players, got {own!r}",
    )
    whole(turns, "turns", least=0)
    whole(look_ahead, "look_ahead", least=1)
    rng = np.random.default_rng(whole(seed, "the seed", least=0))
    first = beliefs = Beliefs.initial(planner.types, own, game.players, prior)
    state, first_reward = _draw(planner, game.start, rng)
    moves: list[EpisodeMove] = []
    while len(moves) < turns and game.actor[state] != TERMINAL:
        actor = int(game.actor[state])
        values = _values(planner, state, beliefs, plans[actor], rule, look_ahead)
        chosen = int(rng.choice(len(values), p=planner.greedy(values)))
        action = game.legal_actions(state)[chosen]
        beliefs = observe_action(planner, state, action, beliefs, rule, look_ahead)
        following, drawn = _draw(planner, int(game.successor[state, action]), rng)
        reward = float(game.reward[state, action]) + drawn
        moves.append(EpisodeMove(len(moves), state, actor, action, reward, beliefs))
        state = following
    return Episode(tuple(own), first, first_reward, tuple(moves), state)


def observe_action(
    planner: Planner,
    state: int,
    action: int,
    beliefs: Beliefs,
    rule: UpdateRule,
    look_ahead: int = 1,
) -> Beliefs:
    """Beliefs of a team after an action, each player updating on its own.

    >>> from sizeup.capability import TypeSet, assemble
    >>> from sizeup.planning import Planner, corridors
    >>> planner = Planner(corridors(), TypeSet((2, 6)))
    >>> team = Beliefs.initial(planner.types, own=(6, 2), players=2)
    >>> after = observe_action(planner, 0, 1, team, Exact())  # player 0 enters the corridor
    >>> assemble(after).believes(1, about=0)  # no player of my type would: stronger than me
    array([inf, inf])
    """
    _check_rule(rule)
    require(beliefs.rank.ndim == 1, "expected a team's beliefs, one holder for each player")
    position = planner.game.position(state, action)
    tables = [
        planner.table(state, beliefs[holder], rule.temperature, look_ahead)
        for holder in range(beliefs.players)
    ]
    evidence = rule.evidence(np.stack(tables), position)
    return beliefs.observe(int(planner.game.actor[state]), evidence)


def _values(
    planner: Planner,
    state: int,
    beliefs: Beliefs,
    plan: PlanName,
    rule: UpdateRule,
    look_ahead: int,
) -> FloatArray:
    """Values of the actor's legal actions, as its way of planning sees them."""
    holder = beliefs[int(planner.game.actor[state])]
    own = int(holder.own)
    if plan == "oblivious":
        return planner.oblivious(state, own)
    if plan == "minimizer":
        return planner.minimizer(state, own)
    if plan == "public":
        teams = np.array(planner.game.teams)
        mates = teams == teams[int(planner.game.actor[state])]
        holder = public_beliefs(holder, weakest=int(beliefs.own[mates].min()))
    return planner.q(state, holder, own, rule.temperature, look_ahead)


def _draw(planner: Planner, state: int, rng: np.random.Generator) -> tuple[int, float]:
    """Let chance move until a player's turn; return the state and the reward on the way."""
    game, reward = planner.game, 0.0
    while game.actor[state] == CHANCE:
        outcome = int(rng.choice(game.chance.shape[1], p=game.chance[state]))
        reward += float(game.reward[state, outcome])
        state = int(game.successor[state, outcome])
    return state, reward


def _check_rule(rule: UpdateRule) -> None:
    require(
        hasattr(rule, "evidence") and not isinstance(rule, type),
        f"expected an update rule such as Exact(), got {rule!r}",
    )


def _one_each(plan: PlanName | Sequence[PlanName], players: int) -> tuple[PlanName, ...]:
    plans: tuple[Any, ...] = (plan,) * players if isinstance(plan, str) else tuple(plan or ())
    require(
        len(plans) == players and all(word in get_args(PlanName) for word in plans),
        f"plan must be one of {get_args(PlanName)}, for all or for each of {players} players; "
        f"got {plan!r}",
    )
    return plans
