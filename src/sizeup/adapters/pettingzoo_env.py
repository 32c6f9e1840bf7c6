"""Every game as a PettingZoo environment, in which agents take turns (AEC).

An agent is named by its side, as the game's look names it, and its place in the team: ``black_0``,
``black_1`` and ``white_0`` in checkers, ``first_0`` and ``second_0`` where sides have no names,
``player_0``, ``player_1`` ... in a game of one team. :mod:`sizeup.adapters.observations` describes
observations and how moves are numbered. Rewards are the game's own: every agent of the first team
gets all of a reward, every agent of the second team its negative; a win adds nothing. The
environment plays chance.

This module needs PettingZoo: ``pip install 'sizeup[pettingzoo]'``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.observations import ActionTexts, Encoding, Observed
from sizeup.adapters.policies import Stranger, under_way
from sizeup.adapters.rendering import RENDER_MODES, checked_mode, render
from sizeup.agents import Outsider
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.games.look import look_of
from sizeup.play.match import Match, checked_seed
from sizeup.play.table import GameLike, Table, seated_view

try:
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo.utils import wrappers
except ImportError:
    raise InvalidInput(
        "PettingZoo is not installed; run pip install 'sizeup[pettingzoo]'"
    ) from None

__all__ = ["env", "raw_env", "register"]


def env(
    game: GameLike,
    teams: Sequence[int] | None = None,
    params: Any = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    illegal_reward: float = -1.0,
) -> Any:
    """Make an environment of a game, with PettingZoo's usual wrappers.

    Parameters
    ----------
    game
        A name, a module, the path of a Python file, or a view.
    teams
        How many agents each team has, such as ``(2, 1)``; None for the game's own seats.
    params
        Parameters of the game; None for its defaults.
    render_mode
        ``"human"`` prints the board in the terminal after every move, ``"ansi"`` returns it as text
        and ``"rgb_array"`` as pixels.
    max_cycles
        The game is truncated after this many rounds of one move per agent, unless its own limit
        comes first: 120 moves, or 40 without a capture, in checkers; a number of turns in Wall of
        Fire and Narrow Tunnel.
    illegal_reward
        Reward for an illegal move, which ends the game for everybody; :class:`raw_env` raises an
        error instead.

    Examples
    --------
    >>> checkers = env("checkers", teams=(2, 1))
    >>> checkers.reset(seed=0)
    >>> checkers.agents
    ['black_0', 'black_1', 'white_0']
    >>> observation, reward, termination, truncation, info = checkers.last()
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((111,), 7)
    >>> info["legal_actions"][0]
    '9-13'
    >>> checkers.step(0)
    >>> checkers.agent_selection
    'white_0'
    """
    bare = raw_env(game, teams, params, render_mode, max_cycles)
    guarded = wrappers.TerminateIllegalWrapper(bare, illegal_reward=illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


# PettingZoo has no types, and its users expect this name.
class raw_env(pettingzoo.AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801
    """The environment without wrappers; the parameters are those of :func:`env`.

    An observation is ``{"observation": bits, "action_mask": mask}``; the mask is empty unless it is
    the agent's turn. ``infos`` give the agent to move ``legal_actions``, the texts of its legal
    moves by number, and everybody ``reason`` and ``winner`` (the name of a side or None) when the
    game has ended.

    >>> bare = raw_env("harvest")
    >>> bare.reset(seed=3)
    >>> dict(bare.infos["player_0"]["legal_actions"])
    {0: 'rest', 1: 'sow'}
    """

    def __init__(
        self,
        game: GameLike,
        teams: Sequence[int] | None = None,
        params: Any = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        EzPickle.__init__(self, game, teams, params, render_mode, max_cycles)
        super().__init__()
        self.view = _seated(game, teams, params)
        self.encoding = Encoding(self.view)
        self.render_mode = checked_mode(render_mode)
        sides, places = _sides(self.view), list(self.view.teams)
        self.possible_agents = [
            f"{sides[team]}_{places[:seat].count(team)}" for seat, team in enumerate(places)
        ]
        self.agents: list[str] = []
        seats = (Outsider(Stranger(name), self.view) for name in self.possible_agents)
        self._table = Table(self.view, tuple(seats), ())
        self.match: Match | None = None
        self.metadata: dict[str, Any] = {
            "name": f"{self.view.info.name.replace(' ', '_').replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.observation_spaces = {name: self.encoding.space() for name in self.possible_agents}
        numbers = self.encoding.numbers
        self.action_spaces = {name: spaces.Discrete(numbers) for name in self.possible_agents}
        self.state_space = self.encoding.space()["observation"]
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise InvalidInput(
                f"max_cycles must be a whole number of 1 or more, got {max_cycles!r}"
            )
        self._most_plies = max_cycles and max_cycles * len(self.possible_agents)
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's moves, by number."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, one that differs from the last."""
        if seed is not None:
            self._seeds = np.random.default_rng(checked_seed(seed))
        drawn = int(self._seeds.integers(2**63)) if seed is None else checked_seed(seed)
        self.match = Match(self._table, drawn, searches=False, most_plies=self._most_plies)
        self._play_chance(self.match)
        if self.match.finished:
            raise InvalidInput(
                f"{self.view.info.name} is over before anybody moves ({self.match.reason}); give "
                "other params"
            )
        self.agents = list(self.possible_agents)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on()

    def step(self, action: Any) -> None:
        """Play the move of this number for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = under_way(self.match)
        move = self.encoding.action(match.legal, action)
        self._cumulative_rewards[agent] = 0.0
        # Nothing can be paid before the first move, so what chance paid by then comes with it.
        paid = len(match.moves) if match.plies else 0
        match.play(move)
        self._play_chance(match)
        reward = sum(made.reward for made in match.moves[paid:])
        self.rewards = {
            name: reward if team == 0 else -reward + 0.0  # and not -0.0
            for name, team in zip(self.possible_agents, self.view.teams, strict=True)
        }
        self._accumulate_rewards()
        self._go_on()

    def observe(self, agent: str) -> Observed:
        """What an agent sees: the whole state, and its legal moves if it is its turn."""
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        acts = agent == self.agent_selection and not over
        return self.encoding.observation(under_way(self.match).state, acts)

    def state(self) -> NDArray[np.int8]:
        """The bits of the state and whose turn it is."""
        return self.encoding.bits(under_way(self.match).state)

    def render(self) -> Any:
        """Draw the state in the environment's render mode."""
        return render(self.view, under_way(self.match).state, self.render_mode)

    def close(self) -> None:
        """There is nothing to close, but PettingZoo asks for it where there is a ``render``."""

    def _play_chance(self, match: Match) -> None:
        while match.actor == CHANCE:
            match.step()

    def _go_on(self) -> None:
        """See whose turn it is, or whether the game has ended."""
        match = under_way(self.match)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        if not match.finished:
            self.agent_selection = self.possible_agents[match.actor]
            texts = ActionTexts(self.encoding, match.state, match.legal)
            self.infos[self.agent_selection]["legal_actions"] = texts
        else:
            ends = self.terminations if match.is_over else self.truncations
            ends.update(dict.fromkeys(self.agents, True))
            winner = None if match.winner is None else _sides(self.view)[match.winner]
            told = {"reason": match.reason, "winner": winner}
            self.infos = {name: dict(told) for name in self.agents}
            self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()


def register() -> None:
    """Register our games with PettingZoo (1.27 and later), as ``sizeup/checkers-v0`` and so on.

    >>> register()
    >>> import pettingzoo
    >>> four = pettingzoo.make("aec", "sizeup/connect_four-v0", teams=(2, 2))
    >>> four.possible_agents
    ['x_0', 'x_1', 'o_0', 'o_1']
    """
    if not hasattr(pettingzoo, "aec_registry"):
        raise InvalidInput(
            f"PettingZoo {pettingzoo.__version__} has no registry; upgrade to 1.27, or make an "
            "environment with sizeup.adapters.pettingzoo_env.env(game)"
        )
    for game in GAMES:
        name = f"sizeup/{game}-v0"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{__name__}:env", kwargs={"game": game})


def _seated(game: GameLike, teams: Sequence[int] | None, params: Any) -> View:
    """The game with as many seats as the teams need."""
    game = load_game(game) if isinstance(game, str) else game
    own = game.teams if isinstance(game, View) else game.INFO.teams
    sizes = list(Counter(own).values() if teams is None else teams)
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise InvalidInput(f"teams must be numbers of agents, such as (2, 1); got {teams!r}")
    return seated_view(game, sizes, params)


def _sides(view: View) -> Sequence[str]:
    if 1 not in view.teams:
        return ("player",)
    named = [side.lower().replace(" ", "_") for side in look_of(view.game).sides]
    return named or ("first", "second")
