"""The exact typed planner for small games, and episodes of players that size each other up.

1. :mod:`~sizeup.planning.tabular`: small games as arrays, or as functions;
2. :mod:`~sizeup.planning.values`: values for known types, the definition of it all;
3. :mod:`~sizeup.planning.planner`: values on a belief, for every type;
4. :mod:`~sizeup.planning.episode`: whole episodes;
5. :mod:`~sizeup.planning.match_totals`: what a match can pay in all;
6. :mod:`~sizeup.planning.worlds`: small worlds to try them in.
"""

from sizeup.planning.episode import Episode, EpisodeMove, PlanName, observe_action, play_episode
from sizeup.planning.match_totals import Totals, totals
from sizeup.planning.planner import Planner
from sizeup.planning.tabular import CHANCE, TERMINAL, SmallGame, TabularGame, tabulate
from sizeup.planning.values import Leaf
from sizeup.planning.worlds import CorridorState, corridors, random_game

__all__ = [
    "CHANCE",
    "TERMINAL",
    "CorridorState",
    "Episode",
    "EpisodeMove",
    "Leaf",
    "PlanName",
    "Planner",
    "SmallGame",
    "TabularGame",
    "Totals",
    "corridors",
    "observe_action",
    "play_episode",
    "random_game",
    "tabulate",
    "totals",
]
