"""The rules of a game of OpenSpiel's, as the contract asks for them.

Each is a call or two to a ``pyspiel.State``. A state of ours holds one and never changes it: a move
makes a new one.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.contract import NO_ACTION
from sizeup.games.rng import below

__all__ = [
    "CHANCE_RULES",
    "RULES",
    "Params",
    "Position",
    "State",
    "first_state",
    "reward_at_the_end",
    "reward_of_the_move",
    "state_after",
]

_NOTHING_YET = "start"


class Position(int):
    """A ``pyspiel.State`` as a field of a state.

    To the contract, which knows only numbers, it is how many moves were made. It shows itself as
    OpenSpiel draws it, and equals what the same moves lead to in the same game.
    """

    spiel: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity == other._identity

    def __ne__(self, other: object) -> bool:
        return not self == other  # otherwise a number's own

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
        """Legal actions as OpenSpiel writes them, with their numbers where that is not enough."""
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


class State(NamedTuple):
    """Where a game stands; ``board.spiel`` is the ``pyspiel.State``, which must not be changed."""

    board: Position


class Params(NamedTuple):
    """Nothing: what can be set in a game of OpenSpiel's is part of its name."""


def first_state(spiel: Any) -> State:
    """Return the state that a game begins with."""
    return _state(0, spiel)


def state_after(first: State, text: str, name: str) -> State:
    """Read what ``state_text`` writes: the actions since the first state, by their numbers."""
    state = first
    for number, part in enumerate(text.split() if text.strip() != _NOTHING_YET else (), start=1):
        legal = _legal(state.board.spiel)
        if part not in map(str, legal):
            raise InvalidInput(
                f"{text!r} is no line of play of {name}: action {number} is {part!r}, legal are "
                f"{legal}"
            )
        state = _apply(state, int(part), Params())
    return state


def _state(moves: int, spiel: Any) -> State:
    board = Position(moves)
    board.spiel = spiel
    return State(board)


def _legal(spiel: Any) -> list[int]:
    """Legal actions, or outcomes in the order in which their probabilities are told."""
    if spiel.is_chance_node():
        return [outcome for outcome, _ in spiel.chance_outcomes()]
    legal: list[int] = spiel.legal_actions()
    return legal


def _history(spiel: Any) -> str:
    return " ".join(map(str, spiel.history())) or _NOTHING_YET


def _actor(state: State, params: Params) -> int:
    """OpenSpiel's number of chance is ours; where the game is over it is one that no player has."""
    return int(state.board.spiel.current_player())


def _is_terminal(state: State, params: Params) -> bool:
    return bool(state.board.spiel.is_terminal())


def _legal_actions(state: State, params: Params, out: Any) -> int:
    legal = _legal(state.board.spiel)
    out[: len(legal)] = legal
    return len(legal)


def _random_action(state: State, params: Params, rng: Any, out: Any) -> int:
    legal = state.board.spiel.legal_actions()
    return int(legal[below(rng, len(legal))]) if legal else NO_ACTION


def _apply(state: State, action: int, params: Params) -> State:
    return _state(state.board + 1, state.board.spiel.child(action))


def reward_at_the_end(state: State, action: int, after: State, params: Params) -> float:
    """What a game is worth to its first player, on the move that ends it."""
    spiel = after.board.spiel
    return float(spiel.returns()[0]) if spiel.is_terminal() else 0.0


def reward_of_the_move(state: State, action: int, after: State, params: Params) -> float:
    """What a move adds to the return of the first player.

    OpenSpiel's own rewards are told only where a player acts, so that of a move on which chance
    follows would come late.
    """
    return float(after.board.spiel.returns()[0] - state.board.spiel.returns()[0])


def _probabilities(state: State, params: Params, out: Any) -> None:
    lots = [probability for _, probability in state.board.spiel.chance_outcomes()]
    out[: len(lots)] = lots


def _action_text(state: State, action: int, params: Params) -> str:
    return state.board.texts[action]


def _action_from_text(state: State, text: str, params: Params) -> int:
    """Read an action; the default would list all others for each, and some games have thousands."""
    wanted, texts = str(text).strip().lower(), state.board.texts
    meant = [action for action, written in texts.items() if written.lower() == wanted]
    if not meant:
        options = ", ".join(texts.values()) or "none: the game is over"
        raise InvalidInput(f"{text!r} is not a legal action here; legal are {options}")
    return meant[0]


def _state_text(state: State, params: Params) -> str:
    return _history(state.board.spiel)


RULES: dict[str, Any] = {
    "Params": Params,
    "State": State,
    "actor": _actor,
    "is_terminal": _is_terminal,
    "legal_actions": _legal_actions,
    "random_action": _random_action,
    "apply": _apply,
    "action_text": _action_text,
    "action_from_text": _action_from_text,
    "state_text": _state_text,
}
"""What the contract asks of every game, but for its start and its rewards."""

CHANCE_RULES: dict[str, Any] = {"probabilities": _probabilities}
"""What it asks of a game with chance besides."""
