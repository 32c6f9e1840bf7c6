"""Foraging: its rules, and its face."""

from sizeup.games.foraging.look import LOOK as LOOK
from sizeup.games.foraging.rules import *
