"""Four in a row: its rules, and its face."""

from sizeup.games.four_in_a_row.look import LOOK as LOOK
from sizeup.games.four_in_a_row.rules import *
