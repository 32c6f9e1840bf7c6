"""A match on the screen: plain lines, a board in its place, played back; a person in a seat."""

import io
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from rich.console import Console

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.play import Record, play
from sizeup.play.show import HumanPlayer, MatchView, Quit, with_person
from sizeup.play.words import sentence
from sizeup.search import SearchOptions
from sizeup.words import percent
from tests.play.conftest import BRIEF, QUICK, SHORT


def plain():
    return Console(file=io.StringIO(), width=60)


def terminal(name="xterm", height=40):
    return Console(
        file=io.StringIO(),
        width=80,
        height=height,
        force_terminal=True,
        color_system="truecolor",
        _environ={"TERM": name},
    )


@pytest.mark.slow
def test_plain_lines_anywhere_but_on_a_terminal(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("nobody is watching"))
    console = plain()
    with MatchView(console) as shown:
        record = play("wall-of-fire", ["ca:20+obl:2"], seed=1, params=SHORT, watch=shown)
    shown.end(record)
    lines = console.file.getvalue().splitlines()
    assert "\x1b" not in console.file.getvalue()
    assert all(line == line.rstrip() for line in lines)
    assert lines.count("wall-of-fire") == 7  # the first board, and one after every move
    assert lines[11:17] == [
        "player 0 (ca:20) about player 1 (obl:2):",
        "  type 2   ██████████            50 %",
        "  type 20  ██████████            50 %",
        "  none                            1 %",
        "",
        "player 0 (ca:20) plays E, reward −2.",
    ]
    assert sentence(record, record.moves[1]) in lines  # longer than the console is wide
    said = ["50 %"] + [percent(m.seen[0].after[0]) for m in record.moves[1::2] for _ in (0, 1)]
    bars = [line.split()[-2:] for line in lines if line.startswith("  type 2 ")]
    assert [" ".join(bar) for bar in bars][1:] == said[:6]
    assert lines[-3:] == ["score −2", "", "6 turns played; score −2."]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fire", "field", "draughts"])
def test_a_match_played_back_looks_as_it_did(name, request):
    record, replayed = request.getfixturevalue(name), plain()
    teams = [
        [a for a, side in zip(record.players, record.teams, strict=True) if side == team]
        for team in sorted(set(record.teams))
    ]
    options = SearchOptions() if name == "fire" else QUICK
    params = {"fire": SHORT, "field": None, "draughts": BRIEF}[name]
    live, agents = plain(), [[read_agent(a, options) for a in team] for team in teams]
    with MatchView(live) as shown:
        again = play(record.game.split()[0], agents, seed=record.seed, params=params, watch=shown)
    shown.end(again)
    MatchView(replayed).play_back(Record.from_json(record.to_json()))
    assert replayed.file.getvalue() == live.file.getvalue()


def test_chance_and_two_sides_are_told(field, draughts):
    told = {}
    for record in (field, draughts):
        console = plain()
        MatchView(console).play_back(record)
        told[record.game] = console.file.getvalue().splitlines()
    assert {"chance: rain.", "chance: dry."} & set(told["harvest"])
    assert "player 2 (ca:2) about player 1 (obl:1):" in told["harvest"]
    sides = told["checkers 2v1"]
    assert "score: level" in sides
    assert "score: black leads by 1" in sides
    assert "player 0 (ca:4) about player 1 (obl:2):" in sides
    assert not any("about player 2" in line for line in sides)  # an opponent is no teammate
    assert f": {('black', 'white')[draughts.winner]} wins; score: " in sides[-1]


def test_on_a_terminal_the_board_stays_and_there_are_pauses(fire, monkeypatch):
    pauses = []
    monkeypatch.setattr("time.sleep", pauses.append)
    console = terminal()
    MatchView(console, delay=0.25).play_back(fire)
    assert pauses == [0.25] * 7
    assert "\x1b[1A" in console.file.getvalue()  # up to where the board begins
    pauses.clear()
    for console, options in ((terminal("dumb"), {}), (terminal(), {"in_place": False})):
        MatchView(console, delay=0, **options).play_back(fire)
        assert "\x1b[1A" not in console.file.getvalue()
        assert console.file.getvalue().count("49 coins left") == 7
    assert pauses == []


def test_without_boards_the_last_one_is_still_shown(fire):
    console = plain()
    MatchView(console, boards=False).play_back(fire)
    lines = console.file.getvalue().splitlines()
    assert lines[:6] == [sentence(fire, move) for move in fire.moves]
    assert lines[6] == "wall-of-fire"
    assert lines.count("wall-of-fire") == 1


def test_bars_of_letters_where_there_are_no_blocks(fire):
    console = Console(file=io.TextIOWrapper(io.BytesIO(), encoding="ascii"), width=60)
    MatchView(console).play_back(fire)
    console.file.seek(0)
    assert "  type 2   #################### >99 %" in console.file.read()


@pytest.mark.parametrize("delay", [-1, float("nan"), float("inf")])
def test_bad_delays(delay):
    with pytest.raises(InvalidInput, match="a delay is a number of seconds of 0 or more"):
        MatchView(plain(), delay=delay)


def test_a_draw_is_called_one():
    record = play("checkers", ["random", "random"], seed=4)
    console = plain()
    MatchView(console).end(replace(record, total=0.0, winner=None, reason="120 plies played"))
    assert console.file.getvalue() == "120 plies played: a draw; score: level.\n"


def test_nothing_is_shown_of_a_record_that_is_wrong(fire):
    console = plain()
    with pytest.raises(InvalidInput, match="total is 3"):
        MatchView(console).play_back(replace(fire, total=3.0))
    assert console.file.getvalue() == ""


# -- a person at the table ----------------------------------------------------------------------


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


def test_a_game_that_names_one_side_only_has_numbers_for_both(draughts, monkeypatch):
    monkeypatch.setattr("sizeup.play.show.look_of", lambda game: SimpleNamespace(sides=("ours",)))
    console = plain()
    MatchView(console).play_back(draughts)
    told = console.file.getvalue().splitlines()
    assert "score: team 0 leads by 1" in told
    assert f": team {draughts.winner} wins; score: team" in told[-1]
