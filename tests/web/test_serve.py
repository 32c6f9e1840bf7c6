"""sizeup serve: what it prints, what it refuses, and how it ends."""

import gzip
import http.client
import signal
import socket
import subprocess
import sys

import pytest

from sizeup.errors import InvalidInput
from sizeup.web import app as serving
from sizeup.web import settings as settings_module
from sizeup.web.app import SCREENS, Server, listen, serve
from sizeup.web.guard import Keeper, key_in
from sizeup.web.settings import Settings
from tests.test_cli import run
from tests.web.clients import KEY, Process

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)


@pytest.fixture
def at_once(monkeypatch):
    """A server that is interrupted as soon as it serves."""

    async def interrupted(self, sockets=None):
        self.hub.pool.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve", interrupted)


def served(static, **caps):
    told = []
    browser = caps.pop("browser", False)
    serve(Settings(static=static, port=0, **caps), browser=browser, tell=told.append)
    return told


def test_it_prints_the_address_with_the_token_and_ends_cleanly(static, at_once):
    first, how, last = served(static)
    assert first.startswith("Sizeup is running at http://127.0.0.1:")
    assert "/?token=" in first
    assert (how, last) == ("Press Ctrl-C to stop", "stopped")


def test_what_a_browser_loads_first_is_packed(visitor):
    for path in ("/assets/app.js", "/assets/app.css", "/api/about"):
        plain = visitor.http.get(path, headers={"Accept-Encoding": "identity"})
        packed = visitor.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert plain.content == packed.content
        assert "content-encoding" not in plain.headers
        if len(plain.content) > 1000:
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) < 20_000


def _packed(*names):
    page = Settings().static
    return sum(len(gzip.compress((page / name).read_bytes(), 6)) for name in names)


def test_the_page_that_is_built_is_small():
    """What a first visit loads beside what the server offers: 100 kB in all."""
    early = [f"assets/{name}.js" for name in SCREENS[""]]
    assert _packed("index.html", "assets/app.js", "assets/app.css", *early) < 80_000


def test_what_a_first_game_loads_comes_through_a_slow_line_in_a_second():
    assert _packed("index.html", "assets/early.js", "assets/app.js", "assets/app.css") < 33_000


def test_what_a_screen_asks_for_early_is_built():
    built = {file.stem for file in (Settings().static / "assets").glob("*.js")}
    assert {name for names in SCREENS.values() for name in names} < built


def test_no_screen_waits_for_its_own_code(visitor):
    """A browser is told of it with the page, before any of the page runs."""
    link = visitor.http.get("/watch").headers["link"]
    assert "</api/about>; rel=preload" in link
    assert "</assets/watch.js>; rel=modulepreload" in link


def test_it_opens_a_browser_unless_told_not_to(static, at_once, monkeypatch):
    opened = []
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    monkeypatch.setattr(serving.threading.Thread, "start", serving.threading.Thread.run)
    served(static)
    assert opened == []
    first, *_ = served(static, browser=True)
    assert opened[0] in first


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_an_address_that_others_can_reach_is_warned_of_in_one_line(static, at_once, host, shown):
    warning, first, *_ = served(static, host=host)
    assert warning.startswith(f"warning: other machines can reach {host}, and")
    assert "\n" not in warning
    assert f"http://{shown}:" in first


@pytest.mark.parametrize(
    ("host", "own", "shown"),
    [("0.0.0.0", "192.0.2.7", "192.0.2.7"), ("::", "2001::7", "[2001::7]")],
)
def test_guests_are_told_an_address_that_they_can_use(
    static, at_once, monkeypatch, host, own, shown
):
    monkeypatch.setattr(settings_module, "own_address", lambda family: own)
    _, first, guests, *_ = served(static, host=host)
    token = first.partition("/?token=")[2]
    assert guests.startswith(f"From other machines: http://{shown}:")
    assert guests.endswith(f"/?token={token}")


def test_a_machine_without_a_network_has_no_address_for_guests(static, at_once, monkeypatch):
    def unreachable(self, address):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(serving.socket.socket, "connect", unreachable)
    assert len(served(static, host="0.0.0.0")) == 4


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_this_machine_s_own_names_need_no_warning(static, at_once, host):
    assert len(served(static, host=host)) == 3


def test_browsers_that_were_let_in_can_be_signed_out(static, at_once, tmp_path):
    served(static)
    key = key_in(tmp_path / "sizeup")
    served(static)
    assert key_in(tmp_path / "sizeup") == key
    serve(Settings(static=static, port=0), browser=False, sign_out=True, tell=print)
    assert key_in(tmp_path / "sizeup") != key


SLOW = """
import time
from sizeup.web import app
app._read = lambda body, owner, hub: time.sleep(600)  # what the server is to end with
"""


def test_it_ends_while_something_runs_that_nobody_can_stop(static, tmp_path):
    with Process(tmp_path, static, before=SLOW) as started, started.visitor() as somebody:
        connection = http.client.HTTPConnection("127.0.0.1", started.port)
        given = {"Content-Type": "application/json", **somebody.http.headers}
        connection.request("POST", "/api/records", b"{}", given)
        somebody.get("/api/records")  # by now it is being read
        assert started.end(signal.SIGINT) == (0, "stopped\n", "")
        assert connection.getresponse().status == 503
        connection.close()


def test_a_port_in_use_is_one_line(static):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInput, match=rf"port {port}: Address already in use; choose"):
            serve(Settings(static=static, port=port), browser=False, tell=print)


def test_a_host_that_is_none_is_one_line(static):
    with pytest.raises(InvalidInput, match=r"cannot listen on 'no\.such\.host\.invalid'"):
        serve(Settings(static=static, host="no.such.host.invalid"), browser=False, tell=print)


def test_without_a_built_page_it_says_how_to_build_it(tmp_path):
    with pytest.raises(InvalidInput, match=r"the web page has not been built: .* `make web`"):
        serve(Settings(static=tmp_path), browser=False, tell=print)


def test_a_store_that_is_none_is_said_before_anything_is_served(static, tmp_path):
    from sizeup.experiments.store import StoreError

    with pytest.raises(StoreError, match="there is no store"):
        serve(Settings(static=static, store=tmp_path / "no.db"), browser=False, tell=print)


def test_the_command_hands_on_its_options_and_prints_errors_in_one_line(monkeypatch, tmp_path):
    asked = {}

    def pretend(settings, *, browser, sign_out, tell):
        asked.update(settings=settings, browser=browser, sign_out=sign_out)
        tell("served")

    monkeypatch.setattr(serving, "serve", pretend)
    done = run("serve", "--port", 9, "--host", "localhost", "--store", "x.db", "--no-browser")
    assert (done.returncode, done.stdout) == (0, "served\n")
    assert (asked["settings"].port, asked["settings"].host) == (9, "localhost")
    assert (str(asked["settings"].store), asked["browser"]) == ("x.db", False)
    run("serve")
    assert asked["browser"]
    assert not asked["sign_out"]
    run("serve", "--sign-out")
    assert asked["sign_out"]
    monkeypatch.undo()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serving, "require_page", lambda static: None)
        failed = run("serve", "--port", port, "--no-browser")
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1
    assert "choose another with --port" in failed.stderr


def test_without_its_libraries_the_command_says_what_to_install(monkeypatch):
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "fastapi" else found(name)
    )
    failed = run("serve")
    assert failed.returncode == 2
    assert failed.stderr.startswith(
        "sizeup: the web app needs fastapi: install it with pip install "
    )
    assert failed.stderr.endswith("[web]'\n")  # of the package, or of the clone it runs from


def test_the_address_of_six_groups_is_in_brackets():
    server = Server(Settings(host="::1", port=8), Keeper(KEY, 8, "t"))
    assert server.address == "http://[::1]:8/?token=t"
    server.hub.pool.close()


def test_a_socket_that_is_listened_at_is_free_again_at_once():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            accepted, _ = first.accept()
            accepted.close()
    listen("127.0.0.1", port).close()


def test_it_has_large_arrays_given_back(static, at_once, monkeypatch):
    asked = []
    monkeypatch.setattr(serving, "_return_freed_memory", lambda: asked.append(True))
    served(static)
    assert asked == [True]


CHURN = """
import os
import numpy as np
from sizeup.web.app import _return_freed_memory

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

_return_freed_memory()
np.ones(2**21)  # once these 16 MB were dropped, malloc would keep as many for later
before = megabytes()
both = [(np.ones(2**20), bytearray(4096)) for _ in range(16)]
kept = [small for _, small in both]
del both
print(megabytes() - before)
"""


def test_large_arrays_that_are_dropped_go_back_to_the_system():
    """128 MB in sixteen arrays, each beside something small that is kept."""
    done = subprocess.run([sys.executable, "-c", CHURN], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 32
