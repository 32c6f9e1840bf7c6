"""Matches: agents at a table, the record of what they did and believed, and what it tells."""

from sizeup.play.match import Table, play, set_table
from sizeup.play.record import Move, Record, Seen

__all__ = ["Move", "Record", "Seen", "Table", "play", "set_table"]
