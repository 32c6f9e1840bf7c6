"""What the page may send, message by message.

Unknown fields, long texts and odd numbers are refused before anybody looks at them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sizeup.errors import InvalidInput

GameName = Annotated[str, Field(min_length=1, max_length=64)]  # which ones exist, offers say
Depth = Annotated[int, Field(ge=1, le=1000)]
Ply = Annotated[int, Field(ge=0, le=10_000)]
Seed = Annotated[int, Field(ge=0, lt=2**53)]
GameId = Annotated[str, Field(min_length=1, max_length=32)]
Action = Annotated[str, Field(min_length=1, max_length=64)]
Answer = Annotated[str, Field(max_length=2000)]
Team = Annotated[str, Field(min_length=1, max_length=120)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlaySetup(_Strict):
    """A game that the visitor plays in; ``you`` move before or after your partner.

    ``partner`` is ``"ca"``, ``"obl"``, or the file of an agent that the server was started with.
    ``guest`` is where a second person sits, beside you or on the other side, and ``table`` what the
    server called the place where both meet.
    """

    mode: Literal["play"]
    game: GameName
    partner: Team
    partner_depth: Depth
    opponent_depth: Depth | None
    you: Literal["first", "second"]
    side: Literal[0, 1]
    seed: Seed
    guest: Literal["with", "against"] | None = None
    table: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{12}$")] | None = None


class WatchSetup(_Strict):
    """A game between agents."""

    mode: Literal["watch"]
    game: GameName
    teams: Annotated[list[Team], Field(min_length=1, max_length=2)]
    seed: Seed


class ContinueSetup(_Strict):
    """A game that goes on from a recorded one, after ``ply`` of its moves, with you in a seat."""

    mode: Literal["continue"]
    game: GameName
    record: GameId
    ply: Ply
    seat: Annotated[int, Field(ge=0, le=15)]


AnySetup: TypeAlias = PlaySetup | WatchSetup | ContinueSetup
Setup = Annotated[AnySetup, Field(discriminator="mode")]


class New(_Strict):
    """Begin a game."""

    type: Literal["new"]
    setup: Setup


class Resume(_Strict):
    """Continue a game that the page remembers."""

    type: Literal["resume"]
    setup: Setup
    moves: Annotated[list[Action], Field(max_length=400)]


class MoveMade(_Strict):
    """A move of the visitor, in the state after ``ply`` moves."""

    type: Literal["move"]
    game_id: GameId
    ply: Ply
    action: Action
    thought: Annotated[int, Field(ge=0, le=10**9)] | None = None  # milliseconds, as the page has it


class StepAsked(_Strict):
    """Let agents play one move of a game that is watched."""

    type: Literal["step"]
    game_id: GameId
    ply: Ply


class TakeBack(_Strict):
    """Go back to the state after ``ply`` moves."""

    type: Literal["back"]
    game_id: GameId
    ply: Ply


class Stop(_Strict):
    """End a game here, and say what can be said of it."""

    type: Literal["stop"]
    game_id: GameId


class Resign(_Strict):
    """Give a game up against whoever plays on the other side, who wins it."""

    type: Literal["resign"]
    game_id: GameId


class DrawOffer(_Strict):
    """Offer a draw, in the state after ``ply`` moves."""

    type: Literal["draw"]
    game_id: GameId
    ply: Ply


class Invite(_Strict):
    """Make new links to the table; whoever came by the old ones is shut out."""

    type: Literal["invite"]
    game_id: GameId


class Leave(_Strict):
    """End a game at once."""

    type: Literal["leave"]
    game_id: GameId


class PlayStudyGame(_Strict):
    """Play the game of a study whose turn it is, from where it was left."""

    type: Literal["study"]


class Ping(_Strict):
    """Ask whether anybody is there."""

    type: Literal["ping"]


Message: TypeAlias = (
    New
    | Resume
    | MoveMade
    | StepAsked
    | TakeBack
    | Stop
    | Resign
    | DrawOffer
    | Invite
    | Leave
    | PlayStudyGame
    | Ping
)

_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


class WhatIf(_Strict):
    """Branch off before move ``ply``: play ``action``, or search again with another seed."""

    ply: Annotated[int, Field(ge=1, le=10_000)]
    action: Action | None = None


class StudySays(_Strict):
    """What a participant sends: that they agree, the answers of a step, or that they leave."""

    agree: Literal[True] | None = None
    leave: Literal[True] | None = None
    step: Annotated[int, Field(ge=0, le=10_000)] | None = None
    answers: Annotated[dict[GameName, Answer], Field(max_length=200)] = {}
    seconds: Annotated[float, Field(ge=0, le=10**7)] = 0.0


class Joining(_Strict):
    """What is left of a link: a guest wants to come in."""

    link: Annotated[str, Field(min_length=1, max_length=64)]


def read_message(text: str | bytes) -> Message:
    """Read a message.

    >>> read_message('{"type": "ping"}')
    Ping(type='ping')
    >>> read_message('{"type": "leave", "game_id": "x", "now": true}')
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: leave.now: Extra inputs are not permitted
    """
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise InvalidInput(first_problem(problem)) from None


def first_problem(problem: Mapping[str, Any]) -> str:
    """What is wrong, with its place; what was sent is not repeated."""
    where = ".".join(map(str, problem["loc"]))[:80]
    return f"{where}: {problem['msg'][:200]}" if where else problem["msg"][:200]
