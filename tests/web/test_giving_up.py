"""To resign, and to offer a draw: through the server, and in the record that is kept of it."""

import json

import pytest

from sizeup.errors import InvalidInput
from sizeup.play.match import Match
from sizeup.play.record import Record
from sizeup.play.replay import play_again, replay
from sizeup.play.table import set_table
from tests.web.clients import choice_by_ply, setup


def given_up(end, seed=1):
    """A match in which somebody gave up after three moves, and its record."""
    match = Match(set_table("connect-four", ["obl:2+random", "obl:2"]), seed)
    for _ in range(3):
        match.step()
    end(match)
    return match.record()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_whoever_resigns_has_lost_and_the_record_says_so(seat):
    record = given_up(lambda match: match.resign(seat))
    winner = 1 - record.teams[seat]
    assert (record.reason, record.winner) == (f"seat {seat} resigned", winner)
    again = Record.from_json(record.to_json())
    assert again == record == play_again(record)
    assert len(list(replay(again))) == 3


def test_a_draw_may_be_agreed_whoever_leads():
    record = given_up(Match.agree_draw)
    assert (record.reason, record.winner) == ("a draw was agreed", None)
    assert Record.from_json(record.to_json()) == record == play_again(record)
    assert len(list(replay(record))) == 3


@pytest.mark.parametrize(
    ("reason", "winner"),
    [
        ("seat 0 resigned", 0),  # who resigns has not won
        ("seat 0 resigned", None),
        ("seat 7 resigned", 0),  # and sits at the table
        ("seat -1 resigned", 0),
        ("seat 0 resigned ", 1),
        ("a draw was agreed", 1),
        ("the game is over", None),  # it is not
    ],
)
def test_an_end_that_does_not_fit_is_refused(reason, winner):
    body = json.loads(given_up(Match.agree_draw).to_json())
    body |= {"reason": reason, "winner": winner}
    with pytest.raises(InvalidInput, match=r"winner|reason|ends"):
        list(replay(Record.from_json(sealed(body))))


def sealed(body):
    from sizeup.play.record import _seal

    return json.dumps({**body, "sha256": _seal(body)})


def test_nobody_resigns_after_the_end_or_to_nobody():
    with pytest.raises(InvalidInput, match="cannot end because seat 0 resigned"):
        Match(set_table("wall-of-fire", ["random+random"]), 1).resign(0)
    match = Match(set_table("connect-four", ["random", "random"]), 1)
    match.resign(1)
    with pytest.raises(InvalidInput, match="has ended"):
        match.agree_draw()


def test_a_visitor_resigns_and_everything_says_so(talk, visitor):
    talk.begin(setup(seed=5))
    state = talk.my_turn()
    talk.move(state, choice_by_ply(state))
    talk.send(type="resign", game_id=talk.id)
    told = talk.until("game", "ended")
    if told["type"] == "game":  # a move of somebody else was under way
        talk.game, told = told, talk.until("ended")
    result = told["result"]
    assert (result["reason"], result["outcome"], result["winner"]) == ("You resigned", "lost", "O")
    assert (result["settled"], result["margin"], result["stopped"]) == (True, None, None)
    shown = visitor.get(f"/api/records/{told['record_id']}")
    assert shown["result"] == result
    text = visitor.http.get(f"/api/records/{told['record_id']}/export/json").text
    record = Record.from_json(text)
    assert (record.reason, record.winner) == ("seat 1 resigned", 1)
    assert visitor.post("/api/records", data=json.loads(text))["id"]
    branch = visitor.post(f"/api/records/{told['record_id']}/what-if", data={"ply": 1})
    assert visitor.get(f"/api/records/{branch['id']}")["result"]["settled"] is False
    assert talk.refused(type="resign", game_id=talk.id) == "no_game"


@pytest.mark.slow
def test_resigning_does_not_wait_for_the_others(talk):
    talk.begin(setup("checkers", partner_depth=8, opponent_depth=8, seed=2))
    state = talk.my_turn()
    talk.send(type="move", game_id=talk.id, ply=state["ply"], action=choice_by_ply(state))
    talk.until("thinking")
    talk.send(type="resign", game_id=talk.id)
    assert talk.until("ended")["result"]["reason"] == "You resigned"


def test_there_is_nobody_to_resign_to_in_a_game_of_one_team(talk):
    talk.begin(setup("wall-of-fire"))
    state = talk.my_turn()
    assert talk.refused(type="resign", game_id=talk.id) == "not_yours"
    assert talk.refused(type="draw", game_id=talk.id, ply=state["ply"]) == "not_yours"


def test_who_watches_resigns_for_nobody(talk):
    talk.begin({"mode": "watch", "game": "connect-four", "teams": ["random", "random"], "seed": 1})
    assert talk.refused(type="resign", game_id=talk.id) == "not_yours"
    assert talk.refused(type="draw", game_id=talk.id, ply=0) == "not_yours"


def test_a_draw_is_offered_in_ones_own_turn_to_somebody_who_has_moved(talk):
    talk.begin(setup(seed=5, you="first"))
    state = talk.my_turn()
    talk.send(type="draw", game_id=talk.id, ply=state["ply"])
    assert "has not searched" in talk.until("declined")["words"]
    assert talk.refused(type="draw", game_id=talk.id, ply=state["ply"] + 1) == "stale"
    assert talk.refused(type="draw", game_id="x", ply=state["ply"]) == "no_game"


def test_an_opponent_that_does_not_expect_to_win_takes_a_draw(talk, visitor):
    talk.begin(setup(seed=5))  # looks 2 ahead, and sees nothing in the first moves
    state = talk.my_turn()
    state = talk.my_turn(talk.move(state, choice_by_ply(state))["state"])
    talk.send(type="draw", game_id=talk.id, ply=state["ply"])
    told = talk.until("ended")
    assert told["result"]["outcome"] == "drawn"
    assert told["result"]["reason"] == "a draw was agreed"
    assert visitor.get(f"/api/records/{told['record_id']}")["result"] == told["result"]


def test_an_opponent_that_expects_to_win_plays_on(talk, visitor):
    talk.begin(setup("checkers", opponent_depth=4, partner="obl", partner_depth=2, seed=3))
    state = talk.my_turn()
    for _ in range(40):  # a partner of depth 2 and somebody who plays anything lose men soon
        state = talk.my_turn(talk.move(state, choice_by_ply(state))["state"])
        if state["score"][0] <= -2:
            break
    talk.send(type="draw", game_id=talk.id, ply=state["ply"])
    assert "it expects to win by" in talk.until("declined")["words"]
    talk.move(state, choice_by_ply(state))
