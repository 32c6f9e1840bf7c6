"""The two games of the home page: an oblivious pair at the Wall of Fire beside an aware one.

Their records come with the package, so that the page shows them at once. After a change of the
search, write them anew: ``python -c "from sizeup.web.strips import *; record_strips()"``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from sizeup.play.match import play_at, set_table
from sizeup.play.record import Record
from sizeup.web.players import players_data
from sizeup.web.records import keep, open_kept

__all__ = ["STRIPS", "record_strips", "strips"]

STRIPS = {
    "oblivious": ("An oblivious expert and a novice", "obl:20+obl:2"),
    "aware": ("An aware expert and a novice", "ca:20+obl:2"),
}
_SEED = 1
_FOLDER = Path(__file__).with_name("strips")


def record_strips(folder: Path = _FOLDER) -> None:
    """Play both games and write their records."""
    folder.mkdir(exist_ok=True)
    for name, (_, team) in STRIPS.items():
        played = play_at(set_table("wall-of-fire", [team]), seed=_SEED, searches=False)
        played.save(folder / f"{name}.json")


@lru_cache(maxsize=1)
def strips() -> dict[str, Any]:
    """Both games as the page shows them.

    >>> {name: strip["total"] for name, strip in strips().items()}
    {'oblivious': -20.0, 'aware': -2.0}
    """
    return {name: _strip(name, title) for name, (title, _) in STRIPS.items()}


def _strip(name: str, title: str) -> dict[str, Any]:
    record = Record.load(_FOLDER / f"{name}.json")
    story = open_kept(keep(record, "watched", "")).story
    return {
        "title": title,
        "players": players_data(record.players, record.teams),
        "states": story.states,
        "moves": story.moves,
        "total": record.total,
    }
