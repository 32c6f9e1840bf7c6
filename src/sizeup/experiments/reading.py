"""From a file's tables to an experiment, with everything checked on the way.

What a file may hold is written down in :mod:`~sizeup.experiments.spec`.
"""

from __future__ import annotations

import difflib
import types as python_types
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from sizeup.agents import AgentConfig
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.experiments.arena import check_sizes, params_of
from sizeup.experiments.experiment import (
    MOST_BLOCKS,
    VARIABLE,
    Arm,
    Cell,
    Comparison,
    Experiment,
    Point,
    Side,
    Table,
    slots_of,
)
from sizeup.experiments.grid import read_grid
from sizeup.experiments.members import SETTINGS, read_member
from sizeup.experiments.places import (
    COUNT,
    DEPTHS,
    NAME,
    NUMBER,
    NUMBERS,
    PLACE,
    ROUNDS,
    SCORE,
    TEXT,
    TEXTS,
    TRUTH,
    Kind,
    Place,
    one_of,
    some_of,
)
from sizeup.games.check import RULES
from sizeup.games.contract import load_game
from sizeup.search import SearchOptions

__all__ = ["Reader"]

_TOP = (
    "extends", "name", "title", "question", "game", "params", "types", "outsiders", "rounds",
    "blocks", "games", "balance", "against", "grid", "arms", "agents", "search", "tables",
    "comparisons",
)  # fmt: skip
_ARM = ("title", "team", "against", "agents", "search")
_TABLE = ("title", "by", "measure", "member", "about", "published")
_BALANCE = ("sides", "team", "against")
_OPTIONS = tuple(field.name for field in fields(SearchOptions))


class Reader:
    """The reading of one experiment, from the top down."""

    def __init__(self, top: Place, home: str = "") -> None:
        self.top, self.home = top, home
        top.only(_TOP)
        self.types: tuple[int, ...] = tuple(top.get("types", DEPTHS))
        self.outsiders: tuple[int, ...] = tuple(top.get("outsiders", DEPTHS, ()))
        self.game = self._game()
        self.teams = len(set(self.game.INFO.teams))
        self.grid = read_grid(top.table("grid"))
        self.agents, self.search = self._agents(top), self._search(top)
        self.arms = self._arms()

    def experiment(self) -> Experiment:
        """All of it."""
        top = self.top
        points = tuple(self.grid.points())
        given = top.get("balance", some_of(*(_BALANCE if self.teams == 2 else ("team",))))
        balance = tuple(name for name in _BALANCE if name in given)
        cells = tuple(self._cell(arm, point, balance) for point in points for arm in self.arms)
        read = Experiment(
            name=top.get("name", NAME),
            title=top.get("title", TEXT),
            question=top.get("question", TEXT),
            game=top.get("game", TEXT),
            params=dict(top.table("params").data),
            types=self.types,
            outsiders=self.outsiders,
            rounds=top.get("rounds", ROUNDS, 1),
            blocks=self._blocks(cells),
            balance=balance,
            arms=self.arms,
            points=points,
            cells=cells,
            tables=(),
            comparisons=tuple(self._comparisons()),
            home=self.home,
        )
        return replace(
            read, tables=tuple(self._table(place, read) for place in top.tables("tables"))
        )

    def _game(self) -> python_types.ModuleType:
        name = self.top.get("game", TEXT)
        with self.top.blamed("game"):
            game = load_game(self.home or name)
        missing = [rule for rule in RULES if not hasattr(game, rule)]
        if missing:
            self.top.fail(
                "game",
                f"{name} has no rule {', '.join(missing)}; `sizeup check {name}` tells what is "
                "expected",
            )
        params = self.top.table("params")
        for key, value in params.data.items():
            with params.blamed(key):
                params_of(game, {key: value})
        return game

    def _arms(self) -> tuple[Arm, ...]:
        table = self.top.table("arms")
        if not table.data:
            self.top.fail(None, "arms are missing; expected tables such as [arms.ca]")
        arms = tuple(self._arm(name, table.table(name)) for name in table.data)
        used = {name for arm in arms for name in VARIABLE.findall(arm.team + arm.against)}
        for axis in self.grid.unused(used):
            self.top.table("grid").fail(
                axis.key, "no arm uses it, so each of its values would play the same games"
            )
        return arms

    def _arm(self, name: str, place: Place) -> Arm:
        place.only(_ARM)
        arm = Arm(
            name,
            place.get("title", TEXT, name),
            place.get("team", TEXT),
            place.get("against", TEXT, self.top.get("against", TEXT, "")),
            {**self.agents, **self._agents(place)},
            {**self.search, **self._search(place)},
        )
        self._check_variables(place, "team", arm.team)
        if self.teams == 2 and not arm.against:
            place.fail(None, "against is missing; expected whom the team plays, such as 'obl:4'")
        holder = self._holder(place, "against")
        if self.teams == 1 and arm.against:
            holder.fail("against", f"{self.game.INFO.name} is a game of one team; leave it out")
        self._check_variables(holder, "against", arm.against)
        return arm

    def _holder(self, place: Place, key: str) -> Place:
        """Where a key of an arm stands: there, or at the top."""
        return place if key in place.data else self.top

    def _check_variables(self, place: Place, key: str, template: str) -> None:
        known = self.grid.names
        for name in VARIABLE.findall(template):
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {{{close[0]}}}? " if close else ""
                place.fail(
                    key,
                    f"{{{name}}} is not in the grid; {hint}variables are "
                    f"{', '.join(known) or 'none'}",
                )

    def _agents(self, place: Place) -> dict[str, Any]:
        settings = place.table("agents")
        settings.only(SETTINGS, "settings")
        for key in settings.data:
            settings.get(key, {"prior": NUMBERS, "common_seed": TRUTH}.get(key, NUMBER))
            if key != "prior":  # which is for certain types: see _side
                with settings.blamed(key):
                    AgentConfig("ca", 1, **{key: settings.data[key]})
        return dict(settings.data)

    def _search(self, place: Place) -> dict[str, Any]:
        options = place.table("search")
        options.only(_OPTIONS, "options")
        for key, value in options.data.items():
            with options.blamed(key):
                SearchOptions(**{key: value})
        return dict(options.data)

    def _cell(self, arm: Arm, point: Point, balance: tuple[str, ...]) -> Cell:
        place = self.top.table("arms").table(arm.name)
        team = self._side(place, "team", arm, point)
        against = None
        if arm.against:
            everybody = replace(arm, agents=self.agents, search=self.search)
            against = self._side(self._holder(place, "against"), "against", everybody, point)
        sizes = [len(side.members) for side in (team, against) if side is not None]
        with place.blamed("team"):
            check_sizes(self.game, sizes)
        if team == against and "sides" in balance:
            place.fail("team", f"{arm.team!r} plays itself, so its score is 0 whatever happens")
        return Cell(arm.name, point, team, against, slots_of(team, against, balance))

    def _side(self, place: Place, key: str, arm: Arm, point: Point) -> Side:
        texts = point.fill(getattr(arm, key)).split("+")
        with place.blamed(key):
            plain = [config for text in texts for config in read_member(text).configs]
        for config in plain:
            self._check_depths(place, key, config)
        with place.blamed(key):
            members = [read_member(text, self.types, arm.agents, arm.search) for text in texts]
            _check_beliefs([config for member in members for config in member.configs])
        return Side(tuple(map(str, members)), arm.agents, arm.search)

    def _check_depths(self, place: Place, key: str, config: AgentConfig) -> None:
        """Every depth is declared; one that comes from the grid is an error there."""
        for depth in (*config.types, *(() if config.model == "random" else (config.own,))):
            if depth in self.types or depth in self.outsiders:
                continue
            problem = (
                f"depth {depth} is not among types = {list(self.types)}; expected one of them, or "
                f"outsiders = [{depth}]"
            )
            for axis in self.grid.axes:
                if axis.holds(depth):
                    self.top.table("grid").fail(axis.key, problem)
            place.fail(key, problem)

    def _blocks(self, cells: tuple[Cell, ...]) -> int:
        """Blocks for each cell, however they are counted."""
        if "games" not in self.top.data:
            return self._few("blocks", self.top.get("blocks", COUNT), 1)
        if "blocks" in self.top.data:
            self.top.fail("games", "expected either games or blocks, got both")
        games: int = self.top.get("games", COUNT)
        size = len(cells[0].slots)
        for cell in cells:
            if size != len(cell.slots):
                self.top.fail(
                    "games",
                    f"blocks of {cells[0].label!r} and {cell.label!r} have {size} and "
                    f"{len(cell.slots)} games; expected blocks in place of games",
                )
        if games % size:
            below = games - games % size
            nearest = f"{below} or {below + size}" if below else str(size)
            self.top.fail(
                "games", f"{games} games do not make whole blocks of {size}; expected {nearest}"
            )
        return self._few("games", games // size, size)

    def _few(self, key: str, blocks: int, size: int) -> int:
        if blocks > MOST_BLOCKS:
            self.top.fail(key, f"expected at most {MOST_BLOCKS * size}, got {blocks * size}")
        return blocks

    def _comparisons(self) -> Iterator[Comparison]:
        names = [arm.name for arm in self.arms]
        seen: set[Comparison] = set()
        for text in self.top.get("comparisons", TEXTS, []):
            arm, minus, other = (part.strip() for part in text.partition(" - "))
            for name in (arm, other) if minus else (arm,):
                if name not in names:
                    self.top.fail(
                        "comparisons",
                        f"there is no arm {name!r}; expected 'a' or 'a - b' with arms from "
                        f"{', '.join(names)}",
                    )
            compared = Comparison(arm, other if minus else None)
            if compared.arm == compared.minus or compared in seen:
                why = "stands there twice" if compared in seen else "compares an arm with itself"
                self.top.fail("comparisons", f"{text!r} {why}; expected each pair of arms once")
            seen.add(compared)
            yield compared

    def _table(self, place: Place, read: Experiment) -> Table:
        place.only(_TABLE)
        measures = ("score", "reward", "deviation")[2 - self.teams :]
        measure = place.get("measure", one_of(*measures), measures[0])
        rows = [*self.grid.names, "round", *(["update"] if measure == "deviation" else [])]
        by = place.get("by", one_of(*rows), "")
        title = place.get("title", TEXT, f"{measure} by {by}" if by else measure)
        member, about = place.get("member", PLACE, 0), place.get("about", PLACE, None)
        least = min(len(cell.team.members) for cell in read.cells)
        for key, value in (("member", member), ("about", about or 0)):
            if value >= least:
                place.fail(key, f"teams have the members 0 to {least - 1}, got {value}")
        if measure == "deviation":
            _check_believer(place, read, member, about)
        published = self._published(place, read.rows(by), SCORE if measure == "score" else NUMBER)
        return Table(title, by, measure, member, about, published)

    def _published(
        self, place: Place, rows: tuple[str, ...], kind: Kind
    ) -> dict[str, dict[str, float]]:
        table = place.table("published")
        table.only([arm.name for arm in self.arms], "arms")
        published: dict[str, dict[str, float]] = {}
        for arm, given in table.data.items():
            if not isinstance(given, dict):  # a number alone is the total
                published[arm] = {"total": float(table.get(arm, kind))}
                continue
            numbers = table.table(arm)
            numbers.only([*rows, "total"], "rows")
            published[arm] = {row: float(numbers.get(row, kind)) for row in numbers.data}
        return published


def _check_believer(place: Place, read: Experiment, member: int, about: int | None) -> None:
    """There is somebody whose belief can deviate, about somebody else."""
    if about == member:
        place.fail("about", f"nobody has a belief about itself, and member is {member} too")
    teams = (cell.team.members for cell in read.cells)
    if not any(read_member(team[member]).first.is_adaptive for team in teams):
        place.fail(
            "member" if "member" in place.data else "measure",
            f"the belief of member {member} moves in no arm; expected one that learns, such as ca",
        )


def _check_beliefs(team: list[AgentConfig]) -> None:
    """Priors are probabilities, and an oracle can be told the truth about everybody."""
    for config in team:
        if config.prior:
            Beliefs.initial(config.types, config.own, 2, config.prior)
        if config.belief == "truth":
            for mate in team:
                _check_oracle(config, mate)


def _check_oracle(oracle: AgentConfig, mate: AgentConfig) -> None:
    if mate.model == "random":
        raise InvalidInput(f"{oracle} cannot be told how deep {mate} looks")
    if min(oracle.own, mate.own) not in oracle.types:
        raise InvalidInput(
            f"{oracle} cannot be told that {mate} looks {mate.own} ahead; expected {mate.own} "
            f"among its types, as in {oracle},{mate.own}"
        )
