"""Games and agents of one's own, from files that the server was started with."""

from xml.etree import ElementTree

import pytest

from sizeup.errors import InvalidInput
from sizeup.play.record import Record
from sizeup.play.replay import play_again
from sizeup.web.offers import Offers
from sizeup.web.settings import Settings
from tests.web.clients import choice_by_ply, running, setup

pytestmark = pytest.mark.slow

CORRIDOR = '''
"""corridor: two players of one team walk one avatar to a coin, turn by turn."""

from typing import NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.games.look import Look, Start
from sizeup.jit import jit


class State(NamedTuple):
    at: int
    player: int
    turn: int


class Params(NamedTuple):
    length: int = 5
    most_turns: int = 8


INFO = GameInfo("corridor", (0, 0), 2, Params(), (0, 1),
                {"at": (0, 4), "player": (0, 1), "turn": (0, 8)}, (0.0, 1.0))


@jit
def start(params):
    return State(1, 0, 0)


@jit
def actor(state, params):
    return state.player


@jit
def is_terminal(state, params):
    return state.at == params.length - 1 or state.turn == params.most_turns


@jit
def legal_actions(state, params, out):
    out[0], out[1] = 0, 1
    return 2


@jit
def apply(state, action, params):
    at = max(0, state.at - 1) if action == 0 else state.at + 1
    return State(at, 1 - state.player, state.turn + 1)


@jit
def reward(state, action, after, params):
    return 1.0 if after.at == params.length - 1 else 0.0


def action_text(state, action, params):
    return "back" if action == 0 else "on"


def grid(state, params):
    letters = ["."] * (params.length - 1) + ["c"]
    letters[state.at] = "A"
    return ["".join(letters), "#" * params.length]


def squares(state, action, params):
    to = max(0, state.at - 1) if action == 0 else state.at + 1
    return [(0, state.at), (0, to)]


LOOK = Look(
    title="The Corridor", about="A walk.", grid=grid,
    legend={"A": "avatar", "c": "coin", "#": "hedge"}, squares=squares,
    phrases={"on": "walk on", "back": "go back"}, keys={"on": "right", "back": "left"},
    won="somebody has arrived", standing=lambda state, params: f"{4 - state.at} steps to go",
    hint=lambda state, params: "one more step" if state.at == 3 else "",
    start=Start(types=(1, 3), partner=3, you="first", deepest=6),
)
'''

PILE = '''
"""my_pile: two players of one team take stones from a pile; the wind may blow one back."""

from typing import NamedTuple

from sizeup.games.contract import CHANCE, GameInfo
from sizeup.jit import jit


class State(NamedTuple):
    stones: int
    player: int
    storm: int


class Params(NamedTuple):
    stones: int = 10


INFO = GameInfo("my_pile", (0, 0), 3, Params(), (0, 3),
                {"stones": (0, 1000), "player": (0, 1), "storm": (0, 1)}, (0.0, 3.0))


@jit
def start(params):
    return State(params.stones, 0, 0)


@jit
def actor(state, params):
    return CHANCE if state.storm else state.player


@jit
def is_terminal(state, params):
    return state.stones == 0 and not state.storm


@jit
def legal_actions(state, params, out):
    if state.storm:
        out[0], out[1] = 0, 1
        return 2
    count = min(3, state.stones)
    for take in range(count):
        out[take] = take + 1
    return count


@jit
def probabilities(state, params, out):
    out[0], out[1] = 0.75, 0.25


@jit
def apply(state, action, params):
    if state.storm:
        return State(state.stones + action, state.player, 0)
    left = state.stones - action
    return State(left, 1 - state.player, 1 if left > 0 and left % 3 == 0 else 0)


@jit
def reward(state, action, after, params):
    return float(action) if after.stones == 0 and state.storm == 0 else 0.0
'''

AGENT = '''
"""Plays the last action of the list, and believes what it was told first."""

import numpy as np


class Agent:
    def __init__(self, seat):
        self.seat = seat
        self.seen = 0

    def choose(self, state, seed):
        return self.seat.view.actions(state)[-1]

    def observe(self, state, actor, action, seed):
        self.seen += 1

    def probabilities(self):
        odds = np.ones(len(self.seat.types))
        odds[0] += self.seen
        return [odds / odds.sum()] * len(self.seat.view.teams)

    def explain(self):
        return f"I have seen {self.seen} moves"
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "corridor.py").write_text(CORRIDOR)
    (folder / "last_agent.py").write_text(AGENT)
    (folder / "my_pile.py").write_text(PILE)  # no look at all, and chance
    return folder


@pytest.fixture(scope="module")
def own(static, folder):
    games = (str(folder / "corridor.py"), str(folder / "my_pile.py"))
    with running(static, games=games, agents=(str(folder / "last_agent.py"),)) as started:
        yield started


@pytest.fixture
def visitor(own):
    with own.visitor() as somebody:
        yield somebody


@pytest.fixture
def talk(visitor):
    with visitor.socket() as opened:
        yield opened


def offer(visitor, name):
    return next(game for game in visitor.get("/api/about")["games"] if game["name"] == name)


def test_games_of_one_s_own_come_after_ours(visitor):
    about = visitor.get("/api/about")
    assert [game["name"] for game in about["games"]] == [
        "wall-of-fire", "foraging", "narrow-tunnel", "checkers", "connect-four", "four-in-a-row",
        "harvest", "corridor", "my_pile",
    ]  # fmt: skip
    assert about["kinds"][-1] == {
        "kind": "last_agent.py", "title": "last_agent",
        "blurb": "Your own agent, from last_agent.py.",
    }  # fmt: skip


def test_a_look_is_all_that_the_page_is_told(visitor):
    game = offer(visitor, "corridor")
    board = game.pop("board")
    assert game == {
        "name": "corridor", "title": "The Corridor", "about": "A walk.", "rules": "",
        "how_to_move": "", "untold": "", "sides": [], "seats": [], "guest_places": [], "teams": 1,
        "resizable": False, "members": [2], "types": [1, 3], "max_depth": 6,
        "default": {
            "mode": "play", "game": "corridor", "partner": "ca", "partner_depth": 3,
            "opponent_depth": None, "you": "first", "side": 0, "seed": 1,
        },
        "first_teams": ["ca:3+obl:1"], "keys": {"on": "right", "back": "left"},
        "turned_for": None, "turns": 8, "exports": ["json", "svg"],
    }  # fmt: skip
    tiles = [[(tile["ground"], tile["piece"]) for tile in row] for row in board["rows"]]
    assert tiles[0][1] == ("free", "avatar")
    assert tiles[1][0] == ("free", "hedge")
    assert board["art"]["hedge"]["sign"] == "#"


def test_a_game_without_a_look_is_a_table_of_its_fields(visitor):
    game = offer(visitor, "my_pile")
    assert (game["title"], game["about"], game["types"]) == ("my_pile", "", [2, 4])
    words = [[tile.get("text") for tile in row] for row in game["board"]["rows"]]
    assert words == [["stones", "10"], ["player", "0"], ["storm", "0"]]


def played(talk, wanted, choose=choice_by_ply):
    talk.begin(wanted)
    return talk.play(choose)


def default(visitor, name, **changes):
    return {**offer(visitor, name)["default"], **changes}


@pytest.mark.parametrize("partner", ["ca", "obl"])
@pytest.mark.parametrize("name", ["corridor", "my_pile"])
def test_it_is_played_replayed_branched_and_exported(visitor, talk, name, partner):
    wanted = default(visitor, name, partner=partner)
    _, ended = played(talk, wanted, lambda state: state["legal"][0]["action"])
    assert (ended["card"]["believer"] is None) == (partner == "obl")
    page = f"/api/records/{ended['record_id']}"
    shown = visitor.get(page)
    assert (shown["game"], shown["observer"]) == (name, partner == "obl")
    assert {tile["ground"] for s in shown["states"] for row in s["rows"] for tile in row} <= set(
        shown["art"]
    )
    text = visitor.http.get(f"{page}/export/json").text
    svg = visitor.http.get(f"{page}/export/svg?ply=2").text
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "PDN is for checkers" in visitor.get(f"{page}/export/pdn", code=422)["error"]
    kind = {"Content-Type": "application/json"}
    again = visitor.http.post("/api/records", content=text, headers=kind).json()["id"]
    assert visitor.get(f"/api/records/{again}")["moves"] == shown["moves"]
    mine = next(m for m in shown["moves"] if m["seat"] is not None and not m["forced"])
    assert visitor.get(f"{page}/tables/{mine['ply']}")["table"]["actions"]
    data = {"ply": mine["ply"], "action": mine["action"]}
    branch = visitor.post(f"{page}/what-if", data=data)
    branched = visitor.get(f"/api/records/{branch['id']}")
    assert branched["branch_of"]["id"] == ended["record_id"]
    assert [m["action"] for m in branched["moves"][: mine["ply"]]] == [
        m["action"] for m in shown["moves"][: mine["ply"]]
    ]


def test_moves_are_told_by_the_look_s_words(visitor, talk):
    talk.begin(default(visitor, "corridor"))
    state = talk.my_turn()
    assert [(one["phrase"], one["squares"]) for one in state["legal"]] == [
        ("go back", [[0, 1], [0, 0]]), ("walk on", [[0, 1], [0, 2]]),
    ]  # fmt: skip
    assert (state["standing"], state["hint"]) == ("3 steps to go", "")
    moved = talk.move(state, "back")
    assert moved["move"]["sentence"].startswith("You go back")
    assert moved["state"]["last"] == [[0, 1], [0, 0]]
    theirs = talk.until("moved")
    assert theirs["move"]["sentence"].startswith(
        ("Your partner goes back", "Your partner walks on")
    )
    assert set(theirs["art"]) == {"avatar", "coin", "free", "hedge"}


def test_it_is_watched_and_chance_plays_at_once(visitor, talk, folder):
    wanted = {"mode": "watch", "game": "my_pile", "teams": ["ca:4+obl:2"], "seed": 3}
    state = talk.begin(wanted)["state"]
    seats, message = [], {"type": "moved"}
    talk.send(type="step", game_id=talk.id, ply=0)
    while message["type"] != "ended":
        message = talk.until("moved", "ended")
        if message["type"] == "moved":
            state = message["state"]
            seats.append(message["move"]["seat"])
            chance = message["move"]["sentence"].startswith("Chance decides: ")
            assert chance == (message["move"]["seat"] is None)
            if state["actor"] is not None:
                talk.send(type="step", game_id=talk.id, ply=state["ply"])
    assert None in seats
    shown = visitor.get(f"/api/records/{message['record_id']}")
    assert shown["command"] == "sizeup watch my_pile.py --team ca:4+obl:2 --seed 3"
    text = visitor.http.get(f"/api/records/{message['record_id']}/export/json").text
    record = Record.from_json(text)
    module = Offers.of(Settings(games=(str(folder / "my_pile.py"),)))["my_pile"].game
    assert play_again(record, module) == record
    moves = [move["action"] for move in shown["moves"]]
    assert [m["action"] for m in talk.begin(wanted, moves[:-1])["moves"]] == moves[:-1]


def test_harvest_is_played_with_two_partners(visitor, talk):
    wanted = setup("harvest", partner="obl", partner_depth=4)
    game = talk.begin(wanted)
    assert [player["kind"] for player in game["players"]] == ["obl", "you", "obl"]
    assert [p["called"] for p in game["players"]] == [
        "Your partner (seat 1)", "You", "Your partner (seat 3)",
    ]  # fmt: skip
    _, ended = talk.play(choice_by_ply)
    shown = visitor.get(f"/api/records/{ended['record_id']}")
    assert any(move["seat"] is None for move in shown["moves"])
    assert ended["result"]["reason"] == "the season is over"
    assert ended["card"]["types"] == [2, 4]


def test_an_agent_of_one_s_own_is_a_partner_and_a_member(visitor, talk):
    talk.begin(setup("connect-four", partner="last_agent.py", partner_depth=4))
    partner = talk.game["players"][0]
    assert (partner["kind"], partner["name"], partner["depth"]) == (
        "last_agent.py", "last_agent.py:4", 4,
    )  # fmt: skip
    assert not talk.game["observer"]  # it says itself what it believes
    _, ended = talk.play(choice_by_ply)
    assert ended["card"]["believer"] == 0
    shown = visitor.get(f"/api/records/{ended['record_id']}")
    assert shown["moves"][0]["sentence"] == "Your partner plays g: I have seen 0 moves."
    data = {"ply": 5, "action": shown["moves"][4]["action"]}
    branch = visitor.post(f"/api/records/{ended['record_id']}/what-if", data=data)
    found = visitor.get(f"/api/records/{branch['id']}")
    assert found["moves"][4]["sentence"] == "last_agent 4 plays g: I have seen 4 moves."
    mine = [move["ply"] for move in shown["moves"] if move["seat"] == 1 and not move["forced"]]
    assert visitor.get(f"/api/records/{ended['record_id']}/tables/{mine[1]}")["table"]
    watch = {"mode": "watch", "game": "connect-four", "seed": 1,
             "teams": ["last_agent.py:4@2,4+obl:1", "last_agent.py"]}  # fmt: skip
    talk.begin(watch)
    assert [p["called"] for p in talk.game["players"]] == [
        "last_agent 4",
        "Oblivious 1",
        "last_agent",
    ]
    assert talk.step(0)["move"]["action"] == "g"


def test_the_same_agent_branches_the_same_match(visitor, talk):
    watch = {"mode": "watch", "game": "corridor", "seed": 1, "teams": ["last_agent.py:3+ca:3@1,3"]}
    state = talk.begin(watch)["state"]
    while state["actor"] is not None:
        state = talk.step(state["ply"])["state"]
    name = talk.until("ended")["record_id"]
    shown = visitor.get(f"/api/records/{name}")
    data = {"ply": 2, "action": shown["moves"][1]["action"]}
    branch = visitor.post(f"/api/records/{name}/what-if", data=data)
    assert visitor.get(f"/api/records/{branch['id']}")["moves"] == shown["moves"]


@pytest.mark.parametrize(
    ("team", "words"),
    [
        ("{folder}/last_agent.py:4", "there is no agent '{folder}/last_agent.py' here"),
        ("./last_agent.py:4", "there is no agent './last_agent.py' here"),
        ("other.py:4", "agents are obl, ca, ma, sa, ora, nu, eq, public, min, random, last_"),
        ("{folder}/corridor.py", "there is no agent"),
        ("last_agent.py:40", "limited to depth 12 here, got 40"),
        ("last_agent.py:x", "is not an agent"),
    ],
)  # fmt: skip
def test_no_other_file_is_loaded(talk, folder, team, words):
    team, words = team.format(folder=folder), words.format(folder=folder)
    setups = {"mode": "watch", "game": "connect-four", "teams": [team, "obl:1"], "seed": 1}
    talk.send(type="new", setup=setups)
    error = talk.until("error")
    assert error["code"] == "bad_message"
    assert words in error["message"]
    if "limited" not in words and "is not an agent" not in words:
        talk.send(type="new", setup=setup(partner=team.partition(":")[0]))
        assert "a partner is one of ca, obl, last_agent.py" in talk.until("error")["message"]


@pytest.mark.parametrize("name", ["{folder}/corridor.py", "corridor.py", "os", "Corridor"])
def test_no_other_game_is_loaded(visitor, talk, folder, name):
    talk.send(
        type="new", setup={**default(visitor, "corridor"), "game": name.format(folder=folder)}
    )
    error = talk.until("error")
    assert (error["code"], "there is no game" in error["message"]) == ("bad_message", True)


SOLO = CORRIDOR.replace('"corridor", (0, 0)', '"solo", (0,)').replace("1 - state.player", "0")


def test_who_plays_alone_is_sized_up_by_nobody(static, folder):
    (folder / "solo.py").write_text(SOLO)
    games = (str(folder / "solo.py"),)
    with running(static, games=games) as started, started.visitor() as somebody:
        game = offer(somebody, "solo")
        assert (game["members"], game["first_teams"]) == ([1], ["ca:3"])
        with somebody.socket() as talk:
            moves, ended = played(talk, game["default"], lambda state: "on")
    assert (moves, ended["card"]) == (["on"] * 3, None)
    assert ended["result"]["reason"] == "somebody has arrived"


def test_an_agent_that_cannot_play_is_not_offered(tmp_path):
    (tmp_path / "idle.py").write_text("agent = 3\n")
    with pytest.raises(InvalidInput, match=r"idle.py has no class Agent; sizeup new-agent writes"):
        Offers.of(Settings(agents=(str(tmp_path / "idle.py"),)))


def test_an_installed_package_s_agent_is_offered_by_its_name(monkeypatch):
    monkeypatch.setattr("sizeup.agents.config._offered", lambda: {"theirs": "their.module"})
    offers = Offers.of(Settings(agents=("theirs",)))
    ours = Offers.of(Settings())
    assert (len(offers), offers.agent("theirs:4").source) == (len(ours), "their.module")
    with pytest.raises(InvalidInput, match="there is no agent 'theirs' here"):
        ours.agent("theirs:4")  # which nobody said may be loaded


def test_a_record_of_it_is_for_servers_that_offer_it(server, visitor, talk):
    _, ended = played(talk, default(visitor, "corridor"))
    text = visitor.http.get(f"/api/records/{ended['record_id']}/export/json").text
    kind = {"Content-Type": "application/json"}
    with server.visitor() as elsewhere:
        answer = elsewhere.http.post("/api/records", content=text, headers=kind)
    assert answer.status_code == 422
    assert "'corridor' is not a game that this server offers" in answer.json()["error"]


def test_its_page_has_an_address(own, visitor):
    assert visitor.http.get("/play/corridor").status_code == 200
    assert visitor.http.get("/play/nothing").status_code == 404


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"games": ("{folder}/nothing.py",)}, "there is no file"),
        ({"games": ("{folder}/broken.py",)}, "broken.py cannot be loaded: line 1"),
        ({"games": ("{folder}/corridor.py",) * 2}, "a game called 'corridor'"),
        ({"agents": ("{folder}/nothing.py",)}, "there is no file"),
        ({"agents": ("obl:2",)}, "obl:2 is offered anyway"),
        ({"agents": ("nobody",)}, "there is no agent 'nobody'"),
    ],
)
def test_a_file_that_cannot_be_offered_is_said_when_the_server_starts(folder, files, words):
    (folder / "broken.py").write_text("1 / 0")
    named = {kind: tuple(p.format(folder=folder) for p in paths) for kind, paths in files.items()}
    with pytest.raises(InvalidInput, match=words):
        Offers.of(Settings(**named))
