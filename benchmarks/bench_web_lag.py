"""How late the web server's event loop is, idle and while two searches run.

Run: python benchmarks/bench_web_lag.py [SECONDS]

The server runs here, with a task that asks to be woken every 5 ms and notes how late it was; a
second process plays. Late is what a visitor's other clicks wait for. Beside it stand two threads
that compute without Python's lock: nothing that keeps two cores busy can be better, and on a
machine with other work that alone is late.
"""

import asyncio
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import websockets

from sizeup.web.app import SWITCH_INTERVAL, Server, listen
from sizeup.web.guard import Keeper
from sizeup.web.settings import Settings

STEP = 0.005
QUANTILES = {"50 %": 0.5, "90 %": 0.9, "99 %": 0.99, "most": 1.0}
GAMES = {
    "two deep searches (Narrow Tunnel, depth 30)": ("narrow-tunnel", ["obl:30+ca:30"]),
    "two games of many short searches (checkers)": ("checkers", ["ca:8+obl:4", "obl:6"]),
}


async def lateness(seconds, late):
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        begin = time.perf_counter()
        await asyncio.sleep(STEP)
        late.append(time.perf_counter() - begin - STEP)


def compute(until):
    data = bytes(20_000_000)
    while time.perf_counter() < until:
        hashlib.sha256(data).digest()  # without Python's lock, for some hundredths of a second


async def visit(base, cookie, game, teams, seed):
    """Watch games, as fast as they go."""
    async with websockets.connect(
        base.replace("http", "ws", 1) + "/ws", origin=base, max_size=None,
        additional_headers={"Cookie": cookie},
    ) as socket:  # fmt: skip
        while True:
            seed += 2
            setup = {"mode": "watch", "game": game, "teams": teams, "seed": seed}
            await socket.send(json.dumps({"type": "new", "setup": setup}))
            message = {}
            while message.get("type") != "ended":
                message = json.loads(await socket.recv())
                states = message.get("states") or [message.get("state")]
                if message["type"] in ("game", "moved") and states[-1]["actor"] is not None:
                    ply, name = states[-1]["ply"], message["game_id"]
                    await asyncio.sleep(0.05)  # the server's limit is 20 messages a second
                    await socket.send(json.dumps({"type": "step", "game_id": name, "ply": ply}))


async def visitors(address, game, teams):
    base = address.partition("/?")[0]
    ((name, value),) = httpx.get(address).cookies.items()
    cookie = f"{name}={value}"
    await asyncio.gather(*(visit(base, cookie, game, json.loads(teams), seed) for seed in (0, 1)))


def told(name, late, beside=None):
    late = sorted(1e3 * max(0.0, x) for x in late)
    parts = [late[min(len(late) - 1, int(share * len(late)))] for share in QUANTILES.values()]
    ratio = f"{parts[2] / beside:8.1f}" if beside else ""
    print(f"{name:48}" + "".join(f"{part:8.2f}" for part in parts) + ratio, flush=True)
    return parts[2]


async def measure(seconds):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "index.html").write_text("<!doctype html>")
        listener = listen("127.0.0.1", 0)
        settings = Settings(port=listener.getsockname()[1], static=Path(folder))
        server = Server(settings, Keeper(b"k" * 32, settings.port))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.05)
        print(f"{'milliseconds late':48}" + "".join(f"{q:>8}" for q in (*QUANTILES, "ratio")))
        late = []
        await lateness(seconds, late)
        told("idle", late)
        late = []
        busy = [asyncio.to_thread(compute, time.perf_counter() + seconds) for _ in range(2)]
        await asyncio.gather(lateness(seconds, late), *busy)
        floor = told("two threads that only compute", late)
        for name, (game, teams) in GAMES.items():
            command = [sys.executable, __file__, "--visit", server.address, game, json.dumps(teams)]
            player = subprocess.Popen(command)
            await asyncio.sleep(5)  # until everything is compiled and both play
            late = []
            await lateness(seconds, late)
            player.kill()
            player.wait()
            told(name, late, floor)
            await asyncio.sleep(1)
        server.should_exit = True
        await serving


def main():
    if sys.argv[1:2] == ["--visit"]:
        asyncio.run(visitors(*sys.argv[2:]))
    else:
        sys.setswitchinterval(SWITCH_INTERVAL)
        asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0))


if __name__ == "__main__":
    main()
