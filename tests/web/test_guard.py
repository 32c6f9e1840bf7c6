"""The door: each way in that must be shut is tried."""

import http.client
import json
import socket
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from sizeup.web.guard import CSP, LIFETIME, Guard, Keeper
from sizeup.web.settings import Settings
from tests.web.clients import DIRECT, KEY, running


def knock(server, path="/", method="GET", body=None, **headers):
    """A request with exactly these headers, as no browser would send it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.settings.port, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    given = {"Host": server.base.partition("//")[2], **headers}
    for name, value in given.items():
        for one in value if isinstance(value, list) else [value]:
            connection.putheader(name, one)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def cookie(server, value=None):
    return f"{server.keeper.name}={server.keeper.cookie() if value is None else value}"


def good(server):
    return {
        "Cookie": cookie(server), "Origin": server.base, "X-Sizeup": "1",
        "Content-Type": "application/json",
    }  # fmt: skip


def test_the_token_is_exchanged_for_a_strict_cookie(server):
    answer, text = knock(server, f"/?token={server.keeper.token}")
    assert (answer.status, answer.getheader("Location"), text) == (303, "/", "")
    given = answer.getheader("Set-Cookie")
    for word in ("HttpOnly", "SameSite=Strict", "Path=/", f"Max-Age={LIFETIME}"):
        assert word in given
    value = given.partition(";")[0]
    assert knock(server, Cookie=value)[0].status == 200
    again, _ = knock(server, f"/?token={server.keeper.token}", Cookie=value)
    renewed = again.getheader("Set-Cookie").partition(";")[0]
    assert renewed.partition(".")[0] == value.partition(".")[0]  # still the same visitor


@pytest.mark.parametrize("token", ["", "wrong", "x" * 32, "%00", "%F0%9F%92%A9"])
def test_a_wrong_token_is_told_how_to_get_in_and_gets_no_cookie(server, token):
    answer, text = knock(server, f"/?token={token}")
    assert (answer.status, answer.getheader("Set-Cookie")) == (401, None)
    assert "sizeup serve" in text
    assert answer.getheader("Content-Type").startswith("text/plain")


@pytest.mark.parametrize(
    "path", ["/", "/play", "/replay/x", "/index.html", "/icon.svg", "/api/about", "/api/nothing"]
)
def test_nothing_but_assets_is_shown_without_a_cookie(server, path):
    answer, text = knock(server, path)
    assert answer.status == 401
    assert "sizeup serve" in text
    assert knock(server, "/assets/page.js")[0].status == 200


def test_cookies_that_are_forged_old_doubled_or_of_another_key_are_no_cookies(server):
    value = server.keeper.cookie()
    visitor, ends, signature = value.split(".")
    old = server.keeper.cookie(now=time.time() - LIFETIME - 1)
    wrong = [
        "", "x", f"{visitor}.{ends}", f"{visitor}.{int(ends) + 1}.{signature}",
        f"{'A' * 16}.{ends}.{signature}", f"{visitor}.{ends}.{'0' * 64}", old,
        Keeper(b"other" * 7, server.settings.port).cookie(), Keeper(KEY, 1).cookie(),
        f"{value}x", value.upper(), f"{visitor}.²²²².{signature}",
    ]  # fmt: skip
    for one in wrong:
        assert knock(server, "/api/about", Cookie=cookie(server, one).encode())[0].status == 401, (
            one
        )
    twice = f"{cookie(server, value)}; {cookie(server, value)}"
    assert knock(server, "/api/about", Cookie=twice)[0].status == 401
    assert knock(server, "/api/about", Cookie=[cookie(server), cookie(server)])[0].status == 401
    assert knock(server, "/api/about", Cookie=f"a=b; {cookie(server, value)}; c=d")[0].status == 200


def test_a_cookie_is_renewed_in_the_second_half_of_its_life_and_not_before(server):
    fresh, old = server.keeper.cookie(), server.keeper.cookie(now=time.time() - 0.6 * LIFETIME)
    answer, _ = knock(server, "/api/about", Cookie=cookie(server, fresh))
    assert (answer.status, answer.getheader("Set-Cookie")) == (200, None)
    answer, _ = knock(server, "/assets/page.js", Cookie=cookie(server, old))
    assert answer.getheader("Set-Cookie") is None
    answer, _ = knock(server, "/api/about", Cookie=cookie(server, old))
    name, _, value = answer.getheader("Set-Cookie").partition(";")[0].partition("=")
    assert name == server.keeper.name
    assert value.split(".")[0] == old.split(".")[0]
    assert int(value.split(".")[1]) > int(old.split(".")[1])


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost:{port}.evil",
        "127.0.0.1:{port}@evil", "[::1]", "[::2]:{port}", "127.0.0.1:²", "127.0.0.1:" + "9" * 400,
        "::1:{port}", "127.1:{port}", "", ":{port}", "a b:{port}",
    ],
)  # fmt: skip
def test_a_name_that_the_server_was_not_told_is_refused(server, host):
    given = host.format(port=server.settings.port).encode("latin-1")
    answer, _ = knock(server, "/api/about", Cookie=cookie(server), Host=given)
    assert answer.status in (400, 403)
    if host:
        answer, _ = knock(server, f"/?token={server.keeper.token}", Host=given)
        assert answer.getheader("Set-Cookie") is None


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_the_names_of_this_machine_are_known(server, host):
    host = host.format(port=server.settings.port)
    assert knock(server, "/api/about", Cookie=cookie(server), Host=host)[0].status == 200


def test_no_host_or_two_hosts_are_refused(server):
    raw = socket.create_connection(("127.0.0.1", server.settings.port))
    with raw:
        name = server.base.partition("//")[2]
        lines = ["GET /api/about HTTP/1.1", f"Host: {name}", f"Host: {name}", "Connection: close"]
        raw.sendall("\r\n".join([*lines, f"Cookie: {cookie(server)}", "", ""]).encode())
        assert raw.recv(100).split()[1] in (b"400", b"403")


def test_a_server_at_all_addresses_goes_by_addresses_but_not_by_names():
    guard = Guard(None, Settings(host="0.0.0.0", port=80), Keeper(KEY, 8))
    for host in ("192.168.1.5", "192.168.1.5:80", "[fe80::1]:80", socket.gethostname()):
        assert guard._is_ours(host)
    for host in ("evil.example", "192.168.1.5.evil.example", "192.168.1.5:81", "[::1"):
        assert not guard._is_ours(host)
    assert Guard(None, Settings(host="box", port=8), Keeper(KEY, 8))._is_ours("box:8")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "http://localhost:{port}"}, 403),
        ({"Origin": []}, 403),
        ({"X-Sizeup": []}, 403),
        ({"X-Sizeup": "2"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": []}, 415),
        ({"Cookie": []}, 401),
        ({}, 422),
    ],
)
def test_another_site_cannot_post(server, change, code):
    given = {**good(server), **change}
    given = {
        name: value.format(port=server.settings.port) if isinstance(value, str) else value
        for name, value in given.items()
    }
    answer, text = knock(server, "/api/records", "POST", b"{}", **given)
    assert answer.status == code
    assert json.loads(text)["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(server, method):
    answer, _ = knock(server, "/api/records", method, **good(server))
    assert answer.status == 405
    assert answer.getheader("Access-Control-Allow-Origin") is None


def test_bodies_that_are_too_long_are_refused_told_or_not(server):
    most = server.settings.message_bytes
    answer, text = knock(
        server, "/api/records/x/what-if", "POST", b" " * (most + 1), **good(server)
    )
    assert (answer.status, json.loads(text)["error"]) == (
        413, f"too long: at most {most} bytes are accepted",
    )  # fmt: skip
    connection = http.client.HTTPConnection("127.0.0.1", server.settings.port, timeout=20)
    pieces = (b"x" * 1024 for _ in range(16))
    connection.request("POST", "/api/records/x/what-if", pieces, good(server), encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()
    much = b"x" * (server.settings.record_bytes + 10)
    sent, _ = knock(server, "/api/records", "POST", much, **good(server))
    assert sent.status == 413
    announced = {**good(server), "Content-Length": "99999999999"}
    declared, _ = knock(server, "/api/records", "POST", **announced)  # and nothing is sent
    assert declared.status == 413


def test_the_policy_lets_nothing_in_from_elsewhere():
    for rule in ("default-src 'self'", "script-src 'self'", "style-src 'self'"):
        assert rule in CSP
    assert "frame-ancestors 'none'" in CSP
    assert "unsafe" not in CSP


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/nothing", "/assets/page.js", "/nowhere"])
@pytest.mark.parametrize("known", [True, False])
def test_every_answer_carries_the_rules_for_browsers(server, path, known):
    answer, _ = knock(server, path, **({"Cookie": cookie(server)} if known else {}))
    assert answer.getheader("Content-Security-Policy") == CSP
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert answer.getheader("Access-Control-Allow-Origin") is None
    assert answer.getheader("Server") is None
    kept = "no-cache" if path.startswith("/assets/") else "no-store"
    assert answer.getheader("Cache-Control") == kept


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml", "/assets/../../conftest.py", "/assets/%2e%2e/%2e%2e/conftest.py",
        "/..%2f..%2fetc/passwd", "//etc/passwd", "/assets/..\\..\\x", "/notes.secret",
        "/assets/%00", "/assets/page.js/", "/assets", "/api/records/..%2f..%2fx", "/play/a/b/c",
        "/docs", "/openapi.json", "/redoc",
    ],
)  # fmt: skip
def test_only_the_page_s_own_files_can_be_asked_for(server, path):
    answer, text = knock(server, path, Cookie=cookie(server))
    assert answer.status == 404
    assert json.loads(text)["error"]


@pytest.mark.parametrize("path", ["/nowhere", "/play/nogame", "/play/nogame/3", "/a/b/c"])
def test_a_browser_is_told_on_a_page_that_there_is_none(server, path):
    asked = {"Cookie": cookie(server), "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer, text = knock(server, path, **asked)
    assert (answer.status, answer.getheader("Content-Type")) == (404, "text/html; charset=utf-8")
    assert "Page not found" in text
    assert '<a href="/">' in text
    assert path not in text
    answer, text = knock(server, "/api" + path, **asked)
    assert (answer.status, list(json.loads(text))) == (404, ["error"])


@pytest.mark.parametrize(
    "path",
    [
        "/", "/play", "/play/", "/play/checkers", "/watch", "/replay", "/replay/a", "/replay/a/3",
        "/results", "/results/toy", "/results/toy/ca%202%3C8",
    ],
)  # fmt: skip
def test_every_address_of_the_page_is_the_page(server, path):
    answer, text = knock(server, path, Cookie=cookie(server))
    assert (answer.status, "<title>Sizeup</title>" in text) == (200, True)
    assert answer.getheader("Content-Type").startswith("text/html")


def test_files_have_their_kinds(server):
    for path, kind in (("/assets/page.js", "text/javascript"), ("/icon.svg", "image/svg+xml")):
        answer, _ = knock(server, path, Cookie=cookie(server))
        assert answer.getheader("Content-Type").partition(";")[0] == kind


def dial(server, **more):
    given = {"origin": server.base, "additional_headers": {"Cookie": cookie(server)}, **more}
    return connect(f"ws://127.0.0.1:{server.settings.port}/ws", **DIRECT, **given)


@pytest.mark.parametrize(
    "more",
    [
        {"origin": "http://evil.example"},
        {"origin": None},
        {"origin": "null"},
        {"origin": "http://localhost"},
    ],
)
def test_a_socket_from_elsewhere_is_refused_before_it_opens(server, more):
    with pytest.raises(InvalidStatus) as refused:
        dial(server, **more)
    assert refused.value.response.status_code == 403


def test_a_socket_by_a_name_that_was_made_to_point_here_is_refused(server):
    """DNS rebinding: the browser takes the attacker's page and this server for one site."""
    name = f"evil.example:{server.settings.port}"
    raw = socket.create_connection(("127.0.0.1", server.settings.port))
    with raw, pytest.raises(InvalidStatus) as refused:
        connect(
            f"ws://{name}/ws", sock=raw, origin=f"http://{name}",
            additional_headers={"Cookie": cookie(server)},
        )  # fmt: skip
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("value", [None, "sizeup=", "sizeup=forged.1.2"])
def test_a_socket_without_a_cookie_is_told_so_and_closed(server, value):
    with dial(server, additional_headers={"Cookie": value} if value else {}) as opened:
        with pytest.raises(ConnectionClosed):
            opened.recv(timeout=20)
        assert opened.protocol.close_code == 4401


def test_there_is_no_other_socket(server):
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"ws://127.0.0.1:{server.settings.port}/other", origin=server.base, **DIRECT,
            additional_headers={"Cookie": cookie(server)},
        )  # fmt: skip
    assert refused.value.response.status_code == 403


def test_markup_in_what_is_sent_stays_text(server, visitor, talk):
    talk.send(type="leave", game_id="<script>alert(1)</script>")
    error = talk.until("error")
    assert error["game_id"] == "<script>alert(1)</script>"  # in JSON, where it is only text
    answer = visitor.http.get("/api/records/<script>alert(1)</script>")
    assert answer.headers["content-type"] == "application/json"
    assert "<script>" not in answer.text
    answer = visitor.http.get("/<script>alert(1)</script>")
    assert "<script>" not in answer.text


def test_only_so_many_sockets_are_open_at_one_time(static):
    with (
        running(static, sockets=2) as server,
        server.visitor() as somebody,
        somebody.socket() as one,
        somebody.socket() as other,
        somebody.socket() as third,
    ):
        for opened in (one, other):
            opened.send(type="ping")
            assert opened.next() == {"type": "pong"}
        with pytest.raises(ConnectionClosed):
            third.next()
        assert third.socket.protocol.close_code == 1013


def test_a_failure_of_the_server_is_one_sentence_without_details(server, visitor, monkeypatch):
    def fail(owner):
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(server.hub.records, "listed", fail)
    answer = visitor.http.get("/api/records")
    assert answer.status_code == 500
    assert answer.json() == {"error": "the server hit an error; see its terminal for details"}
    assert answer.headers["content-security-policy"] == CSP


def test_a_missing_page_is_no_failure_of_the_server(static, tmp_path):
    with running(tmp_path) as server:
        answer = httpx.get(f"{server.base}/api/nothing", headers={"Cookie": cookie(server)})
        assert answer.status_code == 404
