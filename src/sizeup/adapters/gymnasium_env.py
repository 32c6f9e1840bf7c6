"""One seat of a game as a Gymnasium environment; our agents play all others.

:mod:`sizeup.adapters.observations` describes observations and how moves are numbered.

This module needs Gymnasium: ``pip install 'sizeup[gymnasium]'``.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.observations import ActionTexts, Encoding, Observed
from sizeup.adapters.policies import Stranger, among_strangers, under_way
from sizeup.adapters.rendering import RENDER_MODES, checked_mode, render
from sizeup.agents import AgentConfig, Player
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.look import look_of
from sizeup.games.seats import teams_to_seat
from sizeup.play.match import Match, checked_seed
from sizeup.play.table import AgentLike, GameLike, members_of, set_table

try:
    import gymnasium
    from gymnasium.utils import EzPickle
except ImportError:
    raise InvalidInput("Gymnasium is not installed; run pip install 'sizeup[gymnasium]'") from None

__all__ = ["LEARNER", "TeammateEnv", "register"]

LEARNER = "learner"
"""Marks the learner's seat in a team, as in ``"ca:8+learner"``."""


class TeammateEnv(gymnasium.Env[Observed, Any], EzPickle):
    """A game in which one seat is the learner's.

    A step plays the learner's move, and then everybody else's until it is the learner's turn again.
    Its reward is the game's own reward to the learner's team for all of these moves; the first step
    also includes what was won before it. So the rewards of an episode add up to the score of the
    game. ``terminated`` means that the game is over, ``truncated`` that a limit stopped it, such as
    120 moves in checkers.

    **An illegal move ends the episode** (``terminated``): it is not played, the reward is
    ``illegal_reward``, and ``info["reason"]`` says why. The mask of legal moves is in the
    observation and in ``info["action_mask"]``; ``info["legal_actions"]`` has their texts.

    Parameters
    ----------
    game
        A name, a module, the path of a Python file, or a view.
    teams
        One entry for each team: agents as text with ``+`` between them, or a list of texts,
        configurations and functions (:func:`sizeup.play.table.set_table`). Exactly one of them is
        ``"learner"``. Agents that use types and list none consider the depths of all agents and
        their own, halved again and again: ``ca:8`` beside a learner is ``ca:8@1,2,4,8``. None for
        quick agents: ``ca`` and then the learner in the first team, ``obl`` in the other.
    params
        Parameters of the game; None for its defaults.
    render_mode
        ``"human"`` prints the board in the terminal before each of the learner's moves, ``"ansi"``
        returns it as text and ``"rgb_array"`` as pixels.
    illegal_reward
        Reward for an illegal move.
    keep_beliefs
        Whether agents keep what they believe about the learner from one episode to the next; an
        agent of your own (``my_agent.py:8``) begins afresh.

    Examples
    --------
    >>> env = TeammateEnv("checkers", teams=["ca:4+learner", "obl:2"])
    >>> observation, info = env.reset(seed=1)
    >>> info["legal_actions"]
    {0: '8-11', 1: '9-13', 2: '10-14', 3: '16-19', 4: '7-11', 5: '9-14', 6: '10-15'}
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> reward, terminated, truncated
    (0.0, False, False)
    """

    # Gymnasium's own declaration of it, which is no ClassVar.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        teams: Sequence[str | Sequence[AgentLike]] | None = None,
        params: Any = None,
        render_mode: str | None = None,
        illegal_reward: float = -1.0,
        keep_beliefs: bool = False,
    ) -> None:
        EzPickle.__init__(self, game, teams, params, render_mode, illegal_reward, keep_beliefs)
        game = load_game(game) if isinstance(game, str) else game
        self._teams, self.seat = _seats(_usual_teams(game) if teams is None else teams)
        self.view = set_table(game, self._teams, params).view
        self.encoding = Encoding(self.view)
        self.render_mode = checked_mode(render_mode)
        self.illegal_reward, self.keep_beliefs = float(illegal_reward), keep_beliefs
        self.observation_space = self.encoding.space()
        self.action_space = gymnasium.spaces.Discrete(self.encoding.numbers)
        self.match: Match | None = None
        self._sign = 1.0 if self.view.teams[self.seat] == 0 else -1.0
        self._paid = 0  # how many moves have been paid for
        self._fouled = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a game and play up to the learner's first move."""
        given = None if seed is None else checked_seed(seed)
        super().reset(seed=given)
        drawn = int(self.np_random.integers(2**63)) if given is None else given
        held = self.match.table.beliefs if self.keep_beliefs and self.match else None
        self.match = Match(set_table(self.view, self._teams, beliefs=held), drawn, searches=False)
        self._paid, self._fouled = 0, False
        self._play_others(self.match)
        if self.match.finished:
            raise InvalidInput(
                f"{self.view.info.name} ended before the learner in seat {self.seat} could move: "
                f"{self.match.reason}"
            )
        return self._show()

    def step(self, action: Any) -> tuple[Observed, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the learner's move, and everybody else's up to its next one."""
        match = under_way(self.match)
        if match.finished or self._fouled:
            raise InvalidInput("the episode is over; call reset() to begin another")
        try:
            move = self.encoding.action(match.legal, action)
        except IllegalAction as error:
            self._fouled = True
            observation, info = self._show()
            return observation, self.illegal_reward, True, False, {**info, "reason": str(error)}
        match.play(move)
        self._play_others(match)
        reward = self._sign * sum(made.reward for made in match.moves[self._paid :]) + 0.0
        self._paid = len(match.moves)
        observation, info = self._show()
        return observation, reward, match.is_over, match.finished and not match.is_over, info

    def render(self) -> Any:
        """Draw the state in the environment's render mode."""
        return render(self.view, under_way(self.match).state, self.render_mode)

    def believed(self) -> dict[int, NDArray[np.float64]]:
        """What the adaptive agents believe now, by seat: ``(players, types)`` each."""
        watchers = under_way(self.match).table.watchers
        return {seat: watcher.probabilities() for seat, watcher in watchers.items()}

    def _play_others(self, match: Match) -> None:
        while not match.finished and match.actor != self.seat:
            match.step()

    def _show(self) -> tuple[Observed, dict[str, Any]]:
        """Observation and info for the learner; also prints the board in mode ``human``."""
        match = under_way(self.match)
        over = self._fouled or match.finished
        observation = self.encoding.observation(match.state, acts=not over)
        info: dict[str, Any] = {"action_mask": observation["action_mask"].copy()}
        if not over:
            info["legal_actions"] = ActionTexts(self.encoding, match.state, match.legal)
        elif not self._fouled:
            info["reason"], info["winner"] = match.reason, match.winner
        if self.render_mode == "human":
            self.render()
        return observation, info


def register() -> None:
    """Register our games with Gymnasium, as ``sizeup/Checkers-v0`` and so on.

    Each comes with default teams; change them with ``gymnasium.make(..., teams=[...])``.

    >>> register()
    >>> env = gymnasium.make("sizeup/WallOfFire-v0", teams=["obl:2+learner"])
    >>> observation, info = env.reset(seed=0)
    >>> info["legal_actions"]
    {0: 'N', 1: 'E', 2: 'S', 3: 'W'}
    """
    for game in GAMES:
        name = f"sizeup/{game.title().replace('_', '')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, f"{__name__}:TeammateEnv", kwargs={"game": game})


def _usual_teams(game: types.ModuleType | View) -> list[str]:
    """The learner last in the first team, everybody else an agent that answers at once."""
    module = game.game if isinstance(game, View) else game
    seats, light = module.INFO.teams, look_of(module).start.light
    mates = seats.count(0) - 1 or min(1, teams_to_seat(module))
    first = "+".join([f"ca:{light}"] * mates + [LEARNER])
    return [first, "+".join([f"obl:{light}"] * seats.count(1))] if 1 in seats else [first]


def _seats(
    teams: Sequence[str | Sequence[AgentLike]],
) -> tuple[list[list[AgentConfig | Player]], int]:
    """Who sits where, and which seat is the learner's."""
    learner = Stranger(LEARNER)
    members = members_of(teams, {LEARNER: learner})
    everybody = [member for team in members for member in team]
    if everybody.count(learner) != 1:
        raise InvalidInput(
            f"exactly one seat must be the learner's, got {everybody.count(learner)} in "
            f"{list(teams)!r}; write a team like ca:8+{LEARNER}"
        )
    depths = tuple(m.own for m in everybody if isinstance(m, AgentConfig) and not m.untyped)
    for team in members:
        team[:] = [among_strangers(m, depths) if isinstance(m, AgentConfig) else m for m in team]
    return members, everybody.index(learner)
