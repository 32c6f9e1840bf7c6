"""Who sits at a table, for the page: names, kinds and depths, and what to call each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizeup.agents import AgentConfig, read_agent
from sizeup.errors import InvalidInput
from sizeup.web.catalog import KINDS

__all__ = ["YOU", "called", "config_of", "players_data", "title_of"]

YOU = "you"
"""What a record calls the visitor."""

_TITLES = {kind: title for kind, title, _ in KINDS}


def config_of(name: str) -> AgentConfig | None:
    """The agent of this name; None for a person or another program.

    >>> config_of("ca:8@2,8").own, config_of("you")
    (8, None)
    """
    try:
        return read_agent(name)
    except InvalidInput:
        return None


def players_data(names: Sequence[str], teams: Sequence[int]) -> list[dict[str, Any]]:
    """Players by seat, as plain data.

    >>> players_data(["ca:8@2,8", "you"], [0, 0])[0]
    {'seat': 0, 'team': 0, 'called': 'Your partner', 'name': 'ca:8', 'kind': 'ca', 'depth': 8}
    """
    return [
        {"seat": seat, "team": team, "called": words, **_player(name)}
        for seat, (name, team, words) in enumerate(
            zip(names, teams, called(names, teams), strict=True)
        )
    ]


def _player(name: str) -> dict[str, Any]:
    config = config_of(name)
    if config is None:
        return {"name": name, "kind": YOU if name == YOU else "other", "depth": None}
    depth = None if config.model == "random" else config.own
    return {"name": name.partition("@")[0], "kind": config.name, "depth": depth}


def called(names: Sequence[str], teams: Sequence[int]) -> list[str]:
    """What each player is called, in sentences and everywhere else; no two are called alike.

    >>> called(["ca:8@2,8", "you", "obl:6"], [0, 0, 1])
    ['Your partner', 'You', 'Your opponent']
    >>> called(["ca:8@2,8", "obl:2", "obl:2"], [0, 0, 1])
    ['Capability-aware 8', 'Oblivious 2 (seat 2)', 'Oblivious 2 (seat 3)']
    """
    if YOU in names:
        mine = teams[names.index(YOU)]
        sides = {True: "Your partner", False: "Your opponent"}
        words = ["You" if n == YOU else sides[t == mine] for n, t in zip(names, teams, strict=True)]
    else:
        words = [title_of(name) for name in names]
    return [
        word if words.count(word) == 1 else f"{word} (seat {seat})"
        for seat, word in enumerate(words, start=1)
    ]


def title_of(name: str) -> str:
    """The kind and depth of an agent in words; another player's own name.

    >>> title_of("ca:8@2,8"), title_of("random"), title_of("you"), title_of("my_player")
    ('Capability-aware 8', 'Random', 'You', 'my_player')
    """
    config = config_of(name)
    if config is None:
        return "You" if name == YOU else name
    title = _TITLES.get(config.name, config.name)
    return title if config.model == "random" else f"{title} {config.own}"
