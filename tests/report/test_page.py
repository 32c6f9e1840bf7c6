"""The page: whole, self-contained, readable without eyes, and safe whatever names hold."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.report import to_html
from sizeup.report.figures import Curve, ForestRow, curves, forest, table_figure
from sizeup.report.summary import Estimate, FinalBelief
from tests.report.made_up import (
    BELIEFS,
    PARTNERS,
    experiment,
    fill,
    finished,
    outcome,
    summary_of,
)
from tests.report.test_beliefs import play
from tests.report.test_formats import HOSTILE

EMPTY = {"meta", "link", "br", "img", "input", "hr", "line", "circle", "path"}


class Page(HTMLParser):
    """Elements of a page, which must be closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.words = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def svgs(text):
    return [ElementTree.fromstring(found) for found in re.findall(r"<svg .*?</svg>", text)]


@pytest.fixture
def whole(tmp_path):
    read = experiment(tmp_path, PARTNERS + BELIEFS)
    return to_html(summary_of(read, fill(tmp_path / "games.db", plan(read, 5), play)))


class TestWhole:
    def test_every_element_is_closed(self, whole):
        page = Page(whole)
        assert (page.count("main"), page.count("h1")) == (1, 1)
        assert page.count("h2") == 8

    def test_it_asks_nobody_for_anything(self, whole):
        page = Page(whole)
        for tag, attributes in page.elements:
            assert tag not in ("script", "link", "img", "iframe", "object", "base")
            assert not {"src", "href", "srcset", "action", "data"} & set(attributes)
        outside = re.findall(r"https?://[^\"]*", whole)
        assert set(outside) == {"http://www.w3.org/2000/svg"}  # a name, not an address
        assert "url(" not in whole
        assert "@import" not in whole
        assert "default-src 'none'" in whole

    def test_tables_have_captions_and_heads(self, whole):
        page = Page(whole)
        assert page.count("caption") == page.count("table") > 4
        assert all(th.get("scope") in ("col", "row", "rowgroup") for th in page.all("th"))

    def test_every_name_is_there_once(self, whole):
        names = [a["id"] for _, a in Page(whole).elements if "id" in a]
        assert len(names) == len(set(names))

    def test_pictures_are_told_in_words(self, whole):
        figures = [svg for svg in svgs(whole) if svg.get("role") == "img"]
        assert len(figures) == 4
        for svg in figures:
            title, described = svg.get("aria-labelledby").split()
            told = {child.get("id"): child.text for child in svg}
            assert told[title]
            assert len(told[described]) > 10

    def test_everything_lies_inside_its_picture(self, whole):
        for svg in svgs(whole):
            _, _, width, height = map(float, svg.get("viewBox").split())
            for part in svg.iter():
                for x in ("x", "x1", "x2", "cx"):
                    assert 0 <= float(part.get(x, 0)) <= width
                for y in ("y", "y1", "y2", "cy"):
                    assert 0 <= float(part.get(y, 0)) <= height

    def test_commands_and_origins(self, tmp_path):
        page = to_html(finished(tmp_path))
        assert "sizeup run partners.toml --store games.db --seed 5\n" in page
        assert "sizeup report games.db --html partners.html" in page
        first = plan(experiment(tmp_path), 5)[0].game_id()
        assert f"<code>sizeup replay games.db {first}</code>" in page
        assert "unfinished</span>" not in page


class TestUnfinished:
    def test_it_says_so(self, tmp_path):
        read = experiment(tmp_path)
        jobs = list(plan(read, 5))
        path = fill(tmp_path / "games.db", jobs[:10], given_up=jobs[10:11])
        page = to_html(summary_of(read, path))
        Page(page)
        assert '<progress max="24" value="10"' in page
        assert page.count('<span class="unfinished">unfinished</span>') == 2
        assert f"<code>{jobs[10].job_id}</code> (plain 2), after 2 attempts: boom" in page

    def test_no_games(self, tmp_path):
        read = experiment(tmp_path, PARTNERS + BELIEFS)
        page = to_html(summary_of(read, fill(tmp_path / "games.db", [])))
        assert Page(page).count("figure") == 0
        assert "No answer yet" in page
        assert "Replays" not in page

    def test_foreign_games_are_mentioned(self, tmp_path):
        page = to_html(replace(finished(tmp_path), foreign=1200))
        assert (
            "The store also has 1,200 games of another configuration, which are left out." in page
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wall-of-fire", "checkers-repeated", "checkers-three"])
def test_other_experiments(tmp_path, name):
    read = read_experiment(name)
    score = None if read.cells[0].against is None else 1

    def always(job):
        beliefs = {"0": {"1": [2.0, 1.0], "2": [1.0]}}
        posteriors = {"0": [[0.25] * len(read.types)] * 3}
        return (outcome(score, -2.0, posteriors, beliefs),) * job.rounds

    jobs = list(plan(read, 5))[: 2 * sum(len(cell.slots) for cell in read.cells)]
    page = Page(to_html(summary_of(read, fill(tmp_path / "games.db", jobs, always))))
    assert page.count("figure") >= 1


def test_hostile_names_are_only_words(tmp_path):
    text = HOSTILE.replace("Score by opponent", "<script>alert(1)</script>")
    read = experiment(tmp_path, text.replace('"Plain"', "'\"><img src=x onerror=y>'"))
    jobs = list(plan(read, 5))
    path = tmp_path / "a b;<c>.db"
    fill(path, jobs[:-1], given_up=jobs[-1:])
    page = Page(to_html(summary_of(read, path)))
    assert page.count("script") == page.count("img") == page.count("b") == 0
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert "sizeup verify 'a b;<c>.db'" in "".join(page.words)


class TestBeliefTable:
    def test_probabilities_by_truth(self, whole):
        words = "".join(Page(whole).words)
        assert "Aware: seat 1 (ca:4) about seat 2 (obl:2)" in words
        assert 'class="true" style="background:rgb(var(--heat)/0.38)">0.75</td>' in whole

    def test_types_that_only_some_take_for_possible(self, tmp_path):
        beliefs = (
            FinalBelief("aware", 0, 1, 2, 1, 12, ((2, 0.75), (4, 0.25))),
            FinalBelief("plain", 0, 1, 2, 1, 12, ((2, 1.0),)),
        )
        page = to_html(replace(finished(tmp_path), beliefs=beliefs))
        assert ">1.00</td><td></td><td>12</td>" in page

    def test_a_round_without_games(self, tmp_path):
        one = FinalBelief("aware", 0, 1, 2, 1, 12, ((2, 0.75), (4, 0.25)))
        page = to_html(replace(finished(tmp_path), beliefs=(one,), rounds=2))
        Page(page)
        assert "Aware: seat 1 (ca:4) goes from 0.75 to 0.75." in page


class TestFigures:
    def test_a_table_without_numbers_has_none(self, tmp_path):
        read = experiment(tmp_path)
        summary = summary_of(read, fill(tmp_path / "games.db", []))
        assert table_figure(summary, summary.tables[0], "t") == ""

    def test_a_forest_in_words(self):
        marks = [
            ForestRow("novice"),
            ForestRow("CA", Estimate(3.0, 1.0, 5.0), 4.0),
            ForestRow("OBL", Estimate()),
        ]
        drawn = ElementTree.fromstring(forest("f", "Scores", marks, "points"))
        described = drawn.find("{*}desc").text
        assert described.startswith("novice, CA: 3.0, interval 1.0 to 5.0, published 4.0; novice, ")
        assert len(drawn.findall(".//{*}circle")) == 1
        assert len(drawn.findall(".//{*}path")) == 1

    def test_a_forest_without_intervals(self):
        drawn = ElementTree.fromstring(forest("f", "x", [ForestRow("CA", Estimate(0.0))], "points"))
        assert [line.get("class") for line in drawn.findall(".//{*}line")].count("ours") == 0

    def test_numbers_of_a_forest_keep_their_places(self):
        marks = [
            ForestRow("a", Estimate(-5.0, -10.0, 0.0)),
            ForestRow("b", Estimate(5.0, 0.0, 10.0)),
        ]
        drawn = ElementTree.fromstring(forest("f", "x", marks, "points"))
        first, second = (float(dot.get("cx")) for dot in drawn.findall(".//{*}circle"))
        (zero,) = (
            float(x.get("x1")) for x in drawn.findall(".//{*}line") if x.get("class") == "zero"
        )
        assert zero - first == pytest.approx(second - zero, abs=0.02)

    @pytest.mark.parametrize("bars", [False, True])
    def test_curves_with_gaps_and_single_points(self, bars):
        lines = [
            Curve("a", [Estimate(1.0, 0.5, 1.5), Estimate(), Estimate(2.0)]),
            Curve("b", [Estimate(3.0, 2.0, 4.0)]),
            Curve("c", [Estimate()]),
        ]
        drawn = curves("c", "Curves", lines, ("update", "deviation"), bars=bars)
        svg = ElementTree.fromstring(drawn)
        described = svg.find("{*}desc").text
        assert described == "a goes from 1.00 to 2.00; b goes from 3.00 to 3.00."
        assert len(svg.findall(".//{*}circle")) == (3 if bars else 1)

    def test_a_curve_without_numbers(self):
        svg = ElementTree.fromstring(curves("c", "x", [Curve("a", [Estimate()])], ("u", "v")))
        assert svg.find("{*}desc").text == "there are no numbers yet."
