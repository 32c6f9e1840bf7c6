"""Numbers and lists as people write them, in one way everywhere."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

__all__ = [
    "SIMILAR", "counted", "figure", "listed", "one_line", "percent", "points", "unsure",
]  # fmt: skip

SIMILAR = "sizeup.similar"
"""What to do with letters that an encoding lacks, as ``errors`` of it: print similar ones."""

_SIMILAR = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{FULL BLOCK}": "#"}


def _similar(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_SIMILAR.get(letter, "?") for letter in lacking), error.end


codecs.register_error(SIMILAR, _similar)


def one_line(text: str) -> str:
    r"""Text without line breaks, which would spoil columns, or anything that XML does not allow.

    >>> one_line("two\nlines")
    'two lines'
    """
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def counted(number: int, noun: str) -> str:
    """Count things, one or many.

    >>> counted(1, "visit"), counted(2000, "visit")
    ('1 visit', '2,000 visits')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def figure(value: float) -> str:
    """A number with at most two decimal places and a true minus sign.

    >>> figure(2.0), figure(0.314), figure(-0.001)
    ('2', '0.31', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "\N{MINUS SIGN}")


def points(value: float) -> str:
    """A number of points.

    >>> points(2.0), points(1.0)
    ('2 points', '1 point')
    """
    text = figure(value)
    return f"{text} point" if text.lstrip("\N{MINUS SIGN}") == "1" else f"{text} points"


def percent(probability: float) -> str:
    """A whole percentage that never calls certain or impossible what is only nearly so.

    >>> percent(0.5), percent(0.999), percent(1e-9), percent(1.0)
    ('50 %', '>99 %', '<1 %', '100 %')
    """
    if 0.995 <= probability < 1:
        return ">99 %"
    return "<1 %" if 0 < probability < 0.005 else f"{100 * probability:.0f} %"


def unsure(probability: float) -> str:
    """The same for what evidence alone makes no one certain of, though a computer may round it so.

    >>> unsure(1.0), unsure(0.0), unsure(0.5)
    ('>99 %', '<1 %', '50 %')
    """
    return percent(min(max(probability, 1e-9), 1 - 1e-9))


def listed(words: Sequence[object], joint: str = "and") -> str:
    """A list as a person would say it.

    >>> listed([2]), listed([2, 4], "or"), listed([2, 4, 8])
    ('2', '2 or 4', '2, 4 and 8')
    """
    *most, last = map(str, words)
    return f"{', '.join(most)} {joint} {last}" if most else last
