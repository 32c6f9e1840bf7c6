"""Our agents as a bot in OpenSpiel.

The bot reads the moves so far from the state it is asked about, so it works in any loop; its agents
learn from each move as soon as the bot hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizeup.adapters import open_spiel_game as spiel
from sizeup.adapters.policies import Stranger
from sizeup.agents import AgentConfig, Player
from sizeup.errors import InvalidInput
from sizeup.games.contract import GameInfo
from sizeup.play.match import Match, checked_seed
from sizeup.play.record import Move
from sizeup.play.table import Table, members_of, set_table

__all__ = ["SizeupBot"]


class SizeupBot(spiel.import_pyspiel().Bot):  # type: ignore[misc]  # pyspiel has no types
    """Agents of ours in the seat of one of OpenSpiel's players.

    Several agents take turns. In a game of several players with the same interests a bot is one
    agent, and the other players, whoever they are, are its teammates.

    A bot plays its first game as in a match of its seed, and each further game with the next seed.
    Every game begins with the agents' prior beliefs.

    Parameters
    ----------
    game
        OpenSpiel's game, or its name: what :func:`~sizeup.adapters.open_spiel_game.open_spiel_game`
        takes.
    player_id
        Which of its players the bot is.
    team
        Agents as text (``"ca:8+obl:2"``, ``"my_agent.py:8"``), or a list of texts and
        configurations. Nothing is known here about the other players, so an agent that sizes them
        up needs its types listed, as in ``"ca:8@2,4,8"``.
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
        self._game = spiel.load_open_spiel(game)
        name = str(self._game).removesuffix("()")
        if player_id not in range(self._game.num_players()):
            raise InvalidInput(
                f"{name} has the players 0 to {self._game.num_players() - 1}, got player_id = "
                f"{player_id!r}"
            )
        self._player_id, self._seed = player_id, checked_seed(seed)
        self._twin = spiel.TWINS.get(name) if compiled else None
        rules = self._twin.rules if self._twin else spiel.open_spiel_game(self._game)
        self._teams = _teams(rules.INFO, player_id, team)
        params = self._twin.params if self._twin else None
        self._view = set_table(rules, self._teams, params).view
        self._begin()

    @property
    def table(self) -> Table:
        """The agents in their seats with their current beliefs, among strangers."""
        return self._match.table

    def player_id(self) -> int:
        """Which player the bot is."""
        return self._player_id

    def restart(self) -> None:
        """Begin another game."""
        if self._followed.history or self._match.asked:
            self._seed += 1
        self._begin()

    def restart_at(self, state: Any) -> None:
        """Begin another game in the middle; nothing is learnt from the moves that led there."""
        self._require_own_game(state)
        self.restart()
        for action in state.history():
            self._followed.see(action, watched=False)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Hear of a move that is about to be made in a state."""
        self._follow(state)
        self._followed.see(int(action))

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
        """Whether the bot can give probabilities of its actions: yes."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return each legal action with its share of the visits of the search."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return what :meth:`get_policy` does, and the action with the most visits."""
        self._follow(state)
        actor = state.current_player()
        if actor != self._player_id:
            turn = "the game is over" if state.is_terminal() else f"it is player {actor}'s turn"
            raise InvalidInput(
                f"this bot is player {self._player_id} and was asked for a move, but {turn}"
            )
        choice = self._match.choose()
        left = {action: steps for steps, action in self._followed.moves().items()}
        shares = dict.fromkeys(state.legal_actions(), 0.0)
        for action, share in zip(choice.actions, choice.distribution.tolist(), strict=True):
            if action in left:
                shares[left[action][0]] += share
        total = sum(shares.values())
        policy = [(a, share / total if total else 1 / len(shares)) for a, share in shares.items()]
        if choice.action in left:
            return policy, left[choice.action][0]
        return policy, max(policy, key=lambda pair: pair[1])[0]

    def _begin(self) -> None:
        self._match = Match(set_table(self._view, self._teams), self._seed, searches=False)
        self._followed = FollowedGame(self._game, self._match, self._twin)

    def _follow(self, state: Any) -> None:
        """Catch up with a state; one that does not continue this game begins another."""
        self._require_own_game(state)
        history, known = state.history(), len(self._followed.history)
        if history[:known] != self._followed.history:
            self.restart_at(state)
            return
        for action in history[known:]:
            self._followed.see(action)

    def _require_own_game(self, state: Any) -> None:
        own, asked = str(self._game), str(state.get_game())
        if asked != own:
            raise InvalidInput(f"this bot plays OpenSpiel's {own}, but was asked about {asked}")


def _teams(
    info: GameInfo, player: int, team: str | Sequence[str | AgentConfig]
) -> list[list[AgentConfig | Player]]:
    """The teams of a game, with strangers in the seats that are not the bot's."""
    [members] = members_of([team])
    for member in members:
        if not isinstance(member, AgentConfig):
            raise InvalidInput(f"{member!r} is not an agent; expected a text like ca:8@2,4,8")
    everybody: list[AgentConfig | Player] = [Stranger(f"player {p}") for p in range(info.players)]
    if len(set(info.teams)) == len(info.teams):
        return [members if p == player else [other] for p, other in enumerate(everybody)]
    if len(members) != 1:
        raise InvalidInput(
            f"the players of {info.name} are already one team, so each of them is one agent; got "
            f"{len(members)} for player {player}"
        )
    everybody[player] = members[0]
    return [everybody]


class FollowedGame:
    """A game of OpenSpiel's, followed action by action in a match of ours.

    A move of ours may take several actions there: a jump over two pieces in checkers takes two.
    ``twin`` says how our moves are written there if the rules are ours.
    """

    def __init__(self, game: Any, match: Match, twin: spiel.Twin | None) -> None:
        self.match, self.twin = match, twin
        self.history: list[int] = []
        self._theirs = game.new_initial_state()  # before the move that is being made
        self._steps: tuple[int, ...] = ()

    def moves(self) -> dict[tuple[int, ...], int]:
        """Ways to complete the move that is being made, each with our action for it."""
        if self.twin is None:
            return {(action,): action for action in self.match.legal}
        position, made = self.match.view.base_state(self.match.state), len(self._steps)
        return {
            move.actions[made:]: action
            for action, move in self.twin.moves(position, self._theirs)
            if move.actions[:made] == self._steps
        }

    def see(self, action: int, watched: bool = True) -> Move | None:
        """Take in an action of OpenSpiel's; make the move of ours that it completes, if any.

        Nobody learns from a move that is not ``watched``.
        """
        completed = self.moves().get((action,))
        self.history.append(action)
        self._steps += (action,)
        if completed is None:
            return None
        for step in self._steps:
            self._theirs.apply_action(step)
        self._steps = ()
        return self.match.play(completed, watched)
