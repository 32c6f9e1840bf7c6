"""Caps: what is too big, too fast, too many or too old is refused, and nobody else minds."""

import asyncio
import json
import os
import socket
import threading
import time
import weakref
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from sizeup.search import searcher
from sizeup.search.tree import allocate
from sizeup.web.game import Cancelled, LiveGame
from sizeup.web.hub import Hub, Parking
from sizeup.web.messages import PlaySetup
from sizeup.web.settings import Settings
from tests.web.clients import OURS, choice_by_ply, running, setup


def silent(server, count):
    """Connections that say nothing."""
    return [socket.create_connection(("127.0.0.1", server.settings.port)) for _ in range(count)]


def test_connections_that_say_nothing_shut_nobody_out(static):
    """As many as there may be at all, and more: a visitor who asks for something gets it."""
    with running(static, sockets=16, waiting=8) as server:
        held = silent(server, 100)
        with server.visitor() as somebody:
            assert somebody.get("/api/about")["games"]
            with somebody.socket() as talk:
                talk.send(type="ping")
                assert talk.next() == {"type": "pong"}
        for one in held:
            one.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: x", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]
)
def test_a_connection_without_a_next_request_is_closed(static, sent):
    """One that never says anything, only half of it, or nothing after the first time."""
    with running(static, request_seconds=0.2) as server:
        (one,) = silent(server, 1)
        with one:
            one.settimeout(20)
            one.sendall(sent)
            with suppress(ConnectionResetError):
                while one.recv(4096):
                    pass


@pytest.mark.slow
def test_a_socket_and_a_slow_request_may_take_their_time(static, monkeypatch):
    with running(static, request_seconds=0.05) as server, server.visitor() as somebody:
        monkeypatch.setattr(server.hub.records, "listed", lambda owner: [time.sleep(0.3)])
        with somebody.socket() as talk:
            assert somebody.get("/api/records") == {"records": [None]}
            time.sleep(0.2)  # longer than anybody may take who asks for nothing
            talk.send(type="ping")
            assert talk.next() == {"type": "pong"}


MESSAGES = {
    "no JSON": "{",
    "no object": "[]",
    "a number": "7",
    "nothing": "",
    "no type": "{}",
    "another type": '{"type": "hack"}',
    "an extra field": '{"type": "ping", "x": 1}',
    "a type of the wrong kind": '{"type": 1}',
    "a setup that is none": '{"type": "new", "setup": 1}',
    "no setup": '{"type": "new"}',
    "NaN": '{"type": "step", "game_id": "x", "ply": NaN}',
    "a long number": '{"type": "step", "game_id": "x", "ply": ' + "9" * 500 + "}",
    "a fraction": '{"type": "step", "game_id": "x", "ply": 1.5}',
    "a text for a number": '{"type": "step", "game_id": "x", "ply": "1"}',
    "a truth for a number": '{"type": "step", "game_id": "x", "ply": true}',
    "below nothing": '{"type": "step", "game_id": "x", "ply": -1}',
    "a long name": json.dumps({"type": "leave", "game_id": "x" * 33}),
    "no name": '{"type": "leave", "game_id": ""}',
    "a long action": json.dumps({"type": "move", "game_id": "x", "ply": 0, "action": "a" * 65}),
    "many brackets": "[" * 4000,
    "a lone surrogate": '{"type": "leave", "game_id": "\\ud800"}',
    "another game": json.dumps({"type": "new", "setup": setup() | {"game": "os.system"}}),
    "a file for a game": json.dumps({"type": "new", "setup": setup() | {"game": "/tmp/x.py"}}),
    "a negative seed": json.dumps({"type": "new", "setup": setup(seed=-1)}),
    "a long seed": json.dumps({"type": "new", "setup": setup(seed=2**53)}),
    "no depth": json.dumps({"type": "new", "setup": setup(partner_depth=0)}),
    "another side": json.dumps({"type": "new", "setup": setup(side=2)}),
    "too many moves": json.dumps({"type": "resume", "setup": setup(), "moves": ["a"] * 401}),
}


@pytest.mark.parametrize("text", MESSAGES.values(), ids=MESSAGES)
def test_a_message_that_is_none_is_refused_and_the_next_one_heard(talk, text):
    talk.socket.send(text)
    error = talk.until("error")
    assert (error["code"], error["game_id"]) == ("bad_message", None)
    assert 0 < len(error["message"]) < 300
    talk.send(type="ping")
    assert talk.next() == {"type": "pong"}


def test_bytes_are_no_message(talk):
    talk.socket.send(b"\x00\xff")
    assert talk.until("error")["code"] == "bad_message"


def test_long_messages_are_refused_and_very_long_ones_end_the_talk(server, visitor):
    most = server.settings.message_bytes
    with visitor.socket() as talk:
        talk.socket.send("x" * (most + 1))
        assert talk.until("error")["code"] == "too_big"
        talk.socket.send("é" * (most // 2 + 1))  # two bytes each
        assert talk.until("error")["code"] == "too_big"
        talk.socket.send("x" * (16 * most + 1))
        with pytest.raises(ConnectionClosed):
            talk.next()
        assert talk.socket.protocol.close_code == 1009


@pytest.mark.slow
def test_a_flood_is_refused_counted_and_cut_off_while_others_play_on(static):
    with (
        running(static, refusals=50, messages_per_second=1.0) as server,
        server.visitor() as ada,
        server.visitor() as bob,
        bob.socket() as other,
        ada.socket() as talk,
    ):
        other.begin(setup("checkers"))
        state = other.my_turn()
        assert talk.flood() == ({None, "too_fast"}, 4429)
        assert server.hub.refusals["too_fast"] == 50
        for _ in range(3):
            state = other.my_turn(other.move(state, choice_by_ply(state))["state"])
        assert state["ply"] > 8


def test_above_the_cap_games_are_refused_politely_until_one_ends(static):
    with running(static, sessions=2) as server, server.visitor() as somebody:
        with somebody.socket() as one, somebody.socket() as two, somebody.socket() as three:
            one.begin(setup())
            two.begin(setup())
            assert three.refused(type="new", setup=setup()) == "full"
            assert three.refused(type="resume", setup=setup(), moves=[]) == "full"
            one.my_turn()
            one.send(type="leave", game_id=one.id)
            one.send(type="ping")
            one.until("pong")
            assert three.begin(setup())["type"] == "game"
            two.my_turn()
            assert two.begin(setup(seed=2))["type"] == "game"  # its own place is its own
        assert server.hub.refusals["full"] == 2


@pytest.mark.slow
def test_a_game_without_input_ends_and_pings_are_no_input(static):
    with (
        running(static, idle_minutes=0.01) as server,
        server.visitor() as somebody,
        somebody.socket() as talk,
    ):
        talk.begin(setup())
        message = talk.game
        while message["type"] != "error":
            talk.send(type="ping")
            message = talk.next()
            time.sleep(0.1)  # the pace of a page that is open
        assert (message["code"], message["game_id"]) == ("idle", talk.id)
        assert not server.hub.playing
        assert error_for(talk, type="move", game_id=talk.id, ply=2, action="a") == "no_game"


def error_for(talk, **message):
    """The code of the error for a message, whatever else is still on its way."""
    talk.send(**message)
    while True:
        answer = talk.next()
        if answer["type"] == "error":
            return answer["code"]


def test_new_input_stops_a_search_that_nobody_waits_for(server, visitor):
    """A search at the cap takes seconds; the next game does not wait for it to end."""
    deep = {"mode": "watch", "game": "narrow-tunnel", "teams": ["obl:30+obl:30"], "seed": 1}
    with visitor.socket() as talk:
        talk.begin(deep)
        talk.send(type="step", game_id=talk.id, ply=0)
        assert talk.next()["type"] == "thinking"
        assert talk.refused(type="step", game_id=talk.id, ply=0) == "stale"
        (session,) = server.hub.playing
        game, old = session._game, talk.id
        talk.begin(setup())
        assert talk.game["game_id"] != old
        assert game.cancel.is_set
        talk.my_turn()
        assert len(game.story.moves) == 0  # it was stopped before it had a move


def test_a_stopped_game_raises_and_keeps_its_last_state():
    game = LiveGame(PlaySetup(**setup("narrow-tunnel", partner_depth=30, you="second")), OURS)
    wait = threading.Timer(0.2, game.cancel.set)
    wait.start()
    with pytest.raises(Cancelled, match="stopped before it finished"):
        game.step()
    wait.join()
    assert (game.ply, len(game.story.states)) == (0, 1)


@pytest.fixture
def trees(monkeypatch):
    """How many trees there are, told when one is made and whenever it is asked."""
    made, counts = [], []

    def alive():
        return sum(mean() is not None for mean in made)

    def counted(*shape):
        tree, work = allocate(*shape)
        made.append(weakref.ref(tree.mean))
        counts.append(alive())
        return tree, work

    monkeypatch.setattr(searcher, "allocate", counted)
    return counts, alive


@pytest.mark.slow
def test_a_tree_is_gone_with_its_search(trees):
    """Three kinds of searches: the partner's plan, the opponent's, and sizing the visitor up.

    The last are made on all cores, each with a tree for as long as it takes.
    """
    counts, alive = trees
    wanted = [PlaySetup(**setup("connect-four", partner_depth=4, seed=seed)) for seed in range(3)]
    games = [LiveGame(one, OURS) for one in wanted]
    for action in (None, None, "a", None):
        for game in games:
            game.step(action)
    assert len(counts) >= 9
    assert max(counts) <= (os.cpu_count() or 1)
    assert alive() == 0


def test_a_tree_is_gone_with_a_search_that_was_stopped(trees):
    counts, alive = trees
    game = LiveGame(PlaySetup(**setup("connect-four")), OURS)
    game.cancel.set()
    with pytest.raises(Cancelled) as stopped:
        game.step()
    assert counts == [1]
    assert alive() == 0
    assert stopped.value.__traceback__ is not None  # which keeps whatever its frames name


def test_a_page_that_does_not_listen_is_no_problem_of_others():
    class Deaf:
        async def say_goodbye(self):
            raise OSError("gone")

    class Polite:
        left = False

        async def say_goodbye(self):
            self.left = True

    hub, polite = Hub(Settings()), Polite()
    hub.sessions.update({Deaf(), polite})
    asyncio.run(hub.stop())
    hub.pool.close()
    assert polite.left
    assert hub.cancel.is_set


def test_parked_games_are_few_and_forgotten_in_time():
    parking, wanted = Parking(most=2), PlaySetup(**setup())
    for at, name in enumerate("abc"):
        game = LiveGame(wanted, OURS)
        parking.leave(name, game, float(at))
    assert len(parking._parked) == 2
    assert parking.fetch("a", wanted) is None
    assert parking.fetch("b", PlaySetup(**setup(seed=9))) is None
    assert parking.fetch("c", wanted) is game
    assert parking.fetch("c", wanted) is None
    parking.sweep(before=1.0)
    assert len(parking._parked) == 1
    parking.sweep(before=1.5)
    assert len(parking._parked) == 0
