"""Matches: who sits where, how they end, what is written down, and that seeds are kept."""

import json
import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers, connect_four, harvest
from sizeup.games.contract import CHANCE, OVER, TERMINAL, View
from sizeup.play import Match, Record, play, set_table
from sizeup.play.match import ACTING, play_at, random_seed
from sizeup.play.replay import play_again, replay
from tests.play.conftest import QUICK, quick

TOLD_BY_LOSSES = [replace(agent, rule="published") for agent in quick("ca:4+obl:2")]


@pytest.mark.slow
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
    agent = record.agents[0]
    assert agent.rule == "sampled"
    assert sum(seen.before) == pytest.approx(0.99)  # the rest is none of these
    assert 0.5 < sum(seen.after) < 1
    assert seen.samples in agent.update_rule().looks
    assert all(0 <= count <= seen.samples for count in seen.played)
    assert 0 < seen.error < 0.5
    published = play("checkers", [TOLD_BY_LOSSES, quick("obl:2")], seed=3)
    seen = next(move.seen[0] for move in published.moves if move.seen)
    assert sum(seen.after) == pytest.approx(1.0)
    assert (seen.played, seen.samples, seen.error) == ((), 0, 0.0)
    assert record.moves[0].search["types"] == [2, 4]
    assert record.moves[1].search["types"] == [2]


def test_records_read_back_and_cannot_be_tampered_with(tmp_path):
    record = play("wall-of-fire", [quick("ca:4+obl:2")], seed=1)
    path = tmp_path / "match.json"
    record.save(path)
    assert Record.load(path) == record
    body = json.loads(path.read_text())
    for change, message in (
        ({"schema": "sizeup-record/9"}, r"expected a record of schema 'sizeup-record/2', got"),
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


@pytest.mark.slow
def test_a_match_is_decided_by_its_seed():
    def played(seed):
        return play("checkers", [quick("ma:4+ma:2"), quick("obl:2")], seed=seed)

    assert played(11) == played(11)
    assert played(11).moves != played(12).moves


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
    quiet = play("checkers", ["random", "random"], seed=4)
    assert quiet.reason == "40 plies without a capture"
    assert not any(move.reward for move in quiet.moves[-40:])
    assert quiet.moves[-41].reward
    short = play("checkers", ["random", "random"], params=checkers.CheckersParams(most_plies=7))
    assert (short.reason, len(short.moves)) == ("7 plies played", 7)
    assert play("connect-four", ["obl:2", "random"], seed=1).reason == OVER


def test_who_has_won():
    board = View(checkers)
    stuck = board.state_from_text("B:W21:B")
    assert board.winner(stuck, total=5.0) == 1  # ahead in captures, but without a piece
    assert board.winner(board.start(), total=0.0) is None
    assert board.winner(board.start(), total=2.0) == 0
    assert board.winner(board.start(), total=-1.0) == 1
    four = View(connect_four)
    assert four.winner(four.start(), total=-1.0) == 1
    assert View(harvest).winner(View(harvest).start(), total=9.0) is None


@pytest.mark.slow
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


@pytest.mark.slow
def test_beliefs_of_earlier_games_are_where_the_next_one_starts():
    table = set_table("wall-of-fire", [quick("ca:20+obl:2")])
    first = table.seats[0]
    evidence = np.array([[0.0, 0.0], [0.0, 9.0]])
    first.beliefs = replace(first.beliefs, energy=first.beliefs.energy + evidence)
    record = play("wall-of-fire", [quick("ca:20+obl:2")], seed=1, beliefs={0: first.beliefs})
    assert record.first_beliefs[0][1][0] > 0.97
    assert record.total == 0.0  # it knows its partner, and does not even try


# -- verbs --------------------------------------------------------------------------------------


def match_of(game="wall-of-fire", teams=("ca:2+obl:1",), seed=3, **settings):
    return Match(set_table(game, [quick(team) for team in teams]), seed, **settings)


def finished(match):
    while not match.finished:
        match.step()
    return match


def test_a_match_asked_again_says_the_same():
    match, asked = match_of(), match_of()
    for _ in range(4):
        choice = asked.choose()
        assert asked.choose() is choice
        assert choice.action in asked.legal
        assert asked.step() == match.step()  # to ask changes nothing
    assert asked.state == match.state


def test_choosing_asks_a_player_once():
    calls = []

    def careful(view, state, seed):
        calls.append(seed)
        return view.actions(state)[0]

    match = Match(set_table("connect-four", [[careful], ["random"]]), seed=4)
    assert match.choose() is match.choose()
    assert match.step().action == "a"
    assert calls == [match.random_seed(ACTING, 0, ply=0)] == [random_seed(4, 0, ACTING, 0)]


@pytest.mark.slow
def test_playing_is_choosing_and_making_the_move():
    stepped, played = finished(match_of()), match_of()
    while not played.finished:
        played.play(played.choose().action)
    assert played.record() == stepped.record()
    assert played.actions == stepped.actions
    assert play_at(set_table("wall-of-fire", [quick("ca:2+obl:1")]), seed=3) == stepped.record()


def test_where_a_match_stands():
    match = match_of("connect-four", ("obl:1", "obl:1"))
    assert (match.actor, match.plies, match.total, match.reason) == (0, 0, 0.0, None)
    assert match.legal == tuple(range(7))
    assert (match.winner, match.is_over, match.finished) == (None, False, False)
    for column in (0, 1, 0, 1, 0, 1, 0):
        assert match.actor == match.plies % 2
        match.play(column)
    assert (match.actor, match.legal) == (TERMINAL, ())
    assert (match.winner, match.is_over, match.reason) == (0, True, OVER)
    assert (match.plies, match.quiet, match.total, match.actions[-1]) == (7, 0, 1.0, 0)


def test_a_given_move_is_played_whatever_an_agent_would_do():
    free, given = match_of(), match_of()
    chosen = free.step()
    other = next(a for a in given.legal if given.view.action_text(given.state, a) != chosen.action)
    move = given.step(other)
    assert move.action != chosen.action
    assert move.search == chosen.search is not None  # it was asked, to learn from its own search
    assert move.seen[0].evidence != chosen.seen[0].evidence
    unasked = match_of()
    assert unasked.play(other).search is None


@pytest.mark.parametrize("action", [99, -1, None, "d", 0.5, 2.0])
def test_what_is_not_legal_is_not_played(action):
    match = match_of("connect-four", ("obl:1", "obl:1"))
    with pytest.raises(IllegalAction, match=r"obl:1 in seat 0 chose .*, which is not legal"):
        match.play(action)
    if action is not None:
        with pytest.raises(IllegalAction, match=r"which is not legal; legal are \(0, 1, 2, 3"):
            match.step(action)
    assert (match.moves, match.plies, match.state) == ([], 0, View(connect_four).start())
    assert match.play(np.int64(3)).action == "d"
    assert [type(one) for one in match.actions] == [int]


def test_a_function_that_chooses_what_is_not_legal_is_named():
    def wild(view, state, seed):
        return 99

    match = Match(set_table("connect-four", [[wild], ["random"]]))
    for verb in (match.choose, match.step):
        with pytest.raises(IllegalAction, match="wild in seat 0 chose 99, which is not legal"):
            verb()
    assert match.step(0).action == "a"  # a given move needs no choice


def test_chance_is_nobodys_choice():
    match = match_of("harvest", ("obl:1+obl:1+obl:1",))
    match.play(harvest.SOW)
    assert match.actor == CHANCE
    assert match.legal == (harvest.DRY, harvest.RAIN)
    with pytest.raises(InvalidInput, match="chance decides here, and no player"):
        match.choose()
    with pytest.raises(IllegalAction, match="chance chose 7, which is not legal"):
        match.play(7)
    assert match.plies == 1
    move = match.step()
    assert (move.player, move.ply, match.plies, move.search, move.seen) == (CHANCE, 1, 1, None, {})
    assert move.action in ("rain", "dry")


def test_chance_is_drawn_from_the_seed_and_can_be_given():
    def rains(seed, given=None):
        match = match_of("harvest", ("obl:1+obl:1+obl:1",), seed=seed)
        told = []
        while not match.finished:
            if match.actor == CHANCE:
                told.append(match.step(given).action)
            else:
                match.play(harvest.SOW if harvest.SOW in match.legal else match.legal[0])
        return told

    assert rains(1) == rains(1)
    assert len({tuple(rains(seed)) for seed in range(8)}) > 1
    assert set(rains(1, harvest.RAIN)) == {"rain"}
    wet = View(harvest, harvest.season([1.0]))
    match = Match(set_table(wet, ["random+random+random"]))
    match.play(harvest.SOW)
    assert match.step().action == "rain"


def test_a_match_that_is_stopped_by_a_number_of_moves():
    match = finished(match_of("connect-four", ("obl:1", "obl:1"), most_plies=3))
    assert (match.plies, match.reason) == (3, "3 moves made")
    assert not match.is_over
    assert (match.actor, match.legal, match.winner) == (TERMINAL, (), None)
    assert match_of(most_plies=0).finished
    assert finished(match_of(most_plies=999)).reason == "20 turns played"


@pytest.mark.parametrize("most_plies", [None, 2])
def test_nothing_is_played_after_the_end(most_plies):
    match = finished(match_of("connect-four", ("obl:1", "obl:1"), most_plies=most_plies))
    moves = list(match.moves)
    for verb in (match.choose, match.step, lambda: match.step(0), lambda: match.play(0)):
        with pytest.raises(InvalidInput, match=r"the match has ended \(.*\): there is no"):
            verb()
    assert match.moves == moves


def test_a_match_that_goes_on_has_no_record():
    match = match_of()
    with pytest.raises(InvalidInput, match="the match has not ended: step until it is finished"):
        match.record()
    record = finished(match).record()
    assert len(list(replay(record))) == len(record.moves) == 20


@pytest.mark.slow
def test_without_searches_everything_else_is_kept():
    kept = finished(match_of()).record()
    bare = finished(match_of(searches=False)).record()
    assert {move.search for move in bare.moves} == {None}
    assert replace(kept, moves=tuple(replace(move, search=None) for move in kept.moves)) == bare


@pytest.mark.parametrize("seed", [-1, 1.0, True, "1", None])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(InvalidInput, match="a seed is a whole number of 0 or more, got"):
        match_of(seed=seed)
    assert match_of(seed=np.int64(7)).seed == 7


@pytest.mark.slow
def test_observers_watch_in_silence():
    watching = (1, replace(read_agent("ca:4@1,2,4"), options=QUICK))
    teams = [quick("ca:2+obl:1")]
    silent = play_at(set_table("wall-of-fire", teams), seed=3)
    watched = play_at(set_table("wall-of-fire", teams, observer=watching), seed=3)
    assert [move.action for move in watched.moves] == [move.action for move in silent.moves]
    assert [move.seen[0] for move in watched.moves] == [move.seen[0] for move in silent.moves]
    assert {len(move.seen[1].after) for move in watched.moves} == {3}
    assert watched.first_beliefs.keys() == {0, 1}


def test_a_match_that_was_stopped_replays_and_is_played_again():
    match = Match(set_table("connect-four", ["random", "random"]), seed=3, most_plies=4)
    while not match.finished:
        match.step()
    record = Record.from_json(match.record().to_json())
    assert record.reason == "4 moves made"
    assert [move.ply for _, move in replay(record)] == [1, 2, 3, 4]
    assert play_again(record) == record


def test_seats_of_teams_that_take_turns_in_the_order_of_seats():
    mixed = types.ModuleType("mixed")
    mixed.__dict__.update({k: v for k, v in vars(harvest).items() if not k.startswith("__")})
    mixed.INFO = replace(harvest.INFO, teams=(0, 1, 0), name="mixed")
    table = set_table(mixed, ["obl:1+obl:3", "obl:2"])
    assert table.names == ("obl:1", "obl:2", "obl:3")
