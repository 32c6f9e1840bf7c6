"""What Harvest looks like: the chance of rain on the turns around this one, and the field."""

from collections.abc import Iterator

from sizeup.games import look
from sizeup.games.harvest.rules import MOST_GROWTH, HarvestParams, HarvestState

_TURNS_SHOWN = 12  # as many as an ordinary terminal has room for
_PAST = look.Ground("past", look.GREY)
_SKIES = look.Ground("to come", look.SKY)
_SOIL = look.Ground("bare soil", look.SAND, ".", ink=look.DARK)
_SPROUT = look.Piece("grown", "Y", "sprout", look.GREEN, look.WHITE)
_SEED = look.Piece("sown", "s", "seed", look.DARK, look.WHITE)


def _scene(state: HarvestState, params: HarvestParams) -> look.Scene:
    season, now = len(params.rain), state.turn - state.sown
    first = max(0, min(now - _TURNS_SHOWN // 2, season - _TURNS_SHOWN))
    shown = range(first, min(first + _TURNS_SHOWN, season))
    rows = (
        _labelled("turn", (look.Tile(look.HEADING, label=str(turn + 1)) for turn in shown)),
        _labelled("rain", (_weather(turn, now, params.rain[turn]) for turn in shown)),
        (look.Tile(look.HEADING),),  # the field has nothing to do with the turns above it
        _labelled("field", (_furrow(step, state) for step in range(MOST_GROWTH))),
    )
    notes = f"turn {min(now + 1, season)} of {season}, growth {state.growth} of {MOST_GROWTH}"
    chance = "the weather decides whether what is sown grows"
    return look.Scene(rows, (notes,), over="the season is over", chance=chance)


def _labelled(label: str, tiles: Iterator[look.Tile]) -> look.Row:
    return (look.Tile(look.HEADING, label=label), *tiles)


def _weather(turn: int, now: int, rain: float) -> look.Tile:
    ground = _PAST if turn < now else _SKIES
    return look.Tile(ground, label=f"{rain:.0%}", marked=turn == now)


def _furrow(step: int, state: HarvestState) -> look.Tile:
    """One step of growth: grown, sown and waiting for rain, or bare."""
    if step < state.growth:
        return look.Tile(_SOIL, _SPROUT)
    return look.Tile(_SOIL, _SEED if state.sown and step == state.growth else None)


def _limits(params: HarvestParams) -> Iterator[look.Limit]:
    possible = bool(((params.rain >= 0) & (params.rain <= 1)).all()) and len(params.rain) > 0
    yield look.Limit("rain", possible, "a list of probabilities, one for each turn")


LOOK = look.Look(
    title="Harvest",
    about="Three farmers share a field and take turns to sow, reap or rest; rain does the rest.",
    rules="What is sown grows a step if it rains; a field reaped at growth g pays g times g.",
    won="the season is over",
    drawn="the season is over",
    scene=_scene,
    phrases={"rest": "rest", "sow": "sow", "reap": "reap"},
    limits=_limits,
    start=look.Start(types=(2, 4), partner=4, deepest=10),
)
