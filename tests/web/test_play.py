"""Whole games by a scripted visitor: equal to the library's, and told as they go."""

import json
from dataclasses import asdict

import pytest

import sizeup
from sizeup.agents import STRATEGIES
from sizeup.errors import InvalidInput
from sizeup.play.match import play_at
from sizeup.play.record import Record
from sizeup.play.replay import play_again
from sizeup.play.table import set_table
from sizeup.web.game import LiveGame, seat_setup
from sizeup.web.messages import PlaySetup
from sizeup.web.offers import KINDS
from sizeup.web.story import result_data
from tests.web.clients import OURS, Engine, choice_by_ply, setup

FIVE = "obl:2+obl:2+obl:2+obl:2+obl:2"


def played_by_the_library(wanted, moves):
    """The same match by sizeup.play, with a visitor who makes these moves."""
    rest = iter(moves)

    def you(view, state, seed):
        return view.action_from_text(state, next(rest))

    seating = seat_setup(PlaySetup(**wanted), OURS)
    names = [[you if callable(m) else str(m) for m in team] for team in seating.teams]
    table = set_table(wanted["game"], names, observer=seating.observer)
    return play_at(table, seed=wanted["seed"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted",
    [
        setup("wall-of-fire", partner_depth=4),
        setup("wall-of-fire", partner="obl", you="first", seed=5),
        setup("narrow-tunnel", partner_depth=4, you="second"),
        setup("checkers", partner_depth=4, opponent_depth=2, seed=3),
        setup("checkers", partner="obl", side=1, you="first", seed=8),
        setup("connect-four", partner_depth=4, side=1),
    ],
    ids=lambda wanted: f"{wanted['game']}-{wanted['partner']}-{wanted['side']}-{wanted['you']}",
)
def test_a_whole_game_is_the_one_that_the_library_plays(talk, visitor, wanted):
    game = talk.begin(wanted)
    moves, ended = talk.play(choice_by_ply)
    expected = played_by_the_library(wanted, moves)
    text = visitor.http.get(f"/api/records/{ended['record_id']}/export/json").text
    assert Record.from_json(text) == expected
    assert ended["result"]["reason"] == result_data(expected, OURS[wanted["game"]].look)["reason"]
    assert ended["result"]["total"] == expected.total
    assert game["setup"] == wanted
    assert game["observer"] == (wanted["partner"] == "obl")
    assert (ended["card"]["believer"] is None) == game["observer"]


def test_everything_is_told_as_the_game_goes(talk, visitor):
    game = talk.begin(setup("checkers", partner_depth=4))
    assert [p["kind"] for p in game["players"]] == ["ca", "you", "obl"]
    assert [p["name"] for p in game["players"]] == ["ca:4", "you", "obl:2"]
    assert game["types"] == [2, 4]
    assert game["states"] == [game["state"]]
    (first,) = game["first_beliefs"]
    assert first == {"believer": 0, "about": 1, "types": [2, 4], "probabilities": [0.495, 0.495]}
    thinking = talk.next()
    assert thinking == {"type": "thinking", "game_id": talk.id, "seat": 0}
    state = talk.my_turn()
    assert state["ply"] == 2
    wanted = state["legal"][0]
    talk.send(type="move", game_id=talk.id, ply=2, action=wanted["action"])
    placed = talk.next()
    assert placed["type"] == "placed"
    moved = talk.next()
    assert (moved["type"], moved["move"]["seat"], moved["move"]["ply"]) == ("moved", 1, 3)
    assert placed["state"]["rows"] == moved["state"]["rows"]
    assert (placed["state"]["actor"], placed["state"]["legal"]) == (None, [])
    assert moved["state"]["last"] == wanted["squares"]
    (belief,) = moved["move"]["beliefs"]
    assert (belief["believer"], belief["about"]) == (0, 1)
    assert 0.5 < sum(belief["probabilities"]) < 1  # the rest is none of these
    assert "losses" not in moved["move"]
    assert moved["move"]["sentence"].startswith(f"You play {wanted['action']}")


@pytest.mark.slow
def test_a_silent_observer_sizes_up_the_partner_of_an_oblivious_agent(talk, visitor):
    game = talk.begin(setup("connect-four", partner="obl", partner_depth=4, seed=2))
    assert game["observer"]
    assert game["players"][0]["kind"] == "obl"
    assert game["first_beliefs"][0]["types"] == [2, 4]
    _, ended = talk.play(choice_by_ply)
    card = ended["card"]
    assert card["believer"] is None
    assert card["probabilities"] == pytest.approx(told_last(visitor, ended))
    assert sum(card["probabilities"]) < 1
    shown = visitor.get(f"/api/records/{ended['record_id']}")
    assert shown["observer"]
    assert shown["moves"][-1]["beliefs"][0]["types"] == [2, 4]
    assert any("A silent observer" in move["sentence"] for move in shown["moves"])
    text = visitor.http.get(f"/api/records/{ended['record_id']}/export/json").text
    record = Record.from_json(text)
    seat, watching = record.observer  # who played the match is in its record, also in silence
    assert (seat, str(watching), record.players[seat]) == (0, "ca:4@2,4", "obl:4")
    assert set(record.first_beliefs) == {0}
    assert play_again(record) == record


@pytest.mark.slow
def test_the_end_card_names_the_moves_that_told_most(talk):
    talk.begin(setup("checkers", partner_depth=6, opponent_depth=2, seed=4))
    _, ended = talk.play(choice_by_ply)
    card = ended["card"]
    bits = [told["bits"] for told in card["informative"]]
    assert len(bits) == 3
    assert bits == sorted(bits, reverse=True)
    assert bits[0] > 0
    assert all("You play" in told["sentence"] for told in card["informative"])
    assert card["believer"] == 0
    assert ended["result"]["outcome"] in ("won", "lost", "drawn")


def told_last(visitor, ended):
    """What was believed of the visitor after the last move."""
    shown = visitor.get(f"/api/records/{ended['record_id']}")
    (belief,) = shown["moves"][-1]["beliefs"]
    return belief["probabilities"]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [20, 2])
def test_the_end_card_names_the_depth_of_who_plays(talk, depth):
    wanted = setup("wall-of-fire", partner_depth=20, seed=1)
    talk.begin(wanted)
    _, ended = talk.play(Engine(wanted, depth).choose)
    card = ended["card"]
    assert card["types"] == [2, 20]
    assert (card["depth"], card["none"], card["credible"]) == (depth, False, [depth])


@pytest.mark.slow
def test_who_plays_like_nobody_is_told_so(talk):
    talk.begin(setup("checkers", partner_depth=4, opponent_depth=2, seed=4))
    _, ended = talk.play(choice_by_ply)
    card = ended["card"]
    assert (card["depth"], card["none"]) == (None, True)
    assert sum(card["probabilities"]) < 0.1


def test_a_partner_of_one_depth_names_no_other(talk):
    talk.begin(setup("wall-of-fire", partner_depth=2, seed=1))
    _, ended = talk.play(choice_by_ply)
    assert ended["card"]["types"] == ended["card"]["credible"] == [2]
    assert "reading" not in ended["card"]


def test_the_whole_game_is_watched_step_by_step(talk, visitor):
    wanted = {"mode": "watch", "game": "connect-four", "teams": ["ca:2+obl:1", "random"], "seed": 3}
    game = talk.begin(wanted)
    state, ended = game["state"], None
    while state["actor"] is not None:
        state = talk.step(state["ply"])["state"]
    ended = talk.until("ended")
    assert ended["card"] is None
    expected = sizeup.play("connect-four", ["ca:2+obl:1", "random"], seed=3)
    text = visitor.http.get(f"/api/records/{ended['record_id']}/export/json").text
    assert Record.from_json(text) == expected
    shown = visitor.get(f"/api/records/{ended['record_id']}")
    assert shown["reproducible"]
    assert shown["command"] == (
        "sizeup watch connect-four --team ca:2+obl:1 --team random --seed 3"
    )


@pytest.mark.slow
def test_two_visitors_play_at_once_and_do_not_meet(server):
    with server.visitor() as ada, server.visitor() as bob:
        with ada.socket() as one, bob.socket() as other:
            one.begin(setup("checkers", seed=1))
            other.begin(setup("wall-of-fire", seed=1))
            assert one.id != other.id
            here, there = one.my_turn(), other.my_turn()
            assert other.refused(type="leave", game_id=one.id) == "no_game"
            while here.get("type") != "ended" or there.get("type") != "ended":
                if here.get("type") != "ended":
                    here = one.my_turn(one.move(here, choice_by_ply(here))["state"])
                if there.get("type") != "ended":
                    there = other.my_turn(other.move(there, choice_by_ply(there))["state"])
        names = {v: [r["id"] for r in v.get("/api/records")["records"]] for v in (ada, bob)}
        assert names == {ada: [here["record_id"]], bob: [there["record_id"]]}


def test_a_new_game_takes_the_place_of_the_one_before(talk):
    talk.begin(setup("connect-four"))
    first = talk.id
    talk.my_turn()
    talk.begin(setup("connect-four", seed=2))
    assert talk.id != first
    state = talk.my_turn()
    assert talk.refused(type="move", game_id=first, ply=2, action="a") == "no_game"
    talk.send(type="leave", game_id=talk.id)
    assert talk.refused(type="move", game_id=talk.id, ply=state["ply"], action="a") == "no_game"


def test_moves_that_are_stale_illegal_or_out_of_turn_are_refused_and_change_nothing(talk):
    talk.begin(setup("connect-four"))
    state = talk.my_turn()
    move = {"type": "move", "game_id": talk.id}
    assert talk.refused(**move, ply=state["ply"] - 1, action="a") == "stale"
    assert talk.refused(**move, ply=state["ply"] + 1, action="a") == "stale"
    assert talk.refused(**move, ply=state["ply"], action="z") == "illegal"
    assert talk.refused(**move, ply=state["ply"], action="<img src=x>") == "illegal"
    assert talk.refused(type="step", game_id=talk.id, ply=state["ply"]) == "not_yours"
    assert talk.move(state, "a")["move"]["action"] == "a"


def test_a_watched_game_takes_no_moves(talk):
    game = talk.begin(
        {"mode": "watch", "game": "wall-of-fire", "teams": ["obl:2+obl:2"], "seed": 1}
    )
    action = game["state"]["legal"][0]["action"]
    assert talk.refused(type="move", game_id=talk.id, ply=0, action=action) == "not_yours"
    assert talk.step(0)["move"]["ply"] == 1


def watched(game, *teams):
    return {"mode": "watch", "game": game, "teams": list(teams), "seed": 1}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (setup("wall-of-fire", side=1), "side must be 0 and opponent_depth null, got side 1"),
        (setup("wall-of-fire", opponent_depth=2), "got side 0 and opponent_depth 2"),
        (setup("checkers", opponent_depth=None), "checkers needs an opponent"),
        (setup("checkers", partner_depth=13), "limited to depth 12 here, got 13"),
        (setup("checkers", opponent_depth=13), "limited to depth 12 here, got 13"),
        (watched("checkers", "obl:40", "obl:2"), "limited to depth 12 here, got 40"),
        (watched("checkers", "obl:2"), "checkers needs 2 teams"),
        (watched("checkers", "nobody:2", "obl:2"), "there is no agent 'nobody'"),
        (watched("checkers", FIVE, "obl:2"), "at most 4 members, got 5"),
        (watched("narrow-tunnel", "obl:2"), "narrow-tunnel needs teams of 2"),
        (watched("wall-of-fire", "ca:9@1,2,3,4,5,6,7,8,9+obl:2"), "at most 8 depths apart"),
    ],
)
def test_a_setup_that_cannot_be_played_is_said_and_takes_no_place(talk, wrong, words):
    talk.send(type="new", setup=wrong)
    error = talk.until("error")
    assert error["code"] == "bad_message"
    assert words in error["message"]
    assert talk.begin(setup("connect-four"))["type"] == "game"


def test_a_visitor_s_turn_needs_the_visitor():
    game = LiveGame(PlaySetup(**setup("connect-four", you="first")), OURS)
    with pytest.raises(InvalidInput, match="the visitor's turn: wait for a move"):
        game.step()


def test_a_failure_of_the_server_ends_one_game_and_says_so(talk, monkeypatch, caplog):
    def fail(self, action=None):
        raise ZeroDivisionError("of all things")

    with monkeypatch.context() as broken:
        broken.setattr(LiveGame, "step", fail)
        talk.begin(setup("connect-four"))
        talk.until("thinking")
        error = talk.until("error")
    assert error["code"] == "internal"
    assert "of all things" not in error["message"]
    assert "of all things" in caplog.text
    talk.begin(setup("connect-four"))
    assert talk.my_turn()["ply"] == 2


def test_what_is_told_is_what_the_game_holds():
    """Every state that was told is the one that its text says."""
    game = LiveGame(PlaySetup(**setup("checkers")), OURS)
    while game.actor is not None:
        game.step(game.story.states[-1]["legal"][0]["action"] if game.actor == game.seat else None)
    for state in game.story.states:
        again = game.view.state_from_text(state["text"])
        assert game.view.state_text(again) == state["text"]
        json.dumps(state)
    assert game.story.states[-1]["legal"] == []
    assert asdict(game.match.record())["reason"]


def test_every_strategy_has_words_on_the_page():
    assert {kind for kind, _, _ in KINDS} == set(STRATEGIES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("partner", "words"),
    [("ca", "It counts on you to look 2 ahead."), ("obl", "It takes you for its equal.")],
)
def test_it_is_said_what_a_partner_takes_you_for(talk, partner, words):
    """An aware one only once it is fairly sure, an oblivious one always."""
    talk.begin(setup("wall-of-fire", partner=partner, partner_depth=20, seed=1))
    state = talk.my_turn()
    talk.move(state, "W")
    assert words in talk.until("moved")["move"]["plain"]


@pytest.mark.slow
def test_nothing_is_said_of_what_an_unsure_partner_counts_on(talk):
    talk.begin(setup("wall-of-fire", partner_depth=20, seed=1))
    first = talk.until("moved")["move"]
    assert first["plain"].startswith("Your partner moves east")
    assert "count" not in first["plain"]
