"""Two people at one table: who is let in, who may do what, and what each is told."""

import json
import signal
import time
from contextlib import contextmanager

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from sizeup.play.record import Record
from sizeup.web.guard import LIFETIME, Keeper, Pass
from sizeup.web.settings import Settings
from tests.web.clients import KEY, PATIENCE, Process, Visitor, choice_by_ply, running, setup


def shared(game="wall-of-fire", guest="with", **more):
    return setup(game, guest=guest, **more)


def hosting(talk, wanted=None, moves=None):
    """Begin a game that is shared, and wait for the links to it."""
    talk.begin(shared() if wanted is None else wanted, moves)
    return talk.until("table")["links"]


def asked(base, link, cookie=""):
    """What a browser is answered that has followed a link."""
    headers = {"Origin": base, "X-Sizeup": "1", "Cookie": cookie}
    return httpx.post(f"{base}/api/join", json={"link": link}, headers=headers, timeout=PATIENCE)


def cookie_of(answer):
    assert answer.status_code == 200, answer.text
    return answer.headers["set-cookie"].partition(";")[0]


class Guest(Visitor):
    """A browser that has a guest's cookie, and no other."""

    def __init__(self, base, cookie):
        super().__init__(base, "")
        self.named = cookie
        self.http.headers["Cookie"] = cookie

    @contextmanager
    def at_the_table(self):
        with self.socket("/ws/join") as talk:
            assert talk.until("people")["host"]
            talk.game = talk.until("game")
            yield talk


def arrived(server, link):
    return Guest(server.base, cookie_of(asked(server.base, link)))


def code_of(talk):
    """Wait until a socket is closed: why."""
    try:
        while True:
            talk.socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code


def play_to_the_end(talks):
    """Everybody moves in turn: how the game ended, as each is told."""
    seats = {talk.seat: talk for talk in talks}
    state = max((talk.game["state"] for talk in talks), key=lambda one: one["ply"])
    for talk in talks:  # who came first is still to be told of moves that the other found made
        seen = talk.game["state"]["ply"]
        while seen < state["ply"]:
            seen = talk.until("moved")["state"]["ply"]
    while True:
        if state["actor"] in seats:
            mover = seats[state["actor"]]
            action = choice_by_ply(state)
            mover.send(type="move", game_id=mover.id, ply=state["ply"], action=action)
        told = [talk.until("moved", "ended") for talk in talks]
        if told[0]["type"] == "ended":
            return told
        assert len({one["state"]["ply"] for one in told}) == 1
        assert len({json.dumps(one["state"]) for one in told}) == 1
        state = told[0]["state"]


@pytest.fixture
def host(visitor):
    with visitor.socket() as talk:
        yield talk


@pytest.fixture
def both(server, host):
    """A host and a guest at one table, and a watcher's link."""
    links = hosting(host)
    with arrived(server, links["seat"]) as guest, guest.at_the_table() as talk:
        yield host, talk, links["watch"]


@pytest.mark.slow
def test_two_people_play_and_each_is_you(server, visitor, both):
    host, guest, watch = both
    with arrived(server, watch) as somebody, somebody.at_the_table() as watcher:
        called = [[p["called"] for p in talk.game["players"]] for talk in (host, guest, watcher)]
        assert called == [
            ["Your partner", "You", "Your guest"],
            ["Your partner", "Your host", "You"],
            ["Capability-aware 2", "The host", "The guest"],
        ]
        assert guest.game["setup"] == {"mode": "guest", "game": "wall-of-fire"}
        assert guest.game["offer"]["name"] == "wall-of-fire"
        assert guest.game["kinds"] == [k for k in guest.game["kinds"] if k["kind"] == "ca"] != []
        ends = play_to_the_end((host, guest))
        seen = watcher.until("ended")
    assert [one["record_id"] != "" for one in (*ends, seen)] == [True, False, False]
    assert [one["card"] is None for one in (*ends, seen)] == [False, False, True]
    others = [[other["called"] for other in one["others"]] for one in (*ends, seen)]
    assert others == [["Your guest"], ["Your host"], ["The host", "The guest"]]
    assert ends[0]["others"][0]["card"]["probabilities"] == ends[1]["card"]["probabilities"]
    shown = visitor.get(f"/api/records/{ends[0]['record_id']}")
    assert [player["called"] for player in shown["players"]] == called[0]
    text = visitor.http.get(f"/api/records/{ends[0]['record_id']}/export/json").text
    assert Record.from_json(text).players[1:] == ("you", "guest")
    assert visitor.post("/api/records", data=json.loads(text))["id"]  # and it can be opened again
    branch = visitor.post(f"/api/records/{ends[0]['record_id']}/what-if", data={"ply": 18})["id"]
    assert visitor.get(f"/api/records/{branch}")["branch_of"]["ply"] == 18


def test_the_agent_sizes_up_both(both):
    host, guest, _ = both
    about = {belief["about"] for belief in host.game["first_beliefs"]}
    assert about == {host.seat, guest.seat}
    assert guest.game["first_beliefs"] == host.game["first_beliefs"]


@pytest.mark.slow
def test_a_guest_against_the_host_has_a_partner_of_its_own(server, host):
    links = hosting(host, shared("connect-four", "against", you="first"))
    with arrived(server, links["seat"]) as somebody, somebody.at_the_table() as guest:
        names = [player["called"] for player in guest.game["players"]]
        assert sorted(names) == ["You", "Your host", "Your opponent", "Your partner"]
        about = {belief["about"] for belief in host.game["first_beliefs"]}
        assert about == {host.seat, guest.seat}
        assert host.refused(type="draw", game_id=host.id, ply=0) == "not_yours"
        guest.send(type="resign", game_id=guest.id)  # and on the other side it may
        told = [talk.until("ended")["result"] for talk in (host, guest)]
    assert [one["outcome"] for one in told] == ["won", "lost"]
    assert [one["reason"] for one in told] == ["Your guest resigned", "You resigned"]


def test_nobody_moves_in_another_s_seat(both):
    host, guest, _ = both
    state = host.my_turn()
    move = {"type": "move", "ply": state["ply"], "action": choice_by_ply(state)}
    assert guest.refused(**move, game_id=guest.id) == "not_yours"
    host.send(**move, game_id=host.id)
    state = host.until("moved")["state"]
    while state["actor"] != guest.seat:
        state = host.until("moved")["state"]
    guest.my_turn()
    move = {"type": "move", "ply": state["ply"], "action": choice_by_ply(state)}
    assert host.refused(**move, game_id=host.id) == "not_yours"
    assert guest.refused(**{**move, "action": "jump"}, game_id=guest.id) == "illegal"
    assert guest.refused(**{**move, "ply": 0}, game_id=guest.id) == "stale"
    assert guest.refused(**move, game_id="another") == "no_game"
    guest.send(**move, game_id=guest.id)
    told = [talk.until("moved")["move"] for talk in (host, guest)]
    assert [one["seat"] for one in told] == [guest.seat] * 2
    assert [one["plain"].split()[0] for one in told] == ["Your", "You"]


@pytest.mark.parametrize("kind", ["seat", "watch"])
def test_a_guest_runs_nothing(server, host, kind):
    links = hosting(host)
    asks = [
        {"type": "new", "setup": setup()},
        {"type": "new", "setup": shared()},
        {"type": "resume", "setup": setup(), "moves": []},
        {"type": "invite", "game_id": host.id},
        {"type": "stop", "game_id": host.id},
        {"type": "leave", "game_id": host.id},
        {"type": "back", "game_id": host.id, "ply": 0},
        {"type": "step", "game_id": host.id, "ply": 0},
        {"type": "draw", "game_id": host.id, "ply": 0},
        {"type": "resign", "game_id": host.id},
        {"type": "study"},
    ]
    with arrived(server, links[kind]) as somebody, somebody.at_the_table() as guest:
        for ask in asks:
            assert guest.refused(**ask) == "not_yours", ask
        if kind == "watch":
            move = {"type": "move", "game_id": host.id, "ply": 0, "action": "N"}
            assert guest.refused(**move) == "not_yours"
        guest.send(type="ping")
        guest.until("pong")
    assert host.refused(type="back", game_id=host.id, ply=0) == "not_yours"


PATHS = (
    "/", "/play", "/play/checkers", "/replay", "/results", "/api/about", "/api/records",
    "/api/records/x", "/api/records/x/export/json", "/api/results", "/api/results/x", "/api/study",
    "/api/join/x", "/api", "/join/x", "/index.html",
)  # fmt: skip


def test_a_guest_s_cookie_opens_one_socket_and_nothing_else(server, visitor, host):
    links = hosting(host)
    with visitor.socket() as other:
        other.begin(setup(seed=9))
        other.send(type="stop", game_id=other.id)
        record = other.until("ended")["record_id"]
    with arrived(server, links["seat"]) as guest:
        for path in (*PATHS, f"/api/records/{record}", f"/api/records/{record}/export/json"):
            assert guest.http.get(path).status_code == 401, path
        for path in ("/api/records", f"/api/records/{record}/what-if", "/api/study"):
            assert guest.http.post(path, json={}).status_code == 401, path
        with guest.socket() as talk:
            assert code_of(talk) == 4401
        assert guest.http.get("/join").status_code == 200
        as_visitor = guest.named.replace("sizeup-guest-", "sizeup-")
        assert guest.http.get("/api/about", headers={"Cookie": as_visitor}).status_code == 401


def test_a_visitor_without_a_pass_has_no_seat(server, visitor, host):
    hosting(host)
    with visitor.socket("/ws/join") as talk:
        assert code_of(talk) == 4401
    body = visitor.cookie
    visitor.named = f"sizeup-guest-{server.settings.port}={body}"
    with visitor.socket("/ws/join") as talk:
        assert code_of(talk) == 4401


def test_forged_and_damaged_passes_are_refused():
    keeper = Keeper(KEY, 8765)
    given = Pass("seat", "t" * 16, "c" * 16)
    value = keeper.set_pass(given).partition("=")[2].partition(";")[0]
    assert keeper.guest(value) == given
    assert keeper.guest(value, now=time.time() + LIFETIME) is None
    assert Keeper(KEY, 8766).guest(value) is None
    assert Keeper(b"x" * 32, 8765).guest(value) is None
    watching = keeper.set_pass(given._replace(role="watch")).partition("=")[2].partition(";")[0]
    for forged in (
        "", value[:-1], value + "0", value.upper(), watching.replace("watch", "seat"),
        value.replace("tttt", "tttu", 1), value.replace("cccc", "cccd", 1), keeper.cookie(),
    ):  # fmt: skip
        assert keeper.guest(forged) is None, forged
    assert keeper.visitor(value) is None


def test_a_link_to_a_seat_is_good_for_one_browser(server, host):
    links = hosting(host)
    first = cookie_of(asked(server.base, links["seat"]))
    assert asked(server.base, links["seat"]).status_code == 410
    again = asked(server.base, links["seat"], first)  # the same browser, with what it was given
    assert cookie_of(again).split(".")[:3] == first.split(".")[:3]
    watching = [cookie_of(asked(server.base, links["watch"])) for _ in range(3)]
    assert len({one.split(".")[2] for one in watching}) == 3
    assert asked(server.base, links["seat"], watching[0]).status_code == 410
    for wrong in ("x", links["seat"][:-1], links["seat"] + "x", "é"):
        assert asked(server.base, wrong).status_code == 410, wrong
    assert asked(server.base, "x" * 65).status_code == 422


def test_a_link_that_has_expired_leads_nowhere(static):
    caps = {"invite_minutes": 0.0}
    with (
        running(static, **caps) as server,
        server.visitor() as visitor,
        visitor.socket() as talk,
    ):
        assert hosting(talk) == {}
        (table,) = server.hub.tables.values()
        for link in table.links.values():
            assert asked(server.base, link).status_code == 410


def test_other_sites_cannot_join_for_somebody(server, host):
    links = hosting(host)
    for change in ({"Origin": "http://evil.example"}, {"X-Sizeup": ""}, {"Host": "evil.example"}):
        headers = {"Origin": server.base, "X-Sizeup": "1", **change}
        answer = httpx.post(
            f"{server.base}/api/join", json={"link": links["seat"]}, headers=headers
        )
        assert answer.status_code == 403
    assert asked(server.base, links["seat"]).status_code == 200  # it was not used up


def test_new_links_shut_out_whoever_came_by_the_old_ones(server, host):
    links = hosting(host)
    with (
        arrived(server, links["seat"]) as somebody,
        arrived(server, links["watch"]) as other,
        somebody.at_the_table() as guest,
        other.at_the_table() as watcher,
    ):
        host.send(type="invite", game_id=host.id)
        moved = host.until("moved_table")
        assert moved["table"] != host.game["setup"]["table"]
        fresh = host.until("table")
        assert (fresh["guest"], fresh["taken"], fresh["watching"]) == (False, False, 0)
        assert code_of(guest) == code_of(watcher) == 4410
        for link in links.values():
            assert asked(server.base, link).status_code == 410
        with somebody.socket("/ws/join") as talk:  # the old pass leads to a table without anybody
            assert talk.until("people")["host"] is False
        with arrived(server, fresh["links"]["seat"]) as another, another.at_the_table() as talk:
            assert talk.id == host.id


def test_another_visitor_cannot_take_a_table_over(server, host):
    links = hosting(host)
    table = host.game["setup"]["table"]
    with arrived(server, links["seat"]) as somebody, somebody.at_the_table() as guest:
        with server.visitor() as stranger, stranger.socket() as talk:
            assert set(hosting(talk, shared(table=table))) == {"seat", "watch"}
            guest.send(type="ping")
            assert guest.next()["type"] == "pong"  # the guest has heard nothing of it
        state = host.my_turn()
        host.move(state, choice_by_ply(state))
        assert guest.until("moved")["move"]["action"] == choice_by_ply(state)


def test_whoever_leaves_is_missed(server, host):
    links = hosting(host)
    with arrived(server, links["seat"]) as somebody:
        with somebody.at_the_table() as guest:
            while not (told := host.until("table"))["guest"]:
                pass
            assert told["links"] == {"watch": links["watch"]}
        assert host.until("table")["guest"] is False
        with somebody.at_the_table() as guest:  # and may come back
            assert host.until("table")["guest"] is True
            host.send(type="leave", game_id=host.id)
            while guest.until("people")["host"]:
                pass
            move = {"type": "move", "game_id": host.id, "ply": 0, "action": "N"}
            assert guest.refused(**move) == "away"


def test_the_same_seat_in_two_windows_is_held_by_the_newer(server, host):
    links = hosting(host)
    with (
        arrived(server, links["seat"]) as somebody,
        somebody.at_the_table() as first,
        somebody.at_the_table() as second,
    ):
        assert code_of(first) == 4410
        state = host.my_turn()
        host.move(state, choice_by_ply(state))
        while second.until("moved")["move"]["action"] != choice_by_ply(state):
            pass


def test_a_host_whose_page_is_loaded_again_finds_the_guest_and_the_game(server, visitor):
    with visitor.socket() as host:
        links = hosting(host)
        wanted = host.game["setup"]
        state = host.my_turn()
        made = host.move(state, choice_by_ply(state))
        moves = [move["action"] for move in host.game["moves"]] + [made["move"]["action"]]
    with arrived(server, links["seat"]) as somebody, somebody.socket("/ws/join") as guest:
        assert guest.until("people")["host"] is False
        with visitor.socket() as host:
            hosting(host, wanted, moves)
            guest.game = guest.until("game")
            assert guest.game["game_id"] == host.id
            assert [move["action"] for move in guest.game["moves"]][: len(moves)] == moves
            state = guest.my_turn()
            guest.move(state, choice_by_ply(state))


@pytest.mark.slow
def test_both_go_on_after_the_server_was_killed(tmp_path, static):
    with Process(tmp_path, static) as first, first.visitor() as visitor, visitor.socket() as host:
        links = hosting(host)
        with arrived(first, links["seat"]) as somebody, somebody.at_the_table() as guest:
            seen = play_some((host, guest), 5)
            wanted = host.game["setup"]
            first.end(signal.SIGKILL)
        port, cookie = first.port, visitor.cookie
    with (
        Process(tmp_path, static, port) as second,
        second.visitor(cookie) as visitor,
        Guest(second.base, somebody.named) as again,
        again.socket("/ws/join") as guest,
    ):
        assert guest.until("people")["host"] is False
        with visitor.socket() as host:
            fresh = hosting(host, wanted, seen)
            assert set(fresh) == {"watch"}  # the guest has the seat, by the old cookie
            guest.game = guest.until("game")
            assert [move["action"] for move in guest.game["moves"]] == seen
            assert asked(second.base, links["seat"]).status_code == 410
            play_to_the_end((host, guest))


def play_some(talks, count):
    """Play some moves from the first one on: their texts."""
    seats = {talk.seat: talk for talk in talks}
    seen, state = [], talks[0].game["state"]
    while len(seen) < count:
        if (mover := seats.get(state["actor"])) is not None:
            action = choice_by_ply(state)
            mover.send(type="move", game_id=mover.id, ply=state["ply"], action=action)
        told = talks[0].until("moved")
        seen.append(told["move"]["action"])
        state = told["state"]
    return seen


def test_a_guest_who_talks_too_much_is_let_go_and_the_host_plays_on(static):
    caps = {"burst": 5, "refusals": 5, "messages_per_second": 1.0}
    with (
        running(static, **caps) as server,
        server.visitor() as visitor,
        visitor.socket() as host,
    ):
        links = hosting(host)
        with arrived(server, links["seat"]) as somebody, somebody.at_the_table() as guest:
            assert guest.flood() == ({None, "too_fast"}, 4429)
        host.send(type="ping")
        host.until("pong")


@pytest.mark.slow
def test_caps_hold_for_tables_and_watchers(static):
    caps = {"watchers": 1, "sessions": 1}
    with (
        running(static, **caps) as server,
        server.visitor() as visitor,
        visitor.socket() as host,
    ):
        links = hosting(host)
        with (
            arrived(server, links["watch"]) as one,
            one.at_the_table(),
            arrived(server, links["watch"]) as two,
            two.socket("/ws/join") as talk,
        ):
            assert code_of(talk) == 4410
        with server.visitor() as other, other.socket() as talk:
            assert talk.refused(type="new", setup=shared()) == "full"


@pytest.mark.parametrize(
    ("caps", "invites"),
    [
        ({}, True),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "192.0.2.1"}, False),
        ({"host": "0.0.0.0", "guests": True}, True),
        ({"study": object()}, False),
        ({"study": object(), "guests": True}, False),
    ],
)
def test_guests_are_offered_on_this_machine_or_where_somebody_said_so(caps, invites):
    assert Settings(**caps).invites is invites


def test_where_nobody_is_invited_there_is_no_door(static):
    with running(static, host="0.0.0.0") as server, server.visitor() as visitor:
        assert visitor.get("/api/about")["guests"] is False
        assert httpx.get(f"{server.base}/join").status_code == 401
        assert asked(server.base, "x").status_code == 401
        assert visitor.http.get("/join").status_code == 404
        with visitor.socket() as talk:
            assert talk.refused(type="new", setup=shared()) == "not_yours"


def test_a_game_without_a_free_seat_has_no_guest(talk):
    assert talk.refused(type="new", setup=shared("narrow-tunnel")) == "bad_message"
    assert talk.refused(type="new", setup=shared(guest="against")) == "bad_message"
