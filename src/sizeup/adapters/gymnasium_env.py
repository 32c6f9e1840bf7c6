"""One seat of a game as a Gymnasium environment; everybody else is played by agents of ours.

What the learner observes and how its moves are numbered is in :mod:`sizeup.adapters.observations`.

This module needs Gymnasium: ``pip install 'sizeup[gymnasium]'``.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Sequence
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.companions import Companion, among_strangers
from sizeup.adapters.episode import Episode, checked_seed
from sizeup.adapters.observations import ActionTexts, Encoding, Observation
from sizeup.adapters.rendering import RENDER_MODES, checked_mode, render
from sizeup.agents import Agent, AgentConfig, read_agent
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import View
from sizeup.play.match import ACTING, AgentLike, Player, Table, random_seed, set_table

try:
    import gymnasium
    from gymnasium.utils import EzPickle
except ImportError:
    raise InvalidInput(
        "Gymnasium is not installed; pip install 'sizeup[gymnasium]' brings it"
    ) from None

__all__ = ["LEARNER", "TeammateEnv", "register"]

LEARNER = "learner"
"""Who has the learner's seat in a team, as in ``"ca:8+learner"``."""


class TeammateEnv(gymnasium.Env[Observation, Any], EzPickle):
    """A game in which one seat is the learner's.

    A step makes the learner's move and then everybody else's until it is the learner's turn again.
    Its reward is the game's own, to the learner's team, for all of these moves; what the others
    make before the learner's first move is part of its first reward. So the rewards of an episode
    add up to the score of the game. ``terminated`` says that the game is over, ``truncated`` that a
    rule of the game stopped it, such as 120 moves of checkers.

    **A move that is not legal ends the episode** (``terminated``): it is not made, the reward is
    ``illegal_reward``, and ``info["reason"]`` tells. The mask of the legal ones is in the
    observation and in ``info["action_mask"]``; ``info["legal_actions"]`` has their texts.

    Parameters
    ----------
    game
        A name, a module, the path of a Python file, or a view.
    teams
        One entry for each team: agents as text with ``+`` between them, or a list of texts,
        configurations and functions (:func:`sizeup.play.match.set_table`). Exactly one of them is
        ``"learner"``. Agents that list no types, and have use for them, consider those of everybody
        at the table and their own depth, halved again and again: ``ca:8`` beside a learner is
        ``ca:8@1,2,4,8``.
    params
        Parameters of the game, if not its own.
    render_mode
        ``"human"`` prints the board in the terminal before each of the learner's moves, ``"ansi"``
        gives it as text and ``"rgb_array"`` as pixels.
    illegal_reward
        What a move costs that is not legal.
    keep_beliefs
        Whether agents go on from what they believe of the learner when the next episode begins.

    Examples
    --------
    >>> env = TeammateEnv("checkers", teams=["ca:4+learner", "obl:2"])
    >>> observation, info = env.reset(seed=1)
    >>> info["legal_actions"]
    {0: '8-11', 1: '9-13', 2: '10-14', 3: '16-19', 4: '7-11', 5: '9-14', 6: '10-15'}
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> reward, terminated, truncated
    (0.0, False, False)
    >>> observation, reward, terminated, truncated, info = env.step(200)
    >>> reward, terminated, info["reason"][:40]
    (-1.0, True, '200 is not the number of a legal move he')
    """

    # Gymnasium's own declaration of it, which is no ClassVar.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | python_types.ModuleType | View,
        teams: Sequence[str | Sequence[AgentLike]],
        params: Any = None,
        render_mode: str | None = None,
        illegal_reward: float = -1.0,
        keep_beliefs: bool = False,
    ) -> None:
        EzPickle.__init__(self, game, teams, params, render_mode, illegal_reward, keep_beliefs)
        self._table, self.seat = _set_table(game, teams, params)
        self.view = self._table.view
        self.encoding = Encoding(self.view)
        self.render_mode = checked_mode(render_mode)
        self.illegal_reward, self.keep_beliefs = float(illegal_reward), keep_beliefs
        self.observation_space = self.encoding.space()
        self.action_space = gymnasium.spaces.Discrete(self.encoding.numbers)
        self.episode: Episode | None = None
        self._companions: dict[int, Companion] = {}
        self._sign = 1.0 if self.view.teams[self.seat] == 0 else -1.0
        self._owed = 0.0
        self._fouled = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and let the others play up to the learner's first move."""
        given = None if seed is None else checked_seed(seed)
        super().reset(seed=given)
        drawn = int(self.np_random.integers(2**63)) if given is None else given
        self.episode = Episode(self.view, drawn)
        self._companions = {p: self._companion(p, a) for p, a in self._table.agents.items()}
        self._fouled = False
        self._owed = self.episode.opening + self._others()
        if self.episode.ended is not None:
            raise InvalidInput(
                f"{self.view.info.name} ended before the learner in seat {self.seat} could move: "
                f"{self.episode.ended}"
            )
        return self._show()

    def step(self, action: Any) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make the learner's move, and everybody else's up to its next one."""
        episode = self._under_way()
        if episode.ended is not None or self._fouled:
            raise InvalidInput("the episode is over; call reset() to begin another")
        try:
            move = self.encoding.action(episode.legal, action)
        except IllegalAction as error:
            return self._foul(str(error))
        reward = self._owed + episode.play(move) + self._others()
        self._owed = 0.0
        ended = episode.ended is not None
        observation, info = self._show()
        over = ended and episode.is_over
        return observation, self._sign * reward + 0.0, over, ended and not over, info

    def render(self) -> Any:
        """Draw the state as the render mode says."""
        episode = self._under_way()
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: give the environment a render_mode")
        return render(self.view, episode.state, self.render_mode)

    def believed(self) -> dict[int, NDArray[np.float64]]:
        """What agents that keep beliefs believe by now, by seat: ``(players, types)`` each."""
        keepers = {p: c for p, c in self._companions.items() if c.agent.config.is_adaptive}
        for companion in keepers.values():
            companion.catch_up()
        return {p: companion.agent.probabilities() for p, companion in keepers.items()}

    def _under_way(self) -> Episode:
        if self.episode is None:
            raise InvalidInput("the environment has no game yet; call its reset() first")
        return self.episode

    def _companion(self, player: int, seated: Agent) -> Companion:
        """The agent of a seat for the episode that begins."""
        episode, held = self._under_way(), None
        if self.keep_beliefs and player in self._companions:
            before = self._companions[player]
            before.catch_up()
            held = before.agent.beliefs
        everybody = self._table.agents.items()
        truth = {p: a.config.own for p, a in everybody if a.config.model != "random"}
        agent = Agent(seated.config, self.view, player, self._table.types, truth, beliefs=held)
        return Companion(agent, episode, episode.seed)

    def _others(self) -> float:
        """Everybody's moves up to the learner's; what they pay team 0."""
        episode, reward = self._under_way(), 0.0
        while episode.ended is None and episode.actor != self.seat:
            reward += episode.play(self._choice(episode))
        return reward

    def _choice(self, episode: Episode) -> int:
        if episode.actor in self._companions:
            return self._companions[episode.actor].choose()
        player = self._table.seats[episode.actor]
        assert not isinstance(player, Agent)
        seed = random_seed(episode.seed, episode.plies, ACTING, episode.actor)
        action = player(self.view, episode.state, seed)
        if action not in episode.legal:
            raise IllegalAction(
                f"{self._table.names[episode.actor]} in seat {episode.actor} chose {action!r}, "
                f"which is not legal; legal are {episode.legal}"
            )
        return action

    def _foul(self, problem: str) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """End the episode after a move that is not legal."""
        self._fouled = True
        observation, info = self._show()
        return observation, self.illegal_reward, True, False, {**info, "reason": problem}

    def _show(self) -> tuple[Observation, dict[str, Any]]:
        """What the learner is given, and what a person sees of it."""
        episode = self._under_way()
        over = self._fouled or episode.ended is not None
        actor = -1 if episode.is_over else episode.actor
        mask = self.encoding.mask(() if over else episode.legal)
        observation = {"observation": self.encoding.bits(episode.state, actor), "action_mask": mask}
        info: dict[str, Any] = {"action_mask": mask.copy()}
        if not over:
            info["legal_actions"] = ActionTexts(self.encoding, episode.state, episode.legal)
        elif not self._fouled:
            info["reason"], info["winner"] = episode.ended, episode.winner
        if self.render_mode == "human":
            self.render()
        return observation, info


_TEAMS = {
    "checkers": ("ca:4+learner", "obl:4"),
    "connect_four": ("ca:4+learner", "obl:4"),
    "harvest": ("ca:4+ca:2+learner",),
    "narrow_tunnel": ("ca:6+learner",),
    "wall_of_fire": ("ca:6+learner",),
}


def register() -> None:
    """Make our games known to Gymnasium, as ``sizeup/Checkers-v0`` and so on.

    The teams are as good as any; give ``gymnasium.make`` others with ``teams=[...]``.

    >>> register()
    >>> env = gymnasium.make("sizeup/WallOfFire-v0", teams=["obl:2+learner"])
    >>> observation, info = env.reset(seed=0)
    >>> info["legal_actions"]
    {0: 'N', 1: 'E', 2: 'S', 3: 'W'}
    """
    for game, teams in _TEAMS.items():
        name = f"sizeup/{game.title().replace('_', '')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name, f"{__name__}:TeammateEnv", kwargs={"game": game, "teams": list(teams)}
            )


def _set_table(
    game: str | python_types.ModuleType | View,
    teams: Sequence[str | Sequence[AgentLike]],
    params: Any,
) -> tuple[Table, int]:
    """A table with somebody in every seat, and the learner's."""
    members = [_members(team) for team in teams]
    everybody = [member for team in members for member in team]
    places = [seat for seat, member in enumerate(everybody) if member is _learner]
    if len(places) != 1:
        raise InvalidInput(
            f"one seat is the learner's, got {len(places)} in {list(teams)!r}; write a team like "
            f"ca:8+{LEARNER}"
        )
    configs = [member for member in everybody if isinstance(member, AgentConfig)]
    depths = tuple(config.own for config in configs if config.model != "random")
    ready = [
        [among_strangers(m, depths) if isinstance(m, AgentConfig) else m for m in team]
        for team in members
    ]
    return set_table(game, ready, params), places[0]


def _members(team: str | Sequence[AgentLike]) -> list[AgentConfig | Player]:
    parts: Sequence[AgentLike] = team.split("+") if isinstance(team, str) else team
    return [_member(part) for part in parts]


def _member(who: AgentLike) -> AgentConfig | Player:
    if not isinstance(who, str):
        return who
    return _learner if who.strip() == LEARNER else read_agent(who)


def _learner(view: View, state: Any, seed: int) -> int:
    raise AssertionError("the learner moves by step()")  # pragma: no cover
