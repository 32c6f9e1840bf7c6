"""What can be played at a server: games, with what their looks say of them, and agents.

The games that come with Sizeup, and the files that whoever started the server named. A visitor
names games and agents of this list only: nothing else is ever loaded.
"""

from __future__ import annotations

import re
import types as python_types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sizeup.agents import STRATEGIES, AgentConfig, read_agent
from sizeup.agents.config import PUBLISHED, RELATIVE, SAMPLED
from sizeup.agents.plugin import agent_class
from sizeup.capability import Sampled
from sizeup.errors import InvalidInput
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.look import Look
from sizeup.games.seats import teams_to_seat
from sizeup.play.export import require_checkers
from sizeup.play.record import Record
from sizeup.search import SearchOptions
from sizeup.web.board import Face
from sizeup.web.settings import Settings

_MOST_TYPES = 8
_MOST_MEMBERS = 4
_MOST_ITERATIONS = 20_000  # of a type that is a number of iterations
_MOST_WORK = 10  # times what default options take
_MOST_SAMPLES = 2  # times what the usual accuracy takes
_MOST_SLOTS = 32  # statistics in every node of a tree of the usual size
_RULES = "sizeup.capability"  # where update rules may be loaded from

KINDS = (
    ("ca", "Capability-aware",
     "Sizes up its teammates from their moves, and plans for who they are."),
    ("obl", "Oblivious", "Takes every teammate for its equal."),
    ("ora", "Oracle", "Is told how deep its teammates look."),
    ("nu", "No update", "Keeps its first guess about its teammates."),
    ("sa", "Single adaptive", "Sizes up teammates as if they did not size it up."),
    ("ma", "Multi-adaptive", "Capability-aware, in a team of several that are."),
    ("eq", "Equal", "Plans for teammates with a depth like its own."),
    ("public", "Public", "Plans on what everybody could know."),
    ("min", "Minimiser", "Expects the worst of every teammate."),
    ("random", "Random", "Plays any legal move."),
)  # fmt: skip
"""Kinds of agents that come with Sizeup: name, title and what it does."""


@dataclass(frozen=True, eq=False)
class Offer:
    """A game that can be played.

    >>> from sizeup.games import checkers
    >>> offer = Offer(checkers, "checkers")
    >>> offer.sizes(side=1), offer.first_teams, offer.types_of(5)
    ([1, 2], ['ca:8+obl:2', 'obl:8+obl:2'], (2, 4, 5))
    """

    game: python_types.ModuleType
    typed: str  # what a command calls it: its name, or its file
    file: Path | None = None  # where it was loaded from, if it does not come with Sizeup

    @property
    def name(self) -> str:
        """As records and setups name it."""
        return str(self.game.INFO.name)

    @cached_property
    def face(self) -> Face:
        """What is drawn of it, under the same names for as long as the server runs."""
        return Face(self.game)

    @property
    def look(self) -> Look:
        """What it looks like."""
        return self.face.look

    @property
    def teams(self) -> int:
        """How many teams there are."""
        return len(set(self.game.INFO.teams))

    def sizes(self, side: int = 0) -> list[int]:
        """Members of each team where a visitor plays: two at the visitor's side, if that can be."""
        teams, resizable = self.game.INFO.teams, teams_to_seat(self.game)
        if resizable == 2:
            return [2, 1] if side == 0 else [1, 2]
        own = [teams.count(team) for team in sorted(set(teams))]
        return [max(2, *own)] if resizable == 1 else own

    def types_of(self, depth: int) -> tuple[int, ...]:
        """Depths that a partner of this depth can tell apart."""
        return (*(c for c in self.look.start.types if c < depth), depth)

    @property
    def depths(self) -> list[int]:
        """Depths that are told apart here, unless somebody wants others."""
        start = self.look.start
        return [c for c in start.types if c <= start.deepest]

    @property
    def setup(self) -> dict[str, Any]:
        """What a visitor starts with, as the page sends it back."""
        start, most = self.look.start, self.look.start.deepest
        return {
            "mode": "play", "game": self.name, "partner": "ca",
            "partner_depth": min(start.partner, most),
            "opponent_depth": min(start.opponent, most) if self.teams == 2 else None,
            "you": start.you, "side": 0, "seed": 1,
        }  # fmt: skip

    @property
    def first_teams(self) -> list[str]:
        """Who is watched first: somebody deep and aware beside somebody shallow."""
        start = self.look.start
        depths = self.depths or [start.deepest]
        sizes = [2] * self.teams if teams_to_seat(self.game) else self.sizes()
        return [
            "+".join([f"{leader}:{max(depths)}", *[f"obl:{min(depths)}"] * (size - 1)])
            for leader, size in zip(("ca", "obl"), sizes, strict=False)
        ]

    @property
    def guest_places(self) -> list[str]:
        """Where a second person can sit: so that there is still an agent to size both up."""
        resizable = teams_to_seat(self.game)
        both_sides = ["with", "against"]
        if resizable == 2:
            return both_sides
        return both_sides[:1] if resizable or (self.teams == 1 and self.sizes()[0] > 2) else []

    @property
    def exports(self) -> list[str]:
        """What a record of it can be saved as."""
        try:
            require_checkers(self.name)
        except InvalidInput:
            return ["json", "svg"]
        return ["json", "svg", "pdn"]

    def data(self) -> dict[str, Any]:
        """Everything that the page knows of it."""
        look, view = self.look, View(self.game)
        texts = ("title", "about", "rules", "how_to_move", "untold")
        return {
            "name": self.name,
            **{name: getattr(look, name) for name in texts},
            "sides": list(look.sides),
            "seats": list(look.seats),
            "teams": self.teams,
            "resizable": teams_to_seat(self.game) > 0,
            "members": self.sizes(),
            "types": self.depths,
            "max_depth": look.start.deepest,
            "default": self.setup,
            "first_teams": self.first_teams,
            "keys": dict(look.keys),
            "turned_for": look.turned_for,
            "turns": int(turns) if (turns := getattr(view.params, "most_turns", 0)) else None,
            "exports": self.exports,
            "guest_places": self.guest_places,
            "board": self.face.board(view, view.start()),
        }

    def require_modest(self, agent: AgentConfig, types: tuple[int, ...] = ()) -> None:
        """Refuse an agent that would search for ages.

        >>> from sizeup.games import checkers
        >>> Offer(checkers, "checkers").require_modest(read_agent("ca:40"))
        Traceback (most recent call last):
        ...
        sizeup.errors.InvalidInput: checkers is limited to depth 12 here, got 40; use the command
        line for deeper searches
        """
        considered = agent.types or types
        if len(considered) > _MOST_TYPES:
            raise InvalidInput(
                f"an agent can tell at most {_MOST_TYPES} depths apart, got {agent} with "
                f"{list(considered)}"
            )
        known, most = max(agent.own, *agent.types, 0), self.look.start.deepest
        depth = known if agent.options.axis == "depth" else agent.options.depth
        if agent.depth is not None and depth > most:
            raise InvalidInput(
                f"{self.name} is limited to depth {most} here, got {depth}; use the command line "
                "for deeper searches"
            )
        modest = _is_modest(agent.options, len(considered), depth) and _is_soon_settled(agent)
        if known > _MOST_ITERATIONS or not modest:
            raise InvalidInput(
                f"{agent} searches for longer than this server allows; use the command line for it"
            )


def _is_modest(options: SearchOptions, types: int, depth: int) -> bool:
    """Whether a search with some options takes about as long, and as much memory, as usual."""
    own = SearchOptions()
    work = options.iterations * options.rollouts * max(1, options.teammate_iterations)
    usual = own.iterations * own.rollouts * max(1, own.teammate_iterations)
    slots = types * (depth if options.teammate_statistics == "separate" else 1)
    nodes = options.max_nodes * max(1, slots)
    return work <= _MOST_WORK * usual and nodes <= _MOST_SLOTS * own.max_nodes


def _is_soon_settled(agent: AgentConfig) -> bool:
    """Whether it makes about as many searches of a move as usual to be as accurate as it wants."""
    rule = Sampled(agent.accuracy) if agent.rule == SAMPLED else agent.rule
    return not isinstance(rule, Sampled) or rule.agreed <= _MOST_SAMPLES * Sampled().agreed


class Offers(dict[str, Offer]):
    """All games by name, and agents of one's own by the name of their file.

    >>> list(Offers.of(Settings()))
    ['wall-of-fire', 'foraging', 'narrow-tunnel', 'checkers', 'connect-four', 'four-in-a-row',
     'harvest']
    """

    def __init__(
        self, games: Mapping[str, Offer], agents: Mapping[str, AgentConfig] | None = None
    ) -> None:
        super().__init__(games)
        self.agents = dict(agents or {})

    @classmethod
    def of(cls, settings: Settings) -> Offers:
        """What a server with these settings offers."""
        shipped = (Offer(game, game.INFO.name) for game in map(load_game, GAMES))
        games = {one.name: one for one in sorted(shipped, key=_ease)}
        for path in settings.games:
            one = Offer(load_game(path), Path(path).name, Path(path).resolve())
            if one.name in games:
                raise InvalidInput(
                    f"{path} holds a game called {one.name!r}, and so does something else that is "
                    "offered; give it another INFO.name"
                )
            View(one.game)  # what cannot be compiled is said now
            games[one.name] = one
        return cls(games, {one.name: one for one in map(_own_agent, settings.agents)})

    def __missing__(self, name: str) -> Offer:
        raise InvalidInput(f"there is no game {name!r} here; games are {', '.join(self)}")

    def of_record(self, record: Record) -> Offer:
        """The game of a record, which may have had seats added."""
        plain = re.sub(r" \dv\d$", "", record.game)
        if plain not in self:
            raise InvalidInput(
                f"{record.game!r} is not a game that this server offers; start it with the game's "
                "file (sizeup serve my_game.py), or use sizeup replay RECORD --game my_game.py"
            )
        return self[plain]

    def require_file(self, named: str) -> None:
        """Refuse to load a game that is not offered, by its name or its file."""
        files = [one.file for one in self.values()]
        if named.replace("_", "-") not in self and Path(named).resolve() not in files:
            raise InvalidInput(
                f"games of {Path(named).name} can be replayed here if the server is started with "
                f"it: sizeup serve {Path(named).name} --store FILE"
            )

    def kinds(self) -> list[dict[str, str]]:
        """Kinds of agents, one's own last."""
        own = (
            (name, name.removesuffix(".py"), f"Your own agent, from {name}.")
            for name in self.agents
        )
        return [
            {"kind": kind, "title": title, "blurb": blurb} for kind, title, blurb in (*KINDS, *own)
        ]

    def agent(self, text: str) -> AgentConfig:
        """An agent by its name; of files, only those that the server was started with."""
        name, colon, rest = text.strip().partition(":")
        if name in self.agents:
            like = read_agent(f"obl:{rest}") if colon else STRATEGIES["random"]
            return replace(self.agents[name], own=like.own, types=like.types, untyped=like.untyped)
        if name.lower() not in STRATEGIES:
            known = ", ".join((*STRATEGIES, *self.agents))
            raise InvalidInput(f"there is no agent {name!r} here; agents are {known}")
        return read_agent(text)

    def team(self, offer: Offer, text: str) -> tuple[AgentConfig, ...]:
        """The members of a team, none of which would search for ages."""
        members = tuple(self.agent(part) for part in text.split("+"))
        if len(members) > _MOST_MEMBERS:
            raise InvalidInput(f"a team has at most {_MOST_MEMBERS} members, got {len(members)}")
        for member in members:
            offer.require_modest(member)
        return members

    def seated(self, record: Record) -> Record:
        """A record whose agents may sit down here once more; others are somebody who is absent.

        A record may come from anywhere: agents of unknown files are not loaded, and who would
        search for ages, or update by a rule from an unknown module, is refused.
        """
        seats = range(len(record.players))
        watching = [] if record.observer is None else [record.observer]
        if not {*record.carried, *(seat for seat, _ in watching)} <= {*seats}:
            raise InvalidInput("the record has beliefs or an observer in a seat that is not there")
        agents = tuple(self._known(agent) for agent in record.agents)
        offer = self.of_record(record)
        for agent in (*agents, *(config for _, config in watching)):
            if agent is not None:
                offer.require_modest(agent, record.types)
                _require_known_rule(agent)
        return replace(record, agents=agents)

    def _known(self, agent: AgentConfig | None) -> AgentConfig | None:
        if agent is None or agent.model != "plugin":
            return agent
        own = self.agents.get(agent.name)
        return None if own is None else replace(agent, source=own.source)


def _ease(offer: Offer) -> tuple[Any, ...]:
    """First what is played on a board, by one team, with any number of members, without luck."""
    by_luck = hasattr(offer.game, "probabilities")
    seats = teams_to_seat(offer.game)
    return offer.look.squares is None, offer.teams, not seats, by_luck, offer.name


def _own_agent(named: str) -> AgentConfig:
    """An agent of a file, or of an installed package."""
    if not named.endswith(".py"):
        config = read_agent(named)
        if config.model != "plugin":
            raise InvalidInput(f"{named} is offered anyway; name a file such as my_agent.py")
        return config
    path = Path(named)
    if not path.is_file():
        raise InvalidInput(f"there is no file {named!r} with an agent in it")
    config = AgentConfig(path.name, 1, model="plugin", source=str(path.resolve()))
    agent_class(config)  # what cannot play is not offered
    return config


def _require_known_rule(agent: AgentConfig) -> None:
    rule = agent.rule
    if not isinstance(rule, str) or rule in (PUBLISHED, RELATIVE, SAMPLED):
        return
    if not f"{rule.partition(':')[0]}.".startswith(f"{_RULES}."):
        raise InvalidInput(
            f"{agent} updates its beliefs by {rule}, which this server does not load; use "
            "sizeup replay on the command line"
        )
