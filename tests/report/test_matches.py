"""What ``run_experiment`` and ``play_many`` return: frames and figures."""

from xml.etree import ElementTree

import pytest

import sizeup
from sizeup.errors import InvalidInput
from sizeup.report import to_csv
from sizeup.report.figures import Figure
from sizeup.report.formats import COLUMNS
from sizeup.report.summary import Summary
from tests.play.conftest import quick
from tests.report.made_up import finished
from tests.report.small_fire import sample_store

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def played():
    return sizeup.play_many("connect-four", [quick("obl:2"), quick("obl:1")], seeds=[4, 7])


def test_many_matches_are_a_list_with_frames(played):
    assert played == [
        sizeup.play("connect-four", [quick("obl:2"), quick("obl:1")], seed=4),
        played[1],
    ]
    frame = played.frame()
    assert frame["seed"].tolist() == ["4", "7"]
    assert frame["teams"].tolist() == ["obl:2 against obl:1"] * 2
    assert frame["plies"].tolist() == [len(record.moves) for record in played]
    assert frame["winner"].dtype == "Int8"
    assert len(played.moves()) == frame["plies"].sum()
    assert set(played.beliefs().columns) >= {"game_id", "believer", "after"}
    assert repr(played) == "<Matches: 2 of connect-four>"


def test_one_team_wins_nothing():
    frame = sizeup.play_many("wall-of-fire", ["obl:2+obl:2"], seeds=[1]).frame()
    assert frame["winner"].isna().all()


def test_a_figure_of_what_matches_paid(played):
    drawn = played.figure()
    assert repr(drawn) == "<Figure: Rewards of connect-four>"
    assert "2 matches" in drawn.html
    assert sizeup.play_many("connect-four", ["obl:1", "obl:1"], seeds=[]).figure().svg


def test_a_summary_as_a_frame_is_its_csv(tmp_path):
    summary = finished(tmp_path)
    frame = summary.frame()
    assert dict(zip(frame.columns, map(str, frame.dtypes), strict=True)) == dict(COLUMNS)
    lines = to_csv(summary).splitlines()
    assert len(frame) == len(lines) - 1
    first = summary.tables[0].entries[0]
    assert (frame["value"][0], frame["low"][0]) == (first.value.value, first.value.low)
    assert frame["minus"].isna().sum() == len(frame) - 1


def test_the_games_behind_a_summary():
    with sample_store() as path:
        summary = sizeup.report(path)
        assert summary.games()["arm"].tolist() == ["oblivious", "aware"]
    toy = Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db")
    with pytest.raises(InvalidInput, match="this summary does not know its store"):
        toy.games()
    assert toy.figures() == {}


def test_figures_stand_alone(tmp_path):
    figures = finished(tmp_path).figures()
    assert list(figures) == ["comparisons", "Score by opponent"]
    for title, figure in figures.items():
        drawn = ElementTree.fromstring(figure.svg)
        (style,) = drawn.findall("{*}style")
        assert "--ours: #" in style.text
        assert "svg .ours {" in style.text
        assert ":root" not in style.text
        assert figure._repr_html_().count("<svg") >= 2  # the picture and its legend
        figure.save(tmp_path / "figure.svg")
        assert (tmp_path / "figure.svg").read_text() == figure.svg
        assert figure.title == title


def test_a_figure_is_saved_as_svg_only(tmp_path):
    with pytest.raises(InvalidInput, match=r"ends in \.svg, got 'figure\.png'"):
        Figure("x", "<svg></svg>").save("figure.png")


@pytest.mark.slow
def test_an_experiment_is_run_until_it_is_decided(tmp_path):
    file = tmp_path / "clear.toml"
    file.write_text("""
name = "clear"
title = "Fire"
question = "Who burns?"
game = "wall-of-fire"
params = { text = "SFFFFF", most_turns = 4, coin = 0.0 }
types = [1, 2]
blocks = 2
balance = []
search = { iterations = 8, rollouts = 1 }
comparisons = ["plans - guesses"]
[arms.plans]
team = "obl:2+obl:2"
[arms.guesses]
team = "random+random"
""")
    found = sizeup.run_experiment(file, tmp_path / "clear.db", until_decided=True, workers=1)
    (compared,) = found.comparisons
    assert compared.verdict in ("positive", "negative")
    assert 0 <= found.counts.played - compared.decided_after < 8  # those that had begun
    assert found.counts.played < 400
    assert len(found.games()) == found.counts.played
