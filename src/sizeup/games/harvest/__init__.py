"""Harvest: its rules, and its face."""

from sizeup.games.harvest.look import LOOK as LOOK
from sizeup.games.harvest.rules import *
