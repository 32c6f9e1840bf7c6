"""A picture of an inference: the posterior over types after every move, one panel a player."""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sizeup.errors import InvalidInput
from sizeup.games.scenes import DARK, WHITE, one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sizeup.play.depths import Inference, PlayerDepth, Step

__all__ = ["plot_depths", "require_plot"]

MOST_PLAYERS = 40
_KINDS = (".svg", ".png")
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
    if Path(path).suffix.lower() not in _KINDS:
        raise InvalidInput(
            f"a plot is written to a file that ends in {' or '.join(_KINDS)}, got {str(path)!r}"
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
    moves that told most are marked, in the colour of the type that they speak for.

    Parameters
    ----------
    found
        What :func:`~sizeup.play.infer.infer` has found.
    path
        A file that ends in ``.svg`` or ``.png``. The same inference gives the same file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sizeup.games.pdn import read_pdn
    >>> from sizeup.play.infer import infer
    >>> found = infer(read_pdn('[Black "Ann"] 1. 11-15 23-19 2. 8-11 *'), types=(1, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_depths(found, pathlib.Path(folder, "depths.svg"))
    ...     "Ann" in pathlib.Path(folder, "depths.svg").read_text()
    True
    """
    require_plot(path, len(found.players))
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # of names of players
        figure = _draw(found)
        try:
            figure.savefig(
                path,
                dpi=150,
                metadata={"Date": None} if Path(path).suffix.lower() == ".svg" else {},
            )
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None


def _draw(found: Inference) -> Figure:
    from matplotlib.figure import Figure

    columns = 1 if len(found.players) <= _COLUMN else 2
    rows = math.ceil(len(found.players) / columns)
    figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows + 0.6), layout="constrained")
    colours = _colours(len(found.types))
    lengths = _lengths(found)
    for at, player in enumerate(found.players):
        axes = figure.add_subplot(rows, columns, 1 + at)
        _panel(axes, _Track.of(player, lengths), colours)
    figure.legend(
        [_swatch(colour) for colour in colours],
        [f"type {type_}" for type_ in found.types],
        loc="outside upper center",
        ncols=min(len(found.types), 7),
        handlelength=1.2,
        frameon=False,
        fontsize=9,
    )
    return figure


def _colours(count: int) -> list[Any]:
    """From light for the weakest to dark: they differ in lightness, which everybody sees."""
    from matplotlib import colormaps

    palette = colormaps["YlGnBu"]
    return [palette(0.2 + 0.68 * at / max(count - 1, 1)) for at in range(count)]


def _swatch(colour: Any) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, edgecolor="none")


def _lengths(found: Inference) -> dict[int, int]:
    """The last ply of each game that anybody's move told something of."""
    lengths: dict[int, int] = {}
    for player in found.players:
        for step in player.steps:
            lengths[step.game] = max(step.ply, lengths.get(step.game, 0))
    return lengths


@dataclass(frozen=True)
class _Track:
    """A player's games one after the other: where each begins, and its posterior along the way."""

    player: PlayerDepth
    games: tuple[int, ...]
    begins: tuple[int, ...]
    end: int

    @classmethod
    def of(cls, player: PlayerDepth, lengths: dict[int, int]) -> _Track:
        games = tuple(dict.fromkeys(step.game for step in player.steps))
        borders = tuple(accumulate((lengths[game] for game in games), initial=0))
        return cls(player, games, borders[:-1], max(borders[-1], 1))

    def place(self, step: Step) -> int:
        return self.begins[self.games.index(step.game)] + step.ply

    @property
    def places(self) -> list[int]:
        return [0, *(self.place(step) for step in self.player.steps), self.end]

    @property
    def bands(self) -> list[tuple[float, ...]]:
        """For each type, its probability from each place on."""
        posteriors = [step.posterior for step in self.player.steps]
        return list(zip(self.player.prior, *posteriors, self.player.posterior, strict=True))


def _panel(axes: Axes, track: _Track, colours: Sequence[Any]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.stackplot(track.places, track.bands, colors=colours, step="post", linewidth=0)
    axes.set(xlim=(0, track.end), ylim=(0, 1), yticks=(0, 0.5, 1))
    axes.set_yticklabels(["0", "50 %", "100 %"])
    axes.tick_params(labelsize=_SMALL, width=0.6, length=3)
    axes.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=True))
    axes.set_xlabel("ply", fontsize=_SMALL, labelpad=1)
    _label_bands(axes, track.player)
    _mark_games(axes, track)
    _mark_telling(axes, track, colours)
    _entitle(axes, track.player)


def _label_bands(axes: Axes, player: PlayerDepth) -> None:
    """The final share of each type, beside its band."""
    tops = list(accumulate(player.posterior))
    for type_, share, top in zip(player.types, player.posterior, tops, strict=True):
        if share >= _FEWEST:
            axes.annotate(
                f"{type_}: {100 * share:.0f} %",
                (1, top - share / 2),
                xycoords="axes fraction",
                xytext=(4, 0),
                textcoords="offset points",
                fontsize=_SMALL,
                va="center",
            )


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
    texts = [f"ply {step.ply}: {_shortened(step.action, 16)}" for step in steps]
    unit = track.end / _POINTS
    middles = _spread(places, [(len(text) + 1) * _LETTER * unit for text in texts], track.end)
    for step, place, text, middle in zip(steps, places, texts, middles, strict=True):
        _mark(axes, place, text, (middle - place) / unit, colours[_spoken_for(step)])


def _spread(places: Sequence[float], widths: Sequence[float], end: float) -> list[float]:
    """Middles of texts of some widths, near their places, beside one another, from 0 to the end.

    >>> _spread([10, 50, 51], widths=[8, 8, 8], end=100)
    [10.0, 46.5, 54.5]
    >>> _spread([1, 2, 100], widths=[8, 8, 8], end=100)
    [4.0, 12.0, 96.0]
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
    mirrored = _pushed_right([end - place for place in reversed(places)], widths[::-1])
    return [end - place for place in reversed(mirrored)]


def _spoken_for(step: Step) -> int:
    """The type that a move makes more likely than any other, weakest first."""
    return step.log_likelihood.index(max(step.log_likelihood))


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
    sure = _shortened(", ".join(map(str, player.credible)), 24)
    axes.set_title(
        f"{name}: type {player.likeliest} ({100 * max(player.posterior):.0f} %)",
        loc="left", fontsize=10, fontweight="bold", pad=22,
    )  # fmt: skip
    axes.set_title(
        f"mean {player.mean:.1f}, 90 % sure of {sure}; {len(player.steps)} moves",
        loc="right", fontsize=_SMALL, color=DARK, pad=22,
    )  # fmt: skip


def _shortened(text: str, most: int) -> str:
    plain = one_line(text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"
