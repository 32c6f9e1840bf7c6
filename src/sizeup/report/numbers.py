"""Numbers as a reader wants them: a true minus sign, thousands apart, no false precision."""

from __future__ import annotations

from math import isnan

from sizeup.report.summary import Estimate

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"


def decimal(number: float | None, digits: int = 1) -> str:
    """A number with so many digits; a dash for none.

    >>> decimal(3.26), decimal(-3.26) == f"{MINUS}3.3", decimal(float("nan")) == NOTHING
    ('3.3', True, True)
    """
    if number is None or isnan(number):
        return NOTHING
    return f"{number:z,.{digits}f}".replace("-", MINUS)  # z: there is no negative zero


def signed(number: float | None, digits: int = 1) -> str:
    """The same with a sign, for differences.

    >>> signed(3.26), signed(-0.01)
    ('+3.3', '0.0')
    """
    text = decimal(number, digits)
    is_above = number is not None and number > 0 and bool(text.strip("0.,"))
    return f"+{text}" if is_above else text


def plain(number: float | None) -> str:
    """A number with as many digits as it has, for rewards.

    >>> plain(1490.0), plain(-2.5) == f"{MINUS}2.5"
    ('1,490', True)
    """
    is_known = number is not None and not isnan(number)
    return f"{number:,g}".replace("-", MINUS) if is_known else NOTHING


def short(number: float | None) -> str:
    """The same with two digits after the point at most, for means of a few games.

    >>> short(17.16666), short(1490.0)
    ('17.17', '1,490')
    """
    return plain(None if number is None else round(number, 2))


def interval(found: Estimate | None, digits: int = 1, *, is_signed: bool = False) -> str:
    """The ends of an interval.

    >>> interval(Estimate(13.3, 2.54, 19.1)), interval(Estimate(13.3, 2.54, 19.1), is_signed=True)
    ('2.5 to 19.1', '+2.5 to +19.1')
    """
    if found is None or found.low is None or found.high is None:
        return NOTHING
    shown = signed if is_signed else decimal
    return f"{shown(found.low, digits)} to {shown(found.high, digits)}"


def thousands(number: int) -> str:
    """A count, with commas."""
    return f"{number:,}"


def work(seconds: float) -> str:
    """Processor time in a unit that fits.

    >>> work(30.2), work(3000), work(90000)
    ('30 core-seconds', '50 core-minutes', '25 core-hours')
    """
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 3 * size:
            return f"{decimal(seconds / size, 0)} core-{unit}"
    return f"{decimal(seconds, 0)} core-seconds"
