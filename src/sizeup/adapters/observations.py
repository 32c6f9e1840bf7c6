"""What a learner observes and how it names its moves: arrays of a fixed length for any game.

A state is shown as its **bits**. Each field takes as many as its declared bounds need (64 without
bounds), the lowest bit first, so that bit n of a board is entry n of its field; values are counted
from the field's lowest. Then comes whose turn it is: one entry for each seat, and a last one for
nobody when the game is over. Nothing is rounded: :meth:`Encoding.state` reads the state back.

A move is a number from 0. Where a game's ``action_bounds`` span at most :data:`MOST_NUMBERS`, it is
the action itself, counted from the lowest: the same number is the same move in every state. Where
they span more (checkers, whose actions are sets of squares), it is the action's place in the list
of legal actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import IllegalAction, InvalidGame
from sizeup.games.contract import INT64, View, fields_of, misfit

MOST_NUMBERS = 1024
"""Up to so many, each number means the same move in every state."""

Observed = dict[str, NDArray[np.int8]]
"""``observation``: the bits; ``action_mask``: 1 for each number that is a legal move."""


class Field(NamedTuple):
    """Where a field of the state is in the observation; values are counted from ``low``."""

    name: str
    first: int
    bits: int
    low: int


class Encoding:
    """Observations of one game, of a fixed ``length``, and its moves by ``numbers`` from 0.

    >>> from sizeup.games import harvest
    >>> encoding = Encoding(View(harvest))
    >>> [(field.name, field.first, field.bits) for field in encoding.fields]
    [('turn', 0, 32), ('growth', 32, 3), ('sown', 35, 1)]
    >>> shown = encoding.observation(harvest.HarvestState(turn=4, growth=3, sown=0))
    >>> shown["observation"][32:]
    array([1, 1, 0, 0, 0, 1, 0, 0], dtype=int8)
    >>> shown["action_mask"]
    array([1, 1, 1], dtype=int8)
    >>> encoding.state(shown["observation"])
    HarvestState(turn=4, growth=3, sown=0)
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.fields = tuple(_fields(view.start(), view.info.state_bounds))
        self._state_bits = sum(field.bits for field in self.fields)
        self.length = self._state_bits + len(view.teams) + 1
        self._first_action, last = view.info.action_bounds
        span = last - self._first_action + 1
        self.is_fixed = span <= MOST_NUMBERS  # a number means the same move in every state
        self.numbers = span if self.is_fixed else view.info.max_actions

    def observation(self, state: Any, acts: bool = True) -> Observed:
        """The observation of a state; without ``acts`` no move is marked as legal."""
        asked = acts and self.view.actor(state) >= 0
        mask = self.mask(self.view.actions(state) if asked else ())
        return {"observation": self.bits(state), "action_mask": mask}

    def bits(self, state: Any) -> NDArray[np.int8]:
        """A state and whose turn it is, as zeros and ones."""
        actor = self.view.actor(state)
        whose = actor if actor >= 0 else len(self.view.teams)
        word = 1 << (self._state_bits + whose)
        for field, (_, held) in zip(self.fields, fields_of(state), strict=True):
            value = int(held)
            if not 0 <= value - field.low < 1 << field.bits:
                problem = misfit(state, self.view.info.state_bounds)
                raise InvalidGame(f"{self.view.info.name} has a state with {problem}")
            word |= (value - field.low) << field.first
        packed = np.frombuffer(word.to_bytes(self.length // 8 + 1, "little"), dtype=np.uint8)
        return np.unpackbits(packed, count=self.length, bitorder="little").astype(np.int8)

    def state(self, observation: NDArray[Any]) -> Any:
        """The state that an observation shows."""
        packed = np.packbits(observation[: self._state_bits].astype(np.uint8), bitorder="little")
        word = int.from_bytes(packed.tobytes(), "little")
        values = ((word >> f.first) % (1 << f.bits) + f.low for f in self.fields)
        return _filled(self.view.start(), values)

    def mask(self, legal: Sequence[int]) -> NDArray[np.int8]:
        """1 for each number of a legal action."""
        mask = np.zeros(self.numbers, dtype=np.int8)
        if self.is_fixed:
            mask[[self.number(legal, action) for action in legal]] = 1
        else:
            mask[: len(legal)] = 1
        return mask

    def number(self, legal: Sequence[int], action: int) -> int:
        """Number of a legal action."""
        if not self.is_fixed:
            return legal.index(action)
        number = action - self._first_action
        if not 0 <= number < self.numbers:
            raise InvalidGame(
                f"{self.view.info.name} has the action {action}, outside INFO.action_bounds "
                f"{self.view.info.action_bounds}"
            )
        return number

    def action(self, legal: Sequence[int], number: Any) -> int:
        """Action of a number; :class:`~sizeup.errors.IllegalAction` if it is not legal."""
        for action in legal:
            if self.number(legal, action) == number:
                return action
        numbers = [self.number(legal, action) for action in legal]
        raise IllegalAction(f"{number} is not the number of a legal move here; legal are {numbers}")

    def space(self) -> Any:
        """Gymnasium's space of the observations."""
        from gymnasium import spaces  # an extra: only spaces need it

        sizes = {"observation": self.length, "action_mask": self.numbers}
        return spaces.Dict({name: spaces.Box(0, 1, (n,), np.int8) for name, n in sizes.items()})


class ActionTexts(Mapping[int, str]):
    """The texts of the legal moves by number, made only when they are read.

    A copy, or what another process receives, is a plain dictionary.
    """

    def __init__(self, encoding: Encoding, state: Any, legal: Sequence[int]) -> None:
        self._encoding, self._state, self._legal = encoding, state, legal

    def __getitem__(self, number: int) -> str:
        if number not in list(self):
            raise KeyError(number)
        action = self._encoding.action(self._legal, number)
        return self._encoding.view.action_text(self._state, action)

    def __iter__(self) -> Iterator[int]:
        return (self._encoding.number(self._legal, action) for action in self._legal)

    def __len__(self) -> int:
        return len(self._legal)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _fields(state: Any, bounds: Any, prefix: str = "", first: int = 0) -> Iterator[Field]:
    """Fields of a state, and of the states in it, one after the other."""
    for name, value in zip(state._fields, state, strict=True):
        limits = bounds.get(name, INT64) if isinstance(bounds, dict) else bounds
        if isinstance(value, tuple):
            inner = tuple(_fields(value, limits, f"{prefix}{name}.", first))
        else:
            low, high = map(int, limits)
            inner = (Field(f"{prefix}{name}", first, (high - low).bit_length(), low),)
        yield from inner
        first += sum(field.bits for field in inner)


def _filled(model: Any, values: Iterator[int]) -> Any:
    """A state like ``model`` with other values."""
    new = (_filled(old, values) if isinstance(old, tuple) else next(values) for old in model)
    return type(model)(*new)
