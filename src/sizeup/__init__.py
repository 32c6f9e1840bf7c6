"""Sizeup: ad hoc teamwork between agents of unequal computing power.

The rooms of the house, each imported by its own name so that ``import sizeup`` stays light:

- :mod:`sizeup.capability`: ordered types, typed beliefs, type structures, updates (plain NumPy)
- :mod:`sizeup.planning`: the exact typed planner for small games
- :mod:`sizeup.errors`: the few exceptions
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
