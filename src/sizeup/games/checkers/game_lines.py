"""Games of checkers one a line, as data sets hold them: moves, a tab, the result.

Squares are numbered from 0, in rows from the side that moves first, and each row from the other end
than in PDN: square ``n`` is PDN's ``4 * (n // 4) + 4 - n % 4``. A move names every square it stops
at, ``6-13-20``::

    10-14 22-19 5-10 19-15	0-1
"""

from __future__ import annotations

import re

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.notation import PdnError, move_from_text, shown
from sizeup.games.checkers.pdn import PdnGame
from sizeup.games.contract import view_here

__all__ = ["is_game_lines", "read_game_lines"]

_MOVE = r"[0-9]{1,2}(?:-[0-9]{1,2})+"
_LINE = re.compile(rf"\s*{_MOVE}(?: +{_MOVE})* *\t *(?:1-0|0-1|1/2-1/2|\*)\s*")


def is_game_lines(text: str) -> bool:
    r"""Whether the first lines of a text hold a game like this; others may be wrong.

    >>> is_game_lines("10-14 22-19\t1-0\n"), is_game_lines("1. 11-15 23-19 *")
    (True, False)
    """
    return any(_LINE.fullmatch(line) for line in text[:10_000].splitlines())


def read_game_lines(text: str) -> list[PdnGame]:
    r"""Read all games; empty lines are skipped, and whatever is wrong is told with its line.

    >>> [game] = read_game_lines("10-14 22-19\t1/2-1/2")
    >>> len(game.actions), game.result
    (2, '1/2-1/2')
    >>> read_game_lines("10-14 22-19\t1/2-1/2\n10-14 22-29\t*")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: line 2, move 2: '22-29' is 22-31 in PDN's numbers, where '22-31' is
    not legal here; legal are 22-17, 23-18, 24-19, 21-17, 22-18, 23-19, 24-20
    """
    return [_game(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _game(line: str, number: int) -> PdnGame:
    if not _LINE.fullmatch(line):
        raise InvalidInput(
            f"line {number}: {shown(line)} is not a game; expected moves like 10-14 22-19, a tab, "
            "and 1-0, 0-1, 1/2-1/2 or *"
        )
    moves, result = line.split("\t")
    view = view_here(checkers)
    state, actions = view.start(), []
    for at, move in enumerate(moves.split(), 1):
        named = [4 * (int(n) // 4) + 4 - int(n) % 4 for n in move.split("-")]
        pdn = "-".join(map(str, named))
        try:
            actions.append(move_from_text(state, pdn))
        except PdnError as error:
            raise InvalidInput(
                f"line {number}, move {at}: {move!r} is {pdn} in PDN's numbers, where "
                f"{error.problem}"
            ) from None
        state, _ = view.apply(state, actions[-1])
    return PdnGame((), view.start(), tuple(actions), result.strip())
