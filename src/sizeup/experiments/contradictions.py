"""Rows that contradict themselves: what cannot be, by the rules of the game and of arithmetic."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sizeup.errors import SizeupError
from sizeup.experiments.job import Job, canonical
from sizeup.games.contract import CHANCE, OVER, View
from sizeup.play.match import ending
from sizeup.play.table import arena

_ROUNDED = 0.002  # that a probability of compact rows may be off, with some to spare


def contradiction(row: Mapping[str, Any], job: Job) -> str:
    """What a row says that cannot be, in words; nothing if it may well have been so.

    The moves are followed by the rules. Compact rows have none; what they say of the end is held
    against the rules all the same.
    """
    view = _view(job)
    sign = 1 - 2 * int(job.config["side"])  # rewards are those of side 0
    if row["plies"] and view.adjourned(row["plies"] - 1, 0):
        return f"plies is {row['plies']}, but the match ends before"
    problem = _odd_posteriors(row["posteriors"], job.config["team"])
    if problem or row["plies"] == 0:
        return problem
    return _odd_moves(row, view, sign) if row.get("moves") else _odd_score(row, view)


def _view(job: Job) -> View:
    sides = [job.config["team"]]
    if job.config["against"] is not None:
        sides.insert(1 - job.config["side"], job.config["against"])
    sizes = tuple(len(side["members"]) for side in sides)
    return _arena(job.game, canonical(job.config["params"]), sizes)


@lru_cache(maxsize=64)
def _arena(game: str, params: str, sizes: tuple[int, ...]) -> View:
    return arena(game, json.loads(params), sizes)


def _odd_posteriors(posteriors: Mapping[str, Any], team: Mapping[str, Any]) -> str:
    """Beliefs about everybody of the team, each of probabilities that add up to 1.

    What they lack to that is the probability of none of these types, which the published rule does
    not know.
    """
    size = len(team["members"])
    is_whole = team["agents"].get("rule", "published") == "published"
    for member, rows in posteriors.items():
        if int(member) >= size or len(rows) != size:
            return f"posteriors of member {member} are about {len(rows)} members of {size}"
        for shares in rows:
            total, spare = math.fsum(shares), _ROUNDED * len(shares)
            least = 1 - spare if is_whole else 0.0
            if not least <= total <= 1 + spare or any(not 0 <= one <= 1 for one in shares):
                return f"posteriors of member {member} are no probabilities: {shares}"
    return ""


def _odd_moves(row: Mapping[str, Any], view: View, sign: int) -> str:
    """What is wrong with the moves, and with what the row says of where they lead."""
    moves, rewards = row["moves"], row["rewards"]
    if len(moves) != len(rewards):
        return f"there are {len(moves)} moves and {len(rewards)} rewards"
    state, plies, quiet, total = view.start(), 0, 0, 0.0
    for number, (text, told) in enumerate(zip(moves, rewards, strict=True), start=1):
        if ending(view, state, plies, quiet) is not None:
            return f"move {number} ({text}) is made after the end"
        is_chance, made = view.actor(state) == CHANCE, _made(view, state, text)
        if made is None:
            return f"move {number} ({text}) is not legal"
        state, reward = made
        if not math.isclose(sign * reward, told, abs_tol=1e-9):
            return f"move {number} ({text}) is worth {sign * reward:g}, not {told:g}"
        plies += not is_chance
        quiet = quiet if is_chance else (quiet + 1) * (reward == 0)
        total += reward
    won = view.winner(state, total)
    score = None if row["score"] is None else 0 if won is None else sign * (1 - 2 * won)
    same = math.isclose(row["total"], sign * total, abs_tol=1e-9)
    return _other_facts(row, {
        "plies": plies, "reason": ending(view, state, plies, quiet),
        "total": row["total"] if same else sign * total, "score": score,
    })  # fmt: skip


def _made(view: View, state: Any, text: str) -> tuple[Any, float] | None:
    """The state after a move and its reward; None if it is not legal."""
    try:
        return view.apply(state, view.action_from_text(state, text))
    except (SizeupError, TypeError, ValueError):
        return None


def _other_facts(row: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """The first thing that a row says otherwise."""
    for name, fact in facts.items():
        if row[name] != fact:
            return f"{name} is {row[name]}, but the moves say {fact}"
    return ""


def _odd_score(row: Mapping[str, Any], view: View) -> str:
    """Whether a score goes with a total: who is ahead has won, unless a side had no move left."""
    if row["score"] is None or (row["reason"] == OVER and view.info.no_move_loses):
        return ""
    ahead = (row["total"] > 0) - (row["total"] < 0)
    if row["score"] == ahead:
        return ""
    return f"score is {row['score']}, but the total is {row['total']:g}"
