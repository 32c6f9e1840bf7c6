"""The page's first file: what it brings with it, and what browsers let it do."""

import base64
import hashlib
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest

import sizeup.web
from sizeup.web.guard import CSP
from sizeup.web.page import CODE, Page
from tests.web.clients import running, setup

pytestmark = pytest.mark.slow

BUILT = Path(sizeup.web.__file__).with_name("static")


@pytest.fixture(scope="module")
def built():
    with running(BUILT) as server:
        yield server


@pytest.fixture
def visitor(built):
    with built.visitor() as somebody:
        yield somebody


def _known(text):
    return json.loads(re.search(r'id="sizeup-here">(.*?)</script>', text)[1])


def test_the_page_of_a_game_brings_all_that_it_takes_to_begin(visitor):
    answer = visitor.http.get("/play/checkers")
    known, about = _known(answer.text), visitor.get("/api/about")
    assert known["games"] == [game for game in about["games"] if game["name"] == "checkers"]
    assert known["kinds"] == about["kinds"]
    assert known["guests"] == about["guests"]
    assert "showcase" not in known
    assert answer.headers["link"] == CODE  # there is nothing else to ask for
    assert "stylesheet" not in answer.text


def test_what_agents_have_scored_comes_with_the_game_of_the_home_page(visitor):
    shown = _known(visitor.http.get("/play/wall-of-fire").text)["showcase"]
    about = visitor.get("/api/about")["showcase"]
    for name in ("oblivious", "aware"):
        assert shown[name] == {part: about[name][part] for part in ("players", "total")}


@pytest.mark.parametrize("path", ["/", "/play", "/tour", "/replay", "/results/x"])
def test_other_pages_bring_nothing(visitor, path):
    assert _known(visitor.http.get(path).text) is None


def test_only_the_script_and_the_styles_that_are_part_of_the_page_count_in_it(visitor):
    answer = visitor.http.get("/play/checkers")
    policy = answer.headers["content-security-policy"]
    allowed = CSP
    for kind in ("script", "style"):
        (content,) = re.findall(rf"<{kind}>(.*?)</{kind}>", answer.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        allowed = allowed.replace(f"{kind}-src 'self'", f"{kind}-src 'self' 'sha256-{digest}'")
    assert policy == allowed
    assert policy.count("sha256") == 2
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/", "/play", "/play/checkers", "/tour", "/results/x"])
def test_no_page_waits_for_its_styles_or_asks_late_for_its_code(visitor, path):
    answer = visitor.http.get(path)
    assert (BUILT / "assets" / "app.css").read_text() in answer.text
    assert answer.headers["link"].startswith("</assets/app.js>; rel=modulepreload")


def test_what_is_known_cannot_become_markup(tmp_path):
    (tmp_path / "index.html").write_text(
        '<script type="application/json" id="sizeup-here">null</script>'
    )
    assert "</script><b>" not in Page(tmp_path).html({"title": "</script><b>"})


def test_a_page_that_is_not_built_is_empty(tmp_path):
    assert (Page(tmp_path).html(), Page(tmp_path).policy) == ("", CSP)


def _first(message):
    return f"/ws?first={quote(json.dumps(message))}"


def test_the_first_message_may_come_with_the_request_for_the_socket(visitor):
    with visitor.socket(_first({"type": "new", "setup": setup(seed=5)})) as talk:
        game = talk.until("game")
    assert game["setup"]["seed"] == 5


@pytest.mark.parametrize(
    ("text", "code"),
    [("nonsense", "bad_message"), ("{}", "bad_message"), ("x" * 5000, "too_big")],
)
def test_a_first_message_is_checked_like_any_other(static, text, code):
    with (
        running(static, message_bytes=4096) as server,
        server.visitor() as somebody,
        somebody.socket(f"/ws?first={text}") as talk,
    ):
        assert talk.next()["code"] == code
        talk.send(type="ping")
        assert talk.next() == {"type": "pong"}
