"""OpenSpiel's bots as players: of its own games brought here, of our checkers and connect four.

A game brought here (:mod:`sizeup.adapters.open_spiel_game`) holds the state that a bot is asked
about. Ours do not, and OpenSpiel's checkers cannot be set up from a position, only played from its
start. So there a player keeps the OpenSpiel state of the position it was last asked about, and
finds the moves that were made since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sizeup.adapters import open_spiel_rules
from sizeup.adapters.lines import line_between, pieces_apart
from sizeup.adapters.open_spiel_import import import_pyspiel
from sizeup.adapters.open_spiel_twins import TWINS, Twin
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.play.match import Player

__all__ = ["BotFactory", "open_spiel_player"]

BotFactory: TypeAlias = Callable[[Any, int, int], Any]
"""From OpenSpiel's game, the player to act (0 or 1) and a seed (below 2**31) to a bot."""


def open_spiel_player(bot: Any, name: str | None = None) -> Player:
    """Make a player of an OpenSpiel bot.

    A bot takes the whole side it plays for its own, also if it shares it with teammates. Before
    each of its moves it is started anew and told of all moves so far, as far as it can listen.

    Parameters
    ----------
    bot
        A ``pyspiel.Bot``, or anything with a method ``step(state)`` that returns one of OpenSpiel's
        legal actions; or a :data:`BotFactory`, which is called before each move. Only a factory
        makes moves that depend on the seed of the match alone.
    name
        What the record calls the player; the bot's own class, or the factory's name, if None.

    Examples
    --------
    >>> import pyspiel
    >>> from sizeup.adapters.open_spiel_game import open_spiel_game
    >>> from sizeup.play import play
    >>> def mcts(game, player, seed):
    ...     rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    ...     return pyspiel.MCTSBot(game, rollouts, 2.0, 50, 10, True, seed, False)
    >>> record = play("connect-four", [["random"], [open_spiel_player(mcts)]], seed=1)
    >>> record.players, record.winner
    (('random', 'mcts'), 1)
    >>> play(open_spiel_game("breakthrough"), [[open_spiel_player(mcts)], ["random"]]).winner
    0
    """
    import_pyspiel()
    if hasattr(bot, "step") and not isinstance(bot, type):
        return _BotPlayer(lambda game, player, seed: bot, name or type(bot).__name__)
    if not callable(bot):
        raise InvalidInput(
            f"{bot!r} is no bot; expected one with a method step(state), or a function from "
            "(game, player, seed) to one"
        )
    own_name = str(getattr(bot, "__name__", "bot"))
    return _BotPlayer(bot, name or ("bot" if own_name == "<lambda>" else own_name))


class _BotPlayer:
    """A bot in a seat, and how far it has followed each game."""

    def __init__(self, factory: BotFactory, name: str) -> None:
        self.factory = factory
        self.__name__ = name  # what a match calls a player that is a function
        self.followed: dict[str, tuple[Any, Any]] = {}

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Ask the bot for a move."""
        position = getattr(state, "base", state)  # without the seats, if there are any
        if isinstance(position, open_spiel_rules.State):
            theirs = position.board.spiel
            return self._step(self._bot(theirs, seed), theirs)
        twin = _twin_of(view, position)
        theirs = self._follow(view, twin, position)
        self.followed[twin.name] = position, theirs
        return twin.action(position, self._steps(self._bot(theirs, seed), theirs))

    def _bot(self, theirs: Any, seed: int) -> Any:
        """The bot, which has been told of the game so far: some keep a state of their own."""
        bot = self.factory(theirs.get_game(), theirs.current_player(), seed % 2**31)
        if isinstance(bot, import_pyspiel().Bot):
            bot.restart()
            seen = theirs.get_game().new_initial_state()
            for move in theirs.full_history():
                bot.inform_action(seen, move.player, move.action)
                seen.apply_action(move.action)
        return bot

    def _steps(self, bot: Any, theirs: Any) -> list[str]:
        """The steps of the move that a bot makes."""
        mover, steps = theirs.current_player(), []
        while theirs.current_player() == mover:
            action = self._step(bot, theirs)
            steps.append(theirs.action_to_string(mover, action))
            theirs = theirs.child(action)
        return steps

    def _step(self, bot: Any, theirs: Any) -> int:
        action, legal = bot.step(theirs.clone()), theirs.legal_actions()
        if action not in legal:
            raise InvalidInput(
                f"{self.__name__} chose {action!r}, which is not legal in OpenSpiel's state; legal "
                f"are {legal}"
            )
        return int(action)

    def _follow(self, view: View, twin: Twin, position: Any) -> Any:
        """OpenSpiel's state of a position that is not far from the start or the last one."""
        rules = View(twin.rules)
        start = rules.start(), import_pyspiel().load_game(twin.name).new_initial_state()
        both = start, self.followed.get(twin.name, start)
        for known, theirs in sorted(both, key=lambda pair: pieces_apart(pair[0], position)):
            line = line_between(rules, known, position, twin.reach(view))
            if line is not None:
                return _after(twin, rules, known, theirs, line)
        raise InvalidInput(
            f"{self.__name__} cannot tell how the game came to {rules.state_text(position)}, and "
            f"OpenSpiel's {twin.name} can only be played from its start; let the bot play from the "
            "first move on, one match at a time"
        )


def _after(twin: Twin, rules: View, position: Any, theirs: Any, line: Sequence[int]) -> Any:
    """OpenSpiel's state after a line of our actions."""
    for action in line:
        theirs = dict(twin.moves(position, theirs))[action].after
        if theirs.is_terminal():
            raise InvalidInput(
                f"OpenSpiel's {twin.name} is over here, after 40 plies without a capture, so its "
                "bots cannot play on; set most_quiet_plies to 40 or less"
            )
        position, _ = rules.apply(position, action)
    return theirs


def _twin_of(view: View, position: Any) -> Twin:
    for twin in TWINS.values():
        if isinstance(position, twin.rules.State):
            return twin
    names = " and ".join(twin.rules.INFO.name for twin in TWINS.values())
    raise InvalidInput(
        f"OpenSpiel's bots can play {names} here, not {view.info.name}; besides these, the games "
        "that open_spiel_game brings"
    )
