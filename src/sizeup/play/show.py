"""A match on the screen, as it is played or played back."""

from __future__ import annotations

import math
import time
import types as python_types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.games.drawing import draw_text
from sizeup.games.scenes import one_line
from sizeup.play.match import Table
from sizeup.play.record import Move, Record
from sizeup.play.replay import first_beliefs, replay, view_of
from sizeup.play.words import belief_bars, sentence, types_of, who

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

__all__ = ["MatchView"]

Beliefs = Mapping[int, Sequence[ArrayLike]]
"""Rows of probabilities, one for each player, by the seat of who believes them."""


class MatchView:
    """A match as it is played, or played back: board, what happened, beliefs and score.

    On a terminal the board stays in its place, there is a pause after each move, and what happened
    scrolls by above; anywhere else it is all plain lines. Use it for one match, as ``watch`` of
    :func:`~sizeup.play.play`, in a ``with`` block.

    Parameters
    ----------
    console
        Where to show it; the standard output if None.
    delay
        Seconds between moves on a terminal.
    boards
        Whether the board and beliefs are shown after every move, or only what happened.
    in_place
        Whether the board stays in its place on a terminal that can do that.

    Examples
    --------
    >>> from rich.console import Console
    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.board("SFC", most_turns=2)
    >>> with MatchView(Console(width=80), boards=False) as shown:
    ...     record = play(wall_of_fire, ["obl:2+obl:2"], seed=1, params=world, watch=shown)
    player 0 (obl:2) plays E, reward -2.
    player 1 (obl:2) plays E, reward 100.
    """

    def __init__(
        self,
        console: Console | None = None,
        delay: float = 0.4,
        boards: bool = True,
        in_place: bool = True,
    ) -> None:
        from rich.console import Console

        if not 0 <= delay < math.inf:
            raise InvalidInput(f"a delay is a number of seconds of 0 or more, got {delay!r}")
        self.console = Console(highlight=False) if console is None else console
        self.delay, self.boards = delay, boards
        able = self.console.is_terminal and not self.console.is_dumb_terminal
        self._in_place = boards and in_place and able
        self._mark = "█" if self.console.encoding.startswith("utf") else "#"
        self._live: Live | None = None
        self._board: Text | None = None
        self._score = 0.0

    def __enter__(self) -> MatchView:
        from rich.live import Live

        if self._in_place:
            self._live = Live(console=self.console, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, table: Table, before: Any, move: Move) -> None:
        """Show a move as it is made."""
        adaptive = {p: a for p, a in table.agents.items() if a.config.is_adaptive}
        beliefs = {p: list(agent.probabilities()) for p, agent in adaptive.items()}
        if self._board is None:
            first = {p: list(rows) for p, rows in beliefs.items()}
            for player, seen in move.seen.items():
                first[player][seen.actor] = seen.before
            self._begin(table, before, first)
        self._show(table, before, move, beliefs)

    def play_back(self, record: Record, game: python_types.ModuleType | None = None) -> None:
        """Show a recorded match, after checking all of it.

        The parameters are those of :func:`~sizeup.play.replay.replay`. Beliefs are shown as they
        are recorded: about a player, when it moves.
        """
        steps = list(replay(record, game))
        table = Table(view_of(record, game), (), record.players, record.types)
        beliefs = first_beliefs(record)
        with self:
            self._begin(table, table.view.start(), beliefs)
            for before, move in steps:
                for player, seen in move.seen.items():
                    beliefs[player][seen.actor] = seen.after
                self._show(table, before, move, beliefs)
        self.end(record)

    def end(self, record: Record) -> None:
        """Say how the match ended, with the last board if it was not shown."""
        if self._board is not None and not self.boards:
            print_board(self.console, self._board)
        print_line(self.console, _result(record))

    def _begin(self, table: Table, state: Any, beliefs: Beliefs) -> None:
        self._board = board(table.view, state)
        if self.boards:
            self._frame(self._bars(table, beliefs))
            self._pause()

    def _show(self, table: Table, before: Any, move: Move, beliefs: Beliefs) -> None:
        view = table.view
        after, _ = view.apply(before, view.action_from_text(before, move.action))
        self._board, self._score = board(view, after), self._score + move.reward
        print_line(self.console, sentence(table.names, move, table.types, view.teams))
        if self.boards:
            self._frame([*self._bars(table, beliefs), _score(self._score, view.teams)])
        self._pause()

    def _bars(self, table: Table, beliefs: Beliefs) -> list[str]:
        """Everybody's beliefs about their teammates, line by line."""
        lines: list[str] = []
        for player, rows in beliefs.items():
            known = types_of(table.names[player], table.types)
            for mate in _teammates(table.view.teams, player):
                lines.append(f"{who(table.names, player)} about {who(table.names, mate)}:")
                bars = belief_bars(rows[mate], known, mark=self._mark)
                lines += [f"  {line}" for line in bars.splitlines()]
        return lines

    def _frame(self, told: list[str]) -> None:
        """The board with what is told below it."""
        from rich.console import Group
        from rich.text import Text

        assert self._board is not None
        below = "".join(f"{line}\n" for line in told)
        if self._live is not None:
            self._live.update(Group(self._board, Text(below)), refresh=True)
        else:
            print_board(self.console, self._board)
            print_line(self.console, below)

    def _pause(self) -> None:
        if self.console.is_terminal and self.delay:
            time.sleep(self.delay)


def print_line(console: Console, line: str) -> None:
    """Print text as it is, on lines as long as they are unless a terminal shows them."""
    plain = not console.is_terminal
    console.print(line, markup=False, highlight=False, emoji=False, soft_wrap=plain)


def print_board(console: Console, board: Text) -> None:
    """Print a board, without the space at the ends of its lines unless on a terminal."""
    if console.is_terminal:
        console.print(board)
    else:
        print_line(console, "\n".join(line.rstrip() for line in board.plain.splitlines()))


def board(view: View, state: Any) -> Text:
    """A state as it is drawn in a terminal."""
    return draw_text(view.game, state, view.params)


def _teammates(teams: Sequence[int], player: int) -> list[int]:
    return [p for p, team in enumerate(teams) if team == teams[player] and p != player]


def _score(score: float, teams: Sequence[int]) -> str:
    if len(set(teams)) < 2:
        return f"score {score:g}"
    return f"score: team {int(score < 0)} leads by {abs(score):g}" if score else "score: level"


def _result(record: Record) -> str:
    score = _score(record.total, record.teams)
    if len(set(record.teams)) < 2:
        return f"{one_line(record.reason)}; {score}."
    won = "a draw" if record.winner is None else f"team {record.winner} wins"
    return f"{one_line(record.reason)}: {won}; {score}."
