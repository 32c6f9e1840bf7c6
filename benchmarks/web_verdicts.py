"""What the page's end card says of engines, and of whoever clicks at random, in the person's seat.

Run: python benchmarks/web_verdicts.py [--games 20] [--first 1] [--only checkers:8]

The output is kept in docs/results/web_verdicts.txt.

Every game is played over the server's socket, as the page plays it, with what the page starts with:
the aware partner and the opponent that a game proposes. An engine searches to its depth and takes
its partner for its equal; a clicker makes any legal move. Of an engine the card is right if it
names its depth, of a clicker if it says that it fits no depth. What counts is the card after the
closer look that follows a game; what it said at once is counted beside it.
"""

import argparse
import json
import random
import sys
import time

import httpx
from web_first_load import server
from websockets.sync.client import connect

from sizeup.search import Searcher
from sizeup.statistics import share
from sizeup.web.game import LiveGame
from sizeup.web.messages import PlaySetup
from sizeup.web.offers import Offers
from sizeup.web.settings import Settings

OFFERS = Offers.of(Settings())
PLAYERS = (
    ("checkers", 2), ("checkers", 4), ("checkers", 8), ("checkers", None),
    ("wall-of-fire", 2), ("wall-of-fire", 20), ("wall-of-fire", None),
)  # fmt: skip
PATIENCE = 300


def engine(view, depth, seed):
    """Chooses as an oblivious agent of this depth does."""
    searcher = Searcher(view, (depth,))

    def choose(state):
        here = view.state_from_text(state["text"])
        return view.action_text(here, searcher.search(here, seed=seed + state["ply"]).action)

    return choose


def clicker(seed):
    """Chooses any legal move."""
    rng = random.Random(seed)
    return lambda state: rng.choice(state["legal"])["action"]


def card_of(socket, setup, choose):
    """Play a game to its end over the socket: the first card, the last, and one's own moves."""
    socket.send(json.dumps({"type": "new", "setup": setup}))
    own, first = 0, None
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        if message["type"] == "error":
            raise SystemExit(f"refused: {message}")
        if message["type"] == "ended":
            first = message["card"]
        if message["type"] == "judged" or (message["type"] == "ended" and not message["looking"]):
            return first, message["card"], own
        if message["type"] == "game":
            name = message["game_id"]
            seat = next(p["seat"] for p in message["players"] if p["kind"] == "you")
        state = (message.get("states") or [message.get("state")])[-1]
        if message["type"] in ("game", "moved") and state["actor"] == seat:
            own += 1
            move = {"type": "move", "game_id": name, "ply": state["ply"], "action": choose(state)}
            socket.send(json.dumps(move))


def said(card):
    """What the card says, in a word or two."""
    if card["none"]:
        return "none of these"
    return "cannot tell" if card["depth"] is None else f"depth {card['depth']}"


def measure(socket, game, depth, seeds):
    """Play these games, print each that was read wrong as it ends, and what all of them say."""
    wanted = "none of these" if depth is None else f"depth {depth}"
    found, at_once, moves, games = [], 0, 0, len(seeds)
    for seed in seeds:
        setup = {**OFFERS[game].setup, "seed": seed}
        view = LiveGame(PlaySetup(**setup), OFFERS).view
        choose = clicker(seed) if depth is None else engine(view, depth, 1000 * seed)
        first, card, own = card_of(socket, setup, choose)
        at_once += said(first) == wanted
        found.append(said(card))
        moves += own
        told = f"{said(first)}, then {said(card)}"
        print(f"{game} {depth} seed {seed}: {told}", file=sys.stderr, flush=True)
        if said(card) != wanted:
            odds = ", ".join(
                f"{c}: {p:.3f}" for c, p in zip(card["types"], card["probabilities"], strict=True)
            )
            print(f"   seed {seed}: {said(card)} ({odds}) after {own} moves", flush=True)
    right = share([word == wanted for word in found], True)
    who = "a clicker" if depth is None else f"depth {depth}"
    print(
        f"{game:13} {who:10} {found.count(wanted):3} of {games} right ({100 * right.low:.0f} to "
        f"{100 * right.high:.0f} %), {at_once} at once, {moves / games:.1f} own moves a game",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--only", help="a player, such as checkers:8 or wall-of-fire:clicker")
    options = parser.parse_args()
    begin = time.monotonic()
    seeds = range(options.first, options.first + options.games)
    print(f"$ python benchmarks/web_verdicts.py --games {options.games}", flush=True)
    with server() as address:
        base = address.partition("/?")[0]
        cookies = httpx.get(address).cookies.items()
        cookie = "; ".join(f"{name}={value}" for name, value in cookies)
        with connect(
            base.replace("http", "ws", 1) + "/ws", origin=base, max_size=None, proxy=None,
            additional_headers={"Cookie": cookie},
        ) as socket:  # fmt: skip
            for game, depth in PLAYERS:
                if options.only in (None, f"{game}:{depth or 'clicker'}"):
                    measure(socket, game, depth, seeds)
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
