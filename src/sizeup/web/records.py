"""Records in memory: kept under ids that nobody guesses, shown and exported.

Nothing is written to the disk; with the server everything here is gone.
"""

from __future__ import annotations

import html
import json
import re
import secrets
import shlex
import zlib
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from sizeup.agents import AgentConfig
from sizeup.errors import InvalidInput
from sizeup.games.checkers.pdn import read_pdn
from sizeup.games.contract import View
from sizeup.games.drawing import describe, svg_of
from sizeup.play.export import from_pdn, to_pdn
from sizeup.play.pictures import animate
from sizeup.play.record import Record
from sizeup.play.replay import first_beliefs, replay, view_of
from sizeup.web.game import binding
from sizeup.web.offers import Offer, Offers
from sizeup.web.sentences import titles_of
from sizeup.web.story import Story, result_data, stopped_after
from sizeup.words import one_line, points

_EXACT = 2**53  # from here on a browser's numbers are not whole any more

KINDS_OF_EXPORT = {
    "pdn": ("pdn", "text/plain; charset=utf-8"),
    "json": ("json", "application/json"),
    "svg": ("svg", "image/svg+xml"),
    "animation": ("svg", "image/svg+xml"),
    "html": ("html", "text/html; charset=utf-8"),
}
"""How a record is exported: the ending of the file, and what it holds."""

_Source: TypeAlias = Literal["played", "watched", "uploaded", "store", "branch"]


@dataclass(frozen=True)
class Kept:
    """A record as it was written, packed.

    ``owner`` is the visitor who may see it in a list; ``command`` shows the match again, if it is
    known to; ``branch_of`` is what is told of where a branch comes from.
    """

    id: str
    packed: bytes
    source: _Source
    owner: str
    line: dict[str, Any]
    command: str | None = None
    branch_of: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The record as JSON."""
        return zlib.decompress(self.packed).decode()


@dataclass(frozen=True, eq=False)
class Opened:
    """A record that was unpacked and played back: its game, states before each move, its story."""

    kept: Kept
    offer: Offer
    record: Record
    view: View
    states: tuple[Any, ...]
    story: Story


def keep(
    record: Record,
    offer: Offer,
    source: _Source,
    owner: str,
    *,
    text: str | None = None,
    command: str | None = None,
    branch_of: dict[str, Any] | None = None,
) -> Kept:
    """Pack a record; ``text`` is how it was written, if it came from elsewhere.

    >>> from sizeup.games import connect_four
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> keep(record, Offer(connect_four, "connect-four"), "watched", "Ada").line["result"]
    'O won'
    """
    packed = zlib.compress((text or record.to_json()).encode(), 1)
    name = secrets.token_urlsafe(9)
    return Kept(name, packed, source, owner, _line(record, offer), command, branch_of)


def _line(record: Record, offer: Offer) -> dict[str, Any]:
    if (moves := stopped_after(record)) is not None:
        result = f"stopped after {moves} move{'s' * (moves != 1)}"
    elif len(set(record.teams)) < 2:
        result = points(record.total)
    elif record.winner is None:
        result = "a draw"
    else:
        side = offer.look.side(record.winner)
        result = f"{side[:1].upper()}{side[1:]} won"
    return {
        "game": record.game,
        "title": offer.look.title,
        "players": titles_of(record),
        "plies": len(record.moves),
        "result": result,
    }


def open_kept(kept: Kept, offers: Offers) -> Opened:
    """Unpack a record and play it back, which checks all of it."""
    return opened_record(kept, read_record(kept.text), offers)


def read_record(text: str) -> Record:
    """Read a record; a name in an old one that reads like a file is nobody's whom we know."""
    record = Record.from_json(text)
    if not record.lacks:
        return record
    agents = (None if one is None or one.model == "plugin" else one for one in record.agents)
    return replace(record, agents=tuple(agents))


_PDN = re.compile(r'\s*(?:\[\w+ "|1\.)')  # how a file of games begins


def is_pdn(text: str) -> bool:
    """Whether this is a game of checkers as other programs write it."""
    return _PDN.match(text.removeprefix("\ufeff")) is not None


def read_any(text: str) -> Record:
    """Read a record, or the one game of a PDN text."""
    if not is_pdn(text):
        return read_record(text)
    games = read_pdn(text)
    if len(games) != 1:
        raise InvalidInput(
            f"this PDN holds {len(games)} games, and one is opened at a time; sizeup infer FILE "
            "reads all of them"
        )
    return from_pdn(games[0])


def opened_record(kept: Kept, record: Record, offers: Offers) -> Opened:
    """Play a record back."""
    offer = offers.of_record(record)
    with binding:
        view = view_of(record, offer.game)
    states = [before for before, _ in replay(record, offer.game)]
    last = view.start()
    if states:
        last, _ = view.apply(states[-1], view.action_from_text(states[-1], record.moves[-1].action))
    states.append(last)
    story = Story(offer.face, view, record, first_beliefs(record))
    story.begin(states[0], over=not record.moves)
    for at, move in enumerate(record.moves):
        story.add(states[at], move, states[at + 1], over=at + 1 == len(record.moves))
    return Opened(kept, offer, record, view, tuple(states), story)


class RecordShelf:
    """The last records, and the last few of them unpacked."""

    def __init__(self, most: int, most_open: int = 8) -> None:
        self._most, self._most_open = most, most_open
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._open: OrderedDict[str, Opened] = OrderedDict()

    def add(self, kept: Kept) -> None:
        """Remember a record; the oldest one makes room."""
        self._kept[kept.id] = kept
        while len(self._kept) > self._most:
            name, _ = self._kept.popitem(last=False)
            self._open.pop(name, None)

    def find(self, name: str) -> Kept | None:
        """The record of this id, which is now the newest; None if it is gone."""
        if name in self._kept:
            self._kept.move_to_end(name)
        return self._kept.get(name)

    def opened(self, name: str) -> Opened | None:
        """A record that is unpacked already."""
        return self._open.get(name)

    def add_opened(self, opened: Opened) -> None:
        """Remember a record that was unpacked; the oldest one makes room."""
        if opened.kept.id in self._kept:
            self._open[opened.kept.id] = opened
        while len(self._open) > self._most_open:
            self._open.popitem(last=False)

    def listed(self, owner: str) -> list[dict[str, Any]]:
        """Lines about a visitor's records, the newest first."""
        return [
            {"id": kept.id, **kept.line, "source": kept.source}
            for kept in reversed(self._kept.values())
            if kept.owner == owner
        ]


def record_data(opened: Opened, offers: Offers) -> dict[str, Any]:
    """States, moves, beliefs and the end; ``lacks`` says what an old record does not hold."""
    kept, record = opened.kept, opened.record
    return {
        "id": kept.id,
        "game": opened.offer.name,
        "source": kept.source,
        "seed": record.seed if record.seed < _EXACT else str(record.seed),
        **opened.story.data(),
        "result": result_data(record, opened.offer.look),
        "reproducible": kept.source in ("watched", "store"),
        "command": command_of(opened, offers) if kept.command is None else kept.command,
        "exports": opened.offer.exports,
        "lacks": record.lacks,
        "branch_of": kept.branch_of,
    }


def command_of(opened: Opened, offers: Offers) -> str:
    """What to type for the same match, or for one with the same seats; "" if there is nothing."""
    record, view = opened.record, opened.view
    is_own = repr(view.base.params) == repr(opened.offer.game.INFO.params)
    people = [seat for seat, agent in enumerate(record.agents) if agent is None]
    is_plain = all(_is_plain(agent, offers) for agent in record.agents) and not record.carried
    if not is_own or not is_plain or len(people) > 1 or opened.kept.source == "branch":
        return ""
    words = ["sizeup", "play" if people else "watch", opened.offer.typed]
    weakest = f"obl:{min(record.types, default=2)}"  # makes room for a person
    seats = list(zip(record.agents, record.teams, strict=True))
    for team in sorted(set(record.teams)):
        members = (str(agent or weakest) for agent, side in seats if side == team)
        words += ["--team", "+".join(members)]
    if people:
        words += ["--as", str(people[0])]
    return shlex.join([*words, "--seed", str(record.seed)])


def _is_plain(agent: AgentConfig | None, offers: Offers) -> bool:
    """Whether an agent is all that its name says."""
    try:
        return agent is None or offers.agent(str(agent)) == agent
    except InvalidInput:  # of a file that is not here
        return False


_ALONE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<title>{title} - Sizeup</title>
<style>{css}</style>
</head>
<body>
<div id="page"></div>
<script type="application/json" id="sizeup-game">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_alone(opened: Opened, offers: Offers, static: Path) -> str:
    """A record as one page that needs no server: board, beliefs and sentences, move by move."""
    shown = {**record_data(opened, offers), "command": ""}
    about = {"games": [opened.offer.data()], "kinds": offers.kinds()}
    data = json.dumps({"about": about, "record": shown}, separators=(",", ":"))
    css, script = (
        (static / "assets" / name).read_text("utf-8") for name in ("app.css", "alone.js")
    )
    return _ALONE.format(
        title=html.escape(opened.offer.look.title or opened.offer.name),
        css=css.replace("</", "<\\/"),
        data=data.replace("<", "\\u003c"),  # nothing that a record holds can become markup
        script=script.replace("</script", "<\\/script"),
    )


def export(opened: Opened, kind: str, ply: int, offers: Offers, static: Path) -> str:
    """A record as PDN, JSON, a page or an animation, or the board after so many moves as SVG."""
    if kind == "json":
        return opened.kept.text
    if kind == "html":
        return page_alone(opened, offers, static)
    if kind == "pdn":
        return to_pdn(opened.record)
    if kind == "animation":
        return animate([opened.record], [_caption(opened)], opened.offer.game)
    if not 0 <= ply < len(opened.states):
        raise InvalidInput(f"the match has positions 0 to {len(opened.states) - 1}, got {ply}")
    drawing = describe(opened.view.game, opened.states[ply], opened.view.params)
    if ply == len(opened.record.moves):  # nobody's turn, whatever the rules say
        over = f"the match is over: {one_line(opened.record.reason)}"
        drawing = replace(drawing, caption=(over, *drawing.caption[1:]))
    return svg_of(drawing)


def _caption(opened: Opened) -> str:
    """What an animation says below its board."""
    return f"{opened.offer.look.title or opened.offer.name}: {', '.join(titles_of(opened.record))}"
