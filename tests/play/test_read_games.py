"""Games from files: records and PDN, and what is neither."""

import pytest

from sizeup.errors import InvalidInput
from sizeup.games.pdn import read_pdn
from sizeup.play.read_games import moves_of, names_of, players_of, plies_of, read_games

BAD_FILES = {
    '[GameType "20"] 1. 32-28 *': "line 1, column 12: this is game type 20, international draughts",
    "1. 32-28 19-23 *": "line 1, column 4: ",
    "{}": "expected a record of schema 'sizeup-record/1', got None",
    '{"schema": "sizeup-record/2"}': "schema 'sizeup-record/1', got 'sizeup-record/2'",
    '{"schema": "sizeup-record/1", ': "the record is cut off or no JSON: line 1",
    '{"seed": %s}' % ("9" * 5000): "this is no record of a match: Exceeds the limit",
    "[" * 100_000: "this is no record of a match: maximum recursion depth exceeded",
    "[]": "got 'list'",
    "": "there is no game in it; expected a record",
    "\x00\x01\x02": "line 1, column 1: ",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "games"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_games(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert BAD_FILES[text] in message
    assert "\n" not in message


def test_files_that_cannot_be_read_and_files_of_long_ago(four, tmp_path):
    with pytest.raises(InvalidInput, match=r"cannot read .*missing: No such file"):
        read_games(tmp_path / "missing")
    (tmp_path / "old.pdn").write_bytes('[Black "Lépine"] {a note} 1. 11-15 *'.encode("latin-1"))
    assert dict(read_games(tmp_path / "old.pdn")[0].tags) == {"Black": "Lépine"}
    (tmp_path / "noted.pdn").write_bytes(b"\xef\xbb\xbf{a note} 1. 11-15 *")
    assert len(read_games(tmp_path / "noted.pdn")) == 1
    (tmp_path / "marked.json").write_text(four.to_json(), encoding="utf-8-sig")
    assert read_games(tmp_path / "marked.json") == [four]


def test_who_played_and_what(four, field):
    pdn = read_pdn('[Black "Ann"] [White "?"] 1. 11-15 23-19 * [FEN "W:W22:B9"] 22-18 9-14 *')
    assert [names_of(game) for game in (pdn[0], four)] == [["Ann", "White"], ["obl:3", "obl:1"]]
    assert names_of(field, by="seat") == ["seat 0", "seat 1", "seat 2"]
    assert names_of(pdn[0], by="seat") == ["seat 0", "seat 1"]
    assert players_of([*pdn, four]) == ["Ann", "White", "Black", "obl:3", "obl:1"]
    assert [[player for player, _ in moves_of(game)] for game in pdn] == [[0, 1], [1, 0]]
    assert plies_of(field) == field.moves[-1].ply < len(field.moves)
    assert plies_of(pdn[0]) == 2
