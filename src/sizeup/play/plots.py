"""Curves of beliefs: the posterior over types after every move, one panel a player."""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sizeup.errors import InvalidInput
from sizeup.games.look import DARK, WHITE
from sizeup.play.record import Record, Seen
from sizeup.words import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sizeup.play.infer import Inference, PlayerDepth, Step

__all__ = ["plot_beliefs", "plot_depths", "require_plot"]

MOST_PLAYERS = 40
_WIDTH, _HEIGHT = 9.0, 2.3  # of a panel, in inches
_POINTS = 72 * (_WIDTH - 1.3)  # across the axes of a panel, about
_SMALL = 7.5  # points
_LETTER = 0.58 * _SMALL  # width of a letter, about
_COLUMN = 4  # panels below one another before there is a second column
_DENSEST = 5  # points between the borders of games, if they are drawn
_FEWEST = 0.1  # share of a type that gets a label of its own
_SETTINGS: dict[Any, Any] = {
    "axes.linewidth": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "sizeup",  # names within the file, which would be drawn by lot
    "text.parse_math": False,  # players may be called anything
}


def require_plot(path: str | Path, players: int = 1) -> None:
    """Say what stands in the way of drawing to a file, before any long work is done.

    >>> require_plot("depths.txt")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: a plot is written to a file that ends in .svg or .png, got
    'depths.txt'
    """
    if Path(path).suffix.lower() not in (".svg", ".png"):
        raise InvalidInput(
            f"a plot is written to a file that ends in .svg or .png, got {str(path)!r}"
        )
    if not 1 <= players <= MOST_PLAYERS:
        raise InvalidInput(
            f"a plot has 1 to {MOST_PLAYERS} players, got {players}; choose some by name (players, "
            "or --player)"
        )
    if importlib.util.find_spec("matplotlib") is None:
        raise InvalidInput("a plot needs matplotlib; get it with pip install 'sizeup[plot]'")


def plot_depths(found: Inference, path: str | Path) -> None:
    """Draw how the posterior of every player came about.

    Each panel is a player: how likely each type is after each ply, weakest type at the bottom. The
    moves that told most are marked, in the colour of the type that they speak for. The file ends in
    ``.svg`` or ``.png``; the same inference gives the same file.

    >>> import pathlib, tempfile
    >>> from sizeup.games.checkers.pdn import read_pdn
    >>> from sizeup.play.infer import infer
    >>> found = infer(read_pdn('[Black "Ann"] 1. 11-15 23-19 2. 8-11 *'), types=(1, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_depths(found, pathlib.Path(folder, "depths.svg"))
    ...     "Ann" in pathlib.Path(folder, "depths.svg").read_text()
    True
    """
    require_plot(path, len(found.players))
    with _settings():
        figure = _draw(found)
        try:
            is_svg = Path(path).suffix.lower() == ".svg"
            figure.savefig(path, dpi=150, metadata={"Date": None} if is_svg else {})
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def _settings() -> Iterator[None]:
    """Settings of ours, whatever the user has set; names of players may have odd letters."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def plot_beliefs(record: Record, path: str | Path | None = None) -> Figure | None:
    """Draw how every belief of a match about a teammate moved, to a file or for a notebook."""
    from sizeup.play.infer import Inference

    held = tuple(believed(record))
    if not held:
        raise InvalidInput(f"nobody keeps beliefs about a teammate in {record!r}")
    types = max((one.types for one in held), key=len)
    found = Inference(types, "beliefs", tuple(one for one in held if one.types == types))
    if path is not None:
        plot_depths(found, path)
        return None
    require_plot("beliefs.svg", len(found.players))
    with _settings():
        return _draw(found)


def believed(record: Record) -> Iterator[PlayerDepth]:
    """What each player came to believe about each teammate, as an inference would say it."""
    from sizeup.play.infer import PlayerDepth, Step

    for believer, rows in record.first_beliefs.items():
        types = record.types_of(believer)
        for mate, team in enumerate(record.teams):
            if team != record.teams[believer] or mate == believer:
                continue
            steps = tuple(
                Step(0, m.ply, mate, m.action, *_told(m.seen[believer]), "")
                for m in record.moves
                if m.player == mate and believer in m.seen
            )
            prior = tuple(rows[mate])
            last = steps[-1].posterior if steps else prior
            named = [f"{record.players[seat]} (seat {seat})" for seat in (believer, mate)]
            yield PlayerDepth(" on ".join(named), types, prior, last, steps, 1, 0)


def _told(seen: Seen) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """How likely each type made a move, up to a constant; what is believed then; its swing."""
    told = tuple(-math.inf if e is None else -e for e in seen.evidence)
    known = [one for one in told if math.isfinite(one)]
    return told, tuple(seen.after), max(known, default=0.0) - min(known, default=0.0)


def _draw(found: Inference) -> Figure:
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    columns = 1 if len(found.players) <= _COLUMN else 2
    rows = math.ceil(len(found.players) / columns)
    figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows + 0.6), layout="constrained")
    # From light for the weakest to dark: they differ in lightness, which everybody sees.
    count, palette = len(found.types), colormaps["YlGnBu"]
    colours = [palette(0.2 + 0.68 * at / max(count - 1, 1)) for at in range(count)]
    lengths: dict[int, int] = {}  # the last ply of each game that anybody's move told something of
    for step in (step for player in found.players for step in player.steps):
        lengths[step.game] = max(step.ply, lengths.get(step.game, 0))
    for at, player in enumerate(found.players):
        axes = figure.add_subplot(rows, columns, 1 + at)
        _panel(axes, _Track(player, lengths), colours)
    figure.legend(
        [Patch(facecolor=colour, edgecolor="none") for colour in colours],
        [f"type {type_}" for type_ in found.types],
        loc="outside upper center", ncols=min(count, 7), handlelength=1.2, frameon=False,
        fontsize=9,
    )  # fmt: skip
    return figure


class _Track:
    """A player's games one after the other, and where each begins."""

    def __init__(self, player: PlayerDepth, lengths: dict[int, int]) -> None:
        self.player, self.games = player, list(dict.fromkeys(step.game for step in player.steps))
        *self.begins, end = accumulate((lengths[game] for game in self.games), initial=0)
        self.end = max(end, 1)

    def place(self, step: Step) -> int:
        return self.begins[self.games.index(step.game)] + step.ply


def _panel(axes: Axes, track: _Track, colours: Sequence[Any]) -> None:
    from matplotlib.ticker import MaxNLocator

    player, steps = track.player, track.player.steps
    places = [0, *(track.place(step) for step in steps), track.end]
    posteriors = (step.posterior for step in steps)
    bands = list(zip(player.prior, *posteriors, player.posterior, strict=True))  # of each type
    axes.stackplot(places, bands, colors=colours, step="post", linewidth=0)
    axes.set(xlim=(0, track.end), ylim=(0, 1), yticks=(0, 0.5, 1))
    axes.set_yticklabels(["0", "50 %", "100 %"])
    axes.tick_params(labelsize=_SMALL, width=0.6, length=3)
    axes.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=True))
    axes.set_xlabel(player.unit, fontsize=_SMALL, labelpad=1)
    _label_bands(axes, track.player)
    _mark_games(axes, track)
    _mark_telling(axes, track, colours)
    _entitle(axes, track.player)


def _label_bands(axes: Axes, player: PlayerDepth) -> None:
    """The final share of each type, beside its band."""
    shares = (*player.posterior, player.none)
    names, tops = (*player.types, "none"), accumulate(shares)
    for name, share, odds, top in zip(names, shares, player.odds(), tops, strict=True):
        if share >= _FEWEST:
            axes.annotate(
                f"{name}: {odds}", (1, top - share / 2), xycoords="axes fraction",
                xytext=(4, 0), textcoords="offset points", fontsize=_SMALL, va="center",
            )  # fmt: skip


def _mark_games(axes: Axes, track: _Track) -> None:
    """Borders between games, and their numbers below the plies, where there is room for them."""
    if len(track.games) < 2:
        return
    room = _POINTS / len(track.games)  # for a game, on average
    for begin in track.begins[1:] if room > _DENSEST else ():
        _line(axes, begin, "-")
    ends = (*track.begins[1:], track.end)
    middles = [(begin + end) / 2 for begin, end in zip(track.begins, ends, strict=True)]
    every = slice(None, None, math.ceil(9 * _LETTER / room))
    labels = [f"game {game + 1}" for game in track.games]
    axes.xaxis.remove_overlapping_locs = False  # a game's number may stand below a ply's
    axes.set_xticks(middles[every], labels[every], minor=True)
    axes.tick_params(which="minor", length=0, pad=13, labelsize=_SMALL, labelcolor=DARK)


def _line(axes: Axes, place: float, style: Any) -> None:
    """A line that shows on light and on dark."""
    axes.axvline(place, color=WHITE, linewidth=1.2)
    axes.axvline(place, color=DARK, linewidth=0.6, linestyle=style)


def _mark_telling(axes: Axes, track: _Track, colours: Sequence[Any]) -> None:
    """Mark the moves that told most, with their texts above the panel."""
    steps = sorted(track.player.telling(), key=track.place)
    places = [track.place(step) for step in steps]
    unit = track.player.unit
    texts = [f"{unit} {step.ply:,}: {_shortened(step.action, 16)}" for step in steps]
    point = track.end / _POINTS
    middles = _spread(places, [(len(text) + 1) * _LETTER * point for text in texts], track.end)
    for step, place, text, middle in zip(steps, places, texts, middles, strict=True):
        spoken_for = step.log_likelihood.index(max(step.log_likelihood))  # the weakest of equals
        _mark(axes, place, text, (middle - place) / point, colours[spoken_for])


def _spread(places: Sequence[float], widths: Sequence[float], end: float) -> list[float]:
    """Middles of texts of some widths, near their places, beside one another, from 0 to the end.

    >>> _spread([1, 50, 51], widths=[8, 8, 8], end=100)
    [4.0, 46.5, 54.5]
    """
    both = zip(_pushed_right(places, widths), _pushed_left(places, widths, end), strict=True)
    return _pushed_right(_pushed_left([(a + b) / 2 for a, b in both], widths, end), widths)


def _pushed_right(places: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Places no further left than where the text before them ends."""
    middles: list[float] = []
    begin = 0.0
    for place, width in zip(places, widths, strict=True):
        middles.append(max(place, begin + width / 2))
        begin = middles[-1] + width / 2
    return middles


def _pushed_left(places: Sequence[float], widths: Sequence[float], end: float) -> list[float]:
    mirrored = _pushed_right([end - place for place in places[::-1]], widths[::-1])
    return [end - place for place in mirrored[::-1]]


def _mark(axes: Axes, place: float, text: str, aside: float, colour: Any) -> None:
    """A line through the panel, and above it a text so many points to the side."""
    top = axes.get_xaxis_transform()
    leader = {"arrowstyle": "-", "linewidth": 0.5, "color": DARK, "shrinkA": 0, "shrinkB": 3}
    _line(axes, place, (0, (2, 2)))
    axes.plot(
        [place], [1.0], marker="v", markersize=6, color=colour, markeredgecolor=DARK,
        markeredgewidth=0.6, transform=top, clip_on=False, zorder=5,
    )  # fmt: skip
    axes.annotate(
        text, (place, 1), xycoords=top, xytext=(aside, 10), textcoords="offset points",
        fontsize=_SMALL, ha="center", arrowprops=leader,
    )  # fmt: skip


def _entitle(axes: Axes, player: PlayerDepth) -> None:
    name = _shortened(player.name, 48)
    axes.set_title(
        f"{name}: {_shortened(str(player.verdict), 44)}",
        loc="left", fontsize=10, fontweight="bold", pad=22,
    )  # fmt: skip
    axes.set_title(
        f"{len(player.steps)} moves", loc="right", fontsize=_SMALL, color=DARK, pad=22,
    )  # fmt: skip


def _shortened(text: str, most: int) -> str:
    plain = one_line(text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"
