"""Games from files, the positions of their moves, and how far the looking has come."""

import io
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from sizeup.errors import InvalidInput
from sizeup.games import harvest
from sizeup.games.checkers.pdn import read_pdn
from sizeup.play import play
from sizeup.play.played import (
    LookProgress,
    PlayedMove,
    moves_of,
    names_of,
    players_of,
    plies_of,
    positions,
    read_games,
)
from sizeup.play.replay import replay
from tests.play.conftest import quick

# -- games from files ---------------------------------------------------------------------------

BAD_FILES = {
    '[GameType "20"] 1. 32-28 *': "line 1, column 12: this is game type 20, international draughts",
    "1. 32-28 19-23 *": "line 1, column 4: ",
    "{}": "expected a record of schema 'sizeup-record/2', got JSON that names none",
    '{"schema": "sizeup-record/3"}': "schema 'sizeup-record/2', got 'sizeup-record/3'",
    '{"schema": "sizeup-record/1", ': "the record is cut off or no JSON: line 1",
    '{"seed": %s}' % ("9" * 5000): "this is not a record of a match: Exceeds the limit",
    "[" * 100_000: "this is not a record of a match: maximum recursion depth exceeded",
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


def test_how_much_of_a_file_has_been_read_is_told(tmp_path):
    texts = {"games.pdn": "1. 11-15 *\n1. 9-14 22x18 *", "lines": "10-14\t1-0\n\n9-12 23-19\t*\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        shares = []
        assert len(read_games(tmp_path / name, shares.append)) == 2
        assert shares == sorted(shares)
        assert shares[-1] == 1.0


def test_who_played_and_what(four, field):
    pdn = read_pdn('[Black "Ann"] [White "?"] 1. 11-15 23-19 * [FEN "W:W22:B9"] 22-18 9-14 *')
    assert [names_of(game) for game in (pdn[0], four)] == [["Ann", "White"], ["obl:3", "obl:1"]]
    assert names_of(field, by="seat") == ["seat 0", "seat 1", "seat 2"]
    assert names_of(pdn[0], by="seat") == ["seat 0", "seat 1"]
    assert players_of([*pdn, four]) == ["Ann", "White", "Black", "obl:3", "obl:1"]
    assert [[player for player, _ in moves_of(game)] for game in pdn] == [[0, 1], [1, 0]]
    assert plies_of(field) == field.moves[-1].ply < len(field.moves)
    assert plies_of(pdn[0]) == 2


def test_of_thousands_of_players_few_are_named():
    games = read_pdn(" ".join(f'[Black "P{number:04}"] 1. 11-15 *' for number in range(3000)))
    with pytest.raises(InvalidInput) as refused:
        positions(games, players=["P1234x"])
    assert "'P1234x' in these games; players are P1234, " in str(refused.value)
    assert str(refused.value).endswith(" and 2,991 more")
    assert len(str(refused.value)) < 200


# -- positions ----------------------------------------------------------------------------------


def test_seats_and_chance_and_parameters_are_played_again(four):
    dry = harvest.INFO.params._replace(rain=np.full(4, 0.1))
    cases = [
        play("harvest", ["random+obl:1+obl:2"], seed=1, params=dry),
        play("connect-four", [quick("obl:2+obl:1"), quick("obl:1")], seed=2),
        four,
    ]
    found = list(positions(cases))
    for number, record in enumerate(cases):
        mine = [one for one in found if one.game == number]
        steps = [(state, move) for state, move in replay(record) if move.player >= 0]
        assert [one.state for one in mine] == [state for state, _ in steps]
        texts = [one.view.action_text(one.state, one.action) for one in mine]
        assert texts == [move.action for _, move in steps]
        assert [one.seat for one in mine] == [move.player for _, move in steps]
        assert [one.ply for one in mine] == [move.ply for _, move in steps]
        assert [one.player for one in mine] == [record.players[one.seat] for one in mine]
    assert next(iter(found)).view.params.rain.tolist() == [0.1] * 4


def test_games_of_one_kind_share_a_view(four):
    other = play("connect-four", [quick("obl:2+obl:1"), quick("obl:1")], seed=2)
    views = {one.game: one.view for one in positions([four, other, four])}
    assert views[0] is views[2] is not views[1]


def test_a_move_without_an_alternative_is_forced():
    pdn = read_pdn('[Black "Ann"] [White "Ben"] 1. 11-15 22-18 2. 15x22 25x18 *')
    assert [one.is_forced for one in positions(pdn)] == [False, False, True, False]


def test_a_game_from_a_position_is_gone_through_from_there():
    [game] = read_pdn('[White "Ben"] [FEN "W:W22,23:B9,10"] 1. 22-18 10-15 *')
    found = [(one.ply, one.seat, one.player) for one in positions([game])]
    assert found == [(1, 1, "Ben"), (2, 0, "Black")]


def test_only_the_players_that_are_asked_for_are_gone_through(four):
    mine = [one.ply for one in positions([four], players=["obl:1"])]
    assert mine == [one.ply for one in positions([four]) if one.seat == 1]
    assert [one.ply for one in positions([four], by="seat", players=["seat 1"])] == mine
    assert list(positions([four], players=[])) == []
    for settings, message in (
        ({"players": ["obl:1", "Ann"]}, "no player 'Ann' in these games; players are obl:3, obl:1"),
        ({"players": ["obl:1"], "by": "seat"}, "no player 'obl:1' .* players are seat 0, seat 1"),
        ({"by": "hat"}, "told apart by 'name' or by 'seat', got 'hat'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            positions([four], **settings)
    with pytest.raises(InvalidInput, match="no player 'Ann' in these games; players are none"):
        positions([], players=["Ann"])


@pytest.mark.slow
def test_what_is_wrong_with_a_record_is_said_before_the_first_position(four, fire):
    for record, message in (
        (replace(four, start="nowhere"), "game 2: 'nowhere' is not a position of this board"),
        (replace(four, players=("obl:1",)), "game 2: the record has players"),
        (replace(four, game="os"), "game 2: 'os' is not a game that comes with Sizeup"),
        (replace(four, params={"size": 1}), "game 2: the record's params hold .'size'., expected"),
        (replace(fire, params={**fire.params, "width": 0}), "game 2: the record's params.width is"),
    ):
        with pytest.raises(InvalidInput, match=message):
            positions([four, record])


@pytest.mark.slow
def test_searching_games_needs_no_drawing():
    code = "import sys, sizeup.play.infer, sizeup.play.plots; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "matplotlib" not in loaded


# -- progress -----------------------------------------------------------------------------------

GAMES = read_pdn("11-15 23-19 8-11 22-17 * 11-15 23-19 *")


def looked(game, ply):
    return PlayedMove(game, ply, 0, "Ann", None, None, 0)


def shown(console, games, looks):
    with LookProgress(games, console) as progress:
        for game, ply in looks:
            progress(looked(game, ply))
    return console.file.getvalue()


def test_plain_lines_at_first_now_and_then_and_at_last(monkeypatch):
    times = iter([0.0, *(float(t) for t in range(1, 1000))])
    monkeypatch.setattr("sizeup.play.played.time.monotonic", lambda: next(times))
    console = Console(file=io.StringIO())
    many = GAMES[:1] * 25
    text = shown(console, many, [(game, ply) for game in range(25) for ply in (1, 3)])
    lines = text.splitlines()
    assert lines[0] == "game 1 of 25: 1 of 100 moves"
    assert 3 <= len(lines) <= 6


def test_games_are_counted_by_their_own_length():
    text = shown(Console(file=io.StringIO()), GAMES, [(0, 1), (1, 2)])
    assert text == "game 1 of 2: 1 of 6 moves\ngame 2 of 2: 6 of 6 moves\n"


def test_a_bar_on_a_terminal_that_leaves_nothing_behind():
    settings = {"width": 70, "force_terminal": True, "color_system": None}
    for name, is_bar in (("xterm", True), ("dumb", False)):
        console = Console(file=io.StringIO(), _environ={"TERM": name}, **settings)
        text = shown(console, GAMES, [(0, 1), (1, 2)])
        assert ("100%" in text) == is_bar
        assert ("2 of 2: 6 of 6 moves" in text) == (not is_bar)
        assert text.endswith("\x1b[2K") == is_bar  # the line is empty again


def test_standard_error_unless_told_otherwise(capsys):
    with LookProgress(GAMES) as progress:
        progress(looked(1, 2))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "game 2 of 2: 6 of 6 moves\n")
