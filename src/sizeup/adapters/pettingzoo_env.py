"""Every game as a PettingZoo environment, in which agents take turns (AEC).

An agent is named by its side and its place in the team: ``black_0``, ``black_1`` and ``white_0`` in
checkers, ``x_0`` and ``o_0`` in connect four, ``first_0`` and ``second_0`` in another game of two
teams, ``player_0``, ``player_1`` ... where there is one team. What agents observe and how moves are
numbered is in :mod:`sizeup.adapters.observations`. Rewards are the game's own, each of a team gets
them whole, and the second team gets what the first one loses; nothing is added for a win. Chance is
played by the environment.

This module needs PettingZoo: ``pip install 'sizeup[pettingzoo]'``.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.episode import Episode, checked_seed
from sizeup.adapters.observations import ActionTexts, Encoding, Observation
from sizeup.adapters.rendering import RENDER_MODES, checked_mode, render
from sizeup.errors import InvalidInput
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.seats import State as SeatedState
from sizeup.play.match import set_table

try:
    import pettingzoo
    from gymnasium import logger, spaces
    from gymnasium.utils import EzPickle
    from pettingzoo.utils import wrappers
except ImportError:
    raise InvalidInput(
        "PettingZoo is not installed; pip install 'sizeup[pettingzoo]' brings it"
    ) from None

__all__ = ["env", "raw_env", "register"]

GameLike = str | python_types.ModuleType | View

_SIDES = {
    "sizeup.games.checkers": ("black", "white"),
    "sizeup.games.connect_four": ("x", "o"),
}


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
        How many agents each team has, such as ``(2, 1)``; the game's own seats if None.
    params
        Parameters of the game, if not its own.
    render_mode
        ``"human"`` prints the board in the terminal after every move, ``"ansi"`` gives it as text
        and ``"rgb_array"`` as pixels.
    max_cycles
        Rounds, of as many moves as there are agents, after which the game is cut off (truncated),
        if the game's own rule does not do so before: 120 moves, or 40 without a capture, in
        checkers; a number of turns in Wall of Fire and Narrow Tunnel.
    illegal_reward
        What an agent gets for a move that is not legal, which ends the game for everybody;
        :class:`raw_env` raises an error in its place.

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

    An observation is ``{"observation": bits, "action_mask": mask}``; only whoever is to move has
    anything in its mask. ``infos`` hold for whoever is to move ``legal_actions``, the texts of the
    legal moves by number, and for everybody when the game has ended ``reason`` and ``winner``, the
    name of a side or None.

    >>> bare = raw_env("harvest")
    >>> bare.reset(seed=3)
    >>> dict(bare.infos["player_0"]["legal_actions"])
    {0: 'rest', 1: 'sow'}
    >>> bare.step(2)
    Traceback (most recent call last):
    ...
    sizeup.errors.IllegalAction: 2 is not the number of a legal move here; legal are [0, 1]
    """

    metadata: dict[str, Any]

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
        self.possible_agents = _names(self.view)
        self.agents: list[str] = []
        self.episode: Episode | None = None
        self.metadata = {
            "name": f"{self.view.info.name.replace(' ', '_').replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.observation_spaces = {name: self.encoding.space() for name in self.possible_agents}
        self.action_spaces = {
            name: spaces.Discrete(self.encoding.numbers) for name in self.possible_agents
        }
        self.state_space = self.encoding.space()["observation"]
        self._most_moves = _moves(max_cycles, len(self.possible_agents))
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """What an agent observes is in here."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, another one than the last."""
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            seed = checked_seed(seed)
            self._seeds = np.random.default_rng(seed)
        self.episode = Episode(self.view, seed, self._most_moves)
        self.agents = list(self.possible_agents)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on()

    def step(self, action: Any) -> None:
        """Make the move of that number for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._under_way()
        move = self.encoding.action(episode.legal, action)
        self._cumulative_rewards[agent] = 0.0
        # Nothing can be paid before the first move: what chance has paid by then comes with it.
        owed = 0.0 if episode.plies else episode.opening
        self._pay(owed + episode.play(move))
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """What an agent sees: the whole state, and its legal moves if it is to move."""
        episode = self._under_way()
        legal = episode.legal if self._acts(agent) else ()
        return {"observation": self.state(), "action_mask": self.encoding.mask(legal)}

    def state(self) -> NDArray[np.int8]:
        """The bits of the state and whose turn it is."""
        episode = self._under_way()
        return self.encoding.bits(episode.state, -1 if episode.is_over else episode.actor)

    def render(self) -> Any:
        """Draw the state as the render mode says."""
        episode = self._under_way()
        if self.render_mode is None:
            logger.warn("render() draws nothing: give the environment a render_mode")
        return render(self.view, episode.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _under_way(self) -> Episode:
        if self.episode is None:
            raise InvalidInput("the environment has no game yet; call its reset() first")
        return self.episode

    def _acts(self, agent: str) -> bool:
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        return agent == self.agent_selection and not over

    def _pay(self, reward: float) -> None:
        """Give each agent its share of a reward to team 0: all of it, or as much of a loss."""
        self.rewards = {
            name: reward if team == 0 else -reward + 0.0  # and not -0.0
            for name, team in zip(self.possible_agents, self.view.teams, strict=True)
        }
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """See whose turn it is, or whether the game has ended."""
        episode = self._under_way()
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        if episode.ended is None:
            self.agent_selection = self.possible_agents[episode.actor]
            texts = ActionTexts(self.encoding, episode.state, episode.legal)
            self.infos[self.agent_selection]["legal_actions"] = texts
        else:
            ends = self.terminations if episode.is_over else self.truncations
            ends.update(dict.fromkeys(self.agents, True))
            told = {"reason": episode.ended, "winner": self._winner(episode)}
            self.infos = {name: dict(told) for name in self.agents}
            self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()

    def _winner(self, episode: Episode) -> str | None:
        return None if episode.winner is None else _sides(self.view)[episode.winner]


def register() -> None:
    """Make our games known to PettingZoo (1.27 and later), as ``sizeup/checkers-v0`` and so on.

    >>> register()
    >>> import pettingzoo
    >>> four = pettingzoo.make("aec", "sizeup/connect_four-v0", teams=(2, 2))
    >>> four.possible_agents
    ['x_0', 'x_1', 'o_0', 'o_1']
    """
    if not hasattr(pettingzoo, "aec_registry"):
        raise InvalidInput(
            f"PettingZoo {pettingzoo.__version__} has no registry, 1.27 has; "
            "sizeup.adapters.pettingzoo_env.env(game) makes an environment without one"
        )
    for game in GAMES:
        name = f"sizeup/{game}-v0"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{__name__}:env", kwargs={"game": game})


def _seated(game: GameLike, teams: Sequence[int] | None, params: Any) -> View:
    """The game with as many seats as the teams need."""
    if teams is None:
        if isinstance(game, View):
            return game
        return View(load_game(game) if isinstance(game, str) else game, params)
    sizes = list(teams)
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise InvalidInput(f"teams are numbers of agents, such as (2, 1); got {teams!r}")
    return set_table(game, [["random"] * size for size in sizes], params).view


def _names(view: View) -> list[str]:
    """Names of the agents, by their sides and places in the team."""
    teams, sides = list(view.teams), _sides(view)
    return [f"{sides[team]}_{teams[:seat].count(team)}" for seat, team in enumerate(teams)]


def _sides(view: View) -> tuple[str, ...]:
    if 1 not in view.teams:
        return ("player",)
    rules = view.game
    while rules.State is SeatedState:
        rules = rules.GAME  # the game beneath
    return _SIDES.get(rules.__name__, ("first", "second"))


def _moves(cycles: int | None, agents: int) -> int | None:
    if cycles is None:
        return None
    if type(cycles) is not int or cycles < 1:
        raise InvalidInput(f"max_cycles is a whole number of 1 or more, got {cycles!r}")
    return cycles * agents
