"""Play a job: from plain data to how its games went, the same in every process."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from sizeup.agents import Player
from sizeup.agents.engine import MakeSearcher
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.members import PERSON, Changing, Member, Stint, read_member
from sizeup.games.contract import CHANCE, View
from sizeup.play.match import Match, play_at
from sizeup.play.record import Record
from sizeup.play.table import AgentLike, Table, arena, set_table
from sizeup.search import Searcher
from sizeup.search.replicas import one_thread

_DIGITS = 9  # of probabilities and what comes of them: processors differ in the last ones


def play_job(job: Job) -> tuple[Outcome, ...]:
    """Play a job's games; in a series, beliefs go from one game to the next.

    >>> from sizeup.experiments.plan import plan
    >>> from sizeup.experiments.spec import read_experiment
    >>> (outcome,) = play_job(plan(read_experiment("wall-of-fire")).job("aware", block=0, slot=0))
    >>> outcome.score, outcome.total, outcome.moves[:2]
    (None, -2.0, ('E', 'W'))
    """
    seating = _Seating.of(job)
    with one_thread():  # there is a worker for every core
        return tuple(
            _outcome(seating, table, record)
            for table, record in _games(job, seating, _HERE.searcher, searches=False)
        )


def record_of(job: Job, number: int = 0) -> Record:
    """The full record of one of a job's games, counted from 0, by playing it again."""
    if not 0 <= number < job.rounds:
        raise InvalidInput(
            f"job {job.job_id} has games 0 to {job.rounds - 1}, there is no game {number}"
        )
    games = _games(job, _Seating.of(job), Searcher, searches=True)
    return next(islice((record for _, record in games), number, None))


def seated(job: Job, person: Player, searcher: MakeSearcher = Searcher) -> Table:
    """The table of a job in which people play: each of them is asked for moves by ``person``."""
    seating = _Seating.of(job)
    view = arena(job.game, job.config["params"], [len(team) for team in seating.teams])
    everybody = [
        [person if str(one) == PERSON else one for one in team] for team in seating.players(view)
    ]
    return set_table(view, everybody, searcher=searcher)


def outcome_at(job: Job, table: Table, record: Record) -> Outcome:
    """How a game went that was played at the table of a job."""
    return _outcome(_Seating.of(job), table, record)


def record_by_people(job: Job, moves: Sequence[str], searcher: MakeSearcher = Searcher) -> Record:
    """The full record of a game of people: they make the moves that they made."""

    def person(view: View, state: Any, seed: int) -> int:
        raise InvalidInput(f"job {job.job_id} has a move of a person that nobody wrote down")

    match = Match(seated(job, person, searcher), job.seed)
    while not match.finished:
        at = len(match.moves)
        is_ours = match.actor != CHANCE and match.table.seats[match.actor].config is None
        if is_ours and at < len(moves):
            match.step(match.view.action_from_text(match.state, moves[at]))
        else:
            match.step()
    return match.record()


class _Here(threading.local):
    """What a worker keeps from job to job: trees are large, and the system clears new memory."""

    def __init__(self) -> None:
        self.searcher: MakeSearcher = lru_cache(maxsize=8)(Searcher)


_HERE = _Here()


def search_with(searcher: MakeSearcher) -> None:
    """Have the jobs of this thread search with something else from now on."""
    _HERE.searcher = searcher


def _games(
    job: Job, seating: _Seating, searcher: MakeSearcher, *, searches: bool
) -> Iterator[tuple[Table, Record]]:
    if PERSON in job.members:
        raise InvalidInput(f"job {job.job_id} was played by a person: it cannot be played again")
    sizes = [len(team) for team in seating.teams]
    beliefs: Mapping[int, Beliefs] = {}
    for number in range(job.rounds):
        view = arena(job.game, job.config["params"], sizes)
        table = set_table(view, seating.players(view), beliefs=beliefs, searcher=searcher)
        yield table, play_at(table, seed=_seed(job.seed, number), searches=searches)
        beliefs = table.beliefs


def _seed(seed: int, number: int) -> int:
    """Seed of a game of a series; the first one has the job's."""
    if number == 0:
        return seed
    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    return int(sequence.generate_state(1, np.uint64)[0])


@dataclass(frozen=True)
class _Seating:
    """Who sits where."""

    teams: tuple[tuple[Member, ...], ...]  # in the order of seats, the side that moves first first
    side: int  # of the team that the experiment is about
    order: tuple[int, ...]  # which of its members, as they are written, has each of its seats

    @classmethod
    def of(cls, job: Job) -> _Seating:
        config = job.config
        sides = [_members(config["team"], job.folder)]
        if config["against"] is not None:
            sides.insert(1 - config["side"], _members(config["against"], job.folder))
        return cls(tuple(sides), config["side"], tuple(config["team"]["order"]))

    def seats(self, teams: Sequence[int], side: int | None = None) -> list[int]:
        """Seats of a side: that of the team which the experiment is about, if none is given."""
        wanted = self.side if side is None else side
        return [seat for seat, team in enumerate(teams) if team == wanted]

    def players(self, view: View) -> list[list[AgentLike]]:
        """Everybody, new for each game."""
        everybody = [member for team in self.teams for member in team]
        configs = [c for member in everybody for c in member.configs if not c.untyped]
        types = tuple(sorted({depth for c in configs for depth in (c.own, *c.types)}))
        seats = [self.seats(view.teams, side) for side in range(len(self.teams))]
        return [
            [_player(team, place, seats[side], types) for place in range(len(team))]
            for side, team in enumerate(self.teams)
        ]


def _members(side: Mapping[str, Any], folder: str) -> tuple[Member, ...]:
    """Members in the order of their seats."""
    read = [
        read_member(text, agents=side["agents"], search=side["search"], folder=folder)
        for text in side["members"]
    ]
    return tuple(read[number] for number in side["order"])


def _player(
    team: Sequence[Member], place: int, seats: Sequence[int], types: tuple[int, ...]
) -> AgentLike:
    """Who takes a seat: an agent, or a player that changes or has to be told of a change."""
    member = team[place]
    changes = sorted({mate.until for mate in team if mate.then is not None})
    if not changes or (member.then is None and member.first.belief != "truth"):
        return member.first
    phases = []
    for start in (0, *changes):
        depths = {seat: mate.depth(start) for seat, mate in zip(seats, team, strict=True)}
        truth = {seat: depth for seat, depth in depths.items() if depth is not None}
        phases.append(Stint(start, member.at(start), truth))
    return Changing(str(member), phases, seats[place], place, len(team), types)


def _outcome(seating: _Seating, table: Table, record: Record) -> Outcome:
    sign = 1 - 2 * seating.side  # rewards of a record are those of side 0
    return Outcome(
        score=_score(seating, record),
        total=sign * record.total + 0.0,  # no -0.0
        reason=record.reason,
        plies=record.moves[-1].ply if record.moves else 0,
        rewards=tuple(sign * move.reward + 0.0 for move in record.moves),
        moves=tuple(move.action for move in record.moves),
        posteriors=_posteriors(seating, table),
        deviations=_deviations(seating, table, record),
    )


def _score(seating: _Seating, record: Record) -> int | None:
    if len(seating.teams) == 1:
        return None
    if record.winner is None:
        return 0
    return 1 if record.winner == seating.side else -1


def _posteriors(seating: _Seating, table: Table) -> dict[str, Any]:
    """By adaptive member: its last beliefs about every member of the team, ``(members, types)``."""
    seats = dict(zip(seating.order, seating.seats(table.teams), strict=True))
    found = {}
    for number, seat in sorted(seats.items()):
        if table.seats[seat].is_adaptive:
            rows = table.seats[seat].probabilities()
            found[str(number)] = [
                [round(float(share), _DIGITS) for share in rows[seats[mate]]]
                for mate in sorted(seats)
            ]
    return found


def _deviations(seating: _Seating, table: Table, record: Record) -> dict[str, dict[str, Any]]:
    """How far beliefs were from the truth, by member and teammate that has a depth.

    Before the first update, and after each.
    """
    seats = seating.seats(table.teams)
    members = dict(zip(seats, seating.teams[seating.side], strict=True))
    order = sorted(zip(seating.order, seats, strict=True))
    number = {seat: str(member) for member, seat in order}

    def away(believer: int, subject: int, shares: Sequence[float], moves: int) -> float:
        """Root of the mean squared distance from the depth that the believer should find.

        That is the subject's, or the believer's own if the subject looks deeper.
        """
        depth, types = members[subject].depth(moves), table.seats[believer].types
        assert depth is not None
        truth = min(table.depth_of(believer) or depth, depth)
        squares = (p * (d - truth) ** 2 for d, p in zip(types, shares, strict=True))
        known = math.fsum(shares)  # the rest is none of these, which is no depth
        return round(math.sqrt(math.fsum(squares) / known), _DIGITS) if known else 0.0

    found = {
        number[believer]: {
            number[seat]: [away(believer, seat, record.first_beliefs[believer][seat], 0)]
            for seat in number
            if seat != believer and members[seat].depth(0) is not None
        }
        for believer in number
        if table.seats[believer].is_adaptive
    }
    ours = (move for move in record.moves if move.player in number)
    for moves, move in enumerate(ours):
        for believer, seen in move.seen.items():
            about = found.get(number.get(believer, ""), {})
            if number[move.player] in about:
                about[number[move.player]].append(away(believer, move.player, seen.after, moves))
    return found
