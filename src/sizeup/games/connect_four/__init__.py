"""Connect four: its rules, and its face."""

from sizeup.games.connect_four.look import LOOK as LOOK
from sizeup.games.connect_four.rules import *
