"""A match on the screen, as it is played or played back, and a person at the table."""

from __future__ import annotations

import math
import sys
import time
import types as python_types
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from numpy.typing import ArrayLike

from sizeup.agents import AgentConfig, Player
from sizeup.errors import InvalidInput, SizeupError
from sizeup.games.contract import View
from sizeup.games.drawing import draw_text
from sizeup.games.look import look_of
from sizeup.play.record import Move, Record
from sizeup.play.replay import first_beliefs, replay, view_of
from sizeup.play.table import AgentLike, Table, members_of
from sizeup.play.words import belief_bars, sentence, who
from sizeup.words import SIMILAR, figure, one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

__all__ = ["HumanPlayer", "MatchView", "Quit", "with_person"]

_Rows: TypeAlias = Mapping[int, Sequence[ArrayLike]]
"""Rows of probabilities, one for each player, by the seat of who believes them."""


class MatchView:
    """A match as it is played, or played back: board, what happened, beliefs and score.

    On a terminal the board stays in its place, there is a pause after each move, and what happened
    scrolls by above; anywhere else it is all plain lines. Use it for one match, as ``watch`` of
    :func:`~sizeup.play.play`, in a ``with`` block.

    It is shown on the console (standard output if None), with ``delay`` seconds between moves on a
    terminal; without ``boards`` only what happened is shown; without ``in_place`` boards scroll by.

    >>> from rich.console import Console
    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.board("SFC", most_turns=2)
    >>> with MatchView(Console(width=80), boards=False) as shown:
    ...     record = play(wall_of_fire, ["obl:2+obl:2"], seed=1, params=world, watch=shown)
    player 0 (obl:2) plays E, reward −2.
    player 1 (obl:2) plays E, reward 100.
    """

    def __init__(
        self, console: Console | None = None, delay: float = 0.4, boards: bool = True,
        in_place: bool = True,
    ) -> None:  # fmt: skip
        from rich.console import Console

        if not 0 <= delay < math.inf:
            raise InvalidInput(f"a delay is a number of seconds of 0 or more, got {delay!r}")
        self.console = console or Console(highlight=False)
        self.delay, self.boards = delay, boards
        able = self.console.is_terminal and not self.console.is_dumb_terminal
        self._in_place = boards and in_place and able
        self._mark = "█" if self.console.encoding.startswith("utf") else "#"
        self._live: Live | None = None
        self._board: Text | None = None
        self._score = 0.0
        self._sides: Sequence[str] = ("team 0", "team 1")

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
        beliefs = {p: list(one.probabilities()) for p, one in table.watchers.items()}
        if self._board is None:
            first = {p: list(rows) for p, rows in beliefs.items()}
            for player, seen in move.seen.items():
                first[player][seen.actor] = seen.before
            self._begin(table, table.view, before, first)
        self._show(table, table.view, before, move, beliefs)

    def play_back(self, record: Record, game: python_types.ModuleType | None = None) -> None:
        """Show a recorded match, after checking all of it; beliefs about a player when it moves."""
        steps = list(replay(record, game))
        view, beliefs = view_of(record, game), first_beliefs(record)
        with self:
            self._begin(record, view, view.start(), beliefs)
            for before, move in steps:
                for player, seen in move.seen.items():
                    beliefs[player][seen.actor] = seen.after
                self._show(record, view, before, move, beliefs)
        self.end(record)
        if record.lacks:
            print_line(self.console, f"note: {record.lacks}.")

    def end(self, record: Record) -> None:
        """Say how the match ended, with the last board if it was not shown."""
        if self._board is not None and not self.boards:
            print_board(self.console, self._board)
        print_line(self.console, _result(record, self._sides))

    def _begin(self, told: Record | Table, view: View, state: Any, beliefs: _Rows) -> None:
        self._board = board(view, state)
        if len(named := look_of(view.game).sides) == 2:
            self._sides = named
        if self.boards:
            self._frame(self._bars(told, beliefs))
            self._pause()

    def _show(
        self, told: Record | Table, view: View, before: Any, move: Move, beliefs: _Rows
    ) -> None:
        after, _ = view.apply(before, view.action_from_text(before, move.action))
        self._board, self._score = board(view, after), self._score + move.reward
        print_line(self.console, sentence(told, move))
        if self.boards:
            self._frame([*self._bars(told, beliefs), _score(self._score, view.teams, self._sides)])
        self._pause()

    def _bars(self, told: Record | Table, beliefs: _Rows) -> list[str]:
        """Everybody's beliefs about their teammates, line by line."""
        lines: list[str] = []
        for player, rows in beliefs.items():
            for mate, team in enumerate(told.teams):
                if team != told.teams[player] or mate == player:
                    continue
                lines.append(f"{who(told.names, player)} about {who(told.names, mate)}:")
                bars = belief_bars(rows[mate], told.types_of(player), mark=self._mark)
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
    line = line.encode(console.encoding, SIMILAR).decode(console.encoding)
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


def _score(score: float, teams: Sequence[int], sides: Sequence[str]) -> str:
    if len(set(teams)) < 2:
        return f"score {figure(score)}"
    lead = f"{sides[score < 0]} leads by {figure(abs(score))}"
    return f"score: {lead if score else 'level'}"


def _result(record: Record, sides: Sequence[str]) -> str:
    won = ": a draw" if record.winner is None else f": {sides[record.winner]} wins"
    won = won if len(set(record.teams)) > 1 else ""
    return f"{one_line(record.reason)}{won}; {_score(record.total, record.teams, sides)}."


class Quit(SizeupError):
    """The person at the table has left the game."""


class HumanPlayer:
    r"""A person in a seat: sees the board and the legal moves, and types one.

    ``?`` lists the moves again; ``quit``, or the end of the input, raises :class:`Quit`. The board
    is shown on the console, lines are read from the stream (standard output and input if None), and
    the record calls the person by the name.

    >>> import io
    >>> from rich.console import Console
    >>> from sizeup.games import connect_four
    >>> person = HumanPlayer(Console(file=io.StringIO()), stream=io.StringIO("z\nd\n"))
    >>> board = View(connect_four)
    >>> person(board, board.start(), seed=0)
    3
    """

    def __init__(
        self, console: Console | None = None, stream: TextIO | None = None, name: str = "person"
    ) -> None:
        from rich.console import Console

        self.console, self.stream = console or Console(highlight=False), stream
        self.__name__ = name  # what a match calls a player that is a function

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Ask until there is a legal move."""
        print_board(self.console, board(view, state))
        texts = [one_line(view.action_text(state, action)) for action in view.actions(state)]
        line = "?"
        while True:
            if line.lower() == "quit":
                raise Quit("you have left the game")
            try:
                if line != "?":
                    return view.action_from_text(state, line)
                print_line(self.console, f"moves: {', '.join(texts)}")
            except InvalidInput as error:
                print_line(self.console, str(error))
            line = self._line()

    def _line(self) -> str:
        """One line of input without the space around it."""
        try:
            line = self.console.input(
                "your move (? lists the moves, quit leaves): ", markup=False, stream=self.stream
            )
        except EOFError:
            raise Quit("the input has ended") from None
        if self.stream is not None and not line:  # an empty line still has its end
            raise Quit("the input has ended")
        if not (self.stream or sys.stdin).isatty():
            print_line(self.console, line.strip())  # as a terminal shows what is typed
        return line.strip()


def with_person(
    teams: Sequence[str], seat_number: int, person: Player,
    game: python_types.ModuleType | None = None,
) -> list[list[AgentLike]]:  # fmt: skip
    """Teams in which a person has somebody's seat.

    Adaptive agents go on considering the type of the agent whose seat is taken. Seats count from 0,
    team after team unless the ``game`` has another order.

    >>> teams = with_person(["ca:8+obl:2", "obl:4"], 1, HumanPlayer(name="Ada"))
    >>> str(teams[0][0]), teams[0][1].__name__, str(teams[1][0])
    ('ca:8@2,4,8', 'Ada', 'obl:4')
    """
    members = members_of(teams)
    sizes = [len(team) for team in members]
    if seat_number not in range(sum(sizes)):
        raise InvalidInput(
            f"there is no seat {seat_number}; the teams have the seats 0 to {sum(sizes) - 1}"
        )
    agents = [a for team in members for a in team if isinstance(a, AgentConfig)]
    types = tuple(sorted({c for a in agents if not a.untyped for c in (a.own, *a.types)}))
    seated: list[list[AgentLike]] = [[_considering(a, types) for a in team] for team in members]
    order = [team for team, size in enumerate(sizes) for _ in range(size)]
    if game is not None and [*map(game.INFO.teams.count, sorted(set(order)))] == sizes:
        order = list(game.INFO.teams)
    seated[order[seat_number]][order[:seat_number].count(order[seat_number])] = person
    return seated


def _considering(member: AgentConfig | Player, types: tuple[int, ...]) -> AgentLike:
    """An agent that goes on considering types of agents that are not there any more."""
    if isinstance(member, AgentConfig) and member.is_adaptive and not member.types:
        return replace(member, types=types)
    return member
