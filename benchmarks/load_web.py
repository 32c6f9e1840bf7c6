"""Many visitors at once: scripted games against a running server, none of which may be lost.

Run: python benchmarks/load_web.py [--games 50] [--extra 20] [--seconds 120]

Every visitor plays game after game with random legal moves. Printed are lost and refused games, how
long visitors wait for their next turn, and the server's memory over time: the mean and the peak of
each twelfth, and the trend after the first third. Without --address a server is started for the
occasion; with it, give the server's process too, to see its memory.
"""

import argparse
import asyncio
import collections
import itertools
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import websockets

SETUPS = (
    {"game": "checkers", "partner_depth": 8, "opponent_depth": 6},
    {"game": "checkers", "partner_depth": 6, "opponent_depth": 4, "partner": "obl"},
    {"game": "connect-four", "partner_depth": 8, "opponent_depth": 6},
    {"game": "wall-of-fire", "partner_depth": 10, "opponent_depth": None},
)
TWELFTHS = 12
STUDENT_6 = 2.447  # 97.5 % quantile of Student's t for the eight last twelfths
PATIENCE = 120  # seconds without any answer, after which a game counts as lost


class Load:
    """What all visitors find."""

    def __init__(self, address, until):
        self.base = address.partition("/?")[0]
        self.until = until
        self.waits, self.counts = [], collections.Counter()
        answer = httpx.get(address)
        self.cookie = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())

    async def visit(self, number):
        """Play game after game."""
        rng = random.Random(number)
        for game in itertools.count():
            if time.monotonic() > self.until:
                return
            try:
                await self.play(number, game, rng)
            except (OSError, TimeoutError, websockets.WebSocketException) as error:
                self.counts[f"lost: {type(error).__name__}: {error}"[:90]] += 1

    async def play(self, number, game, rng):
        """Play one game to its end."""
        setup = {
            "mode": "play", "partner": "ca", "you": rng.choice(("first", "second")), "side": 0,
            "seed": 1000 * number + game, **SETUPS[(number + game) % len(SETUPS)],
        }  # fmt: skip
        async with websockets.connect(
            self.base.replace("http", "ws", 1) + "/ws", origin=self.base, max_size=None,
            additional_headers={"Cookie": self.cookie},
        ) as socket:  # fmt: skip
            await socket.send(json.dumps({"type": "new", "setup": setup}))
            sent, seat, name = time.monotonic(), None, None
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                kind = message["type"]
                if kind == "game":
                    name = message["game_id"]
                    seat = next(p["seat"] for p in message["players"] if p["kind"] == "you")
                state = (message.get("states") or [message.get("state")])[-1]
                if kind in ("game", "moved") and state["actor"] == seat:
                    self.waits.append(time.monotonic() - sent)
                    action = rng.choice(state["legal"])["action"]
                    sent = time.monotonic()
                    move = {"type": "move", "game_id": name, "ply": state["ply"], "action": action}
                    await socket.send(json.dumps(move))
                elif kind == "ended":
                    self.counts["finished"] += 1
                    return
                elif kind == "error":
                    code = message["code"]
                    self.counts["refused politely" if code == "full" else f"error: {code}"] += 1
                    await asyncio.sleep(1)
                    return


def megabytes(process):
    return (
        int(Path(f"/proc/{process}/statm").read_text().split()[1])
        * os.sysconf("SC_PAGE_SIZE")
        / 2**20
    )


async def report(load, process, seconds):
    """Print a line for each twelfth of the time; return its middle and the mean memory."""
    begin, means = time.monotonic(), []
    for twelfth in range(1, TWELFTHS + 1):
        end, samples = begin + twelfth * seconds / TWELFTHS, []
        while not samples or time.monotonic() < end:
            await asyncio.sleep(min(1.0, seconds / TWELFTHS))
            samples.append(megabytes(process) if process else 0.0)
        means.append(((twelfth - 0.5) * seconds / TWELFTHS, statistics.fmean(samples)))
        memory = f"{means[-1][1]:6.0f} MB (peak {max(samples):.0f})" if process else ""
        passed = time.monotonic() - begin
        print(
            f"{passed:6.0f} s  {len(load.waits):7} turns  {memory}  {dict(load.counts)}", flush=True
        )
    return means


def trend(means):
    """Megabytes a minute by least squares over the last two thirds, and half its 95 % interval."""
    times, memory = zip(*means[TWELFTHS // 3 :], strict=True)
    slope, start = statistics.linear_regression(times, memory)
    squares = sum((m - start - slope * t) ** 2 for t, m in means[TWELFTHS // 3 :])
    spread = sum((t - statistics.fmean(times)) ** 2 for t in times)
    return 60 * slope, 60 * STUDENT_6 * math.sqrt(squares / (len(times) - 2) / spread)


async def run(options, address, process):
    load = Load(address, time.monotonic() + options.seconds)
    watching = asyncio.create_task(report(load, process, options.seconds))
    await asyncio.gather(*(load.visit(n) for n in range(options.games + options.extra)))
    means = await watching
    if process:
        slope, half = trend(means)
        print(f"\nmemory after the first third: {slope:+.1f} MB a minute, ± {half:.1f}", end="")
    waits = sorted(load.waits)
    print("\nwait for one's next turn, seconds:", end="")
    for share in (0.5, 0.9, 0.99, 1.0):
        print(f"  {share:.0%} {waits[min(len(waits) - 1, int(share * len(waits)))]:.2f}", end="")
    lost = sum(count for what, count in load.counts.items() if what.startswith(("lost", "error")))
    print(f"\n{len(waits)} turns, {load.counts['finished']} games finished, {lost} lost")
    return lost


def start():
    """A server of our own, as a user would start it."""
    command = [
        str(Path(sys.executable).with_name("sizeup")),
        "serve",
        "--no-browser",
        "--port",
        "0",
    ]
    state = {"XDG_STATE_HOME": tempfile.mkdtemp(), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **state}
    )
    return server, re.search(r"http://\S+", server.stdout.readline())[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--extra", type=int, default=20, help="visitors beyond the cap of 64")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--address", help="as sizeup serve prints it")
    parser.add_argument("--process", type=int, help="the server's, to see its memory")
    options = parser.parse_args()
    if options.address:
        sys.exit(bool(asyncio.run(run(options, options.address, options.process))))
    server, address = start()
    try:
        lost = asyncio.run(run(options, address, server.pid))
    finally:
        server.terminate()
        server.wait()
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
