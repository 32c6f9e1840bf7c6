"""Narrow Tunnel: its rules, and its face."""

from sizeup.games.narrow_tunnel.look import LOOK as LOOK
from sizeup.games.narrow_tunnel.rules import *
