"""Random and malformed messages by the thousand, while somebody else plays on undisturbed.

Run: python -m tests.web.fuzz [MESSAGES] [SEED]

Every message must be answered or refused, no socket may die of one, and the other visitor's game
must go as it goes without any of this. It prints what was refused and why.
"""

import collections
import json
import random
import string
import sys
import tempfile
import threading
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.web.clients import choice_by_ply, page, running, setup

KINDS = ("new", "resume", "move", "step", "leave", "ping", "game", "", None, 7)
WORDS = (
    "a",
    "d",
    "zzz",
    "",
    "<script>",
    "\x00",
    "é" * 40,
    "x" * 200,
    "../..",
    "obl:2",
    "ca:99@1,2",
)


def value(rng, depth=0):
    """Any JSON at all."""
    kinds = [
        lambda: rng.choice(WORDS),
        lambda: rng.randint(-5, 50),
        lambda: rng.choice((2**63, -(2**70), 1e308, 0.5, True, False, None)),
        lambda: "".join(rng.choices(string.printable, k=rng.randrange(30))),
    ]
    if depth < 3:
        kinds += [
            lambda: [value(rng, depth + 1) for _ in range(rng.randrange(5))],
            lambda: {str(value(rng, 3)): value(rng, depth + 1) for _ in range(rng.randrange(5))},
        ]
    return rng.choice(kinds)()


def nearly(rng, talk):
    """Something that is almost a message."""
    name = talk.game["game_id"] if talk.game else "x"
    message = rng.choice((
        {"type": "new", "setup": setup(rng.choice(("connect-four", "wall-of-fire", "checkers")))},
        {"type": "resume", "setup": setup(), "moves": rng.choices(WORDS, k=rng.randrange(6))},
        {"type": "move", "game_id": name, "ply": rng.randrange(5), "action": rng.choice("abcdz")},
        {"type": "step", "game_id": name, "ply": rng.randrange(3)},
        {"type": "leave", "game_id": rng.choice((name, "x"))},
        {"type": "ping"},
        {"type": "new", "setup": {"mode": "watch", "game": "connect-four", "seed": 1,
                                  "teams": rng.choices(("obl:1", "ca:2+obl:1", "zzz"), k=2)}},
    ))  # fmt: skip
    if rng.random() < 0.6:
        spot = message
        if isinstance(message.get("setup"), dict) and rng.random() < 0.7:
            spot = message["setup"]
        what = rng.choice((*spot, "more"))
        if rng.random() < 0.2:
            spot.pop(what, None)
        else:
            spot[what] = value(rng)
    return json.dumps(message)


def noise(rng, talk):
    """What to send next: a text or bytes."""
    kind = rng.random()
    if kind < 0.55:
        return nearly(rng, talk)
    if kind < 0.75:
        return json.dumps({"type": rng.choice(KINDS), "more": value(rng)})
    if kind < 0.85:
        text = nearly(rng, talk)
        return text[: rng.randrange(len(text))]
    if kind < 0.92:
        return rng.randbytes(rng.randrange(100))
    if kind < 0.94:
        return "x" * rng.choice((4097, 20_000))
    return "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(60)))


class Undisturbed(threading.Thread):
    """A visitor who plays the same game again and again; it must always go the same way."""

    def __init__(self, server):
        super().__init__()
        self.server, self.stopping, self.games = server, threading.Event(), []

    def run(self):
        with self.server.visitor() as somebody, somebody.socket() as talk:
            while not self.stopping.is_set() or not self.games:
                talk.begin(setup("connect-four", partner_depth=4, seed=3))
                moves, ended = talk.play(choice_by_ply)
                self.games.append((tuple(moves), json.dumps(ended["card"]["probabilities"])))


class Fuzz:
    """So many messages of one visitor, on as many sockets as that takes."""

    def __init__(self, server, seed):
        self.server, self.rng = server, random.Random(seed)
        self.codes, self.closed = collections.Counter(), collections.Counter()

    def run(self, messages):
        sent = 0
        with self.server.visitor() as somebody:
            while sent < messages:
                with somebody.socket() as talk:
                    sent += self.talk(talk, min(messages - sent, 500))
        return self

    def talk(self, talk, messages):
        """Send messages, and see that each one is answered before a ping that follows it."""
        for number in range(1, messages + 1):
            try:
                talk.socket.send(noise(self.rng, talk))
                talk.send(type="ping")
                self.listen(talk)
            except ConnectionClosed:
                self.closed[talk.socket.protocol.close_code] += 1
                return number
        return messages

    def listen(self, talk):
        while True:
            message = talk.next()
            if message["type"] == "game":
                talk.game = message
            if message["type"] == "error":
                self.codes[message["code"]] += 1
            if message["type"] == "pong":
                return


def fuzz(folder, messages, seed):
    """Fuzz a server of our own: codes of refusals, of closed sockets, and the other's games."""
    # Without a limit on their rate: here it is what is in messages that counts.
    caps = {"messages_per_second": 1e9, "burst": 10**9}
    with running(page(Path(folder) / "static"), **caps) as server:
        other = Undisturbed(server)
        other.start()
        try:
            done = Fuzz(server, seed).run(messages)
        finally:
            other.stopping.set()
            other.join()
        return done, other.games, dict(server.hub.refusals)


def main():
    messages, seed = (int(text) for text in (*sys.argv[1:], "10000", "1")[:2])
    with tempfile.TemporaryDirectory() as folder:
        done, games, refused = fuzz(folder, messages, seed)
    print(f"{messages} messages; refused: {dict(done.codes)}")
    print(f"sockets that were closed, by code: {dict(done.closed)}")
    print(f"counted by the server: {refused}")
    print(f"meanwhile the other visitor played {len(games)} games, {len(set(games))} different")
    assert len(set(games)) == 1
    assert not done.codes["internal"]


if __name__ == "__main__":
    main()
