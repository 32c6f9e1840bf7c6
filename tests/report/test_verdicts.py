"""The page of verdicts about players."""

import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import pytest

from sizeup.play.infer import Inference, PlayerDepth, Step
from sizeup.play.reading import Foresight
from sizeup.report.verdicts import verdicts_page

STEPS = (
    Step(0, 4, 0, "11-15", (-2.0, -1.0), (0.3, 0.69), 1.0, "11-15: most who look 6 ahead do"),
    Step(1, 6, 0, "9-14", (-3.0, -1.0), (0.04, 0.95), 2.0, "9-14: hardly anybody else"),
)
SEEN = Foresight(1, 6, "9-14", 6, ("9-14", "22-18"), 0.5, 0.5)
ANN = PlayerDepth("Ann", (2, 6), (0.5, 0.49), (0.04, 0.95), STEPS, 2, 3, foresights=(SEEN,))


def page(player):
    return verdicts_page(Inference(player.types, "sampled", (player,)))


def words(html):
    return unescape(" ".join(re.sub("<[^>]+>", " ", html).split()))


@pytest.mark.parametrize(
    ("posterior", "said"),
    [
        ((0.04, 0.95), "Depth 6 (95 %; 90 % interval 6)."),
        ((0.0, 1.0), "Depth 6 (>99 %; 90 % interval 6)."),
        ((0.1, 0.6), "Cannot tell (2, 6 or none of these)."),
        ((0.45, 0.54), "Cannot tell (90 % interval 2 to 6)."),
        ((0.01, 0.02), "Like none of these depths (97 %)."),
    ],
)
def test_a_verdict_is_named_only_if_it_is_sure(posterior, said):
    assert said in words(page(replace(ANN, posterior=posterior)))


def test_nothing_that_was_possible_becomes_certain():
    for posterior, after in (((0.0, 1.0), "<1 % >99 % <1 %"), ((0.0, 0.0), "<1 % <1 % >99 %")):
        told = words(page(replace(ANN, posterior=posterior)))
        assert f"before 50 % 49 % 1 % after {after}" in told


def test_moves_that_told_most_come_with_what_a_deeper_player_saw():
    told = words(page(ANN))
    first = told.index("game 2, ply 6: 9-14: hardly anybody else A type-6 player plays it too")
    assert first < told.index("game 1, ply 4: 11-15")


def test_the_curve_has_a_point_before_and_after_every_move():
    lines = re.findall("<polyline class='line kind(\\d)' points='(.*?)'", page(ANN))
    assert [kind for kind, _ in lines] == ["0", "1"]
    heights = [[float(point.split(",")[1]) for point in points.split()] for _, points in lines]
    assert [len(points) for points in heights] == [3, 3]
    assert heights[0] == sorted(heights[0])  # downwards on a page: depth 2 gets less likely


def test_whoever_made_no_choice_has_no_curve_and_no_moves():
    nobody = replace(ANN, posterior=ANN.prior, steps=(), foresights=())
    assert "<polyline" not in page(nobody)
    assert "What told most" not in page(nobody)


def test_what_to_mistrust_is_said():
    assert "Mind: nobody has tried." in words(page(replace(ANN, mistrusted=("nobody has tried",))))


def test_a_large_error_of_sampling_is_told():
    assert "Sampling" not in words(page(ANN))
    told = replace(ANN, error=0.3)
    assert f"Sampling: {told.doubt}." in words(page(told))


def test_names_are_words_and_never_markup():
    html = page(replace(ANN, name="<b>'Ann' & \"Bo\"</b>"))
    assert "<b>" not in html
    ElementTree.fromstring(re.search("<svg viewBox.*?</svg>", html, re.DOTALL)[0])
