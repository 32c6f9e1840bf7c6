"""What the page needs to know before anything else."""

from __future__ import annotations

from typing import Any

from sizeup import __version__
from sizeup.web.catalog import CATALOG, KINDS, Offer
from sizeup.web.settings import Settings
from sizeup.web.strips import strips

__all__ = ["about_data"]


def about_data(settings: Settings) -> dict[str, Any]:
    """Games, kinds of agents, caps, and the two games that the home page shows.

    >>> [game["name"] for game in about_data(Settings())["games"]][:2]
    ['wall-of-fire', 'narrow-tunnel']
    """
    return {
        "version": __version__,
        "games": [_game(offer) for offer in CATALOG.values()],
        "kinds": [{"kind": kind, "title": title, "blurb": blurb} for kind, title, blurb in KINDS],
        "limits": {
            "max_depth": max(offer.max_depth for offer in CATALOG.values()),
            "message_bytes": settings.message_bytes,
            "sessions": settings.sessions,
            "idle_minutes": settings.idle_minutes,
        },
        "store": settings.store is not None,
        "fire": strips(),
    }


def _game(offer: Offer) -> dict[str, Any]:
    return {
        "name": offer.name,
        "title": offer.title,
        "blurb": offer.blurb,
        "note": offer.note,
        "types": list(offer.types),
        "default": offer.setup,
        "sides": offer.sides,
        "seats": 2 if offer.sides == 1 else 3,
        "max_depth": offer.max_depth,
    }
