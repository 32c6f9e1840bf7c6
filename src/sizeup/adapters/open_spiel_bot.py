"""Our agents as a bot of OpenSpiel's, for whatever there asks bots for moves.

A bot reads off the state it is asked about what has been played, so it can be dropped into any
loop; its agents learn from each move as soon as they hear of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizeup.adapters.open_spiel_follow import FollowedGame, Made
from sizeup.adapters.open_spiel_game import load_open_spiel, open_spiel_game
from sizeup.adapters.open_spiel_import import import_pyspiel
from sizeup.adapters.open_spiel_twins import TWINS
from sizeup.agents import AgentConfig, Choice
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, GameInfo
from sizeup.play.match import ACTING, WATCHING, Table, random_seed, set_table

__all__ = ["SizeupBot"]


class SizeupBot(import_pyspiel().Bot):  # type: ignore[misc]  # pyspiel has no types
    """Agents of ours in the place of one of OpenSpiel's players.

    Several agents take turns. In a game of several players with the same interests a bot is one
    agent, and the other players, whoever they are, are its teammates.

    A bot plays its first game as a match of its seed is played, the next one as that of the seed
    after it. Every game begins with what agents believe before they have seen anything.

    Parameters
    ----------
    game
        OpenSpiel's game, or its name: what :func:`~sizeup.adapters.open_spiel_game.open_spiel_game`
        takes.
    player_id
        Which of its players the bot is.
    team
        Agents as text (``"ca:8+obl:2"``), or a list of texts and configurations. What others look
        like is not known here, so an agent that sizes them up is told which types there are, as in
        ``"ca:8@2,4,8"``.
    seed
        Any whole number of 0 or more.
    compiled
        Whether to plan with our own rules of checkers and connect four, which are compiled. (In our
        checkers a captured piece is worth 1; in OpenSpiel's only the whole game is.)

    Examples
    --------
    >>> import numpy as np
    >>> import pyspiel
    >>> from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    >>> game = pyspiel.load_game("connect_four")
    >>> bots = [SizeupBot(game, 0, "obl:4"), pyspiel.make_uniform_random_bot(1, 5)]
    >>> evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(5))
    [1.0, -1.0]
    """

    def __init__(
        self,
        game: Any,
        player_id: int,
        team: str | Sequence[str | AgentConfig],
        seed: int = 0,
        compiled: bool = True,
    ) -> None:
        super().__init__()
        self._game = load_open_spiel(game)
        name = str(self._game).removesuffix("()")
        if player_id not in range(self._game.num_players()):
            raise InvalidInput(
                f"{name} has the players 0 to {self._game.num_players() - 1}, got player_id = "
                f"{player_id!r}"
            )
        if type(seed) is not int or seed < 0:
            raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
        self._player_id, self._seed = player_id, seed
        self._twin = TWINS.get(name) if compiled else None
        rules = open_spiel_game(self._game) if self._twin is None else self._twin.rules
        self._teams = _with_strangers(rules.INFO, player_id, _members(team))
        self._view = set_table(rules, self._teams).view
        self._begin()

    @property
    def table(self) -> Table:
        """The agents in their seats, with what they believe by now; others count as random."""
        return self._table

    def player_id(self) -> int:
        """Which player the bot is."""
        return self._player_id

    def restart(self) -> None:
        """Begin another game."""
        if self._followed.history or self._choice is not None:
            self._seed += 1
        self._begin()

    def restart_at(self, state: Any) -> None:
        """Begin another game in its middle; nothing is learnt from the moves that led there."""
        self._require_own_game(state)
        self.restart()
        for action in state.history():
            self._see(action, learning=False)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Hear of a move that is about to be made in a state."""
        self._follow(state)
        self._see(int(action))

    def provides_force_action(self) -> bool:
        """Whether the bot can be made to take an action: yes."""
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Take an action that somebody else has chosen."""
        self.inform_action(state, self._player_id, action)

    def step(self, state: Any) -> int:
        """Return the action to take."""
        return self.step_with_policy(state)[1]

    def provides_policy(self) -> bool:
        """Whether the bot can say how it came by its action: yes."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return each legal action with its share of the visits of the search."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return what :meth:`get_policy` does, and the action with the most visits."""
        self._follow(state)
        self._require_own_turn(state)
        choice = self._chosen()
        left = {action: steps for steps, action in self._followed.moves().items()}
        shares = dict.fromkeys(state.legal_actions(), 0.0)
        for action, share in zip(choice.actions, choice.distribution.tolist(), strict=True):
            if action in left:
                shares[left[action][0]] += share
        policy = _normalised(shares)
        if choice.action in left:
            return policy, left[choice.action][0]
        return policy, max(policy, key=lambda pair: pair[1])[0]

    def _begin(self) -> None:
        self._table = set_table(self._view, self._teams)
        self._followed = FollowedGame(self._game, self._view, self._twin)
        self._choice: Choice | None = None  # for the move that is being made
        self._plies = 0

    def _follow(self, state: Any) -> None:
        """Catch up with a state; one that does not continue the game belongs to another one."""
        self._require_own_game(state)
        history, known = state.history(), len(self._followed.history)
        if history[:known] != self._followed.history:
            self.restart_at(state)
            return
        for action in history[known:]:
            self._see(action)

    def _see(self, action: int, learning: bool = True) -> None:
        made = self._followed.see(action)
        if made is None:
            return
        self._choice = None
        if made.actor != CHANCE:
            if learning:
                self._watch(made)
            self._plies += 1

    def _watch(self, made: Made) -> None:
        for player, agent in self._table.agents.items():
            who = 0 if agent.config.common_seed else 1 + player
            agent.observe(*made, self._random(WATCHING, who))

    def _chosen(self) -> Choice:
        if self._choice is None:
            actor = self._view.actor(self._followed.state)
            agent, seed = self._table.agents[actor], self._random(ACTING, actor)
            self._choice = agent.act(self._followed.state, seed)
        return self._choice

    def _random(self, purpose: int, who: int) -> int:
        """The seed that a match would use here."""
        return random_seed(self._seed, self._plies, purpose, who)

    def _require_own_game(self, state: Any) -> None:
        own, asked = str(self._game), str(state.get_game())
        if asked != own:
            raise InvalidInput(f"this bot plays OpenSpiel's {own}, and was asked about {asked}")

    def _require_own_turn(self, state: Any) -> None:
        actor = state.current_player()
        if actor != self._player_id:
            turn = "the game is over" if state.is_terminal() else f"player {actor} acts"
            raise InvalidInput(
                f"this bot is player {self._player_id}, and where it was asked for a move {turn}"
            )


def _normalised(shares: dict[int, float]) -> list[tuple[int, float]]:
    """Shares that sum to 1, all the same where there are none."""
    total = sum(shares.values())
    if total == 0:
        return [(action, 1 / len(shares)) for action in shares]
    return [(action, share / total) for action, share in shares.items()]


def _members(team: str | Sequence[str | AgentConfig]) -> list[str | AgentConfig]:
    members = list(team.split("+") if isinstance(team, str) else team)
    for member in members:
        if not isinstance(member, (str, AgentConfig)):
            raise InvalidInput(f"{member!r} is no agent; expected a text like ca:8@2,4,8")
    return members


def _with_strangers(
    info: GameInfo, player: int, members: list[str | AgentConfig]
) -> list[list[str | AgentConfig]]:
    """Every team of a game, somebody unknown in the seats that are not the bot's."""
    if len(set(info.teams)) == len(info.teams):
        return [members if other == player else ["random"] for other in range(info.players)]
    if len(members) != 1:
        raise InvalidInput(
            f"the players of {info.name} are one team already, so each is one agent; got "
            f"{len(members)} for player {player}"
        )
    return [[members[0] if other == player else "random" for other in range(info.players)]]
