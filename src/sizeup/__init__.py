"""Sizeup: ad hoc teamwork between agents of unequal computing power.

The verbs, each loaded when it is first asked for, so that ``import sizeup`` stays light:

- :func:`play` a match, :func:`watch` it, :class:`Match` move by move; what comes out is a
  :class:`Record`;
- :func:`infer` how deep players think, from the moves of their games (:func:`read_games`);
- :func:`search` a position, :class:`Searcher` for many;
- :func:`run_experiment` and :func:`report` what came of it;
- :func:`load_game`, :func:`check_game`, :func:`params_of`: games, yours too;
- :func:`read_agent`, :func:`check_agent`, :class:`AgentConfig`: agents, yours too.

Behind them are the rooms: :mod:`sizeup.capability` (types, beliefs, type structures),
:mod:`sizeup.games`, :mod:`sizeup.planning` (exact), :mod:`sizeup.search`, :mod:`sizeup.agents`,
:mod:`sizeup.play`, :mod:`sizeup.statistics`, :mod:`sizeup.experiments`, :mod:`sizeup.report`,
:mod:`sizeup.adapters`, :mod:`sizeup.web`, and :mod:`sizeup.errors`.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a type checker sees the functions; at run time some of them are modules as well
    from sizeup.agents.config import AgentConfig as AgentConfig
    from sizeup.agents.config import read_agent as read_agent
    from sizeup.agents.plugin import check_agent as check_agent
    from sizeup.api import play_many as play_many
    from sizeup.api import run_experiment as run_experiment
    from sizeup.api import watch as watch
    from sizeup.capability import Beliefs as Beliefs
    from sizeup.capability import TypeSet as TypeSet
    from sizeup.games.check import check_game as check_game
    from sizeup.games.contract import View as View
    from sizeup.games.contract import load_game as load_game
    from sizeup.games.contract import params_of as params_of
    from sizeup.play.infer import infer as infer
    from sizeup.play.match import Match as Match
    from sizeup.play.match import play as play
    from sizeup.play.played import read_games as read_games
    from sizeup.play.record import Record as Record
    from sizeup.play.replay import play_again as play_again
    from sizeup.play.replay import replay as replay
    from sizeup.play.table import set_table as set_table
    from sizeup.report.summarise import report as report
    from sizeup.search.options import SearchOptions as SearchOptions
    from sizeup.search.searcher import Searcher as Searcher
    from sizeup.search.searcher import search as search

__version__ = "0.1.0"

_HOMES = {
    "AgentConfig": "sizeup.agents.config",
    "Beliefs": "sizeup.capability",
    "Match": "sizeup.play.match",
    "Record": "sizeup.play.record",
    "SearchOptions": "sizeup.search.options",
    "Searcher": "sizeup.search.searcher",
    "TypeSet": "sizeup.capability",
    "View": "sizeup.games.contract",
    "check_agent": "sizeup.agents.plugin",
    "check_game": "sizeup.games.check",
    "infer": "sizeup.play.infer",
    "load_game": "sizeup.games.contract",
    "params_of": "sizeup.games.contract",
    "play_again": "sizeup.play.replay",
    "play_many": "sizeup.api",
    "read_agent": "sizeup.agents.config",
    "read_games": "sizeup.play.played",
    "replay": "sizeup.play.replay",
    "run_experiment": "sizeup.api",
    "set_table": "sizeup.play.table",
    "watch": "sizeup.api",
}
_CALLABLE_ROOMS = ("play", "report", "search")

__all__ = ["__version__", *sorted((*_HOMES, *_CALLABLE_ROOMS))]  # pyright: ignore


def __getattr__(name: str) -> object:
    """Load a name of the door when it is first asked for."""
    if name in _CALLABLE_ROOMS:
        return importlib.import_module(f"sizeup.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'sizeup' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The names of the door, whether they are loaded or not."""
    return sorted({*globals(), *__all__})
