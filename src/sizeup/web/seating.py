"""From a setup to a table: the game with seats, who takes them, and who watches in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sizeup.agents import AgentConfig, read_agent
from sizeup.errors import InvalidInput
from sizeup.experiments.arena import arena
from sizeup.games.contract import View
from sizeup.play.match import AgentLike
from sizeup.web.catalog import CATALOG, Offer
from sizeup.web.messages import PlaySetup, WatchSetup
from sizeup.web.modest import require_modest

__all__ = ["Seating", "seat_setup", "you"]

_MOST_MEMBERS = 4


def you(view: View, state: Any, seed: int) -> int:
    """The visitor; whoever plays the match has to know the move."""
    raise InvalidInput("it is the visitor's turn: wait for a move")


@dataclass(frozen=True)
class Seating:
    """Who sits where.

    ``seat`` is the visitor's and ``partner`` its partner's, None in a game that is watched.
    ``observer`` watches from the partner's seat in silence, if the partner itself does not learn.
    """

    view: View
    teams: tuple[tuple[AgentLike, ...], ...]
    seat: int | None = None
    partner: int | None = None
    observer: AgentConfig | None = None


def seat_setup(setup: PlaySetup | WatchSetup) -> Seating:
    """Seat everybody; a setup that cannot be played, or would search for ages, is refused.

    >>> setup = PlaySetup(**CATALOG["wall-of-fire"].setup)
    >>> seating = seat_setup(setup)
    >>> seating.seat, str(seating.teams[0][0]), seating.observer
    (1, 'ca:20@2,20', None)
    """
    offer = CATALOG[setup.game]
    if isinstance(setup, WatchSetup):
        teams = tuple(_agents(offer, text) for text in setup.teams)
        return Seating(_view(offer, teams), teams)
    return _with_visitor(offer, setup)


def _with_visitor(offer: Offer, setup: PlaySetup) -> Seating:
    _require_sides(offer, setup)
    listed = ",".join(map(str, offer.types_of(setup.partner_depth)))
    (aware,) = _agents(offer, f"ca:{setup.partner_depth}@{listed}")
    learns = setup.partner == "ca"
    partner = aware if learns else read_agent(f"obl:{setup.partner_depth}")
    mine: tuple[AgentLike, ...] = (you, partner) if setup.you == "first" else (partner, you)
    teams: list[tuple[AgentLike, ...]] = [mine]
    if setup.opponent_depth is not None:
        teams.insert(1 - setup.side, _agents(offer, f"obl:{setup.opponent_depth}"))
    before = 0 if setup.side == 0 else 1
    seat = before + mine.index(you)
    return Seating(
        _view(offer, teams),
        tuple(teams),
        seat,
        partner=2 * before + 1 - seat,
        observer=None if learns else aware,
    )


def _require_sides(offer: Offer, setup: PlaySetup) -> None:
    if offer.sides == 1 and (setup.side != 0 or setup.opponent_depth is not None):
        raise InvalidInput(
            f"{offer.name} has one team: side must be 0 and opponent_depth null, got side "
            f"{setup.side} and opponent_depth {setup.opponent_depth}"
        )
    if offer.sides == 2 and setup.opponent_depth is None:
        raise InvalidInput(f"{offer.name} needs an opponent: give opponent_depth")


def _agents(offer: Offer, text: str) -> tuple[AgentConfig, ...]:
    members = tuple(read_agent(part) for part in text.split("+"))
    if len(members) > _MOST_MEMBERS:
        raise InvalidInput(f"a team has at most {_MOST_MEMBERS} members, got {len(members)}")
    for member in members:
        require_modest(offer.name, member)
    return members


def _view(offer: Offer, teams: Sequence[Sequence[AgentLike]]) -> View:
    return arena(offer.name, {}, [len(team) for team in teams])
