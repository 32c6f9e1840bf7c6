"""Stop and see, take back, and go on from any move of a recorded game."""

from dataclasses import replace

import pytest

import sizeup
from sizeup.games import checkers
from sizeup.play.record import Record
from tests.web.clients import choice_by_ply, setup
from tests.web.test_records import upload

QUICK = {"partner_depth": 2, "seed": 4}


def played(talk, turns):
    """Play some turns: the state in which it is the visitor's turn again."""
    state = talk.my_turn()
    for _ in range(turns):
        state = talk.my_turn(talk.move(state, choice_by_ply(state))["state"])
    return state


def actions_of(game):
    return [move["action"] for move in game["moves"]]


@pytest.mark.parametrize("game", ["wall-of-fire", "checkers", "connect-four", "harvest"])
def test_a_game_is_stopped_and_its_record_is_whole(talk, visitor, game):
    talk.begin(setup(game, **QUICK))
    played(talk, 2)
    talk.send(type="stop", game_id=talk.id)
    ended = talk.until("ended", "game")
    if ended["type"] == "game":  # what chance had done since is taken back
        assert ended["moves"][-1]["seat"] is not None
        ended = talk.until("ended")
    record = visitor.get(f"/api/records/{ended['record_id']}")
    made = len([move for move in record["moves"] if move["seat"] is not None])
    assert ended["result"]["stopped"] == record["result"]["stopped"] == made
    assert record["moves"][-1]["seat"] is not None
    assert ended["card"]["types"]
    saved = visitor.http.get(f"/api/records/{ended['record_id']}/export/json").text
    assert Record.from_json(saved).most_plies == made
    (line,) = visitor.get("/api/records")["records"]
    assert line["result"] == f"stopped after {made} moves"
    assert talk.refused(type="stop", game_id=talk.id) == "no_game"


def test_a_game_is_stopped_before_anybody_has_moved(talk, visitor):
    talk.begin(setup("connect-four", **QUICK, you="first"))
    talk.send(type="stop", game_id=talk.id)
    assert talk.until("ended")["result"]["stopped"] == 0


def test_a_search_does_not_keep_a_game_from_being_stopped(talk):
    talk.begin(setup("checkers", partner_depth=8, opponent_depth=8))
    talk.until("thinking")
    talk.send(type="stop", game_id=talk.id)
    assert talk.until("ended")["result"]["stopped"] is not None


@pytest.mark.parametrize("game", ["wall-of-fire", "checkers", "harvest"])
def test_a_move_is_taken_back_and_made_again(talk, game):
    wanted = setup(game, **QUICK)
    talk.begin(wanted)
    first = played(talk, 1)
    then = played_on(talk, first)
    talk.send(type="back", game_id=talk.id, ply=first["ply"])
    back = talk.game = talk.until("game")
    assert (back["state"], back["setup"]) == (first, wanted)
    assert len(back["moves"]) == first["ply"]
    assert played_on(talk, first) == then  # the same move, the same answers and beliefs


def played_on(talk, state):
    """Make a move: everything that is told until it is the visitor's turn again."""
    talk.send(type="move", game_id=talk.id, ply=state["ply"], action=choice_by_ply(state))
    told = []
    while True:
        message = talk.until("moved", "ended")
        told.append(message.get("move") or message["result"])
        if message["type"] == "ended" or message["state"]["actor"] == talk.seat:
            return told


@pytest.mark.slow
def test_beliefs_go_back_with_the_move(talk):
    talk.begin(setup("wall-of-fire", partner_depth=20, seed=1))
    first = talk.until("moved")  # by the partner
    state, before = first["state"], first["move"]["beliefs"]
    moved = talk.move(state, "W")["move"]
    believed = moved["beliefs"][0]["probabilities"]
    assert believed[0] > 0.9
    talk.send(type="back", game_id=talk.id, ply=state["ply"])
    talk.game = talk.until("game")
    assert talk.game["moves"][-1]["beliefs"][0]["probabilities"][0] < 0.6
    assert talk.game["moves"][-1]["beliefs"] == before
    assert talk.move(state, "W")["move"]["beliefs"][0]["probabilities"] == believed


@pytest.mark.slow
def test_a_move_is_taken_back_while_somebody_thinks(talk):
    talk.begin(setup("checkers", partner_depth=8, opponent_depth=8))
    state = talk.my_turn()
    talk.send(type="move", game_id=talk.id, ply=state["ply"], action=choice_by_ply(state))
    talk.until("placed")
    talk.send(type="back", game_id=talk.id, ply=state["ply"])
    assert talk.until("game")["state"] == state


def test_what_cannot_be_taken_back_is_refused(talk):
    talk.begin(setup("connect-four", **QUICK))
    talk.my_turn()
    assert talk.refused(type="back", game_id=talk.id, ply=99) == "stale"
    assert talk.refused(type="back", game_id="other", ply=0) == "no_game"
    watched = {"mode": "watch", "game": "connect-four", "teams": ["obl:2", "obl:2"], "seed": 1}
    talk.begin(watched)
    assert talk.refused(type="back", game_id=talk.id, ply=0) == "stale"


@pytest.fixture(scope="module")
def draughts():
    brief = checkers.CheckersParams(most_plies=16)
    return sizeup.play("checkers", ["ca:4@2,4+obl:2", "obl:2"], seed=3, params=brief)


def going_on(record_id, **changes):
    given = {"mode": "continue", "game": "checkers", "record": record_id, "ply": 6, "seat": 1}
    return {**given, **changes}


def test_a_visitor_goes_on_in_an_agent_s_seat(talk, visitor, draughts):
    name = upload(visitor, draughts)["id"]
    game = talk.begin(going_on(name))
    assert actions_of(game)[:6] == [move.action for move in draughts.moves[:6]]
    assert game["players"][1]["called"] == "You"
    believed = [move.seen[0].after for move in draughts.moves[:6] if move.player == 1][-1]
    assert game["moves"][5]["beliefs"][0]["probabilities"] == list(believed)
    moves, end = talk.play(choice_by_ply)
    assert moves
    record = visitor.get(f"/api/records/{end['record_id']}")
    assert (record["source"], len(record["moves"])) == ("played", 16)
    assert end["card"]["believer"] == 0


def test_a_game_that_goes_on_is_resumed_and_taken_back(server, visitor, draughts):
    name = upload(visitor, draughts)["id"]
    with visitor.socket() as talk:
        talk.begin(going_on(name))
        state = played(talk, 1)
        moves = [*actions_of(talk.game)]
        talk.send(type="back", game_id=talk.id, ply=7)
        back = talk.until("game")
        assert len(back["moves"]) == 7
        moves = actions_of(back)
    with server.visitor() as other, other.socket() as talk:  # who knows the record's name
        assert actions_of(talk.begin(going_on(name), moves))[:7] == moves
        assert state["ply"] > 7


def test_one_s_own_stopped_game_goes_on(talk, visitor):
    talk.begin(setup("checkers", **QUICK))
    state = played(talk, 2)
    seat = talk.seat
    talk.send(type="stop", game_id=talk.id)
    name = talk.until("ended")["record_id"]
    game = talk.begin(going_on(name, ply=state["ply"], seat=seat))
    assert game["state"]["legal"] == state["legal"]
    played_on(talk, state)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"record": "nothing"}, "not_same"),
        ({"ply": 17}, "bad_message"),
        ({"seat": 3}, "bad_message"),
        ({"seat": -1}, "bad_message"),
    ],
)
def test_a_game_that_cannot_go_on_is_refused(talk, visitor, draughts, changes, code):
    name = upload(visitor, draughts)["id"]
    assert talk.refused(type="new", setup=going_on(name, **changes)) == code


def test_nobody_goes_on_for_two_people(talk, visitor):
    mine = sizeup.play("connect-four", ["random", "random"], seed=3)
    absent = {"agents": (None, None), "players": ("Ada", "Bob")}
    name = upload(visitor, replace(mine, **absent))["id"]
    wanted = going_on(name, game="connect-four", ply=2, seat=0)
    assert talk.refused(type="new", setup=wanted) == "bad_message"
