"""A record for the page: everything that is known of a match without any search."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.games.drawing import describe
from sizeup.games.scene_svg import svg_of
from sizeup.games.scenes import one_line
from sizeup.play.export import to_pdn
from sizeup.play.record import Record
from sizeup.web.endings import result_data
from sizeup.web.players import config_of, players_data, title_of
from sizeup.web.records import Opened, Origin
from sizeup.web.tiles import base_name

__all__ = ["KINDS_OF_EXPORT", "command_of", "export", "record_data"]

_EXACT = 2**53  # from here on a browser's numbers are not whole any more

KINDS_OF_EXPORT = {
    "pdn": "text/plain; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


def record_data(opened: Opened) -> dict[str, Any]:
    """States, moves, beliefs and the end.

    >>> from sizeup.play import play
    >>> from sizeup.web.records import keep, open_kept
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> data = record_data(open_kept(keep(record, "watched", "Ada")))
    >>> len(data["states"]) - len(data["moves"]), data["command"]
    (1, 'sizeup watch connect-four --team random --team random --seed 3')
    """
    kept, record, story = opened.kept, opened.record, opened.story
    considered = {c for types in story.types.values() for c in types}
    return {
        "id": kept.id,
        "game": base_name(opened.view),
        "source": kept.source,
        "players": players_data(record.players, record.teams),
        "types": sorted(considered or set(record.types)),
        "seed": record.seed if record.seed < _EXACT else str(record.seed),
        "states": story.states,
        "moves": story.moves,
        "first_beliefs": story.first_beliefs,
        "observer": story.observer,
        "result": result_data(record),
        "reproducible": kept.source in ("watched", "store"),
        "command": command_of(opened) if kept.command is None else kept.command,
        "branch_of": None if kept.origin is None else _origin_data(kept.origin, record),
    }


def _origin_data(origin: Origin, record: Record) -> dict[str, Any]:
    """Where a branch comes from, how that ended, and who sits where somebody else sat.

    ``ply`` is the number of the first move that is the branch's own.
    """
    seats = zip(origin.players, record.players, strict=True)
    return {
        "id": origin.id,
        "ply": origin.ply,
        "result": origin.result,
        "seats": [
            {"seat": seat, "was": title_of(before), "is": title_of(now)}
            for seat, (before, now) in enumerate(seats)
            if before != now
        ],
    }


def command_of(opened: Opened) -> str:
    """What to type for the same match, or for one with the same seats; "" if there is nothing."""
    record, game = opened.record, base_name(opened.view)
    own = getattr(opened.view.info.params, "base", opened.view.info.params)
    given = getattr(opened.view.params, "base", opened.view.params)
    people = [seat for seat, name in enumerate(record.players) if config_of(name) is None]
    if repr(own) != repr(given) or len(people) > 1 or opened.kept.source == "branch":
        return ""
    words = ["sizeup", "play" if people else "watch", game]
    for team in sorted(set(record.teams)):
        words += ["--team", "+".join(_members(record, team))]
    if people:
        words += ["--as", str(people[0])]
    return shlex.join([*words, "--seed", str(record.seed)])


def _members(record: Record, team: int) -> list[str]:
    """Agents as a command takes them; a person's seat needs one that makes room."""
    names = [n for n, side in zip(record.players, record.teams, strict=True) if side == team]
    weakest = min(record.types, default=2)
    return [name if config_of(name) else f"obl:{weakest}" for name in names]


def export(opened: Opened, kind: str, ply: int) -> str:
    """A record as PDN or JSON, or the board after so many moves as SVG.

    >>> from sizeup.play import play
    >>> from sizeup.web.records import keep, open_kept
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> export(open_kept(keep(record, "watched", "Ada")), "svg", ply=2)[:4]
    '<svg'
    """
    if kind == "json":
        return opened.plain_record().to_json()
    if kind == "pdn":
        return to_pdn(opened.plain_record())
    if not 0 <= ply < len(opened.states):
        raise InvalidInput(f"the match has states 0 to {len(opened.states) - 1}, got {ply}")
    return _drawn(opened, ply)


def _drawn(opened: Opened, ply: int) -> str:
    """A state as SVG; after the last move it is nobody's turn, whatever the rules say."""
    drawing = describe(opened.view.game, opened.states[ply], opened.view.params)
    if ply == len(opened.record.moves):
        over = f"the match is over: {one_line(opened.record.reason)}"
        drawing = replace(drawing, caption=(over, *drawing.caption[1:]))
    return svg_of(drawing)
