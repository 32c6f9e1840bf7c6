"""Where participants of a study are received: what each sees next, and what each has done.

The log belongs to one thread; everybody else asks for it here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.study import Condition, Study
from sizeup.experiments.study_log import Elsewhere, Participant, StudyLog
from sizeup.games.contract import load_game
from sizeup.web.messages import StudySays

T = TypeVar("T")


class StudyGame(NamedTuple):
    """A game that a participant plays, as far as it is."""

    game: str  # as the page knows it
    job: Job
    condition: Condition
    moves: tuple[str, ...]


class StudyDesk:
    """A study while it is run."""

    def __init__(self, study: Study, store: Path) -> None:
        self._thread = ThreadPoolExecutor(1, "study")
        self._log = self._thread.submit(StudyLog, study, store).result()

    def close(self) -> None:
        """Let go of the store, once all is written."""
        self._thread.submit(self._log.close).result()
        self._thread.shutdown()

    async def _ask(self, work: Callable[[StudyLog], T]) -> T:
        """Do something in the thread of the log, whether or not somebody waits for it."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._thread, work, self._log))

    async def page(self, visitor: str) -> dict[str, Any]:
        """What a visitor sees now."""
        return await self._ask(lambda log: _page(log, visitor))

    async def heard(self, visitor: str, says: StudySays) -> dict[str, Any]:
        """What a visitor sees after what was said."""
        return await self._ask(lambda log: _heard(log, visitor, says))

    async def game(self, visitor: str) -> StudyGame:
        """The game that a visitor plays now."""

        def found(log: StudyLog) -> StudyGame:
            one = _here(log, visitor)
            job = log.job(one)
            condition = log.study.condition(job.cell)
            return StudyGame(_called(log.study, condition), job, condition, one.moves)

        return await self._ask(found)

    async def move(
        self, visitor: str, job: Job, ply: int, seat: int | None, action: str, thought: int | None
    ) -> None:
        """Write a move down."""
        seconds = None if thought is None else thought / 1000
        await self._ask(lambda log: log.move(_here(log, visitor), job, ply, seat, action, seconds))

    async def end_game(self, visitor: str, job: Job, outcome: Outcome, seat: int) -> None:
        """Write down how a game went."""
        await self._ask(lambda log: log.end_game(_here(log, visitor), job, outcome, seat))


def _here(log: StudyLog, visitor: str) -> Participant:
    one = log.of_visitor(visitor)
    if one is None:
        raise Elsewhere("you do not take part in the study yet: load the page again")
    return one


def _page(log: StudyLog, visitor: str) -> dict[str, Any]:
    study, one = log.study, log.of_visitor(visitor)
    if one is None:
        return {"title": study.title, "step": {"kind": "consent", "text": study.consent}}
    steps, step = study.steps(one.place), log.step(one)
    told: dict[str, Any] = {"title": study.title, "progress": [one.done, len(steps)]}
    if step is None:
        again = study.consent if study.next_participant else None
        code = study.completion_code
        return {**told, "step": {"kind": "done", "text": study.thanks, "code": code, "next": again}}
    if step.kind == "questions":
        asked = [question.data for question in study.asked(step.when)]
        return {**told, "step": {"kind": "questions", "number": one.done, "questions": asked}}
    games = [other for other in steps if other.kind == "game"]
    place = [games.index(step) + 1, len(games)]
    condition = study.condition(step.condition)
    game = {"kind": "game", "number": one.done, "place": place}
    return {**told, "step": {**game, "show": condition.show, "game": _called(study, condition)}}


def _called(study: Study, condition: Condition) -> str:
    """What the page knows the game of a condition by."""
    return str(load_game(study.home.get(condition.game, condition.game)).INFO.name)


def _heard(log: StudyLog, visitor: str, says: StudySays) -> dict[str, Any]:
    if says.agree:
        if log.come(visitor) is None:
            return {"title": log.study.title, "step": {"kind": "full"}}
    elif says.leave:
        log.leave(_here(log, visitor))
        return {"title": log.study.title, "step": {"kind": "left"}}
    elif says.step is not None:
        log.answer(_here(log, visitor), says.step, says.answers, says.seconds)
    return _page(log, visitor)
