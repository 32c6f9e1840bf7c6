"""An experiment is a TOML file: what is played, what is compared, and what was published.

::

    name = "partners"                    # letters, digits and hyphens
    title = "Aware and oblivious partners"
    question = "Does awareness of a weaker partner win games?"
    game = "checkers"                    # a name, a module, or a Python file (beside this one)
    types = [2, 4, 6, 8]                 # the depths that agents take for possible
    blocks = 25                          # seed blocks for each cell; or games = 100, for each cell
    balance = ["sides", "team"]          # what varies within a block
    against = "obl:{opponent}"           # whom every arm plays, if it does not say otherwise
    comparisons = ["aware", "aware - oblivious"]

    [grid]                               # every combination of these is a point
    "novice < expert" = [2, 4, 6, 8]     # all pairs in ascending order (or triples, ...)
    opponent = ["novice", "expert"]      # a value that names a variable stands for its value
    delta = "expert - novice"            # computed, to group by

    [arms.aware]                         # an arm at a point is a cell
    team = "ca:{expert}+obl:{novice}"
    search = { teammate_iterations = 5 } # these two are for the team of this arm
    agents = { forget = 0.1 }

    [arms.oblivious]
    team = "obl:{expert}+obl:{novice}"

    [[tables]]                           # arms side by side, rows by a variable, and the total
    by = "opponent"
    published.aware = { novice = 26.0, expert = -21.2, total = 2.4 }

Every other key, all of them optional:

``params``
    Parameters of the game that differ from its own (``{ king_value = 1.5 }``).
``outsiders``
    Depths that agents may have although they are not among ``types``.
``rounds``
    Games one after the other, with the same seats, in which beliefs carry over.
``search``, ``agents``
    As in an arm, for everybody: options of :class:`~sizeup.search.SearchOptions`, and
    ``rule``, ``accuracy``, ``top_up`` (off, unless it is here), ``temperature``, ``clip``,
    ``forget``, ``change``, ``prior`` and ``common_seed`` of :class:`~sizeup.agents.AgentConfig`,
    which concern agents that plan on beliefs.
``preset``
    Settings of searches and agents by name, to which ``search`` and ``agents`` come on top:
    ``"published"``, how we read the paper, or ``"default"`` (:data:`~sizeup.agents.PRESETS`).
``total_bounds``
    For one team: the least and the most that a match can pay, ``[0, 100]``, if the game does not
    say so itself and is too large for the exact planner to find out. Tests of rewards need it.
``margin``
    Differences below it, in points or in units of reward, are too small to matter: ``2`` points, or
    1 % of what is at stake, if not given.
``teammates``: ``version``, ``agents``, ``size``, ``bound``
    In place of arms: a set of agents (``["ca:3", "obl:1", "my_agent.py:2"]``), each of which plays
    with each, in teams of ``size`` (2 if not given, at most 4): one of them, and the others all
    alike. ``balance`` must name ``"team"``. ``sizeup crossplay`` makes a matrix of it; ``version``
    counts changes of the set, and ``bound`` names the agent of it that regret is measured to.
``extends``
    Another experiment (a name, or a file beside this one) that this one is like: what is written
    here comes on top of it.
``grid``: ``"before, after" = [[2, 8], [8, 2]]``
    Values that belong together.
``arms.NAME``: ``title``, ``against``
    What the arm is called in tables, and whom it plays.
``tables``: ``title``, ``measure``, ``member``, ``about``
    ``measure`` is ``"score"`` (percent of wins minus losses), ``"reward"`` (mean, median and
    interquartile mean of the team's reward; what was published is a median) or ``"deviation"`` (of
    the belief of ``member``, counted from 0, about the teammate ``about``, or all). ``by`` can also
    be ``"round"``, or ``"update"`` for deviations.

A member of a team is an agent such as ``ca:8``, ``ca:8@2,8`` (with its own idea of what is
possible) or ``random``, or one that changes: ``obl:2 until 10 then obl:8`` is an ``obl:8`` from the
moment when its team has made 10 moves. An oracle is told.

A block holds one game for each side (``"sides"``: the team plays both; side 0 moves first) and each
order of the team's (``"team"``) and of its opponents' seats (``"against"``); all its games, in all
arms, have the same seed.

Where two teams play, a comparison is of scores, and that of one arm alone is with its opponents.
Where one team plays, it is of rewards, and of two arms.
"""

from __future__ import annotations

import difflib
import types as python_types
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from sizeup.agents import PRESETS, AgentConfig
from sizeup.agents.plugin import load_plugin
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.experiments import experiment as parts
from sizeup.experiments import toml_file as toml
from sizeup.experiments.experiment import (
    Arm,
    Cell,
    Comparison,
    Experiment,
    Point,
    Side,
    TableSpec,
    Teammates,
)
from sizeup.experiments.members import SETTINGS, read_member
from sizeup.experiments.stakes import stakes_of
from sizeup.experiments.toml_file import TomlTable, read_grid, read_toml
from sizeup.experiments.toml_file import shipped as shipped
from sizeup.games.check import RULES
from sizeup.games.contract import load_game, params_of
from sizeup.play.table import seated_view
from sizeup.search import SearchOptions


def read_experiment(name: str | Path) -> Experiment:
    """Read an experiment: the name of one that comes with Sizeup, or the path of a TOML file.

    An error names the file, the line, the key and what was expected.

    >>> aware = read_experiment("checkers-aware")
    >>> aware.games, aware.cells[0].label, aware.cells[0].team.members
    (960, 'ca 2<4', ('ca:4@2,4,6,8', 'obl:2'))
    """
    read = _Reader(*read_toml(str(name))).experiment()
    return replace(read, file=Path(name).name if str(name).endswith(".toml") else "")


_TOP = (
    "extends", "name", "title", "question", "game", "params", "types", "outsiders", "rounds",
    "blocks", "games", "balance", "against", "grid", "arms", "agents", "search", "tables",
    "comparisons", "total_bounds", "margin", "teammates", "preset",
)  # fmt: skip
_ARM = ("title", "team", "against", "agents", "search")
_TABLE = ("title", "by", "measure", "member", "about", "published")
_BALANCE = ("sides", "team", "against")
_OPTIONS = tuple(field.name for field in fields(SearchOptions))


class _Reader:
    """The reading of one experiment, from the top down."""

    def __init__(self, top: TomlTable, home: str = "", folder: str = "") -> None:
        self.top, self.home, self.folder = top, home, folder
        top.only(_TOP)
        self.types: tuple[int, ...] = tuple(top.get("types", toml.DEPTHS))
        self.outsiders: tuple[int, ...] = tuple(top.get("outsiders", toml.DEPTHS, ()))
        self.game = self._game()
        self.teams = len(set(self.game.INFO.teams))
        self.grid = read_grid(top.table("grid"))
        preset = PRESETS[top.get("preset", toml.one_of(*PRESETS), "default")]
        self.agents = preset["agents"] | self._agents(top)
        self.search = preset["search"] | self._search(top)
        self.teammates = self._teammates()
        self.arms = self._arms() if self.teammates is None else self._crossed(self.teammates)

    def experiment(self) -> Experiment:
        top = self.top
        points = tuple(self.grid.points())
        given = top.get("balance", toml.some_of(*(_BALANCE if self.teams == 2 else ("team",))))
        balance = tuple(name for name in _BALANCE if name in given)
        cells = tuple(self._cell(arm, point, balance) for point in points for arm in self.arms)
        read = Experiment(
            name=top.get("name", toml.NAME),
            title=top.get("title", toml.TEXT),
            question=top.get("question", toml.TEXT),
            game=top.get("game", toml.TEXT),
            params=dict(top.table("params").data),
            types=self.types,
            outsiders=self.outsiders,
            rounds=top.get("rounds", toml.ROUNDS, 1),
            blocks=self._blocks(cells),
            balance=balance,
            arms=self.arms,
            points=points,
            cells=cells,
            tables=(),
            comparisons=tuple(self._comparisons()),
            total_bounds=self._total_bounds(),
            margin=top.get("margin", toml.POSITIVE, None),
            teammates=self.teammates,
            home=self.home,
            folder=self.folder,
        )
        tables = tuple(self._table(place, read) for place in top.tables("tables"))
        if self.teams == 1 and not tables and self.teammates is None:  # nothing else to show
            tables = (TableSpec("Reward", "", "reward", 0, None, {}),)
        read = replace(read, tables=tables)
        if "margin" in top.data:
            with top.blamed("margin"):
                stakes_of(read)
        return read

    def _total_bounds(self) -> tuple[float, float] | None:
        if "total_bounds" not in self.top.data:
            return None
        low, high = self.top.get("total_bounds", toml.RANGE)
        if self.teams == 2:
            self.top.fail("total_bounds", "scores always lie from -100 to 100: leave it out")
        return float(low), float(high)

    def _game(self) -> python_types.ModuleType:
        name = self.top.get("game", toml.TEXT)
        with self.top.blamed("game"):
            game = load_game(self.home or name)
        missing = [rule for rule in RULES if not hasattr(game, rule)]
        if missing:
            rules = ", ".join(missing)
            self.top.fail("game", f"{name} has no rule {rules}; see `sizeup check {name}`")
        params = self.top.table("params")
        for key, value in params.data.items():
            with params.blamed(key):
                params_of(game, {key: value})
        return game

    def _teammates(self) -> Teammates | None:
        if "teammates" not in self.top.data:
            return None
        place = self.top.table("teammates")
        place.only(("version", "agents", "size", "bound"))
        for key in ("arms", "grid", "comparisons", "tables"):
            if key in self.top.data:
                self.top.fail(key, "teammates all play with each other: leave it out")
        agents = tuple(place.get("agents", toml.AGENTS))
        size = place.get("size", toml.SEATS, 2)
        if "team" not in self.top.get("balance", toml.TEXTS):
            self.top.fail("balance", "teammates need balanced seats; expected 'team' in it")
        bound = place.get("bound", toml.TEXT, "")
        if bound and bound not in agents:
            place.fail("bound", f"expected one of the agents of the set, got {bound!r}")
        return Teammates(agents, size, place.get("version", toml.COUNT), bound)

    def _crossed(self, teammates: Teammates) -> tuple[Arm, ...]:
        """An arm for every team of a set."""
        against = self.top.get("against", toml.TEXT, "")
        if (self.teams == 2) != bool(against):
            wanted = "expected the opponents" if self.teams == 2 else "leave it out"
            self.top.fail("against" if against else None, f"against: {wanted}")
        return tuple(
            Arm("+".join(team), "+".join(team), "+".join(team), against, self.agents, self.search)
            for team in teammates.teams()
        )

    def _arms(self) -> tuple[Arm, ...]:
        table = self.top.table("arms")
        if not table.data:
            self.top.fail(None, "arms are missing; expected tables such as [arms.ca]")
        arms = tuple(self._arm(name, table.table(name)) for name in table.data)
        used = {name for arm in arms for name in parts.VARIABLE.findall(arm.team + arm.against)}
        for axis in self.grid.unused(used):
            self.top.table("grid").fail(
                axis.key, "no arm uses it, so every value would play the same games"
            )
        return arms

    def _arm(self, name: str, place: TomlTable) -> Arm:
        place.only(_ARM)
        arm = Arm(
            name,
            place.get("title", toml.TEXT, name),
            place.get("team", toml.TEXT),
            place.get("against", toml.TEXT, self.top.get("against", toml.TEXT, "")),
            {**self.agents, **self._agents(place)},
            {**self.search, **self._search(place)},
        )
        self._check_variables(place, "team", arm.team)
        if self.teams == 2 and not arm.against:
            place.fail(None, "against is missing; expected the opponents, such as 'obl:4'")
        holder = self._holder(place, "against")
        if self.teams == 1 and arm.against:
            holder.fail("against", f"{self.game.INFO.name} is a game for one team: leave it out")
        self._check_variables(holder, "against", arm.against)
        return arm

    def _holder(self, place: TomlTable, key: str) -> TomlTable:
        """Where a key of an arm stands: there, or at the top."""
        return place if key in place.data else self.top

    def _check_variables(self, place: TomlTable, key: str, template: str) -> None:
        known = self.grid.names
        for name in parts.VARIABLE.findall(template):
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {{{close[0]}}}? " if close else ""
                place.fail(
                    key,
                    f"{{{name}}} is not in the grid; {hint}variables are "
                    f"{', '.join(known) or 'none'}",
                )

    def _agents(self, place: TomlTable) -> dict[str, Any]:
        settings = place.table("agents")
        settings.only(SETTINGS, "settings")
        truths = dict.fromkeys(("common_seed", "top_up"), toml.TRUTH)
        kinds = {"rule": toml.TEXT, "prior": toml.NUMBERS, **truths}
        for key in settings.data:
            settings.get(key, kinds.get(key, toml.NUMBER))
            if key != "prior":  # which is for certain types: see _side
                with settings.blamed(key):
                    AgentConfig("ca", 1, **{key: settings.data[key]}).update_rule()
        return dict(settings.data)

    def _search(self, place: TomlTable) -> dict[str, Any]:
        options = place.table("search")
        options.only(_OPTIONS, "options")
        for key, value in options.data.items():
            with options.blamed(key):
                SearchOptions(**{key: value})
        return dict(options.data)

    def _cell(self, arm: Arm, point: Point, balance: tuple[str, ...]) -> Cell:
        place, key = self.top.table("arms").table(arm.name), "team"
        if self.teammates is not None:
            place, key = self.top.table("teammates"), "agents"
        team = self._side(place, "team", arm, point)
        against = None
        if arm.against:
            everybody = replace(arm, agents=self.agents, search=self.search)
            against = self._side(self._holder(place, "against"), "against", everybody, point)
        sizes = [len(side.members) for side in (team, against) if side is not None]
        with place.blamed(key):
            seated_view(self.game, sizes)
        if team == against and "sides" in balance:
            place.fail(key, f"{arm.team!r} plays against itself, so its score is always 0")
        return Cell(arm.name, point, team, against, parts.slots_of(team, against, balance))

    def _side(self, place: TomlTable, key: str, arm: Arm, point: Point) -> Side:
        texts = point.fill(getattr(arm, key)).split("+")
        key = "agents" if key == "team" and self.teammates is not None else key
        with place.blamed(key):
            read = [read_member(text, folder=self.folder) for text in texts]
        for config in (config for member in read for config in member.configs):
            self._check_depths(place, key, config)
        settings = parts.stored_settings(arm.agents)
        with place.blamed(key):
            members = [
                read_member(text, self.types, settings, arm.search, self.folder) for text in texts
            ]
            _check_team([config for member in members for config in member.configs])
        return Side(tuple(map(str, members)), arm.agents, arm.search)

    def _check_depths(self, place: TomlTable, key: str, config: AgentConfig) -> None:
        """Every depth is declared; one that comes from the grid is an error there."""
        for depth in (*config.types, *(() if config.untyped else (config.own,))):
            if depth in self.types or depth in self.outsiders:
                continue
            problem = (
                f"depth {depth} is not among types = {list(self.types)}; expected one of them, or "
                f"outsiders = [{depth}]"
            )
            for axis in self.grid.axes:
                if any(depth in together for together in axis.values):
                    self.top.table("grid").fail(axis.key, problem)
            place.fail(key, problem)

    def _blocks(self, cells: tuple[Cell, ...]) -> int:
        """Blocks for each cell, however they are counted."""
        if "games" not in self.top.data:
            return self._few("blocks", self.top.get("blocks", toml.COUNT), 1)
        if "blocks" in self.top.data:
            self.top.fail("games", "expected games or blocks, not both")
        games: int = self.top.get("games", toml.COUNT)
        size = len(cells[0].slots)
        for cell in cells:
            if size != len(cell.slots):
                self.top.fail(
                    "games",
                    f"blocks of {cells[0].label!r} and {cell.label!r} have {size} and "
                    f"{len(cell.slots)} games: give blocks instead of games",
                )
        if extra := games % size:
            whole = [str(n) for n in (games - extra, games - extra + size) if n]
            problem = f"{games} games are not whole blocks of {size}"
            self.top.fail("games", f"{problem}; expected {' or '.join(whole)}")
        return self._few("games", games // size, size)

    def _few(self, key: str, blocks: int, size: int) -> int:
        if blocks > parts.MOST_BLOCKS:
            self.top.fail(
                key, f"expected at most {parts.MOST_BLOCKS * size:,}, got {blocks * size:,}"
            )
        return blocks

    def _comparisons(self) -> Iterator[Comparison]:
        names = [arm.name for arm in self.arms]
        seen: set[Comparison] = set()
        for text in self.top.get("comparisons", toml.TEXTS, []):
            arm, minus, other = (part.strip() for part in text.partition(" - "))
            for name in (arm, other) if minus else (arm,):
                if name not in names:
                    self.top.fail(
                        "comparisons",
                        f"there is no arm {name!r}; expected 'a' or 'a - b' with arms from "
                        f"{', '.join(names)}",
                    )
            if self.teams == 1 and not minus:
                self.top.fail(
                    "comparisons",
                    f"{text!r} has nobody to be compared with, as only one team plays; expected "
                    f"two arms, such as {f'{arm} - OTHER'!r}",
                )
            compared = Comparison(arm, other if minus else None)
            if compared.arm == compared.minus or compared in seen:
                why = "is listed twice" if compared in seen else "compares an arm with itself"
                self.top.fail("comparisons", f"{text!r} {why}; expected each pair of arms once")
            seen.add(compared)
            yield compared

    def _table(self, place: TomlTable, read: Experiment) -> TableSpec:
        place.only(_TABLE)
        measures = ("score", "reward", "deviation")[2 - self.teams :]
        measure = place.get("measure", toml.one_of(*measures), measures[0])
        rows = [*self.grid.names, "round", *(["update"] if measure == "deviation" else [])]
        by = place.get("by", toml.one_of(*rows), "")
        title = place.get("title", toml.TEXT, f"{measure} by {by}" if by else measure)
        member, about = place.get("member", toml.PLACE, 0), place.get("about", toml.PLACE, None)
        least = min(len(cell.team.members) for cell in read.cells)
        for key, value in (("member", member), ("about", about or 0)):
            if value >= least:
                place.fail(key, f"teams have members 0 to {least - 1}, got {value}")
        if measure == "deviation":
            _check_believer(place, read, member, about)
        for key in ("member", "about"):
            if key in place.data and measure != "deviation":
                place.fail(key, f"only measure = 'deviation' is about a member, not {measure!r}")
        if by == "update" and "published" in place.data:
            place.fail("published", "a curve by update has no row to put it beside: leave it out")
        kind = toml.SCORE if measure == "score" else toml.NUMBER
        published = self._published(place, read.rows(by), kind)
        return TableSpec(title, by, measure, member, about, published)

    def _published(
        self, place: TomlTable, rows: tuple[str, ...], kind: toml.Kind
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


def _check_believer(place: TomlTable, read: Experiment, member: int, about: int | None) -> None:
    """Require somebody whose belief can deviate, about somebody else."""
    if about == member:
        place.fail("about", f"a player has no belief about itself, and member is also {member}")
    teams = (cell.team.members for cell in read.cells)
    if not any(read_member(team[member]).first.is_adaptive for team in teams):
        place.fail(
            "member" if "member" in place.data else "measure",
            f"member {member} learns nothing in any arm; expected one that learns, such as ca",
        )


def _check_team(team: list[AgentConfig]) -> None:
    """Require plugins that load, priors that are probabilities, oracles that can be told."""
    for config in team:
        if config.model == "plugin":
            load_plugin(config)
        if config.prior:
            Beliefs.initial(config.types, config.own, 2, config.prior)
        for mate in team if config.belief == "truth" else ():
            _check_oracle(config, mate)


def _check_oracle(oracle: AgentConfig, mate: AgentConfig) -> None:
    if mate.model == "random":
        raise InvalidInput(f"{oracle} cannot be told how deep {mate} looks, as it does not plan")
    if min(oracle.own, mate.own) not in oracle.types:
        raise InvalidInput(
            f"{oracle} cannot be told that {mate} looks {mate.own} plies ahead; expected "
            f"{mate.own} among its types, as in {oracle},{mate.own}"
        )
