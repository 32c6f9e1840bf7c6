"""What participants of a study did: a log in the store, and where everybody stands by it.

Everything that happens is an event, and on the disk before anybody is told of it. Where a
participant stands is what the events say, so that a server that was killed goes on where it was.
Games of somebody who came to the end, and passed the attention checks, are handed over to the games
of the store, which reports read; whoever leaves is deleted.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.store import Event, Played, Store
from sizeup.experiments.study import Place, Study, StudyStep


class Elsewhere(InvalidInput):
    """Something that does not fit what the participant did in the meantime, in another window."""


@dataclass(frozen=True)
class Participant:
    """Where somebody stands.

    ``done`` are steps that are over; ``moves`` those of the game that is being played.
    """

    name: str
    visitor: str
    place: Place
    came: str
    seen: str
    done: int = 0
    moves: tuple[str, ...] = ()
    outcomes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by job
    failed: int = 0  # attention checks
    ended: int = 0  # number of the event with which it was all over

    @property
    def completed(self) -> bool:
        """Whether somebody has come to the end."""
        return self.ended > 0

    @property
    def counts(self) -> bool:
        """Whether this is somebody whose games a report may be made of."""
        return self.completed and self.failed == 0


class StudyLog:
    """The events of a study, and what follows from them.

    All of it belongs in one thread. ``now`` says when things happen.
    """

    def __init__(
        self, study: Study, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.study, self._now = study, now
        first = study.plans[study.games[0]].origin
        self._store = Store.open(path, first, allow_changes=True)
        self._people: dict[str, Participant] = {}
        self._handed_over: set[int] = set()
        self._last = 0  # number that was given to somebody; those of who left are not given again
        try:
            self._require_same()
            for event in self._store.events():
                self._heed(event)
            for one in sorted(self._people.values(), key=lambda one: one.ended):
                self._hand_over(one)  # the server may have been killed just before that
        except BaseException:
            self._store.close()
            raise

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def _require_same(self) -> None:
        """Refuse to go on with another study: places would mean something else."""
        was = [event.data for event in self._store.events() if event.what == "study"]
        mine = _essence(self.study)
        if not was:
            self._store.note("", self._at(), "study", mine)
        elif was[0] != mine:
            changed = ", ".join(key for key in mine if was[0].get(key) != mine[key])
            raise InvalidInput(
                f"{self._store.path} holds another study, or this one before it was changed "
                f"({changed}): use a new store, or change the file back"
            )

    @property
    def people(self) -> list[Participant]:
        """Everybody who agreed to take part and has not left, in the order in which they came."""
        return list(self._people.values())

    def of_visitor(self, visitor: str) -> Participant | None:
        """Who sits at a browser: the last one who came there."""
        here = [one for one in self._people.values() if one.visitor == visitor]
        return here[-1] if here else None

    def step(self, one: Participant) -> StudyStep | None:
        """What somebody does now; None if it is all over."""
        steps = self.study.steps(one.place)
        return steps[one.done] if one.done < len(steps) else None

    def job(self, one: Participant) -> Job:
        """The game that somebody plays now."""
        step = self.step(one)
        if step is None or step.kind != "game":
            raise Elsewhere("there is no game to be played now: load the page again")
        return self.study.job(one.place, step)

    def come(self, visitor: str) -> Participant | None:
        """Somebody agrees to take part, and gets a place; None if all are taken."""
        here = self.of_visitor(visitor)
        if here is not None and not (here.completed and self.study.next_participant):
            return here
        place = self._free_place()
        if place is None:
            return None
        self._last += 1
        number = self._last
        name = f"p{number:04d}"
        self._note(name, "came", {"number": number, "visitor": visitor, "place": place.number})
        return self._people[name]

    def _free_place(self) -> Place | None:
        """The first place that nobody holds: whoever lapsed, or did not count, has given it up."""
        late = self._now() - timedelta(minutes=self.study.lapse_minutes)
        held = {
            one.place.number
            for one in self._people.values()
            if one.counts or (not one.completed and datetime.fromisoformat(one.seen) > late)
        }
        return next((place for place in self.study.places if place.number not in held), None)

    def answer(
        self, one: Participant, step: int, answers: Mapping[str, str], seconds: float
    ) -> Participant:
        """Keep the answers of a step; those of a step that is over are not kept again."""
        if step != one.done:
            return one
        now = self.step(one)
        if now is None or now.kind != "questions":
            raise Elsewhere("there is no question to be answered now: load the page again")
        questions = self.study.asked(now.when)
        if {*answers} - {question.name for question in questions}:
            raise InvalidInput("there are answers to questions that were not asked")
        given = {question.name: answers.get(question.name, "") for question in questions}
        for question in questions:
            question.require(given[question.name])
        failed = sum(q.expected not in (None, given[q.name]) for q in questions)
        data = {
            "step": step,
            "label": now.label,
            "answers": given,
            "failed": failed,
            "seconds": seconds,
        }
        return self._note(one.name, "answered", data)

    def move(
        self,
        one: Participant,
        job: Job,
        ply: int,
        seat: int | None,
        action: str,
        thought: float | None,
    ) -> Participant:
        """Keep a move, the participant's or another player's; known moves are not kept again."""
        if self.job(one).job_id != job.job_id:
            raise Elsewhere("that game is over: load the page again")
        if ply < len(one.moves) and one.moves[ply] == action:
            return one
        if ply != len(one.moves):
            raise Elsewhere("the game went on in another window: load the page again")
        data = {"job": job.job_id, "ply": ply, "seat": seat, "action": action, "thought": thought}
        return self._note(one.name, "move", data)

    def end_game(self, one: Participant, job: Job, outcome: Outcome, seat: int) -> Participant:
        """Keep how a game went."""
        if job.job_id in one.outcomes:
            return one
        if self.job(one).job_id != job.job_id:
            raise Elsewhere("that game is over: load the page again")
        data = {
            "job": job.job_id, "condition": job.cell, "slot": job.slot, "seat": seat,
            "score": outcome.score, "total": outcome.total, "reason": outcome.reason,
            "plies": outcome.plies, "rewards": list(outcome.rewards),
            "moves": list(outcome.moves), "posteriors": outcome.posteriors,
            "deviations": outcome.deviations,
        }  # fmt: skip
        return self._note(one.name, "game", data)

    def leave(self, one: Participant) -> None:
        """Somebody does not want to take part any more: delete what they did."""
        if one.completed:
            raise Elsewhere("you have come to the end: what you did is kept")
        number = int(one.name[1:])
        self._store.forget(one.name)
        del self._people[one.name]
        self._store.note("", self._at(), "left", {"number": number})

    def _note(self, who: str, what: str, data: Mapping[str, Any]) -> Participant:
        self._heed(self._store.note(who, self._at(), what, data))
        one = self._people[who]
        if self.step(one) is None and not one.completed:
            self._heed(self._store.note(who, self._at(), "completed", {}))
            self._hand_over(self._people[who])
        return self._people[who]

    def _heed(self, event: Event) -> None:
        """What an event means for where somebody stands."""
        data = event.data
        self._last = max(self._last, data.get("number", 0))
        if event.what == "came":
            place = self.study.places[data["place"]]
            self._people[event.who] = Participant(
                event.who, data["visitor"], place, event.at, event.at
            )
            return
        if event.who not in self._people:
            return
        one = replace(self._people[event.who], seen=event.at)
        match event.what:
            case "answered":
                one = replace(one, done=one.done + 1, failed=one.failed + data["failed"])
            case "move":
                one = replace(one, moves=(*one.moves, data["action"]))
            case "game":
                played = {**one.outcomes, data["job"]: {**data, "finished": event.at}}
                one = replace(one, done=one.done + 1, moves=(), outcomes=played)
            case "completed":
                one = replace(one, ended=event.number)
        self._people[event.who] = one

    def _hand_over(self, one: Participant) -> None:
        """Put somebody's games among those that reports read, unless another has their place.

        That happens to whoever comes back after their place was given to somebody else; what they
        did is still in the tables.
        """
        if not one.counts or one.place.number in self._handed_over:
            return
        self._handed_over.add(one.place.number)
        games = [step for step in self.study.steps(one.place) if step.kind == "game"]
        self._store.add([self._played(one, step) for step in games])

    def _played(self, one: Participant, step: StudyStep) -> Played:
        job = self.study.job(one.place, step)
        data = one.outcomes[job.job_id]
        outcome = Outcome(
            data["score"], data["total"], data["reason"], data["plies"], tuple(data["rewards"]),
            tuple(data["moves"]), data["posteriors"], data["deviations"],
        )  # fmt: skip
        origin = self.study.plans[self.study.condition(step.condition).game].origin
        return Played(job, (outcome,), 0.0, platform.node(), 1, data["finished"], origin)

    def _at(self) -> str:
        return self._now().isoformat(timespec="milliseconds")


def _essence(study: Study) -> dict[str, Any]:
    """All that decides what participants go through; the number of places may grow."""
    return {
        "name": study.name,
        "seed": study.seed,
        "design": study.design,
        "conditions": [
            [
                one.name,
                one.game,
                one.partner,
                one.opponent,
                one.show,
                one.first,
                one.side,
                one.games,
            ]
            for one in study.conditions
        ],
        "types": list(study.types),
        "questions": [
            [one.when, one.ask, list(one.options), one.expected] for one in study.questions
        ],
    }


TABLES = ("participants", "answers", "games", "moves")
"""What :func:`study_rows` gives."""


def study_rows(path: str | Path) -> dict[str, list[dict[str, Any]]]:
    """Everything that participants did, as rows of four tables, from a study's store."""
    with Store.read(path) as store:
        events = store.events()
        counted = {job for (job,) in store.rows("job_id")}
    if not any(event.what == "study" for event in events):
        raise InvalidInput(f"{path} holds no study: it was not written by sizeup study")
    by_person: dict[str, list[Event]] = {}
    for event in events:
        if event.who:
            by_person.setdefault(event.who, []).append(event)
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    given: set[int] = set()  # places whose games are counted already
    for who, mine in sorted(by_person.items(), key=lambda item: _end_of(item[1])):
        row = _participant_row(who, mine)
        row["counted"] = (
            row["completed"] is not None and not row["failed_checks"] and row["place"] not in given
        )
        if row["counted"]:
            given.add(row["place"])
        tables["participants"].append(row)
        for name, rows in _rows_of(who, mine, counted if row["counted"] else set()):
            tables[name] += rows
    for name in TABLES:
        tables[name].sort(key=lambda row: str(row["participant"]))
    return tables


def _end_of(mine: Sequence[Event]) -> tuple[bool, int]:
    """Sorts who came to the end first first."""
    last = mine[-1]
    return last.what != "completed", last.number


def _participant_row(who: str, mine: Sequence[Event]) -> dict[str, Any]:
    ended = [event.at for event in mine if event.what == "completed"]
    return {
        "participant": who,
        "place": mine[0].data["place"],
        "came": mine[0].at,
        "completed": ended[0] if ended else None,
        "failed_checks": sum(event.data["failed"] for event in mine if event.what == "answered"),
        "counted": False,
    }


def _rows_of(
    who: str, mine: Sequence[Event], counted: set[str]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    games = {event.data["job"]: event.data for event in mine if event.what == "game"}
    for event in mine:
        data = event.data
        if event.what == "answered":
            known = {"seconds": data["seconds"], "at": event.at}
            line = {"participant": who, "step": data["label"]}
            answers = data["answers"].items()
            yield "answers", [{**line, "question": q, "answer": a, **known} for q, a in answers]
        elif event.what == "game":
            keys = ("condition", "slot", "seat", "score", "total", "reason", "plies")
            known = {key: data[key] for key in keys}
            game = {"participant": who, "game_id": f"{data['job']}-0", **known}
            yield "games", [{**game, "counted": data["job"] in counted, "finished": event.at}]
        elif event.what == "move":
            known = {key: data[key] for key in ("ply", "seat", "action", "thought")}
            played = games.get(data["job"])
            own = None if played is None else data["seat"] == played["seat"]
            line = {"participant": who, "game_id": f"{data['job']}-0", **known, "own": own}
            yield "moves", [{**line, "at": event.at}]


def study_frames(path: str | Path) -> dict[str, Any]:
    """The same as pandas frames by name: participants, answers, games and moves."""
    try:
        import pandas  # type: ignore[import-untyped]  # unless stubs are installed
    except ImportError:
        raise InvalidInput("this needs pandas: pip install 'sizeup[pandas]'") from None
    frames = {}
    for name, rows in study_rows(path).items():
        frame = pandas.DataFrame(rows, columns=list(COLUMNS[name]))
        frames[name] = frame.astype(COLUMNS[name])
    return frames


_WHEN = "datetime64[us, UTC]"
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "participants": {
        "participant": "string", "place": "int32", "came": _WHEN, "completed": _WHEN,
        "failed_checks": "int32", "counted": "bool",
    },
    "answers": {
        "participant": "string", "step": "string", "question": "string", "answer": "string",
        "seconds": "float64", "at": _WHEN,
    },
    "games": {
        "participant": "string", "game_id": "string", "condition": "string", "slot": "int32",
        "seat": "int32", "score": "Int8", "total": "float64", "reason": "string",
        "plies": "int32", "counted": "bool", "finished": _WHEN,
    },
    "moves": {
        "participant": "string", "game_id": "string", "ply": "int32", "seat": "Int32",
        "action": "string", "thought": "float64", "own": "boolean", "at": _WHEN,
    },
}  # fmt: skip
"""Columns of :func:`study_frames` and their dtypes."""
