"""Caps on agents: none that would search for ages."""

from __future__ import annotations

from sizeup.agents import AgentConfig
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.web.catalog import CATALOG
from sizeup.web.tiles import base_name

__all__ = ["require_modest"]

_MOST_TYPES = 8
_DEEPEST = 12  # in games that are not offered, but may come in a record


def require_modest(game: View | str, agent: AgentConfig) -> None:
    """Refuse an agent that would search for ages.

    >>> from sizeup.agents import read_agent
    >>> require_modest("checkers", read_agent("ca:40"))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: at most depth 12 can be searched here for checkers, got 40; deeper
    ones can be played on the command line
    """
    name = game if isinstance(game, str) else base_name(game)
    most = CATALOG[name].max_depth if name in CATALOG else _DEEPEST
    depths = () if agent.model == "random" else (agent.own, *agent.types)
    if max(depths, default=0) > most:
        raise InvalidInput(
            f"at most depth {most} can be searched here for {name}, got {max(depths)}; deeper ones "
            "can be played on the command line"
        )
    if len(agent.types) > _MOST_TYPES:
        raise InvalidInput(f"an agent tells at most {_MOST_TYPES} depths apart, got {agent}")
