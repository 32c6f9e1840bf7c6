"""OpenSpiel's games here: as games of the contract, and the two that Sizeup has as well.

A game brought here keeps OpenSpiel's own rules, called in Python: perfect information, one player
acting at a time. Numba cannot compile them, so search runs over them as plain Python: the same
search, number for number, but more than a hundred times slower.

Checkers and connect four are also games of ours, their *twins*. A move of OpenSpiel's is read as
the text of one of ours, so no rule is written twice.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import math
import types as python_types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four
from sizeup.games.checkers.pdn import move_from_text
from sizeup.games.contract import NO_ACTION, GameInfo, View
from sizeup.games.rng import below
from sizeup.games.seats import seat, teams_to_seat

__all__ = ["load_open_spiel", "open_spiel_game"]

_EXPECTED = {
    "dynamics": ("SEQUENTIAL",),
    "information": ("PERFECT_INFORMATION",),
    "chance_mode": ("DETERMINISTIC", "EXPLICIT_STOCHASTIC"),
}
"""Properties that a game must have, by OpenSpiel's names for them."""

_NOTHING_YET = "start"


def open_spiel_game(game: Any, teams: Sequence[int] | None = None) -> python_types.ModuleType:
    """Turn one of OpenSpiel's games into a game of the contract.

    It may have one player, two against each other, or any number with the same interests, and
    chance whose probabilities are known. The result works wherever a game does.

    Parameters
    ----------
    game
        A name such as ``"pig"`` or ``"connect_four(rows=5)"``, or a ``pyspiel.Game``.
    teams
        How many players share each side and take turns, such as ``(2, 1)``; None for the players
        that OpenSpiel's game has. (A match seats its teams by itself.)

    Examples
    --------
    >>> from sizeup.play import play
    >>> game = open_spiel_game("tic_tac_toe")
    >>> play(game, ["obl:2", "random"], seed=1).winner
    0
    >>> print(View(game).state_from_text("4 0 8").board)
    o..
    .x.
    ..x
    >>> open_spiel_game("tic_tac_toe", teams=(2, 1)).INFO.teams
    (0, 0, 1)
    """
    module = _module_by_name(game) if isinstance(game, str) else _module(load_open_spiel(game))
    its_teams = module.INFO.teams
    if teams is None or list(teams) == [its_teams.count(team) for team in sorted(set(its_teams))]:
        return module
    if len(teams) != teams_to_seat(module):
        raise InvalidInput(
            f"{module.INFO.name} can change the size of {teams_to_seat(module)} of its teams, got "
            f"teams={tuple(teams)}"
        )
    first, second = (*teams, 0)[:2]
    return seat(module, first=first, second=second)


def load_open_spiel(game: Any) -> Any:
    """Load a ``pyspiel.Game`` by its name; return one that is already loaded unchanged.

    >>> load_open_spiel("pig").num_players()
    2
    """
    pyspiel = import_pyspiel()
    if isinstance(game, pyspiel.Game):
        return game
    name = str(game).partition("(")[0].strip()
    if name not in pyspiel.registered_names():
        importlib.import_module("open_spiel.python.games")  # registers the games in Python
    if name not in pyspiel.registered_names():
        close = difflib.get_close_matches(name, pyspiel.registered_names(), n=1)
        meant = f"did you mean {close[0]!r}? " if close else ""
        raise InvalidInput(
            f"OpenSpiel has no game {name!r}; {meant}pyspiel.registered_names() lists them"
        )
    try:
        return pyspiel.load_game(str(game))
    except pyspiel.SpielError as error:
        raise InvalidInput(f"OpenSpiel cannot load {game!r}: {error}") from None


def import_pyspiel() -> Any:
    """Import ``pyspiel``, which is an extra, only when it is needed."""
    try:
        import pyspiel
    except ImportError:
        raise InvalidInput(
            "OpenSpiel is not installed; run pip install 'sizeup[open-spiel]'"
        ) from None
    return pyspiel


@functools.cache
def _module_by_name(name: str) -> python_types.ModuleType:
    return _module(load_open_spiel(name))


def _module(game: Any) -> python_types.ModuleType:
    """OpenSpiel's rules of a game under the names of the contract."""
    name, kind = str(game).removesuffix("()"), game.get_type()
    teams = _teams(name, kind, game.num_players())
    pays_at_the_end = kind.reward_model.name == "TERMINAL"
    lowest, highest = game.min_utility(), game.max_utility()
    first = _state(0, game.new_initial_state())
    module = python_types.ModuleType(f"open_spiel_{kind.short_name}")
    module.__dict__.update(
        _RULES,
        INFO=GameInfo(
            name=f"open_spiel:{name}",
            teams=teams,
            max_actions=max(game.num_distinct_actions(), game.max_chance_outcomes()),
            params=SpielParams(),
            reward_bounds=(lowest, highest) if pays_at_the_end else (-math.inf, math.inf),
            value_scale="raw" if (lowest, highest) == (-1.0, 1.0) else "range",
            shared_turns=len(teams) == 1,  # players who share one seat all do the same thing
        ),
        start=lambda params: first,
        reward=_reward_at_the_end if pays_at_the_end else _reward_of_the_move,
        state_from_text=lambda text, params: _state_after(first, text, name),
    )
    if kind.chance_mode.name != "DETERMINISTIC":
        module.__dict__["probabilities"] = _probabilities
    return module


def _teams(name: str, kind: Any, players: int) -> tuple[int, ...]:
    """Who plays with whom, if it is a game that can be played here."""
    for quality, expected in _EXPECTED.items():
        given = getattr(kind, quality).name
        if given not in expected:
            raise InvalidInput(
                f"OpenSpiel's {name} cannot be played here: its {quality} is {given.lower()}, "
                f"expected {' or '.join(expected).lower()}"
            )
    utility = kind.utility.name
    if players == 1 or utility == "IDENTICAL":
        return (0,) * players
    if players == 2 and utility == "ZERO_SUM":
        return (0, 1)
    raise InvalidInput(
        f"OpenSpiel's {name} cannot be played here: its utility is {utility.lower()} and it has "
        f"{players} players, expected 1 player, 2 with zero_sum, or any number with identical"
    )


class Position(int):
    """A ``pyspiel.State`` as a field of a state.

    The contract knows only numbers: to it, this is how many moves were made. It prints as OpenSpiel
    draws it, and equals any position that the same moves of the same game lead to.
    """

    spiel: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity == other._identity

    def __ne__(self, other: object) -> bool:
        return not self == other  # or else it would be a number's own

    def __hash__(self) -> int:
        return hash(self._identity)

    def __str__(self) -> str:
        return str(self.spiel)

    def __repr__(self) -> str:
        return f"Position({_history(self.spiel)!r})"

    @property
    def _identity(self) -> tuple[str, ...]:
        return str(self.spiel.get_game()), _history(self.spiel)

    @functools.cached_property
    def texts(self) -> dict[int, str]:
        """Legal actions as OpenSpiel writes them, with their numbers where two read the same."""
        player = self.spiel.current_player()
        written = {
            action: " ".join(self.spiel.action_to_string(player, action).split())
            for action in _legal(self.spiel)
        }
        often = Counter(text.lower() for text in written.values())
        return {
            action: text if often[text.lower()] == 1 else f"{text} ({action})"
            for action, text in written.items()
        }


class SpielState(NamedTuple):
    """Where a game stands; ``board.spiel`` is the ``pyspiel.State``, which must not be changed."""

    board: Position


class SpielParams(NamedTuple):
    """Empty: the parameters of an OpenSpiel game are part of its name."""


def _state(moves: int, spiel: Any) -> SpielState:
    board = Position(moves)
    board.spiel = spiel
    return SpielState(board)


def _state_after(first: SpielState, text: str, name: str) -> SpielState:
    """Read what ``state_text`` writes: the actions since the first state, by their numbers."""
    state = first
    for number, part in enumerate(text.split() if text.strip() != _NOTHING_YET else (), start=1):
        legal = _legal(state.board.spiel)
        if part not in map(str, legal):
            raise InvalidInput(
                f"{text!r} is not a line of play of {name}: action {number} is {part!r}, legal are "
                f"{legal}"
            )
        state = _apply(state, int(part), SpielParams())
    return state


def _legal(spiel: Any) -> list[int]:
    """Legal actions, or chance's outcomes in the order of their probabilities."""
    if spiel.is_chance_node():
        return [outcome for outcome, _ in spiel.chance_outcomes()]
    legal: list[int] = spiel.legal_actions()
    return legal


def _history(spiel: Any) -> str:
    return " ".join(map(str, spiel.history())) or _NOTHING_YET


def _legal_actions(state: SpielState, params: SpielParams, out: Any) -> int:
    legal = _legal(state.board.spiel)
    out[: len(legal)] = legal
    return len(legal)


def _random_action(state: SpielState, params: SpielParams, rng: Any, out: Any) -> int:
    legal = state.board.spiel.legal_actions()
    return int(legal[below(rng, len(legal))]) if legal else NO_ACTION


def _apply(state: SpielState, action: int, params: SpielParams) -> SpielState:
    return _state(state.board + 1, state.board.spiel.child(action))


def _reward_at_the_end(
    state: SpielState, action: int, after: SpielState, params: SpielParams
) -> float:
    """What a game is worth to its first player, on the move that ends it."""
    spiel = after.board.spiel
    return float(spiel.returns()[0]) if spiel.is_terminal() else 0.0


def _reward_of_the_move(
    state: SpielState, action: int, after: SpielState, params: SpielParams
) -> float:
    """What a move adds to the return of the first player.

    OpenSpiel tells its own rewards only where a player acts, so the reward of a move that chance
    follows would come late.
    """
    return float(after.board.spiel.returns()[0] - state.board.spiel.returns()[0])


def _probabilities(state: SpielState, params: SpielParams, out: Any) -> None:
    lots = [probability for _, probability in state.board.spiel.chance_outcomes()]
    out[: len(lots)] = lots


def _action_from_text(state: SpielState, text: str, params: SpielParams) -> int:
    """Read an action; the default would list all others for each, and some games have thousands."""
    wanted, texts = str(text).strip().lower(), state.board.texts
    meant = [action for action, written in texts.items() if written.lower() == wanted]
    if not meant:
        options = ", ".join(texts.values()) or "none: the game is over"
        raise InvalidInput(f"{text!r} is not a legal action here; legal are {options}")
    return meant[0]


_RULES: dict[str, Any] = {
    # Chance has the same number in OpenSpiel, and no player has that of a game over.
    "actor": lambda state, params: int(state.board.spiel.current_player()),
    "is_terminal": lambda state, params: bool(state.board.spiel.is_terminal()),
    "legal_actions": _legal_actions,
    "random_action": _random_action,
    "apply": _apply,
    "action_text": lambda state, action, params: state.board.texts[action],
    "action_from_text": _action_from_text,
    "state_text": lambda state, params: _history(state.board.spiel),
}
"""What the contract asks of every game, except its start and its rewards."""


class SpielMove(NamedTuple):
    """A complete move in OpenSpiel, where each jump over a piece is an action of its own."""

    actions: tuple[int, ...]
    texts: tuple[str, ...]  # of the actions
    after: Any  # the state then


@dataclass(frozen=True)
class Twin:
    """A game that both libraries have."""

    name: str
    rules: python_types.ModuleType
    action: Callable[[Any, Sequence[str]], int]  # reads a move as OpenSpiel writes it, in its steps
    reach: Callable[[View], int]  # how many plies may lie between two questions to a player
    params: Any = None  # with which a match goes on for as long as OpenSpiel's game

    def moves(self, position: Any, theirs: Any) -> Iterator[tuple[int, SpielMove]]:
        """Every move of OpenSpiel's with our action for it; two that end alike may share one."""
        mover, unfinished = theirs.current_player(), [SpielMove((), (), theirs)]
        while unfinished:
            actions, texts, partial = unfinished.pop()
            for action in partial.legal_actions():
                text, after = partial.action_to_string(mover, action), partial.child(action)
                longer = SpielMove((*actions, action), (*texts, text), after)
                if after.current_player() == mover:
                    unfinished.append(longer)
                else:
                    yield self.action(position, longer.texts), longer


def _checkers_action(position: checkers.CheckersState, steps: Sequence[str]) -> int:
    """Steps such as ``a3c5``, ``c5e7``: a jump over several pieces has several."""
    path = [steps[0][:2], *(step[2:] for step in steps)]
    # OpenSpiel's board is the mirror image of ours.
    squares = (4 * int(at[1]) - 3 + (7 - "abcdefgh".index(at[0])) // 2 for at in path)
    return move_from_text(position, "-".join(map(str, squares)))


TWINS = {
    "checkers": Twin(
        "checkers",
        checkers,
        _checkers_action,
        lambda view: 2 * max(map(list(view.teams).count, view.teams)),
        checkers.CheckersParams(most_plies=2**31, most_quiet_plies=2**31),
    ),
    "connect_four": Twin(  # whose moves have one step, such as x3
        "connect_four", connect_four, lambda position, steps: int(steps[0][1:]), lambda view: 42
    ),
}
"""The games that both have, by OpenSpiel's names and without parameters."""
