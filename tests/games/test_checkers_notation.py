"""Positions as FEN texts: what is written, what is read, what is refused and where."""

import pickle

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers import CheckersState, board_of
from sizeup.games.checkers.notation import PdnError, state_from_fen, state_to_fen
from sizeup.games.contract import View

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def bits(*squares):
    return board_of(squares)


def random_position(rng):
    """Any position that FEN may hold: 0 to 12 pieces a side, men and kings."""
    free = rng.permutation(32).tolist()
    boards, kings = [0, 0], 0
    for side, crowning in ((0, range(28, 32)), (1, range(4))):
        for _ in range(rng.integers(0, 13)):
            square = free.pop()
            boards[side] |= board_of([square + 1])
            if square in crowning or rng.random() < 0.5:
                kings |= board_of([square + 1])
    return CheckersState(boards[0], boards[1], kings, int(rng.integers(2)))


def test_the_start_position_is_written_as_everybody_writes_it():
    start = View(checkers).start()
    assert state_to_fen(start) == START
    assert state_from_fen(START) == start


def test_positions_come_back_as_they_were():
    rng = np.random.default_rng(5)
    for _ in range(2000):
        state = random_position(rng)
        assert state_from_fen(state_to_fen(state)) == state


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B:W21,22,K24:B1,2,K3", CheckersState(bits(1, 2, 3), bits(21, 22, 24), bits(3, 24), 0)),
        ("W:B1,2,K3:W21,22,K24", CheckersState(bits(1, 2, 3), bits(21, 22, 24), bits(3, 24), 1)),
        ("B:W21,22:B1.", CheckersState(bits(1), bits(21, 22), 0, 0)),
        ('"B:W21,22:B1."', CheckersState(bits(1), bits(21, 22), 0, 0)),
        ("\n B : W 21 , K 22 : B 1 . \r\n", CheckersState(bits(1), bits(21, 22), bits(22), 0)),
        ("B:W21-32:B1-12", CheckersState(0x1EFF, 0x7FBC00000, 0, 0)),
        ("B:WK1 - 3,9-9:B", CheckersState(0, bits(1, 2, 3, 9), bits(1, 2, 3), 0)),
        ("W:W:B", CheckersState(0, 0, 0, 1)),
        ("W:W:BK032", CheckersState(bits(32), 0, bits(32), 1)),
    ],
)
def test_ways_to_write_a_position(text, expected):
    assert state_from_fen(text) == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("", 1, 1, "expected 3"),
        ("B", 1, 1, "'B' has 1 part between colons; expected 3"),
        ("B:W21:B1:B2", 1, 1, "has 4 parts"),
        (" :W21:B1", 1, 2, "the side to move is ''; expected B or W"),
        ("b:W21:B1", 1, 1, "the side to move is 'b'; expected B or W"),
        ("R:W21:B1", 1, 1, "the side to move is 'R'; expected B or W"),
        ("B:W21:", 1, 7, "names no side; expected W or B"),
        ("B:W21:21", 1, 7, "'21' names no side; expected W or B"),
        ("B:W21:W22", 1, 7, "the same side is given twice"),
        ("B:W21,0:B1", 1, 7, "there is no square 0; expected 1 to 32"),
        ("B:W21,33:B1", 1, 7, "there is no square 33; expected 1 to 32"),
        ("B:W21-33:B1", 1, 4, "there is no square 33; expected 1 to 32"),
        ("B:W21," + "9" * 100_000 + ":B1", 1, 7, "there is no square 999999999999; expected"),
        ("B:W21,22,21:B1", 1, 10, "square 21 is given twice"),
        ("B:W21-24,K23:B1", 1, 10, "square 23 is given twice"),
        ("B:B9,10:W21,K9", 1, 13, "square 9 is given twice"),
        ("B:W20-32:B1", 1, 4, "W has more than 12 pieces"),
        ("B:W21-32,20:B1", 1, 10, "W has more than 12 pieces"),
        (
            "B:W21:B1,2,29",
            1,
            12,
            "a man of B on 29, where it would have been crowned; expected K29",
        ),
        ("B:W4,21:B1", 1, 4, "a man of W on 4, where it would have been crowned; expected K4"),
        ("B:W24-21:B1", 1, 4, "the range 24-21 runs backwards; expected 21-24"),
        ("B:W21,:B1", 1, 7, "'' is no piece; expected a square like 21"),
        ("B:W21,k22:B1", 1, 7, "'k22' is no piece"),
        ("B:W21,KK22:B1", 1, 7, "'KK22' is no piece"),
        ("B:W2\u0662:B1", 1, 4, "is no piece"),
        ("B:W21:B1..", 1, 8, "'1.' is no piece"),
        ("B:W21:\nB1,\x00", 2, 4, r"'\x00' is no piece"),
        ("B:\r\nW21:\rB1,\ud800", 3, 4, r"'\ud800' is no piece"),
        ("B:W21:B" + "x" * 100_000, 1, 8, "(and 99,960 characters more) is no piece"),
        ('"B:W21:B1', 1, 1, "the side to move is '\"B'"),
    ],
)
def test_what_is_refused_and_where(text, line, column, says):
    with pytest.raises(PdnError) as caught:
        state_from_fen(text)
    assert says in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize(
    "state",
    [
        CheckersState(bits(1), bits(1), 0, 0),
        CheckersState(bits(1), bits(21), bits(2), 0),
        CheckersState(bits(1), bits(21), 0, 2),
        CheckersState(1 << 8, bits(21), 0, 0),
        CheckersState(bits(29), bits(21), 0, 0),
        CheckersState(bits(*range(1, 14)), bits(21), 0, 0),
    ],
)
def test_what_is_no_position_is_not_written(state):
    with pytest.raises(InvalidInput):
        state_to_fen(state)


def test_what_is_no_text_is_refused():
    with pytest.raises(InvalidInput, match="got bytes"):
        state_from_fen(b"B:W21:B1")


def test_an_error_survives_a_trip_between_processes():
    error = pickle.loads(pickle.dumps(PdnError("trouble", 3, 4)))
    assert (str(error), error.line, error.column) == ("line 3, column 4: trouble", 3, 4)
