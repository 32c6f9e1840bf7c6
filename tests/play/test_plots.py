"""Pictures of posteriors: what is in them, and what cannot be drawn."""

import importlib.util
import re

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

from sizeup.errors import InvalidInput
from sizeup.play.infer import Inference, PlayerDepth, Step
from sizeup.play.plots import _draw, _spread, plot_depths, require_plot

TYPES = (2, 4, 6)


def moves(games=1, plies=8, names=("Ann", "Ben")):
    """Game, ply and player of each move of games in which everybody moves in turn."""
    for game in range(games):
        for ply in range(1, plies + 1):
            yield game, ply, names[(ply - 1) % len(names)]


def concluded(moves):
    """What somebody might make of moves: anything."""
    rng, steps = np.random.default_rng(3), {}
    for game, ply, name in moves:
        told, odds = rng.normal(size=3), rng.dirichlet(np.ones(4))[:3]  # the rest is none of these
        swing = float(np.ptp(told))
        step = Step(game, ply, 0, f"m{ply}", tuple(told), tuple(odds), swing, "because")
        steps.setdefault(name, []).append(step)
    return Inference(
        TYPES,
        "made up",
        tuple(
            PlayerDepth(name, TYPES, (0.33,) * 3, mine[-1].posterior, tuple(mine), 1, 0)
            for name, mine in steps.items()
        ),
    )


def drawn(*args, **settings):
    found = concluded(moves(*args, **settings))
    return found, _draw(found)


def heights(axes):
    """Outlines of the areas, weakest type first."""
    areas = [one for one in axes.collections if isinstance(one, PolyCollection)]
    return [path for area in areas for path in area.get_paths()]


def test_each_player_has_a_panel_with_its_posteriors_and_its_estimate():
    found, figure = drawn()
    assert len(figure.axes) == len(found.players) == 2
    for axes, player in zip(figure.axes, found.players, strict=True):
        assert axes.get_title("left") == f"{player.name}: {player.verdict}"
        assert axes.get_title("right") == "4 moves"
        assert axes.get_xlim() == (0, 8)
        tops = [max(y for _, y in path.vertices) for path in heights(axes)]
        every = np.array([player.prior, *(step.posterior for step in player.steps)])
        assert tops == pytest.approx(np.cumsum(every, axis=1).max(axis=0))
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["type 2", "type 4", "type 6"]


def test_a_posterior_holds_from_its_move_until_the_next_one():
    found, figure = drawn(plies=4)
    weakest = heights(figure.axes[0])[0].vertices
    first, second = (step.posterior[0] for step in found["Ann"].steps)
    for ply, share in (
        (0, 0.33),
        (0.9, 0.33),
        (1, first),
        (2.9, first),
        (3, second),
        (4, second),
    ):
        reached = weakest[(weakest[:, 0] <= ply) & (weakest[:, 1] > 0)]
        assert reached[np.argmax(reached[:, 0] == reached[:, 0].max()), 1] == pytest.approx(share)


def test_the_moves_that_told_most_are_marked_with_their_texts():
    found, figure = drawn(plies=20)
    for axes, player in zip(figure.axes, found.players, strict=True):
        marks = [line for line in axes.lines if line.get_marker() == "v"]
        told = sorted(player.telling(), key=lambda step: step.ply)
        assert [line.get_xdata()[0] for line in marks] == [step.ply for step in told]
        texts = [text.get_text() for text in axes.texts]
        assert [text for text in texts if text.startswith("ply")] == [
            f"ply {step.ply}: {step.action}" for step in told
        ]
        for line, step in zip(marks, told, strict=True):
            favoured = int(np.argmax(step.log_likelihood))
            area = axes.collections[favoured].get_facecolor()[0]
            assert line.get_markerfacecolor() == pytest.approx(tuple(area))
        shares = zip((*TYPES, "none"), (*player.posterior, player.none), player.odds(), strict=True)
        assert [text for text in texts if not text.startswith("ply")] == [
            f"{name}: {odds}" for name, share, odds in shares if share >= 0.1
        ]
        assert axes.get_xlabel() == "ply"


def test_a_table_is_drawn_in_rows_and_nothing_is_certain():
    step = Step(0, 1, 0, "a", (0.0, -3.0), (1.0, 0.0), 3.0, "a: because")
    player = PlayerDepth("Ann", (2, 4), (0.5, 0.5), (1.0, 0.0), (step,), 1, 0, rows=True)
    [axes] = _draw(Inference((2, 4), "sampled", (player,))).axes
    assert axes.get_xlabel() == "row"
    assert {text.get_text() for text in axes.texts} == {"2: >99 %", "row 1: a"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "borders", "labels"), [(1, 0, 0), (3, 2, 3), (30, 29, 10), (200, 0, 14)]
)
def test_borders_of_games_where_there_is_room(games, borders, labels):
    _, figure = drawn(games=games, plies=4, names=("Ann",))
    [axes] = figure.axes
    assert axes.get_xlim() == (0, 4 * games)
    solid = [
        line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 2
    ]
    numbers = [text.get_text() for text in axes.get_xticklabels(minor=True)]
    assert len(numbers) == labels
    assert numbers[:1] == ["game 1"][:labels]
    thin = [line.get_xdata()[0] for line in solid if line.get_linewidth() < 1]
    assert thin == [4 * game for game in range(1, games)][:borders]


def test_a_player_is_drawn_only_where_it_played():
    mine = [(game, ply, name) for game, ply, name in moves(games=3) if (game, name) != (1, "Ann")]
    ann, ben = _draw(concluded(mine)).axes
    assert (ann.get_xlim(), ben.get_xlim()) == ((0, 16), (0, 24))
    assert [text.get_text() for text in ann.get_xticklabels(minor=True)] == ["game 1", "game 3"]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rows", "columns"), [(1, 1, 1), (4, 4, 1), (5, 3, 2)])
def test_panels_stand_in_one_column_or_in_two(players, rows, columns):
    _, figure = drawn(plies=2 * players, names=tuple("ABCDE"[:players]))
    shapes = {axes.get_subplotspec().get_gridspec().get_geometry() for axes in figure.axes}
    assert shapes == {(rows, columns)}


def test_a_player_without_a_choice_keeps_its_prior():
    prior = (0.2, 0.3, 0.5)
    found = Inference(TYPES, "any", (PlayerDepth("Ann", TYPES, prior, prior, (), 1, 1),))
    [axes] = _draw(found).axes
    assert axes.get_title("right") == "0 moves"
    assert [path.vertices[:, 1].max() for path in heights(axes)] == pytest.approx([0.2, 0.5, 1.0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["svg", "png", "SVG"])
def test_the_same_inference_gives_the_same_file(tmp_path, kind):
    found = concluded(moves())
    first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"
    found.plot(first)
    plot_depths(found, str(second))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes()[:5] in (b"<?xml", b"\x89PNG\r")


@pytest.mark.slow
def test_names_are_written_as_they_are(tmp_path):
    names = ("$x^2$ & <b>", "中村", "a\tb\nc", "long" * 30)
    concluded(moves(names=names)).plot(tmp_path / "odd.svg")
    text = (tmp_path / "odd.svg").read_text()
    titles = re.findall(r">([^<>]*): cannot tell", text)
    assert titles == ["$x^2$ &amp; &lt;b&gt;", "中村", "a b c", "long" * 11 + "lon…"]


def test_what_stands_in_the_way_is_said(tmp_path, monkeypatch):
    found = concluded(moves())
    for path in ("depths", "depths.jpg", tmp_path / "svg"):
        with pytest.raises(InvalidInput, match=r"ends in .svg or .png, got '.*(depths|svg)"):
            found.plot(path)
    with pytest.raises(InvalidInput, match=r"cannot write .*a.svg: No such file or directory"):
        found.plot(tmp_path / "missing" / "a.svg")
    for players in (0, 41):
        with pytest.raises(InvalidInput, match=f"1 to 40 players, got {players}; choose some"):
            require_plot("a.svg", players)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        InvalidInput, match=r"^a plot needs matplotlib; get it with pip install 'siz"
    ):
        found.plot(tmp_path / "a.svg")


def test_texts_are_spread_beside_one_another():
    rng = np.random.default_rng(1)
    for _ in range(200):
        widths = rng.uniform(1, 20, size=3)
        places = np.sort(rng.integers(0, 101, size=3))
        middles = np.array(_spread(places.tolist(), widths.tolist(), 100))
        edges = np.stack([middles - widths / 2, middles + widths / 2], axis=1).ravel()
        assert np.all(np.diff(edges) >= -1e-9)
        assert edges[0] >= -1e-9
        assert edges[-1] <= 100 + 1e-9
    assert _spread([], [], 100) == []
