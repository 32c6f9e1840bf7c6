"""Positions with moves from files, packed and encoded in every way; all samples are made here."""

import gzip
import re

import pytest

from sizeup.errors import InvalidInput
from sizeup.games import connect_four, four_in_a_row, harvest
from sizeup.games.contract import View, load_game
from sizeup.play.infer import Interrupted, infer
from sizeup.play.moves_table import MovesTable, TableRow, read_moves_table
from sizeup.play.played import players_of, plies_of, positions, read_games
from tests.play.conftest import QUICK

PEOPLE = """person,black,white,to_move,move,seconds,fold
P1,0,0,black,8192,5.4,3
P1,8192,16384,black,4096,2.1,1
P2,8192,0,white,34359738368,1.0,2
"""

PLAIN = """Player, Position ,move,game,note
Ann,......./......./......./......./......./....... x,d,connect-four,first
"Ben, the other",......./......./......./......./......./...x... o,c,connect-four,
"""

LINES = "10-14 22-19 5-10 19-15\t0-1\n\n9-12 23-19 11-15\t*\n"


def written(tmp_path, text, name="moves.csv", encoding="utf-8", packed=False):
    path = tmp_path / name
    raw = text.encode(encoding)
    path.write_bytes(gzip.compress(raw) if packed else raw)
    return path


def test_bits_of_people_are_squares_of_the_board(tmp_path):
    [table] = games = read_games(written(tmp_path, PEOPLE))
    assert (table.game, players_of(games), plies_of(table)) == ("four-in-a-row", ["P1", "P2"], 3)
    first, second, third = positions(games)
    view = View(four_in_a_row)
    assert view.action_text(first.state, first.action) == "e2"
    assert view.state_text(second.state) == "........./........./....xo.../......... x"
    assert (third.seat, third.ply, view.action_text(third.state, third.action)) == (1, 3, "i4")
    assert [one.player for one in positions(games, by="seat")] == ["seat 0", "seat 0", "seat 1"]
    assert [one.ply for one in positions(games, players=["P2"])] == [3]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [PEOPLE, PLAIN, LINES, '[Black "Zoë"] 1. 11-15 23-19 *'])
def test_every_text_is_read_however_it_is_packed(tmp_path, text, encoding, packed):
    games = read_games(written(tmp_path, text, "games", encoding, packed))
    plain = read_games(written(tmp_path, text))
    assert [plies_of(game) for game in games] == [plies_of(game) for game in plain]
    assert players_of(games) == players_of(plain)


@pytest.mark.parametrize(("old", "new"), [(",", ";"), (",", "\t"), ("\n", "\r"), ("\n", "\r\n")])
def test_tables_as_spreadsheets_write_them(tmp_path, old, new):
    text = PEOPLE.replace("black,8192", "Black, 8192")
    [table] = read_games(written(tmp_path, text.replace(old, new)))
    assert table.rows == read_games(written(tmp_path, PEOPLE))[0].rows


def test_a_plain_table_is_of_any_game(tmp_path):
    games = read_games(written(tmp_path, PLAIN))
    assert players_of(games) == ["Ann", "Ben, the other"]
    assert [one.view.game for one in positions(games)] == [connect_four] * 2
    unnamed = read_games(written(tmp_path, "player,position,move\nA,turn=0 growth=0 sown=0,sow\n"))
    [one] = positions(unnamed, game=harvest)
    assert one.view.game is harvest
    both = read_moves_table("player,position,move,game\nA,x,y,one\nA,z,y,two\nA,u,v,one\n")
    assert [(table.game, plies_of(table)) for table in both] == [("one", 2), ("two", 1)]
    assert both[0].rows[1] == TableRow(4, "A", "u", "v")


BAD = {
    "person,black,white,to_move,move\nP,0,0,black,3\n": "line 2: move is 3, expected one bit",
    "person,black,white,to_move,move\nP,1,0,white,1\n": "line 2: move is 1, expected one bit",
    "person,black,white,to_move,move\nP,0,0,grey,1\n": "line 2: to_move is 'grey', expected black",
    "person,black,white,to_move,move\nP,0,0,black,1\nP,3,3,black,4\n": "line 3: black 3 and",
    "person,black,white,to_move,move\nP,-1,0,black,1\n": "line 2: black is '-1', expected the bits",
    "person,black,white,to_move,move\nP,1e3,0,black,1\n": "line 2: black is '1e3', expected",
    "person,black,white,to_move,move\nP,99999999999,0,black,1\n": "expected bits of 36 squares",
    "person,black,white,to_move,move\nP,0,0,black,68719476736\n": "expected bits of 36 squares",
    "person,black,white,to_move,move\nP,1,0,black,2\n": "line 2: '........./........./......",
    "person,black,white,to_move,move\n\n ,0,0,black,1\n": "line 3: there is no name of a player",
    "person,black,white,to_move,move\nP,0,0,black\n": "line 2: expected 5 cells, one for each of",
    "person,black,move\nP,0,1\n": "line 1: a table of moves has the columns player, position and",
    "player,player,position,move\nA,B,x,y\n": "line 1: there are several columns player",
    "position,move\nx,1\n": "line 1: a table of moves has the columns player",
    "player,position,move\n": "there is no game in it",
    "10-14 22-19\t1-0\n10-14 22-19 1-0\n": "line 2: '10-14 22-19 1-0' is not a game; expected",
    "10-14 22-19\t1-0\n10-14 22-29\t1-0\n": "line 2, move 2: '22-29' is 22-31 in PDN's numbers",
    "10-14 22-19\t1-0\n10-99\t1-0\n": "line 2, move 1: '10-99' is 10-97",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_told_in_one_line_with_file_and_line(tmp_path, text):
    path = written(tmp_path, text)
    with pytest.raises(InvalidInput) as refused:
        read_games(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert BAD[text] in message
    assert "\n" not in message


NOT_PLAYED = {
    "player,position,move\nA,x,y\n": "a table of moves needs a game, and this one has none; pass",
    "player,position,move,game\nA,x,y,chess\n": "line 2: a table of moves needs a game, and",
    PLAIN.replace(",d,", ",h,"): "line 2: 'h' is not a legal action here; legal are a, b",
    PLAIN.replace("...x... o", "...x... x"): "line 3: '......./......./......./......./",
}


@pytest.mark.parametrize("text", NOT_PLAYED)
def test_moves_that_cannot_be_are_told_before_any_search(tmp_path, text):
    path = written(tmp_path, text)
    with pytest.raises(InvalidInput) as refused:
        positions(read_games(path))  # not one move has been asked for
    assert str(refused.value).startswith(f"{path}: {NOT_PLAYED[text]}")


def test_a_table_of_another_game_and_moves_of_chance(tmp_path):
    with pytest.raises(InvalidInput, match="'connect-four', but the given game is 'harvest'"):
        positions(read_games(written(tmp_path, PLAIN)), game=harvest)
    rain = "player,position,move,game\nA,turn=0 growth=0 sown=1,rain,harvest\n"
    with pytest.raises(InvalidInput, match=r"line 2: in 'turn=0 .*' chance decides"):
        positions(read_games(written(tmp_path, rain)))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (gzip.compress(PEOPLE.encode())[:-9], "it is cut off or not a gzip file"),
        (b"\x1f\x8b and no more", "cannot read"),
        (gzip.compress(gzip.compress(PEOPLE.encode())), "is not a move; expected one like 11-15"),
        (b"\xff\xfea", "it is not UTF-16: truncated data"),
    ],
)
def test_files_that_are_broken(tmp_path, raw, message):
    (tmp_path / "broken").write_bytes(raw)
    with pytest.raises(InvalidInput, match=message) as refused:
        read_games(tmp_path / "broken")
    assert "\n" not in str(refused.value)


def test_lines_of_checkers_are_numbered_from_zero(tmp_path):
    first, second = read_games(written(tmp_path, LINES))
    checkers = View(load_game("checkers"))
    state, moves = checkers.start(), []
    for action in first.actions:
        moves.append(checkers.action_text(state, action))
        state, _ = checkers.apply(state, action)
    assert moves == ["10-14", "22-17", "7-10", "17-13"]
    assert (first.result, second.result, len(second.actions)) == ("0-1", "*", 3)


@pytest.mark.slow
def test_depths_are_inferred_from_positions(tmp_path):
    games = read_games(written(tmp_path, PEOPLE))
    found = infer(games, types=(1, 2), options=QUICK)
    assert [(player.name, len(player.steps), player.games) for player in found.players] == [
        ("P1", 2, 1), ("P2", 1, 1),
    ]  # fmt: skip
    again = infer([MovesTable("four-in-a-row", games[0].rows)], types=(1, 2), options=QUICK)
    assert found == again


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("player,position,action\nA,x,y\n", "line 1: a table of moves has the columns player, pos"),
        ("person,moves,elo\nA,3,900\n", "line 1: a table of moves has the columns player, posit"),
        ("Person;Black;White;Turn\n", "line 1: a table of moves has the columns player, position"),
        (PLAIN.replace("connect-four,\n", ",\n"), "line 3: a table of moves needs a game"),
        (PLAIN.replace("connect-four,\n", "chess,\n"), "line 3: a table .* the game 'chess'"),
        ("player,position,move,game\nA,W:W21:BK1,21-18,checkers\n", "line 2: '21-18' is not legal"),
        ("player,position,move,game\nA,W:W21:B1,2-3,checkers\n", "line 2: '2-3' is not legal"),
        ("player,position,move,game\nA,W:W99:B1,2-3,checkers\n", "line 2: there is no square 99"),
    ],
)
def test_the_line_of_a_wrong_table_is_named_once(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(InvalidInput, match=rf"^{re.escape(str(path))}: {message}") as refused:
        positions(read_games(path))
    assert str(refused.value).count("line ") == 1


def test_tags_with_names_of_columns_in_them_are_no_table(tmp_path):
    text = '[Event "a, player, position, move"]\n1. 11-15 *\n'
    assert read_games(written(tmp_path, text))[0].actions


def test_a_table_has_rows_and_no_plies(tmp_path):
    one = infer(read_games(written(tmp_path, PEOPLE)), types=(1, 2), options=QUICK)
    assert " moves with a choice in 1 table, of which " in one["P1"].evidence
    assert re.search(r"^  row [12]: ", one.table(), re.MULTILINE)
    two = [*read_games(written(tmp_path, PEOPLE)), *read_games(written(tmp_path, PEOPLE))]
    twice = infer(two, types=(1, 2), options=QUICK, players=["P2"])["P2"]
    assert [twice.place(step) for step in twice.steps] == ["table 1, row 3", "table 2, row 3"]


def test_ctrl_c_leaves_what_was_found_until_then(tmp_path):
    games, seen = read_games(written(tmp_path, PEOPLE)), []

    def stop_at_the_second(move):
        seen.append(move)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        infer(games, types=(1, 2), options=QUICK, watch=stop_at_the_second)
    whole = infer(games, types=(1, 2), options=QUICK)
    assert stopped.value.found.players == whole.players[:1]
