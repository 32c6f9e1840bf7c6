"""How much a first visit to the page loads, and how soon one can move over a slow link.

Run: python benchmarks/web_first_load.py [--latency 600] [--kilobytes 30] [--visits 5]

A warm server of our own, and a Chromium whose cache is empty at each visit and whose network is
slowed down by its own developer tools: so many milliseconds for each request, so many kilobytes a
second. Setting up a connection costs nothing there; over a real line it costs a round trip more.

Printed are the bytes of every answer as they came over the line, and seconds:

- from the request for a game's page, by somebody who has been let in before, to the moment that it
  is their turn on a board that takes their move. Agents who move first have moved by then.
- from the request for the address that the server prints to the home page, and from a click on its
  game there to one's turn.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

SEEN = """selectors => {
    window.seen = {};
    new MutationObserver(() => {
        for (const one of selectors) {
            if (one in seen || !document.querySelector(one)) continue;
            seen[one] = null;
            requestAnimationFrame(() => { seen[one] = Date.now(); });
        }
    }).observe(document, { subtree: true, childList: true, attributes: true });
}"""
"""Notes in the page when it first shows something: who asks from outside does so twice a second."""

GAMES = ("connect-four", "checkers", "wall-of-fire")
TURN, HOME = ".turn.yours", ".doors"
PATIENCE = 120_000


@contextmanager
def server():
    """A server of our own, as a user would start it: its address."""
    command = [str(Path(sys.executable).with_name("sizeup")), "serve", "--no-browser"]
    state = {"XDG_STATE_HOME": tempfile.mkdtemp(), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env={**os.environ, **state}
    )
    try:
        yield re.search(r"http://\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.wait()


class Visit:
    """One visitor with an empty cache, and what came over the line."""

    def __init__(self, browser, address, link, known=True):
        self.context = browser.new_context(viewport={"width": 390, "height": 844})
        self.page = self.context.new_page()
        self.page.add_init_script(f"({SEEN})({json.dumps([TURN, HOME])})")
        if known:
            self.page.goto(address)  # signs in
            self.page.goto("about:blank")
        self.bytes = {}
        names = {}
        tools = self.context.new_cdp_session(self.page)
        tools.send("Network.enable")
        tools.send("Network.clearBrowserCache")
        tools.send("Network.emulateNetworkConditions", link)
        tools.on(
            "Network.requestWillBeSent",
            lambda one: names.update({one["requestId"]: one["request"]["url"]}),
        )
        tools.on(
            "Network.loadingFinished",
            lambda one: self.bytes.update({names[one["requestId"]]: one["encodedDataLength"]}),
        )

    def seconds(self, address, ready):
        """From the request until something is there."""
        return self.until(ready, lambda: self.page.goto(address, wait_until="commit"))

    def until(self, ready, ask):
        """From asking until something is there."""
        begin = time.time()
        ask()
        self.page.wait_for_selector(ready, timeout=PATIENCE)
        shown = self.page.wait_for_function("ready => seen[ready]", arg=ready, timeout=PATIENCE)
        return shown.json_value() / 1000 - begin


def tell(what, taken):
    """One line about some times."""
    print(
        f"{what:24} median {statistics.median(taken):.2f}, {min(taken):.2f} to {max(taken):.2f}, "
        f"n = {len(taken)}",
        flush=True,
    )


def first_game(browser, address, link):
    """Somebody who has only the printed address: seconds to the home page, and then to a game."""
    visit = Visit(browser, address, link, known=False)
    home = visit.seconds(address, HOME)
    game = visit.page.locator(".hero a[href^='/play/']")
    return home, visit.until(".turn.yours", game.click)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--latency", type=float, default=600, help="milliseconds a request")
    parser.add_argument("--kilobytes", type=float, default=30, help="a second")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    rate = 1000 * options.kilobytes
    slow = {
        "offline": False, "latency": options.latency, "downloadThroughput": rate,
        "uploadThroughput": rate,
    }  # fmt: skip
    free = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    with server() as address, sync_playwright() as playwright:
        root = address.partition("/?")[0]
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        for game in GAMES:  # the server is warm then
            Visit(browser, address, free).seconds(f"{root}/play/{game}", TURN)
        visit = Visit(browser, address, free)
        visit.seconds(f"{root}/", HOME)
        visit.page.wait_for_timeout(1000)
        for url, size in visit.bytes.items():
            print(f"{url.removeprefix(root):24} {size / 1000:6.1f} kB")
        print(f"{'first load':24} {sum(visit.bytes.values()) / 1000:6.1f} kB")
        print(f"seconds to the first move, {options.latency:g} ms and {options.kilobytes:g} kB/s")
        for game in GAMES:
            there = f"{root}/play/{game}"
            visits = (Visit(browser, address, slow) for _ in range(options.visits))
            tell(game, [visit.seconds(there, TURN) for visit in visits])
        first = [first_game(browser, address, slow) for _ in range(options.visits)]
        for what, taken in zip(
            ("home", "a game from there"), zip(*first, strict=True), strict=True
        ):
            tell(what, taken)
        browser.close()


if __name__ == "__main__":
    main()
