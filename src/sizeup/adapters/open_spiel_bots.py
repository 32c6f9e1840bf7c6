"""OpenSpiel's bots as players, in its own games brought here and in our checkers and connect four.

A game brought here (:mod:`sizeup.adapters.open_spiel_game`) holds the state that a bot is asked
about. Ours do not, and OpenSpiel's checkers cannot be set up from a position, only played from its
start. So in our games a player keeps the OpenSpiel state of the position it was last asked about,
and works out which moves were made since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

from sizeup.adapters import open_spiel_game
from sizeup.adapters.open_spiel_game import TWINS, Twin, import_pyspiel
from sizeup.agents import Player
from sizeup.errors import InvalidInput
from sizeup.games.contract import View

__all__ = ["BotFactory", "open_spiel_player"]

BotFactory: TypeAlias = Callable[[Any, int, int], Any]
"""Makes a bot for OpenSpiel's game, the player to act (0 or 1) and a seed (below 2**31)."""


def open_spiel_player(bot: Any, name: str | None = None) -> Player:
    """Turn an OpenSpiel bot into a player of a match.

    A bot plays as if the whole side were its own, even if it shares it with teammates. Before each
    of its moves it is restarted and informed of all moves so far, if it is a ``pyspiel.Bot``.

    Parameters
    ----------
    bot
        A ``pyspiel.Bot``, or anything with a method ``step(state)`` that returns one of OpenSpiel's
        legal actions; or a :data:`BotFactory`, which is called before each move. Only a factory
        makes moves that depend on nothing but the seed of the match.
    name
        What the record calls the player; None for the bot's class or the factory's name.

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
            f"{bot!r} is not a bot; expected an object with a method step(state), or a function "
            "(game, player, seed) that returns one"
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
        position = view.base_state(state)
        if isinstance(position, open_spiel_game.SpielState):
            theirs = position.board.spiel
            return self._step(self._bot(theirs, seed), theirs)
        twin = next((t for t in TWINS.values() if view.base.game is t.rules), None)
        if twin is None:
            names = " and ".join(twin.rules.INFO.name for twin in TWINS.values())
            raise InvalidInput(
                f"OpenSpiel's bots cannot play {view.info.name}, only {names} and games that "
                "open_spiel_game brings"
            )
        theirs = self._follow(view, twin, position)
        self.followed[twin.name] = position, theirs
        return twin.action(position, self._steps(self._bot(theirs, seed), theirs))

    def _bot(self, theirs: Any, seed: int) -> Any:
        """The bot, informed of the game so far: some keep a state of their own."""
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
        for known, theirs in sorted(both, key=lambda pair: _pieces_apart(pair[0], position)):
            line = line_between(rules, known, position, twin.reach(view))
            if line is not None:
                return _after(twin, rules, known, theirs, line)
        raise InvalidInput(
            f"{self.__name__} cannot tell which moves led to {rules.state_text(position)}, and "
            f"OpenSpiel's {twin.name} can only be played from its start; seat the bot from the "
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


_Line: TypeAlias = tuple[int, tuple[int, ...]]
"""How many plies have passed since the last capture, and all actions."""


def line_between(rules: View, known: Any, wanted: Any, most_plies: int) -> tuple[int, ...] | None:
    """Actions that lead from one position to another; None if ``most_plies`` are too few.

    Of several lines it takes one with the fewest plies since its last capture, so that nobody who
    counts them for a draw counts more than were played. Two sides must take turns, and each move
    bring one piece to one new square; the first two fields of a state are the squares of either
    side's pieces.

    >>> from sizeup.games import connect_four
    >>> rules = View(connect_four)
    >>> wanted = rules.state_from_text("......./......./......./......./..o..../..xx... o")
    >>> line_between(rules, rules.start(), wanted, most_plies=42)
    (2, 2, 3)
    """

    @cache
    def best_line(now: Any, plies: int) -> _Line | None:
        if plies == 0:
            return (0, ()) if now == wanted else None
        return _best(longer_lines(now, plies), now, wanted) if is_within(now, plies) else None

    def is_within(now: Any, plies: int) -> bool:
        """Whether so many plies could do: each brings one piece of its side to one new square."""
        return all(
            (wanted[side] & ~now[side]).bit_count() <= (plies + (now.side == side)) // 2
            for side in (0, 1)
        )

    def longer_lines(now: Any, plies: int) -> Iterator[_Line]:
        """The best line after each action that leads on."""
        for action in rules.actions(now):
            after, _ = rules.apply(now, action)
            found = best_line(after, plies - 1)
            if found is not None:
                quiet, rest = found
                is_quiet = quiet == len(rest) and _pieces(after) >= _pieces(now)
                yield quiet + is_quiet, (action, *rest)

    lengths = range(int(known.side != wanted.side), most_plies + 1, 2)
    best = _best((best_line(known, plies) for plies in lengths), known, wanted)
    return None if best is None else best[1]


def _best(lines: Iterator[_Line | None], now: Any, wanted: Any) -> _Line | None:
    """The line with the fewest plies since a capture; the first one, if there is no capture."""
    found = (line for line in lines if line is not None)
    is_capture = _pieces(now) > _pieces(wanted)
    return min(found, default=None) if is_capture else next(found, None)


def _pieces_apart(position: Any, other: Any) -> int:
    """On how many squares two positions differ, counted for each side."""
    return sum((position[side] ^ other[side]).bit_count() for side in (0, 1))


def _pieces(position: Any) -> int:
    return int(position[0] | position[1]).bit_count()
