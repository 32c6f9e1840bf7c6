"""Wall of Fire: its rules, and its face."""

from sizeup.games.wall_of_fire.look import LOOK as LOOK
from sizeup.games.wall_of_fire.rules import *
