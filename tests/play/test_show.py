"""What people see: sentences, bars, a match on the screen, replays that check, a person's turn."""

import io
import sys
import types
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.play import Move, Record, Seen, play
from sizeup.play.show import (
    HumanPlayer,
    MatchView,
    Quit,
    belief_bars,
    replay,
    sentence,
    view_of,
    with_person,
)
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)
SHORT = wall_of_fire.INFO.params._replace(most_turns=6)
BRIEF = checkers.Params(most_plies=40)
NAMES = ("ca:20", "obl:2", "ca:8@2,8")


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


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


@pytest.fixture(scope="module")
def fire():
    return play("wall-of-fire", ["ca:20+obl:2"], seed=1, params=SHORT)


@pytest.fixture(scope="module")
def field():
    return play("harvest", [quick("ca:4+obl:1+ca:2")], seed=2)


@pytest.fixture(scope="module")
def draughts():
    return play("checkers", [quick("ca:4+obl:2"), quick("obl:2")], seed=3, params=BRIEF)


def seen_move(evidence, before, after, watcher=0, reward=0.0):
    return Move(4, 1, "W", reward, seen={watcher: Seen(1, evidence, before, after)})


# Sentences and bars


@pytest.mark.parametrize(
    ("move", "types", "expected"),
    [
        (Move(1, 0, "E", 0.0), (2, 20), "player 0 (ca:20) plays E."),
        (Move(1, 0, "E", -2.0), (2, 20), "player 0 (ca:20) plays E, reward -2."),
        (Move(1, -1, "rain", 0.0), (2, 20), "chance: rain."),
        (Move(1, -1, "flood", -1.5), (2, 20), "chance: flood, reward -1.5."),
        (
            seen_move((0.0, 0.47), (0.5, 0.5), (0.99, 0.01)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player "
            "would not (loss 0.47); P(type 2) 50 % -> 99 %.",
        ),
        (
            seen_move((0.47, 0.1), (0.5, 0.5), (0.01, 0.99), reward=3.0),
            (2, 20),
            "player 1 (obl:2) plays W, reward 3: a type-20 player might (loss 0.10), a type-2 "
            "player would not (loss 0.47); P(type 20) 50 % -> 99 %.",
        ),
        (
            seen_move((0.3, 0.47), (0.5, 0.5), (0.85, 0.15)),
            (2, 20),
            "player 1 (obl:2) plays W: this fits a type-2 player better (loss 0.30) than a type-20 "
            "player (loss 0.47); P(type 2) 50 % -> 85 %.",
        ),
        (
            seen_move((0.001, 0.003, 0.1, 0.5), (0.25,) * 4, (0.42, 0.42, 0.16, 0.0)),
            (2, 4, 8, 20),
            "player 1 (obl:2) plays W: a type-2 or type-4 player does this (loss 0.00), a type-20 "
            "player would not (loss 0.50); P(type 20) 25 % -> 0 %.",
        ),
        (
            seen_move((0.0, 0.5), (0.999, 0.001), (1.0, 0.0)),
            (2, 20),
            "player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player "
            "would not (loss 0.50); P(type 2) stays at 100 %.",
        ),
        (  # nothing to learn, unless older moves are forgotten
            seen_move((0.1, 0.1), (0.9, 0.1), (0.9, 0.1)),
            (2, 20),
            "player 1 (obl:2) plays W.",
        ),
        (
            seen_move((0.1, 0.1), (0.9, 0.1), (0.8, 0.2)),
            (2, 20),
            "player 1 (obl:2) plays W, which fits every type alike; P(type 20) 10 % -> 20 %.",
        ),
        (  # types of its own, one above what it can judge
            seen_move((0.0, None), (0.6, 0.4), (0.6, 0.4), watcher=2),
            (2, 8, 20),
            "player 1 (obl:2) plays W.",
        ),
        (  # what it makes of its own move is nobody's business
            Move(1, 0, "E", 0.0, seen={0: Seen(0, (0.0, 0.5), (0.5, 0.5), (0.9, 0.1))}),
            (2, 20),
            "player 0 (ca:20) plays E.",
        ),
    ],
)
def test_sentences(move, types, expected):
    assert sentence(NAMES, move, types) == expected


def test_of_several_watchers_the_strongest_is_told_about():
    strong = Seen(1, (0.0, 0.5), (0.5, 0.5), (0.9, 0.1))
    weak = Seen(1, (0.0, 0.5), (0.5, 0.5), (1.0, 0.0))
    told = sentence(NAMES, Move(4, 1, "W", 0.0, seen={2: weak, 0: strong}), (2, 20))
    assert told.endswith("; player 0's P(type 2) 50 % -> 90 %.")
    names = ("ca:20", "obl:2", "ca:20@2,20")
    told = sentence(names, Move(4, 1, "W", 0.0, seen={0: strong, 2: weak}), (2, 20))
    assert told.endswith("; player 2's P(type 2) 50 % -> 100 %.")


def test_a_watcher_of_any_name_is_told_about():
    move = seen_move((0.0, 0.5), (0.5, 0.5), (0.9, 0.1))
    assert sentence(("Ada", "obl:2"), move, (2, 20)).endswith("; P(type 2) 50 % -> 90 %.")


def test_sentences_of_a_record(fire, draughts):
    assert sentence(fire, fire.moves[0]) == "player 0 (ca:20) plays E, reward -2."
    assert "P(type 2) 50 % -> 99 %." in sentence(fire, fire.moves[1])
    against = next(move for move in draughts.moves if move.reward < 0)
    assert sentence(draughts, against).endswith(f"{against.action}, reward 1 to team 1.")


def test_a_sentence_is_one_line_whatever_the_names():
    move = Move(1, 0, "a\x1b[2J\nb", 0.0)
    assert sentence(["x\x1b[31m\n(y)"], move, (2,)) == "player 0 (x[31m (y)) plays a[2J b."


def test_numbers_must_fit_the_types():
    with pytest.raises(InvalidInput, match=r"player 0 considers the types \(2,\); expected a"):
        sentence(NAMES, seen_move((0.0, 0.5), (0.5, 0.5), (0.9, 0.1)), (2,))


def test_bars():
    assert belief_bars([1.0, 0.0], (2, 20), width=4, mark="#").splitlines() == [
        "type 2   #### 100 %",
        "type 20         0 %",
    ]
    assert belief_bars(np.array([1.0]), (2,)) == f"type 2  {'█' * 20} 100 %"
    for wrong in ([0.5], [[0.5, 0.5]], [0.5, 1.5], [np.nan, 1.0]):
        with pytest.raises(InvalidInput, match=r"expected a probability for each of the types"):
            belief_bars(wrong, (2, 20))


# A match on the screen


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
    assert lines[11:16] == [
        "player 0 (ca:20) about player 1 (obl:2):",
        "  type 2   ██████████            50 %",
        "  type 20  ██████████            50 %",
        "",
        "player 0 (ca:20) plays E, reward -2.",
    ]
    assert sentence(record, record.moves[1]) in lines  # longer than the console is wide
    assert lines.count("  type 2   ████████████████████  99 %") == 5
    assert lines[-3:] == ["score -2", "", "6 turns played; score -2."]


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
    assert "score: team 0 leads by 1" in sides
    assert "player 0 (ca:4) about player 1 (obl:2):" in sides
    assert not any("about player 2" in line for line in sides)  # an opponent is no teammate
    assert f": team {draughts.winner} wins; score: team" in sides[-1]


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
    assert "  type 2   ####################  99 %" in console.file.read()


@pytest.mark.parametrize("delay", [-1, float("nan"), float("inf")])
def test_bad_delays(delay):
    with pytest.raises(InvalidInput, match="a delay is a number of seconds of 0 or more"):
        MatchView(plain(), delay=delay)


def test_a_draw_is_called_one():
    record = play("checkers", ["random", "random"], seed=4)
    console = plain()
    MatchView(console).end(replace(record, total=0.0, winner=None, reason="120 plies played"))
    assert console.file.getvalue() == "120 plies played: a draw; score: level.\n"


# Records played back


def test_a_replay_passes_through_the_states_of_the_match():
    met = []
    record = play(
        "harvest",
        ["random+random+random"],
        seed=3,
        watch=lambda table, state, move: met.append((state, move)),
    )
    assert list(replay(Record.from_json(record.to_json()))) == met
    assert {move.player for _, move in met} == {-1, 0, 1, 2}


@pytest.mark.parametrize(
    ("game", "teams", "params"),
    [
        ("wall-of-fire", ["random+random"], wall_of_fire.board("S.FFC", most_turns=6)),
        ("narrow-tunnel", ["random+random"], narrow_tunnel.INFO.params),
        ("harvest", ["random+random+random"], harvest.season([0, 1, 0.5, 1])),
        ("connect-four", ["random+random", "random"], connect_four.Params(win=3.0)),
        ("checkers", ["random", "random+random+random"], None),
        ("checkers", ["random", "random"], None),
    ],
)
def test_games_are_rebuilt_with_their_parameters(game, teams, params):
    made = []
    record = play(
        game, teams, seed=5, params=params, watch=lambda table, state, move: made.append(table.view)
    )
    view = view_of(Record.from_json(record.to_json()))
    assert (view.info.name, view.teams) == (record.game, record.teams)
    for value, expected in zip(flat(view.params), flat(made[0].params), strict=True):
        assert type(value) is type(expected)
        np.testing.assert_array_equal(value, expected)
        assert getattr(value, "dtype", None) == getattr(expected, "dtype", None)
    assert len(list(replay(record))) == len(record.moves)


def flat(params):
    for value in params:
        yield from flat(value) if isinstance(value, tuple) else [value]


def test_a_game_of_ones_own_is_passed(fire):
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(connect_four))
    mine.INFO = replace(connect_four.INFO, name="my game 2v2")
    record = play(mine, ["random", "random"], seed=1)
    with pytest.raises(InvalidInput, match=r"'my game 2v2' is not a game of ours; pass the game's"):
        view_of(record)
    assert len(list(replay(record, game=mine))) == len(record.moves)
    seated = play(mine, ["random+random", "random"], seed=1)
    assert view_of(seated, game=mine).info.name == "my game 2v2 2v1"
    with pytest.raises(InvalidInput, match="is of 'wall-of-fire', but the given game is 'my game"):
        view_of(fire, game=mine)
    with pytest.raises(InvalidInput, match="'os' is not a game of ours"):
        view_of(replace(fire, game="os"))


def altered(record, index, **changes):
    moves = list(record.moves)
    moves[index] = replace(moves[index], **changes)
    return replace(record, moves=tuple(moves))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: altered(r, 2, action="X"), "ply 3 of the record: 'X' is not a legal action"),
        (lambda r: altered(r, 0, reward=0.0), "ply 1 of the record: E is worth -2, not 0"),
        (lambda r: altered(r, 0, reward=float("nan")), "ply 1 of the record: E is worth -2"),
        (lambda r: altered(r, 4, ply=9), "ply 5 of the record: it is numbered 9"),
        (lambda r: altered(r, 1, player=0), "ply 2 of the record: player 0 moves, but it is pla"),
        (lambda r: altered(r, 1, seen={7: r.moves[1].seen[0]}), "ply 2 of the record: player 7 l"),
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], after=(1.0,))}),
            r"ply 2 of the record: player 0 considers 2 types; expected a number for each, got \[1",
        ),
        (
            lambda r: altered(r, 1, seen={0: replace(r.moves[1].seen[0], before=("a", "b"))}),
            "ply 2 of the record: player 0 considers 2 types",
        ),
        (lambda r: replace(r, total=3.0), "total is 3, but its moves are worth -2"),
        (lambda r: replace(r, winner=0), "winner is 0, but the moves say None"),
        (lambda r: replace(r, reason="the game is over"), "after ply 6 with 'the game is over'"),
        (lambda r: replace(r, moves=(), total=0.0, reason="the game is over"), "ends after ply 0"),
        (lambda r: replace(r, start="." * 9), r"the record starts at '\.\.\.\.\.\.\.\.\.', but"),
        (lambda r: replace(r, teams=(0, 1)), r"but wall-of-fire has teams \(0, 0\)"),
        (lambda r: replace(r, players=("ca:20",)), r"has players \('ca:20',\) in teams"),
        (lambda r: replace(r, first_beliefs={0: "no"}), "first beliefs of player 0 are 'no'"),
        (lambda r: replace(r, first_beliefs={5: [[1.0]]}), "first beliefs of player 5"),
        (lambda r: replace(r, params={"width": 17}), "params hold .'width'., expected the fields"),
        (lambda r: with_param(r, width=17.5), "params.width is 17.5, expected something like 17"),
        (lambda r: with_param(r, width=True), "params.width is True"),
        (lambda r: with_param(r, fire=[0.5]), r"params.fire is \[0.5\], expected a list of int64"),
        (lambda r: with_param(r, fire=[[1], [1, 2]]), "params.fire is"),
        (lambda r: with_param(r, fire="all"), "params.fire is 'all'"),
    ],
)
def test_tampered_records_are_refused_with_the_place(fire, change, message):
    with pytest.raises(InvalidInput, match=message):
        list(replay(change(fire)))


def with_param(record, **changes):
    return replace(record, params={**record.params, **changes})


def test_more_tampered_records(field, draughts):
    rain = next(at for at, move in enumerate(field.moves) if move.player == -1)
    ply = field.moves[rain].ply
    with pytest.raises(InvalidInput, match=f"ply {ply + 1} of .* player 0 moves, but it is chance"):
        list(replay(altered(field, rain, player=0, ply=ply + 1)))
    over = replace(field, moves=(*field.moves, replace(field.moves[0], ply=11)))
    with pytest.raises(InvalidInput, match=r"ply 11 of .* player 0 moves, but it is nobody's turn"):
        list(replay(over))
    with pytest.raises(InvalidInput, match="but the game is over"):
        list(replay(replace(field, reason="10 turns played")))
    with pytest.raises(InvalidInput, match=r"of checkers 2v2, but its params are for 2v1"):
        replay(replace(draughts, game="checkers 2v2"))
    with pytest.raises(InvalidInput, match=r"params.base hold 7"):
        replay(with_param(draughts, base=7))
    with pytest.raises(InvalidInput, match="ply 1 of the record"):
        list(replay(altered(draughts, 0, action="1-32")))


def test_nothing_is_shown_of_a_record_that_is_wrong(fire):
    console = plain()
    with pytest.raises(InvalidInput, match="total is 3"):
        MatchView(console).play_back(replace(fire, total=3.0))
    assert console.file.getvalue() == ""


# A person at the table


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
