"""A person at the table: typing moves, leaving, and taking a seat."""

import io
import sys

import pytest
from rich.console import Console

from sizeup.errors import InvalidInput
from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.play.person import HumanPlayer, Quit, with_person


def plain():
    return Console(file=io.StringIO(), width=60)


def test_a_person_plays_connect_four():
    console, lines = plain(), io.StringIO("z\n?\nD\n\n a \nb\nc\n")

    def rightmost(view, state, seed):
        return view.actions(state)[-1]

    record = play("connect-four", [[HumanPlayer(console, lines)], [rightmost]])
    assert record.players == ("person", "rightmost")
    assert [move.action for move in record.moves if move.player == 0] == ["d", "a", "b", "c"]
    assert record.winner == 0
    shown = console.file.getvalue().splitlines()
    assert shown.count("connect-four") == 4
    assert shown.count("moves: a, b, c, d, e, f, g") == 5  # with every board, and once for ?
    assert "'z' is not a legal action here; legal are a, b, c, d, e, f, g" in shown
    assert "'' is not a legal action here; legal are a, b, c, d, e, f, g" in shown
    assert "your move (? lists the moves, quit leaves): z" in shown


@pytest.mark.parametrize(
    ("typed", "message"), [("d\nQuit\n", "you have left the game"), ("d\n", "the input has ended")]
)
def test_a_person_can_leave(typed, message, monkeypatch):
    with pytest.raises(Quit, match=message):
        play("connect-four", [[HumanPlayer(plain(), io.StringIO(typed))], ["random"]])
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with pytest.raises(Quit, match=message):
        play("connect-four", [[HumanPlayer(plain())], ["random"]])


def test_what_is_typed_at_a_terminal_is_not_repeated():
    typed = io.StringIO("d\n")
    typed.isatty = lambda: True
    console, board = plain(), View(connect_four)
    assert HumanPlayer(console, typed)(board, board.start(), seed=0) == 3
    assert console.file.getvalue().endswith("quit leaves): ")


def test_a_person_takes_a_seat():
    person = HumanPlayer(plain(), io.StringIO())
    teams = with_person(["ca:8+obl:2", "random+ca:3@1,3"], 1, person)
    assert teams[0][1] is person
    assert [str(teams[0][0]), *map(str, teams[1])] == ["ca:8@1,2,3,8", "random", "ca:3@1,3"]
    with pytest.raises(InvalidInput, match="there is no seat 2; the teams have the seats 0 to 1"):
        with_person(["obl:2", "obl:2"], 2, person)
