"""Checkers (English draughts): its rules, and its face."""

from sizeup.games.checkers.look import LOOK as LOOK
from sizeup.games.checkers.rules import *
