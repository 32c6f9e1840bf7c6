"""Matches: agents at a table, the record of what they did and believed, and what it tells.

The module can be called: ``sizeup.play("wall-of-fire", ["ca:20+obl:2"])`` is
:func:`sizeup.play.match.play`.
"""

import sys
import types
from typing import Any

from sizeup.play.match import Table, play, set_table
from sizeup.play.record import Move, Record, Seen

__all__ = ["Move", "Record", "Seen", "Table", "play", "set_table"]


class _Callable(types.ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Record:
        return play(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
