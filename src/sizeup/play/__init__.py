"""Matches: agents at a table, the record of what they did and believed, and what it tells.

The module can be called: ``sizeup.play("wall-of-fire", ["ca:20+obl:2"])`` is
:func:`sizeup.play.match.play`.
"""

from sizeup.callable_module import make_callable
from sizeup.play.match import Match, play
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import Table, set_table

__all__ = ["Match", "Move", "Record", "Seen", "Table", "play", "set_table"]


make_callable(__name__, play)
