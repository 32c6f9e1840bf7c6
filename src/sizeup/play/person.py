"""A person at the table, who sees the board and types moves."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput, SizeupError
from sizeup.games.contract import View
from sizeup.games.scenes import one_line
from sizeup.play.match import AgentLike, Player
from sizeup.play.show import board, print_board, print_line

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["HumanPlayer", "Quit", "with_person"]


class Quit(SizeupError):
    """The person at the table has left the game."""


class HumanPlayer:
    r"""A person in a seat: sees the board and the legal moves, and types one.

    ``?`` lists the moves again; ``quit``, or the end of the input, raises :class:`Quit`.

    Parameters
    ----------
    console
        Where the board is shown; the standard output if None.
    stream
        Where lines are read from; the standard input if None.
    name
        What the record calls the person.

    Examples
    --------
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

        self.console = Console(highlight=False) if console is None else console
        self.stream = stream
        self.__name__ = name  # what a match calls a player that is a function

    def __call__(self, view: View, state: Any, seed: int) -> int:
        """Ask until there is a legal move."""
        print_board(self.console, board(view, state))
        self._list_moves(view, state)
        while True:
            line = self._line()
            if line.lower() == "quit":
                raise Quit("you have left the game")
            if line == "?":
                self._list_moves(view, state)
                continue
            try:
                return view.action_from_text(state, line)
            except InvalidInput as error:
                print_line(self.console, str(error))

    def _list_moves(self, view: View, state: Any) -> None:
        texts = [one_line(view.action_text(state, action)) for action in view.actions(state)]
        print_line(self.console, f"moves: {', '.join(texts)}")

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


def with_person(teams: Sequence[str], seat_number: int, person: Player) -> list[list[AgentLike]]:
    """Teams in which a person has somebody's seat.

    Adaptive agents go on considering the type of the agent whose seat is taken.

    Parameters
    ----------
    teams
        Agents as text with ``+`` between them, one text for each team.
    seat_number
        The seat, counted from 0 over all teams.
    person
        Who takes it.

    Examples
    --------
    >>> teams = with_person(["ca:8+obl:2", "obl:4"], 1, HumanPlayer(name="Ada"))
    >>> str(teams[0][0]), teams[0][1].__name__, str(teams[1][0])
    ('ca:8@2,4,8', 'Ada', 'obl:4')
    """
    members = [[read_agent(part) for part in team.split("+")] for team in teams]
    everybody = [agent for team in members for agent in team]
    if seat_number not in range(len(everybody)):
        raise InvalidInput(
            f"there is no seat {seat_number}; the teams have the seats 0 to {len(everybody) - 1}"
        )
    types = tuple(sorted({c for a in everybody if a.model != "random" for c in (a.own, *a.types)}))
    seats: list[AgentLike] = [
        replace(a, types=types) if a.is_adaptive and not a.types else a for a in everybody
    ]
    seats[seat_number] = person
    taken = iter(seats)
    return [[next(taken) for _ in team] for team in members]
