"""A real server in a thread or a process of its own, and visitors who talk to it."""

import asyncio
import inspect
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sizeup.search import Searcher
from sizeup.web.app import Server, listen
from sizeup.web.game import LiveGame
from sizeup.web.guard import Keeper
from sizeup.web.messages import PlaySetup
from sizeup.web.offers import Offers
from sizeup.web.settings import Settings

KEY = b"k" * 32
OURS = Offers.of(Settings())
PATIENCE = 60
# Older versions of websockets know no proxies, newer ones take the system's.
DIRECT = {"proxy": None} if "proxy" in inspect.signature(connect).parameters else {}


def page(folder):
    """What a built page looks like, to the server."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Sizeup</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "page.js").write_text("export {}")
    (folder / "assets" / "app.js").write_text("export {}")
    (folder / "assets" / "alone.js").write_text("const close = '</script>';")
    (folder / "assets" / "app.css").write_text("main { margin: 0 }")
    (folder / "notes.secret").write_text("not for the page")
    return folder


class Running:
    """A server in a thread of this process, so that its lines are measured."""

    def __init__(self, static, **caps):
        self.listener = listen("127.0.0.1", 0)
        port = self.listener.getsockname()[1]
        self.settings = Settings(port=port, static=static, **caps)
        self.keeper = Keeper(KEY, port)
        self.server = Server(self.settings, self.keeper)
        self.base = f"http://127.0.0.1:{port}"
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        asyncio.run(self.server.serve(sockets=[self.listener]))

    def __enter__(self):
        self._thread.start()
        while not self.server.started:
            assert self._thread.is_alive()
            self._thread.join(0.01)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self._thread.join()
        self.listener.close()

    @property
    def hub(self):
        return self.server.hub

    def visitor(self, **more):
        return Visitor(self.base, self.keeper.cookie(), **more)


@contextmanager
def running(static, **caps):
    with Running(static, **caps) as server:
        yield server


class Visitor:
    """A browser with a cookie, as far as the server can tell."""

    def __init__(self, base, cookie, **more):
        self.base, self.cookie = base, cookie
        self.named = f"sizeup-{base.rpartition(':')[2]}={cookie}"
        headers = {"Cookie": self.named, "Origin": base, "X-Sizeup": "1", **more}
        self.http = httpx.Client(base_url=base, headers=headers, timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def get(self, path, code=200, **more):
        answer = self.http.get(path, **more)
        assert answer.status_code == code, answer.text
        return answer.json()

    def post(self, path, code=200, data=None):
        answer = self.http.post(path, json={} if data is None else data)
        assert answer.status_code == code, answer.text
        return answer.json()

    @contextmanager
    def socket(self, path="/ws"):
        with connect(
            self.base.replace("http", "ws", 1) + path, origin=self.base, max_size=None,
            additional_headers={"Cookie": self.named}, **DIRECT,
        ) as opened:  # fmt: skip
            yield Talk(opened)


def whole(text):
    """A message with its boards as they are shown; of a game, also the newest ``state``."""
    message = json.loads(text)
    if message["type"] == "game":
        message["state"] = message["states"][-1]
    for state in message.get("states", [message["state"]] if "state" in message else []):
        state["rows"] = [[message["tiles"][number] for number in row] for row in state["rows"]]
    return message


class Talk:
    """One socket: sends what a page sends, and waits for answers."""

    def __init__(self, socket):
        self.socket = socket
        self.game = None

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def next(self):
        return whole(self.socket.recv(timeout=PATIENCE))

    def until(self, *kinds):
        """The next message of one of these kinds; others are passed over, errors are not."""
        while True:
            message = self.next()
            if message["type"] in kinds:
                return message
            assert message["type"] != "error", message

    def refused(self, **message):
        """Send something that is refused; the code of the error."""
        self.send(**message)
        return self.until("error")["code"]

    def flood(self):
        """Talk too much, until that ends the talk: codes of the answers, and of the end.

        Every message is answered before the next one. What comes after the end resets the
        connection, and then there may be no reading why it ended.
        """
        codes = set()
        try:
            for _ in range(1000):
                self.send(type="ping")
                codes.add(self.until("pong", "error").get("code"))
        except ConnectionClosed as closed:
            return codes, closed.rcvd.code
        raise AssertionError("it goes on and on")

    def begin(self, setup, moves=None):
        """Start a game, or go on with one, and wait until it is told."""
        resumed = {} if moves is None else {"moves": moves}
        self.send(type="new" if moves is None else "resume", setup=setup, **resumed)
        self.game = self.until("game")
        return self.game

    @property
    def id(self):
        return self.game["game_id"]

    @property
    def seat(self):
        """Where the visitor sits."""
        return next(p["seat"] for p in self.game["players"] if p["kind"] == "you")

    def my_turn(self, state=None):
        """Wait until it is the visitor's turn: its state, or how the game ended."""
        state = self.game["state"] if state is None else state
        while state["actor"] != self.seat:
            message = self.until("moved", "ended")
            if message["type"] == "ended":
                return message
            state = message["state"]
        return state

    def move(self, state, action):
        """Make a move and wait until it is told."""
        self.send(type="move", game_id=self.id, ply=state["ply"], action=action)
        return self.until("moved")

    def play(self, choose):
        """Play a game to its end with a function from state to action: own moves, and the end."""
        state = self.my_turn()
        made = []
        while state.get("type") != "ended":
            message = self.move(state, choose(state))
            made.append(message["move"]["action"])
            state = self.my_turn(message["state"])
        return made, state

    def step(self, ply):
        self.send(type="step", game_id=self.id, ply=ply)
        return self.until("moved")


def choice_by_ply(state):
    """A scripted visitor: any legal move, another one each time."""
    legal = state["legal"]
    return legal[state["ply"] * 7 % len(legal)]["action"]


def setup(game="connect-four", **changes):
    """What the page sends for a quick game."""
    two = OURS[game].teams == 2
    quick = {"partner_depth": 2, "opponent_depth": 2 if two else None}
    return {**OURS[game].setup, **quick, **changes}


class Engine:
    """Plays the visitor's seat: it searches so deep, and takes its partner for its equal."""

    def __init__(self, wanted, depth):
        self.view = LiveGame(PlaySetup(**wanted), OURS).view
        self._searcher = Searcher(self.view, (depth,))

    def choose(self, state):
        here = self.view.state_from_text(state["text"])
        found = self._searcher.search(here, seed=100 + state["ply"])
        return self.view.action_text(here, found.action)


MAIN = """
import json, sys
from pathlib import Path
from sizeup.web.app import serve
from sizeup.web.settings import Settings
caps = json.loads(sys.argv[1])
caps["static"] = Path(caps["static"])
serve(Settings(**caps), browser=False, tell=lambda text: print(text, flush=True))
"""


class Process:
    """A server in a process of its own, which can be killed."""

    def __init__(self, folder, static, port=0, before="", **caps):
        told = json.dumps({"port": port, "static": str(static), **caps})
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + MAIN, told], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": str(folder)},
        )  # fmt: skip
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        assert self.process.stdout.readline() == "Press Ctrl-C to stop\n"
        self.base = self.address.partition("/?")[0]
        self.port = int(self.base.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def end(self, how):
        """End it with a signal: its code, and what it printed."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err

    def visitor(self, cookie=None):
        if cookie is None:
            cookie = httpx.get(self.address).cookies[f"sizeup-{self.port}"]
        return Visitor(self.base, cookie)
