"""Sizeup: ad hoc teamwork between agents of unequal computing power.

The rooms of the house, each imported by its own name so that ``import sizeup`` stays light:

- :mod:`sizeup.capability`: ordered types, typed beliefs, type structures, updates (plain NumPy)
- :mod:`sizeup.games`: the contract, and the games that come with it
- :mod:`sizeup.planning`: the exact typed planner for small games
- :mod:`sizeup.search`: the tree search
- :mod:`sizeup.agents`, :mod:`sizeup.play`: players, matches and their records
- :mod:`sizeup.statistics`: scores, intervals, sequential tests (plain NumPy)
- :mod:`sizeup.experiments`: plans of games, workers, the store
- :mod:`sizeup.report`: stored games as tables, figures and a page
- :mod:`sizeup.adapters`: other people's bots and environments
- :mod:`sizeup.web`: the local web app
- :mod:`sizeup.errors`: the few exceptions
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the module can be called, which only its function can tell a type checker
    from sizeup.play.match import play as play

__version__ = "0.1.0"

__all__ = ["__version__"]


def __getattr__(name: str) -> object:
    """Load ``sizeup.play`` when it is first asked for, so that importing sizeup stays light."""
    if name == "play":
        return importlib.import_module("sizeup.play")
    raise AttributeError(f"module 'sizeup' has no attribute {name!r}")
