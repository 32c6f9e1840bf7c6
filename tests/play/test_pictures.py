"""Matches as pictures: animations of any game, and records in a notebook."""

import types
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import unescape

import pytest

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import connect_four, harvest, wall_of_fire
from sizeup.games.look import Look
from sizeup.play import play, set_table
from sizeup.play.match import play_at
from sizeup.play.pictures import animate
from sizeup.words import percent
from tests.play.conftest import quick

SVG = "{http://www.w3.org/2000/svg}"


def shown_at(picture):
    """Texts and names of tiles in an animation, by the frames in which they can be seen."""
    frames = {}
    for node in picture.iter():
        moving = node.find(f"{SVG}animate")
        if moving is not None:
            named = node.find(f"{SVG}title")
            words = "".join(node.itertext()) if named is None else named.text
            values = [float(value) for value in moving.get("values").split(";")]
            frames.setdefault(words, []).append([at for at, value in enumerate(values) if value])
    return frames


def test_an_animation_shows_every_move():
    record = play("wall-of-fire", ["random+random"], seed=2)
    picture = ElementTree.fromstring(animate([record, record], ["<one>", "two"]))
    texts = ["".join(node.itertext()) for node in picture.iter(f"{SVG}text")]
    assert [text for text in texts if text in ("<one>", "two")] == ["<one>", "two"]
    frames = shown_at(picture)
    lines = {words: at for words, at in frames.items() if words.startswith(("move ", "score 0"))}
    assert len(lines) == 21
    assert list(lines.values()) == [[[ply]] * 2 for ply in range(21)]  # in both boards
    avatars = [at for words, all_at in frames.items() if "avatar" in words for at in all_at]
    assert sorted(ply for at in avatars for ply in at) == sorted([*range(21)] * 2)


def test_scores_run_below_the_board():
    world = wall_of_fire.board("SFC", most_turns=2)
    frames = shown_at(ElementTree.fromstring(animate([play(
        "wall-of-fire", ["obl:2+obl:2"], seed=1, params=world
    )], ["x"])))  # fmt: skip
    assert [words for words in frames if "score" in words] == [
        "score 0", "move 1: score −2", "move 2: score 98"
    ]  # fmt: skip


@pytest.mark.slow
def test_beliefs_run_below_the_board():
    record = play("wall-of-fire", ["ca:4+obl:2"], seed=2)
    assert "score 0, partner looks 2 ahead: 50 %" in animate([record], ["aware"])
    last = [move.seen[0].after[0] for move in record.moves if move.player == 1 and move.seen][-1]
    line = f"move 20: score 0, partner looks 2 ahead: {percent(last)}"
    assert line in unescape(animate([record], ["x"]))


@pytest.mark.parametrize(
    ("game", "teams"),
    [
        ("connect-four", ["random", "random"]),
        ("connect-four", ["random+random", "random"]),
        ("harvest", ["random+random+random"]),
        ("narrow-tunnel", ["random+random"]),
        ("checkers", ["random", "random"]),
    ],
)
def test_any_game_can_be_animated(game, teams):
    record = play(game, teams, seed=2)
    frames = shown_at(ElementTree.fromstring(animate([record], ["x"])))
    assert sum(len(at) for words, at in frames.items() if "score" in words) == 1 + len(record.moves)


def test_a_player_without_a_partner_has_nothing_to_believe():
    record = play("connect-four", [quick("ca:2"), ["random"]], seed=2)
    assert 0 in record.first_beliefs
    assert "partner" not in animate([record], ["alone"])


@pytest.mark.slow
def test_what_an_observer_believes_is_shown_by_the_lowest_seat():
    watching = replace(read_agent("ca:4@2,4"), options=quick("ca:4")[0].options)
    teams = [quick("obl:2+ca:4@1,4")]
    record = play_at(set_table("wall-of-fire", teams, observer=(0, watching)), seed=1)
    assert set(record.first_beliefs) == {0, 1}
    assert "partner looks 2 ahead" in animate([record], ["x"])


def test_a_match_without_moves_is_one_picture():
    world = wall_of_fire.board("SFC", most_turns=0)
    record = play("wall-of-fire", ["random+random"], params=world)
    assert record.moves == ()
    picture = ElementTree.fromstring(animate([record], ["still"]))
    assert "score 0" in ["".join(node.itertext()) for node in picture.iter(f"{SVG}text")]


def test_bad_animations():
    for records, titles in (([], []), ([play("connect-four", ["random", "random"])], [])):
        with pytest.raises(InvalidInput, match="one title for each match, got 0 titles"):
            animate(records, titles)


def test_a_record_shows_its_last_board_and_beliefs_in_a_notebook(fire, four):
    html = fire._repr_html_()
    svg = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    assert svg.find(f"{SVG}title").text.startswith("wall-of-fire; player 0 to move; 49 coins left")
    last = [move.seen[0].after for move in fire.moves if move.player == 1 and move.seen][-1]
    shares = f"type 2 {percent(last[0])}, type 20 {percent(last[1])}"
    shares += f", none of these {percent(1 - sum(last))}"
    assert f"<li>ca:20 (seat 0) on obl:2 (seat 1): {shares}</li>" in unescape(html)
    assert "<p><b>Record of wall-of-fire: ca:20+obl:2, 6 moves, total −2</b></p>" in html
    assert "has won" in four._repr_html_()
    assert "<li>" not in four._repr_html_()


def test_a_record_of_a_game_that_is_not_here_says_so_in_a_notebook():
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(connect_four), LOOK=Look())
    mine.INFO = replace(connect_four.INFO, name="<mine>")
    html = play(mine, ["random", "random"])._repr_html_()
    assert "&lt;mine&gt;" in html
    assert "is not a game that comes with Sizeup" in html


def test_chance_is_a_frame_of_its_own():
    record = play("harvest", ["random+random+random"], seed=3, params=harvest.season([1.0, 1.0]))
    frames = shown_at(ElementTree.fromstring(animate([record], ["x"])))
    assert sum(len(at) for words, at in frames.items() if "score" in words) == 1 + len(record.moves)
    assert any(move.player == -1 for move in record.moves)


def test_a_board_may_grow(monkeypatch):
    """A look is free to draw more rows and columns as a game goes on."""

    def grown(state, params):
        stones = int(state.first | state.second).bit_count()
        return ["x" * (stones + 1)] * (1 + stones // 3)

    monkeypatch.setattr(connect_four, "LOOK", Look(grid=grown, legend={"x": "coin"}))
    record = play("connect-four", ["random", "random"], seed=2)
    frames = shown_at(ElementTree.fromstring(animate([record], ["x"])))
    last = len(record.moves)
    assert [last] in frames["coin, free"]  # the last column is there in the last frame only
    assert [*range(1, last + 1)] in frames["coin, free"]


@pytest.mark.slow
def test_of_several_partners_the_first_is_told_about():
    record = play("wall-of-fire", [quick("ca:4+obl:2+obl:4")], seed=2)
    about = [move.seen[0].after[0] for move in record.moves if move.player == 1 and move.seen]
    other = [move.seen[0].after[0] for move in record.moves if move.player == 2 and move.seen]
    assert abs(about[-1] - other[-1]) > 0.02
    text = f"move {len(record.moves)}: score 0, partner looks 2 ahead: {100 * about[-1]:.0f} %"
    assert text in animate([record], ["x"])
