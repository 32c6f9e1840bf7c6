"""Words that the server and the page have in common: actions, numbers and points."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["STAY", "action_words", "figure", "listed", "percent", "points", "team_called"]

STAY = "."
"""The action that is none."""

_TEAMS = {"checkers": ("Black", "White"), "connect-four": ("Yellow", "Red")}
_STEPS = {"N": "north", "E": "east", "S": "south", "W": "west", STAY: "stay"}


def action_words(action: str) -> str:
    """An action as a person would say it.

    >>> action_words("E"), action_words("11-15")
    ('east', '11-15')
    """
    return _STEPS.get(action, action)


def team_called(game: str, team: int) -> str:
    """A team by the colour of its pieces, or by its number.

    >>> team_called("checkers", 0), team_called("nim", 1)
    ('Black', 'Team 2')
    """
    name = game.partition(" ")[0]
    return _TEAMS[name][team] if name in _TEAMS else f"Team {team + 1}"


def figure(value: float) -> str:
    """A number with at most two places and a true minus.

    >>> figure(2.0), figure(0.314), figure(-0.001)
    ('2', '0.31', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "\N{MINUS SIGN}")


def points(value: float) -> str:
    """So many points.

    >>> points(2.0), points(1.0)
    ('2 points', '1 point')
    """
    text = figure(value)
    return f"{text} point" if text.lstrip("\N{MINUS SIGN}") == "1" else f"{text} points"


def percent(probability: float) -> str:
    """A whole per cent that never says sure or impossible of what is not.

    >>> percent(0.5), percent(0.999), percent(1e-9), percent(1.0)
    ('50 %', 'over 99 %', 'under 1 %', '100 %')
    """
    if 0.995 <= probability < 1:
        return "over 99 %"
    return "under 1 %" if 0 < probability < 0.005 else f"{100 * probability:.0f} %"


def listed(words: Sequence[object]) -> str:
    """A list as a person would say it.

    >>> listed([2]), listed([2, 4]), listed([2, 4, 8])
    ('2', '2 and 4', '2, 4 and 8')
    """
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last
