"""A game goes on: after a lost connection, and after a server that was killed."""

import signal
import time

import pytest
from websockets.exceptions import ConnectionClosed

from tests.web.clients import Process, choice_by_ply, running, setup


def moves_of(game):
    return [move["action"] for move in game["moves"]]


def played(talk, turns):
    """Play some turns: the last state, and all moves so far."""
    seen = list(moves_of(talk.game))
    state = talk.game["state"]
    seat = next(p["seat"] for p in talk.game["players"] if p["kind"] == "you")
    while turns or state["actor"] != seat:
        if state["actor"] == seat:
            turns -= 1
            talk.send(type="move", game_id=talk.id, ply=state["ply"], action=choice_by_ply(state))
        message = talk.until("moved")
        state = message["state"]
        seen.append(message["move"]["action"])
    return state, seen, message["move"]["beliefs"]


@pytest.mark.slow
def test_a_game_goes_on_after_the_server_was_killed(tmp_path, static):
    wanted = setup("checkers", partner_depth=4)
    with Process(tmp_path, static) as first:
        somebody = first.visitor()
        with somebody.socket() as talk:
            talk.begin(wanted)
            state, moves, beliefs = played(talk, 3)
            assert first.end(signal.SIGKILL)[0] == -signal.SIGKILL
        port, cookie = first.port, somebody.cookie
        somebody.http.close()
    with Process(tmp_path, static, port) as second, second.visitor(cookie) as somebody:
        with somebody.socket() as talk:
            game = talk.begin(wanted, moves)
            assert game["state"] == state
            assert moves_of(game) == moves
            assert game["moves"][-1]["beliefs"] == beliefs
            assert len(game["states"]) == len(moves) + 1
            after, more, _ = played(talk, 1)
        assert second.end(signal.SIGINT) == (0, "stopped\n", "")
    with running(static) as third, third.visitor() as somebody, somebody.socket() as talk:
        talk.begin(wanted)  # uninterrupted, it would have gone the same way
        assert played(talk, 4)[:2] == (after, more)


@pytest.mark.slow
def test_a_silent_observer_comes_to_the_same_beliefs_at_another_server(server, static):
    wanted = setup("checkers", partner="obl", partner_depth=4)
    with server.visitor() as somebody, somebody.socket() as talk:
        talk.begin(wanted)
        _, moves, beliefs = played(talk, 3)
    with running(static) as other, other.visitor() as somebody, somebody.socket() as talk:
        assert talk.begin(wanted, moves)["moves"][-1]["beliefs"] == beliefs


def test_a_page_that_is_loaded_again_has_its_game_at_once(server, visitor):
    wanted = setup("checkers", partner_depth=4)
    with visitor.socket() as talk:
        talk.begin(wanted)
        state, moves, beliefs = played(talk, 2)
        name = talk.id
    wait_until_parked(server, visitor)
    with visitor.socket() as talk:
        game = talk.begin(wanted, moves)
        assert game["game_id"] == name  # the same one, which was not played again
        assert (game["state"], game["moves"][-1]["beliefs"]) == (state, beliefs)
        assert played(talk, 1)[0]["ply"] > state["ply"]


@pytest.mark.slow
def test_a_game_left_while_somebody_thinks_is_found_with_the_move(server, visitor):
    wanted = setup("checkers", partner_depth=8, opponent_depth=8)
    with visitor.socket() as talk:
        talk.begin(wanted)
        state, moves, _ = played(talk, 1)
        action = choice_by_ply(state)
        talk.send(type="move", game_id=talk.id, ply=state["ply"], action=action)
        talk.until("placed")
        name = talk.id
    wait_until_parked(server, visitor)
    with visitor.socket() as talk:
        game = talk.begin(wanted, moves)
        assert game["game_id"] == name
        assert moves_of(game)[: len(moves)] == moves


def test_a_game_is_not_found_by_others_nor_with_other_moves(server, visitor):
    wanted = setup("connect-four", seed=11)
    with visitor.socket() as talk:
        talk.begin(wanted)
        _, moves, _ = played(talk, 2)
        name = talk.id
    wait_until_parked(server, visitor)
    with server.visitor() as other, other.socket() as talk:
        assert talk.begin(wanted, moves)["game_id"] != name
    with visitor.socket() as talk:
        game = talk.begin(wanted, moves[:2])  # two turns back: that is played again
        assert game["game_id"] != name
        assert moves_of(game) == moves[:2]


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        (["a"], "move 1 is a"),
        (["c", "zzz"], "move 2 is zzz"),
    ],
)
def test_moves_that_agents_would_not_make_are_refused(talk, moves, why):
    talk.send(type="resume", setup=setup("connect-four", partner_depth=4, seed=1), moves=moves)
    error = talk.until("error")
    assert error["code"] == "not_same"
    assert why in error["message"]
    assert talk.begin(setup())["type"] == "game"


def test_an_illegal_move_of_the_visitor_is_refused_when_it_is_remembered(talk):
    talk.begin(setup("connect-four"))
    _, moves, _ = played(talk, 1)
    talk.send(type="resume", setup=setup("connect-four"), moves=[*moves, "h"])
    error = talk.until("error")
    assert error["code"] == "bad_message"
    assert "'h' is not a legal action" in error["message"]


@pytest.mark.slow
def test_a_game_that_is_over_ends_again_and_no_move_comes_after_it(talk, visitor):
    wanted = setup("wall-of-fire")
    talk.begin(wanted)
    _, ended = talk.play(choice_by_ply)
    moves = moves_of(visitor.get(f"/api/records/{ended['record_id']}"))
    talk.begin(wanted, moves)
    again = talk.until("ended")
    assert (again["result"], again["card"]) == (ended["result"], ended["card"])
    talk.send(type="resume", setup=wanted, moves=[*moves, "N"])
    assert talk.until("error")["code"] == "not_same"


def test_a_watched_game_goes_on_too(talk):
    wanted = {"mode": "watch", "game": "connect-four", "teams": ["ca:2+obl:1", "obl:2"], "seed": 5}
    talk.begin(wanted)
    moves = [talk.step(ply)["move"]["action"] for ply in range(5)]
    expected = talk.step(5)["move"]
    game = talk.begin(wanted, moves)
    assert (moves_of(game), game["state"]["ply"]) == (moves, 5)
    assert talk.step(5)["move"] == expected


def test_a_server_that_stops_says_so(static):
    wanted = {"mode": "watch", "game": "narrow-tunnel", "teams": ["obl:30+obl:30"], "seed": 1}
    with (
        running(static) as server,
        server.visitor() as somebody,
        somebody.socket() as talk,
        somebody.socket() as deep,
    ):
        talk.begin(setup())
        talk.my_turn()
        deep.begin(wanted)
        deep.send(type="step", game_id=deep.id, ply=0)
        deep.until("thinking")
        server.server.should_exit = True
        for opened in (talk, deep):
            assert goodbye(opened)["code"] == "stopping"
            with pytest.raises(ConnectionClosed):
                opened.next()
            assert opened.socket.protocol.close_code == 1012


def goodbye(talk):
    while True:
        message = talk.next()
        if message["type"] == "error":
            return message


def wait_until_parked(server, visitor):
    """Wait until the server has seen that the visitor's page is gone."""
    mine = visitor.cookie.partition(".")[0]
    while mine not in [owner for owner, _, _ in server.hub.parking._parked.values()]:
        time.sleep(0.01)
