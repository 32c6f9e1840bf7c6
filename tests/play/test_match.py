"""Matches: who sits where, how they end, what is written down, and that seeds are kept."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, wall_of_fire
from sizeup.games.contract import View
from sizeup.play import Record, play, set_table
from sizeup.play.match import winner
from sizeup.search import SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


def test_a_record_is_complete():
    record = play("checkers", [quick("ca:4+obl:2"), quick("obl:2")], seed=3)
    assert record.game == "checkers 2v1"
    assert record.players == ("ca:4", "obl:2", "obl:2")
    assert record.teams == (0, 0, 1)
    assert record.types == (2, 4)
    assert [move.player for move in record.moves[:5]] == [0, 2, 1, 2, 0]
    assert record.total == sum(move.reward for move in record.moves)
    told = [move for move in record.moves if move.seen]
    assert {move.player for move in told} == {0, 1}
    seen = told[0].seen[0]
    assert sum(seen.after) == pytest.approx(1.0)
    assert record.moves[0].search["types"] == [2, 4]
    assert record.moves[1].search["types"] == [2]


def test_records_read_back_and_cannot_be_tampered_with(tmp_path):
    record = play("wall-of-fire", [quick("ca:4+obl:2")], seed=1)
    path = tmp_path / "match.json"
    record.save(path)
    assert Record.load(path) == record
    body = json.loads(path.read_text())
    for change, message in (
        ({"schema": "sizeup-record/9"}, r"expected a record of schema 'sizeup-record/1', got"),
        ({"seed": 2}, "the record was edited"),
        ({"moves": body["moves"][:-1]}, "the record was edited"),
        ({"total": "many"}, "total = 'many', which is of the wrong kind"),
        ({"moves": [*body["moves"], 7]}, r"move 21 of the record is 7"),
        ({"moves": [{**body["moves"][0], "ply": None}]}, "move 1 of the record has ply = None"),
        ({"extra": 1}, "unknown fields: extra"),
    ):
        with pytest.raises(InvalidInput, match=message):
            Record.from_json(json.dumps({**body, **change}))
    del body["reason"]
    with pytest.raises(InvalidInput, match="the record has no 'reason'"):
        Record.from_json(json.dumps(body))
    with pytest.raises(InvalidInput, match="cut off or no JSON: line"):
        Record.from_json(path.read_text()[:500])
    with pytest.raises(InvalidInput, match="got 'list'"):
        Record.from_json("[]")
    with pytest.raises(InvalidInput, match="cannot read"):
        Record.load(tmp_path / "missing.json")
    (tmp_path / "match.pdn").write_text("1. 11-15 *")
    with pytest.raises(InvalidInput, match=r"match.pdn is PDN, .* expected a record \(JSON\)"):
        Record.load(tmp_path / "match.pdn")
    (tmp_path / "cut.json").write_text("{")
    with pytest.raises(InvalidInput, match=r"cut.json: the record is cut off"):
        Record.load(tmp_path / "cut.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match=r"cannot read .*binary.json: 'utf-8' codec"):
        Record.load(tmp_path / "binary.json")


CODE = """
from tests.play.test_match import quick
from sizeup.play import play
print(play("checkers", [quick("ma:4+ma:2"), quick("obl:2")], seed=11).to_json(), end="")
"""


def test_the_same_seed_gives_the_same_record_in_another_process():
    here = play("checkers", [quick("ma:4+ma:2"), quick("obl:2")], seed=11).to_json()
    there = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
    ).stdout
    assert here == there
    other = play("checkers", [quick("ma:4+ma:2"), quick("obl:2")], seed=12)
    assert other.moves != Record.from_json(here).moves


def test_three_players_of_three_depths():
    record = play("checkers", [quick("ca:4+obl:2+ca:3"), quick("obl:2")], seed=2)
    assert len(record.moves) > 20
    assert record.types == (2, 3, 4)
    field = play("harvest", [quick("ca:4+obl:1+ca:2")], seed=2)
    assert [move.player for move in field.moves if move.player >= 0][:4] == [0, 1, 2, 0]
    assert -1 in {move.player for move in field.moves}


def test_a_function_can_play():
    def leftmost(view, state, seed):
        return view.actions(state)[0]

    record = play("connect-four", [[leftmost], ["obl:3"]], seed=1)
    assert record.players == ("leftmost", "obl:3")
    assert record.winner == 1
    with pytest.raises(InvalidInput, match="in seat 0 chose 99, which is not legal"):
        play("connect-four", [[lambda view, state, seed: 99], ["random"]])


def test_how_matches_end():
    assert play("wall-of-fire", ["random+random"]).reason == "20 turns played"
    endless = play("checkers", ["random", "random"], seed=4)
    assert endless.reason in ("120 plies played", "40 plies without a capture", "the game is over")
    assert play("connect-four", ["obl:2", "random"], seed=1).reason == "the game is over"


def test_who_has_won():
    board = View(checkers)
    stuck = board.state_from_text("B:W21:B")
    assert winner(board, stuck, total=5.0) == 1  # ahead in captures, but without a piece
    assert winner(board, board.start(), total=0.0) is None
    assert winner(board, board.start(), total=2.0) == 0
    assert winner(board, board.start(), total=-1.0) == 1
    four = View(connect_four)
    assert winner(four, four.start(), total=-1.0) == 1
    assert winner(View(harvest), View(harvest).start(), total=9.0) is None


def test_teammates_that_infer_alike_stay_together():
    def team(shared):
        return [
            [replace(read_agent(text, QUICK), common_seed=shared) for text in ("ma:20", "ma:2")]
        ]

    together = play("wall-of-fire", team(True), seed=5)
    apart = play("wall-of-fire", team(False), seed=5)
    assert {move.distance for move in together.moves} == {0.0}
    assert max(move.distance for move in apart.moves) > 0


def test_watching():
    met = []
    play("wall-of-fire", ["random+random"], watch=lambda table, state, move: met.append(move.ply))
    assert met == list(range(1, 21))


@pytest.mark.parametrize(
    ("game", "teams", "message"),
    [
        ("narrow-tunnel", ["obl:2"], r"narrow-tunnel is for 2 player\(s\), got teams of 1"),
        ("narrow-tunnel", ["obl:2+obl:2+obl:2"], "got teams of 3; write teams like obl:2\\+obl:2"),
        ("narrow-tunnel", [], "got teams of nobody"),
        ("wall-of-fire", ["+".join(["obl:2"] * 5)], "1 to 4 members, got 5"),
        ("wall-of-fire", ["obl:2+obl:2", "obl:2"], r"for 1 team\(s\) of 1 to 4 players, got 2"),
        ("wall-of-fire", [], r"for 1 team\(s\) of 1 to 4 players, got 0"),
        ("checkers", ["obl:2"], r"got 1; write a team like obl:2\+obl:4 and a team like"),
        ("checkers", ["+".join(["obl:2"] * 5), "obl:2"], "1 to 4 members, got 5"),
        ("chekers", ["obl:2", "obl:2"], "there is no game 'chekers'"),
        ("checkers", [[7], ["obl:2"]], "7 is no player"),
        ("checkers", [[], ["obl:2"]], "a team needs a member"),
    ],
)
def test_bad_tables(game, teams, message):
    with pytest.raises(InvalidInput, match=message):
        set_table(game, teams)


def test_bad_seeds():
    with pytest.raises(InvalidInput, match="a seed is a whole number of 0 or more, got -1"):
        play(wall_of_fire, ["random+random"], seed=-1)


def test_beliefs_of_earlier_games_are_where_the_next_one_starts():
    table = set_table("wall-of-fire", [quick("ca:20+obl:2")])
    first = table.seats[0]
    evidence = np.array([[0.0, 0.0], [0.0, 9.0]])
    first.beliefs = replace(first.beliefs, energy=first.beliefs.energy + evidence)
    record = play("wall-of-fire", [quick("ca:20+obl:2")], seed=1, beliefs={0: first.beliefs})
    assert record.first_beliefs[0][1][0] > 0.999
    assert record.total == 0.0  # it knows its partner, and does not even try
