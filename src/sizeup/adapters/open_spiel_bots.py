"""OpenSpiel's bots as players of the games that both have: checkers and connect four.

OpenSpiel's checkers cannot be set up from a position, only played from its start. So a player keeps
the OpenSpiel state of the position it was last asked about, and finds the moves that were made
since. Rules come from either side and none are written again here: a move of OpenSpiel's is the
text of one of ours.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sizeup.adapters.lines import line_between, pieces_apart
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four
from sizeup.games.contract import View
from sizeup.games.pdn import move_from_text
from sizeup.play.match import Player

__all__ = ["BotFactory", "open_spiel_player"]

BotFactory: TypeAlias = Callable[[Any, int, int], Any]
"""From OpenSpiel's game, the side to play (0 or 1) and a seed (below 2**31) to a bot."""


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
    >>> from sizeup.play import play
    >>> def mcts(game, player, seed):
    ...     rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    ...     return pyspiel.MCTSBot(game, rollouts, 2.0, 50, 10, True, seed, False)
    >>> record = play("connect-four", [["random"], [open_spiel_player(mcts)]], seed=1)
    >>> record.players, record.winner
    (('random', 'mcts'), 1)
    """
    _pyspiel()
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
        twin = _twin_of(view, position)
        theirs = self._follow(view, twin, position)
        self.followed[twin.name] = position, theirs
        bot = self.factory(theirs.get_game(), position.side, seed % 2**31)
        _tell(bot, theirs)
        return twin.action(position, _ask(bot, theirs, self.__name__))

    def _follow(self, view: View, twin: _Twin, position: Any) -> Any:
        """OpenSpiel's state of a position that is not far from the start or the last one."""
        rules = View(twin.rules)
        start = rules.start(), _pyspiel().load_game(twin.name).new_initial_state()
        both = start, self.followed.get(twin.name, start)
        for known, theirs in sorted(both, key=lambda pair: pieces_apart(pair[0], position)):
            line = line_between(rules, known, position, twin.reach(view))
            if line is not None:
                return twin.after(rules, known, theirs, line)
        raise InvalidInput(
            f"{self.__name__} cannot tell how the game came to {rules.state_text(position)}, and "
            f"OpenSpiel's {twin.name} can only be played from its start; let the bot play from the "
            "first move on, one match at a time"
        )


@dataclass(frozen=True)
class _Twin:
    """A game that both have.

    ``action`` reads the steps of a move as OpenSpiel writes them; ``reach`` says how many plies may
    lie between two positions that a player is asked about.
    """

    name: str
    rules: python_types.ModuleType
    action: Callable[[Any, Sequence[str]], int]
    reach: Callable[[View], int]

    def after(self, rules: View, position: Any, theirs: Any, line: Sequence[int]) -> Any:
        """OpenSpiel's state after a line of our actions."""
        for action in line:
            moves = {self.action(position, steps): after for steps, after in _moves(theirs)}
            theirs = moves[action]
            if theirs.is_terminal():
                raise InvalidInput(
                    f"OpenSpiel's {self.name} is over here, after 40 plies without a capture, so "
                    "its bots cannot play on; set most_quiet_plies to 40 or less"
                )
            position, _ = rules.apply(position, action)
        return theirs


def _checkers_action(position: checkers.State, steps: Sequence[str]) -> int:
    """Steps such as ``a3c5``, ``c5e7``: a jump over several pieces has several."""
    path = [steps[0][:2], *(step[2:] for step in steps)]
    return move_from_text(position, "-".join(str(_square(field)) for field in path))


def _square(field: str) -> int:
    """Number of a field such as a3; OpenSpiel's board is ours seen in a mirror."""
    column, row = "abcdefgh".index(field[0]), int(field[1]) - 1
    return 4 * row + (7 - column) // 2 + 1


def _connect_four_action(position: connect_four.State, steps: Sequence[str]) -> int:
    """One step such as ``x3``."""
    return int(steps[0][1:])


_TWINS = {
    checkers.State: _Twin(
        "checkers",
        checkers,
        _checkers_action,
        lambda view: 2 * max(map(list(view.teams).count, view.teams)),
    ),
    connect_four.State: _Twin("connect_four", connect_four, _connect_four_action, lambda view: 42),
}


def _twin_of(view: View, position: Any) -> _Twin:
    if type(position) not in _TWINS:
        names = " and ".join(twin.rules.INFO.name for twin in _TWINS.values())
        raise InvalidInput(f"OpenSpiel's bots can play {names} here, not {view.info.name}")
    return _TWINS[type(position)]


def _moves(theirs: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The steps of each complete move, and OpenSpiel's state after it."""
    mover = theirs.current_player()
    unfinished: list[tuple[tuple[str, ...], Any]] = [((), theirs)]
    while unfinished:
        steps, partial = unfinished.pop()
        for action in partial.legal_actions():
            step, after = partial.action_to_string(mover, action), partial.child(action)
            if after.current_player() == mover:
                unfinished.append(((*steps, step), after))
            else:
                yield (*steps, step), after


def _tell(bot: Any, theirs: Any) -> None:
    """Let a bot follow the game so far: some keep a state of their own."""
    if isinstance(bot, _pyspiel().Bot):
        bot.restart()
        seen = theirs.get_game().new_initial_state()
        for move in theirs.full_history():
            bot.inform_action(seen, move.player, move.action)
            seen.apply_action(move.action)


def _ask(bot: Any, theirs: Any, name: str) -> list[str]:
    """The steps of the move that a bot makes."""
    mover, theirs, steps = theirs.current_player(), theirs.clone(), []
    while theirs.current_player() == mover:
        action, legal = bot.step(theirs), theirs.legal_actions()
        if action not in legal:
            raise InvalidInput(
                f"{name} chose {action!r}, which is not legal in OpenSpiel's state; legal are "
                f"{legal}"
            )
        steps.append(theirs.action_to_string(mover, action))
        theirs.apply_action(action)
    return steps


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise InvalidInput(
            "OpenSpiel is not installed; pip install 'sizeup[open-spiel]' brings it"
        ) from None
    return pyspiel
