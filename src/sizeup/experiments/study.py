"""A study with people is a TOML file: what they agree to, what they play and what they are asked.

::

    name = "partners"                    # letters, digits and hyphens
    title = "Two partners"
    question = "Do people do better with a partner that sizes them up?"
    participants = 40                    # places; one that is given up is given to somebody else
    design = "within"                    # everybody plays all conditions; or "between": one
    types = [2, 20]                      # the depths that partners take for possible
    consent = "You will play two short games ..."
    thanks = "Thank you!"
    completion_code = "FIRE-20"          # shown at the end

    [conditions.aware]
    game = "wall-of-fire"
    partner = "ca:20"                    # an agent; every partner of the participant is one
    show = "board"                       # or "everything": sentences and beliefs too

    [conditions.oblivious]
    game = "wall-of-fire"
    partner = "obl:20"

    [[questions]]
    when = "begin"                       # or "game" (after each of them), or "end"
    ask = "How often do you play board games?"
    options = ["Never", "Sometimes", "Often"]

    [[questions]]
    when = "game"
    ask = "My partner understood me."
    scale = ["Not at all", "Completely"] # what 1 and 7 mean

    [[questions]]
    when = "end"
    ask = "Please choose 'Blue'."
    options = ["Red", "Green", "Blue"]
    expected = "Blue"                    # an attention check: whoever fails one does not count

Every other key, all of them optional:

``seed``
    The root of all seeds; ``0`` if not given.
``lapse_minutes``
    After so long without a sign of life a place may be given to somebody else; ``120``.
``next_participant``
    Whether the last page leads to the consent of the next participant at the same computer.
``comparisons``
    Of conditions that have the same game, as in an experiment; if not given, the first of a game
    minus each other one.
``conditions.NAME``: ``title``, ``opponent``, ``you``, ``side``, ``games``
    What reports call it; the depth of oblivious opponents, where there are two teams; whether the
    participant moves ``"first"`` or ``"second"`` in the team (second); the side, 0 or 1; and how
    many games are played, one after the other (1).
``questions``: ``optional``, ``lines``
    Whether it may be left without an answer; of a question without options or scale, whether the
    answer may have several lines.

Participants of the same block have the same seeds, and the report pairs them. ``within``, a block
is a participant, and orders are those of a Williams design, in which every condition follows every
other one equally often. ``between``, a block is one participant in each condition.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from sizeup.errors import InvalidInput
from sizeup.experiments import toml_file as toml
from sizeup.experiments.experiment import (
    Arm,
    Cell,
    Comparison,
    Experiment,
    Measure,
    Point,
    Side,
    Slot,
    TableSpec,
)
from sizeup.experiments.job import Job
from sizeup.experiments.members import PERSON, read_member
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.toml_file import Kind, TomlTable, read_toml
from sizeup.games.contract import load_game
from sizeup.games.seats import teams_to_seat
from sizeup.play.table import seated_view

When: TypeAlias = Literal["begin", "game", "end"]

_TOP = (
    "name", "title", "question", "participants", "design", "types", "consent", "thanks",
    "completion_code", "seed", "lapse_minutes", "next_participant", "comparisons", "conditions",
    "questions",
)  # fmt: skip
_CONDITION = ("title", "game", "partner", "opponent", "show", "you", "side", "games")
_QUESTION = ("when", "ask", "options", "scale", "expected", "optional", "lines")
_MOST_PLACES, _MOST_GAMES = 10_000, 20
_FEW = Kind(
    f"a whole number from 1 to {_MOST_GAMES}", lambda v: type(v) is int and 1 <= v <= _MOST_GAMES
)
_PLACES = Kind(
    f"a whole number from 1 to {_MOST_PLACES}", lambda v: type(v) is int and 1 <= v <= _MOST_PLACES
)
_OPTIONS = Kind(
    "2 or more different texts",
    lambda v: isinstance(v, list) and all(map(toml.TEXT.fits, v)) and len(set(v)) == len(v) > 1,
)
_ENDS = Kind(
    "two texts: what 1 and 7 mean",
    lambda v: isinstance(v, list) and len(v) == 2 and all(map(toml.TEXT.fits, v)),
)
_ANSWER = Kind("a text, or a number from 1 to 7 on a scale", lambda v: type(v) in (int, str))
SCALE = tuple(map(str, range(1, 8)))
"""Answers on a scale."""


@dataclass(frozen=True)
class Condition:
    """What a participant plays: with whom, against whom, in which seat, and what is shown."""

    name: str
    title: str
    game: str
    partner: str
    opponent: int | None
    show: Literal["board", "everything"]
    first: bool  # whether the participant moves before the partner
    side: int
    games: int


@dataclass(frozen=True)
class Question:
    """Something that participants are asked; one with an ``expected`` answer checks attention."""

    name: str
    when: When
    ask: str
    options: tuple[str, ...]  # the numbers of a scale, or none for an answer in one's own words
    ends: tuple[str, ...]  # what the ends of a scale mean
    expected: str | None
    optional: bool
    lines: bool

    @property
    def data(self) -> dict[str, Any]:
        """All that a page may know of it."""
        return {
            "name": self.name, "ask": self.ask, "options": list(self.options),
            "ends": list(self.ends), "optional": self.optional, "lines": self.lines,
        }  # fmt: skip

    def require(self, answer: str) -> None:
        """Refuse an answer that cannot be given."""
        if answer == "" and not self.optional:
            raise InvalidInput(f"an answer is missing: {self.ask}")
        if answer and self.options and answer not in self.options:
            known = ", ".join(self.options)
            raise InvalidInput(f"{self.name}: expected one of {known}, got {answer!r}")


@dataclass(frozen=True)
class Place:
    """What one participant plays: a block, and conditions in an order."""

    number: int
    block: int
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class StudyStep:
    """Something that a participant goes through: questions, or a game of a condition."""

    kind: Literal["questions", "game"]
    when: When = "game"
    condition: str = ""
    slot: int = 0

    @property
    def label(self) -> str:
        """What it is called in tables, such as ``"aware 1"``."""
        return (
            self.when
            if self.kind == "questions" and self.when != "game"
            else f"{self.condition} {self.slot + 1}"
        )


@dataclass(frozen=True)
class Study:
    """A study as its file says it."""

    name: str
    title: str
    question: str
    participants: int
    design: Literal["within", "between"]
    types: tuple[int, ...]
    consent: str
    thanks: str
    completion_code: str
    seed: int
    lapse_minutes: float
    next_participant: bool
    conditions: tuple[Condition, ...]
    questions: tuple[Question, ...]
    comparisons: tuple[Comparison, ...]
    home: Mapping[str, str]  # where files of games are, by name
    folder: str  # where files of agents are
    file: str

    def condition(self, name: str) -> Condition:
        """The condition of this name."""
        return next(one for one in self.conditions if one.name == name)

    @property
    def games(self) -> tuple[str, ...]:
        """What is played, each game once."""
        return tuple(dict.fromkeys(one.game for one in self.conditions))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All places, in the order in which they are given to participants."""
        names = [one.name for one in self.conditions]
        if self.design == "between":
            return tuple(
                Place(n, n // len(names), (names[n % len(names)],))
                for n in range(self.participants)
            )
        orders = williams(len(names))
        return tuple(
            Place(n, n, tuple(names[i] for i in orders[n % len(orders)]))
            for n in range(self.participants)
        )

    def steps(self, place: Place) -> tuple[StudyStep, ...]:
        """What a participant goes through after consent."""
        asked = {one.when for one in self.questions}
        steps = [StudyStep("questions", "begin")] * ("begin" in asked)
        for name in place.conditions:
            for slot in range(self.condition(name).games):
                steps.append(StudyStep("game", "game", name, slot))
                steps += [StudyStep("questions", "game", name, slot)] * ("game" in asked)
        return (*steps, *[StudyStep("questions", "end")] * ("end" in asked))

    def asked(self, when: When) -> tuple[Question, ...]:
        """The questions of a step."""
        return tuple(one for one in self.questions if one.when == when)

    def job(self, place: Place, step: StudyStep) -> Job:
        """The game of a step, as the plan of its experiment has it."""
        planned = self.plans[self.condition(step.condition).game]
        return planned.job(step.condition, place.block, step.slot)

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """The plan of the games of each kind."""
        return {game: plan(self.experiment(game), self.seed) for game in self.games}

    def name_of(self, game: str) -> str:
        """What the experiment of a game is called: as the study, if there is no other game."""
        return self.name if len(self.games) == 1 else f"{self.name}-{game.removesuffix('.py')}"

    def experiment(self, game: str) -> Experiment:
        """The experiment that a report makes of the games of one kind; conditions are its arms."""
        conditions = [one for one in self.conditions if one.game == game]
        point = Point("", {}, {})
        names = {one.name for one in conditions}
        blocks = self.participants
        if self.design == "between":
            blocks = -(-self.participants // len(self.conditions))
        measure: Measure = "reward" if conditions[0].opponent is None else "score"
        return Experiment(
            name=self.name_of(game),
            title=self.title,
            question=self.question,
            game=game,
            params={},
            types=self.types,
            outsiders=(),
            rounds=1,
            blocks=blocks,
            balance=(),
            arms=tuple(_arm(one, self.types, self.folder) for one in conditions),
            points=(point,),
            cells=tuple(_cell(one, self.types, point, self.folder) for one in conditions),
            tables=(TableSpec(measure.capitalize(), "", measure, 0, None, {}),),
            comparisons=tuple(one for one in self.comparisons if {*one.arms} <= names),
            home=self.home.get(game, ""),
            folder=self.folder,
            file=self.file,
        )


def williams(count: int) -> list[tuple[int, ...]]:
    """Orders of so many things: each is as often in each place, and as often after each other one.

    >>> williams(2), williams(3)[:2], len(williams(3)), len(williams(4))
    ([(0, 1), (1, 0)], [(0, 1, 2), (1, 2, 0)], 6, 4)
    """
    first = [0]
    low, high = 1, count - 1
    while len(first) < count:
        first.append(low if len(first) % 2 else high)
        low, high = (low + 1, high) if len(first) % 2 == 0 else (low, high - 1)
    rows = [tuple((one + shift) % count for one in first) for shift in range(count)]
    return rows if count % 2 == 0 or count == 1 else rows + [row[::-1] for row in rows]


def read_study(path: str | Path) -> Study:
    """Read the file of a study; an error names the line, the key and what was expected."""
    if not str(path).endswith(".toml"):
        raise InvalidInput(f"a study is a file that ends in .toml, got {str(path)!r}")
    top, _, folder = read_toml(str(path))
    return _Reader(top, folder, Path(path).name).study()


def names_in(file: Path) -> set[str]:
    """Names of the experiments of a study's file; none if it is something else."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        name, conditions = data["name"], data["conditions"].values()
        games = {str(one["game"]).removesuffix(".py") for one in conditions}
        return {name} if len(games) == 1 else {f"{name}-{game}" for game in games}
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return set()


def experiment_in(file: str | Path, name: str) -> Experiment:
    """The experiment of this name in the file of a study."""
    study = read_study(file)
    by_name = {study.name_of(game): game for game in study.games}
    if name not in by_name:
        raise InvalidInput(f"{file} has no games called {name!r}; it has {', '.join(by_name)}")
    return study.experiment(by_name[name])


class _Reader:
    def __init__(self, top: TomlTable, folder: str, file: str) -> None:
        self.top, self.folder, self.file = top, folder, file
        top.only(_TOP)
        self.types = tuple(top.get("types", toml.DEPTHS, ()))
        self.home: dict[str, str] = {}

    def study(self) -> Study:
        top = self.top
        conditions = tuple(self._conditions())
        questions = tuple(
            self._question(place, n) for n, place in enumerate(top.tables("questions"), start=1)
        )
        return Study(
            name=top.get("name", toml.NAME),
            title=top.get("title", toml.TEXT),
            question=top.get("question", toml.TEXT),
            participants=top.get("participants", _PLACES),
            design=top.get("design", toml.one_of("within", "between"), "within"),
            types=self.types,
            consent=top.get("consent", toml.TEXT),
            thanks=top.get("thanks", toml.TEXT, "Thank you for taking part."),
            completion_code=top.get("completion_code", toml.TEXT, ""),
            seed=top.get("seed", toml.PLACE, 0),
            lapse_minutes=top.get("lapse_minutes", toml.POSITIVE, 120),
            next_participant=top.get("next_participant", toml.TRUTH, False),
            conditions=conditions,
            questions=questions,
            comparisons=self._comparisons(conditions),
            home=self.home,
            folder=self.folder,
            file=self.file,
        )

    def _conditions(self) -> list[Condition]:
        table = self.top.table("conditions")
        if not table.data:
            self.top.fail(
                None, "conditions are missing; expected tables such as [conditions.aware]"
            )
        return [self._condition(name, table.table(name)) for name in table.data]

    def _condition(self, name: str, place: TomlTable) -> Condition:
        place.only(_CONDITION)
        if not toml.NAME.fits(name):
            place.fail(None, f"expected a name of {toml.NAME.words}")
        game = place.get("game", toml.TEXT)
        if game.endswith(".py"):
            beside = Path(self.folder, game)
            self.home[game] = str(beside if beside.is_file() else game)
        with place.blamed("game"):
            rules = load_game(self.home.get(game, game))
        teams = len(set(rules.INFO.teams))
        read = Condition(
            name=name,
            title=place.get("title", toml.TEXT, name),
            game=game,
            partner=place.get("partner", toml.TEXT),
            opponent=place.get("opponent", toml.COUNT) if teams == 2 else None,
            show=cast(Any, place.get("show", toml.one_of("board", "everything"), "board")),
            first=place.get("you", toml.one_of("first", "second"), "second") == "first",
            side=place.get("side", Kind("0 or 1", lambda v: type(v) is int and v in (0, 1)), 0),
            games=place.get("games", _FEW, 1),
        )
        if teams == 1:
            for key in ("opponent", "side"):
                if place.data.get(key):
                    place.fail(key, f"{game} is a game for one team: leave it out")
        with place.blamed("partner"):
            cell = _cell(read, self.types, Point("", {}, {}), self.folder)
            sizes = [len(side.members) for side in (cell.team, cell.against) if side is not None]
            seated_view(rules, sizes if read.side == 0 else sizes[::-1])
        if not teams_to_seat(rules) and len(rules.INFO.teams) < 2:
            place.fail("game", f"{game} has no seat for a partner")
        return read

    def _comparisons(self, conditions: tuple[Condition, ...]) -> tuple[Comparison, ...]:
        if "comparisons" in self.top.data:
            return tuple(
                self._comparison(text, conditions)
                for text in self.top.get("comparisons", toml.TEXTS)
            )
        found = []
        for game in dict.fromkeys(one.game for one in conditions):
            first, *others = [one.name for one in conditions if one.game == game]
            found += [Comparison(first, other) for other in others]
        return tuple(found)

    def _comparison(self, text: str, conditions: tuple[Condition, ...]) -> Comparison:
        games = {one.name: one.game for one in conditions}
        arms = [part.strip() for part in text.split(" - ")]
        for arm in arms:
            if arm not in games:
                self.top.fail(
                    "comparisons",
                    f"there is no condition {arm!r}; conditions are {', '.join(games)}",
                )
        if len(arms) > 2 or len({games[arm] for arm in arms}) > 1:
            self.top.fail(
                "comparisons", f"expected two conditions of one game, such as 'a - b', got {text!r}"
            )
        alone = next(one for one in conditions if one.name == arms[0]).opponent is None
        if len(arms) == 1 and alone:
            self.top.fail(
                "comparisons", f"{text!r} has no opponents to be compared with: name two conditions"
            )
        return Comparison(arms[0], arms[1] if len(arms) == 2 else None)

    def _question(self, place: TomlTable, number: int) -> Question:
        place.only(_QUESTION)
        scale = place.get("scale", _ENDS, None)
        options = tuple(place.get("options", _OPTIONS, ()))
        if scale and options:
            place.fail("scale", "a question has options or a scale, not both")
        options = SCALE if scale else options
        expected = place.get("expected", _ANSWER, None)
        if expected is not None and str(expected) not in options:
            known = ", ".join(options) or "missing"
            place.fail(
                "expected", f"an attention check expects one of its options, which are {known}"
            )
        return Question(
            name=f"q{number}",
            when=cast(When, place.get("when", toml.one_of("begin", "game", "end"))),
            ask=place.get("ask", toml.TEXT),
            options=options,
            ends=tuple(scale or ()),
            expected=None if expected is None else str(expected),
            optional=place.get("optional", toml.TRUTH, False),
            lines=place.get("lines", toml.TRUTH, False),
        )


def _members(condition: Condition, types: tuple[int, ...], folder: str) -> tuple[str, ...]:
    """The participant's team: the partner, and the participant."""
    if condition.partner == PERSON or "+" in condition.partner:
        raise InvalidInput(f"expected an agent such as ca:8, got {condition.partner!r}")
    return str(read_member(condition.partner, types, folder=folder)), PERSON


def _arm(condition: Condition, types: tuple[int, ...], folder: str) -> Arm:
    against = "" if condition.opponent is None else f"obl:{condition.opponent}"
    team = "+".join(_members(condition, types, folder))
    return Arm(condition.name, condition.title, team, against, {}, {})


def _cell(condition: Condition, types: tuple[int, ...], point: Point, folder: str) -> Cell:
    against = None
    if condition.opponent is not None:
        against = Side((str(read_member(f"obl:{condition.opponent}")),), {}, {})
    order = (1, 0) if condition.first else (0, 1)
    slots = (Slot(condition.side, order, () if against is None else (0,)),) * condition.games
    return Cell(
        condition.name, point, Side(_members(condition, types, folder), {}, {}), against, slots
    )
