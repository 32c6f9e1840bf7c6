"""The exceptions of Sizeup.

::

    SizeupError
    ├── InvalidInput          a value from the caller is wrong (also a ValueError)
    │   ├── InfeasibleType    a player was asked to evaluate a type above its own
    │   ├── IllegalAction     an action that is not legal in its state
    │   ├── InvalidGame       a game module that does not keep the contract
    │   ├── DeviceError       a GPU that is not there or cannot go on (in sizeup.device)
    │   └── PdnError          a PDN or FEN text that cannot be read (in sizeup.games.checkers.pdn)
    ├── StoreError            a store of games that cannot be used (in sizeup.experiments.store)
    ├── JobFailed             a job of an experiment that came to nothing (in .executors there)
    ├── InconsistentBeliefs   beliefs that do not assemble into a type structure
    └── UndefinedPosterior    every type a player can evaluate is ruled out

Each message names the value, what was expected, and where to change it.
"""

__all__ = [
    "IllegalAction",
    "InconsistentBeliefs",
    "InfeasibleType",
    "InvalidGame",
    "InvalidInput",
    "SizeupError",
    "UndefinedPosterior",
]


class SizeupError(Exception):
    """The base of every exception that Sizeup raises on purpose.

    >>> issubclass(InfeasibleType, SizeupError) and issubclass(InfeasibleType, ValueError)
    True
    """


class InvalidInput(SizeupError, ValueError):
    """A value given by the caller is wrong."""


class InfeasibleType(InvalidInput):
    """A player was asked to evaluate a capability type above its own.

    This is an error and never a silent fallback, so that no agent can cheat by accident.
    """


class IllegalAction(InvalidInput):
    """An action that is not legal in the state it was given for."""


class InvalidGame(InvalidInput):
    """A game module that does not keep the contract of :mod:`sizeup.games.contract`."""


class InconsistentBeliefs(SizeupError):
    """Beliefs that disagree after reduction and so form no capability type structure."""


class UndefinedPosterior(SizeupError):
    """A posterior with no mass left: the subject is stronger than the holder of the belief."""
