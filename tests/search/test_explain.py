"""Explanations say what the tree holds: replayed move by move, and counted again."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, wall_of_fire
from sizeup.games.contract import CHANCE, View
from sizeup.games.look import BLUE
from sizeup.search import Cancel, Searcher, SearchOptions
from sizeup.search.explain import (
    explain,
    principal_variation,
    root_table,
    tree_json,
    tree_text,
)
from sizeup.search.result import Snapshot
from sizeup.search.tree_svg import tree_svg

SVG = "{http://www.w3.org/2000/svg}"
O_WINS = "......./......./......./......./ooo..../xxx...x o"  # with d, and only now
FEW = SearchOptions(iterations=30)


def search(game, types, text=None, **more):
    searcher = Searcher(game, types, FEW)
    state = searcher.view.start() if text is None else searcher.view.state_from_text(text)
    return searcher.search(state, seed=3, **{"keep_tree": True, **more})


@cache
def found(name):
    match name:
        case "checkers":
            return search(checkers, (2, 5))
        case "connect_four":
            return search(connect_four, (2, 4), O_WINS)
        case "harvest":
            return search(harvest, (2, 5))
        case _:
            return search(wall_of_fire, (2, 4, 6), beliefs={1: [0.5, 0.25, 0.25]})


GAMES = ("checkers", "connect_four", "harvest", "wall_of_fire")
every_game = pytest.mark.parametrize("name", GAMES)


class Spoken(View):
    """Connect Four with texts that mean something to XML."""

    def action_text(self, state, action):
        return f"<{action}> & \"drop'"

    def state_text(self, state):
        return "a<b & " * 40


def nodes_below(tree, node):
    return range(tree.first[node], tree.first[node] + max(0, tree.children[node]))


def walk(shown, state, view, path=()):
    """Replay a JSON tree: each child with its path of actions and the states around it."""
    for child in shown["children"]:
        action = view.action_from_text(state, child["action"])
        after, _ = view.apply(state, action)
        yield child, (*path, action), state
        yield from walk(child, after, view, (*path, action))


def node_at(tree, path):
    node = 0
    for action in path:
        (node,) = (child for child in nodes_below(tree, node) if tree.action[child] == action)
    return node


# The root table


def table_rows(result, **more):
    lines = root_table(result, **more).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("move"))
    return [line.split(" | ") for line in lines[start + 1 :] if " | " in line]


@every_game
def test_the_table_holds_the_numbers_of_the_result(name):
    result = found(name)
    rows = table_rows(result)
    assert len(rows) == len(result.actions)
    for move, *blocks in rows:
        at = result.actions.index(result.view.action_from_text(result.state, move.strip()))
        for rank, block in enumerate(blocks):
            visits, share, value, loss = block.split()
            assert int(visits) == result.visits[rank, at]
            assert float(share.rstrip("%")) == pytest.approx(
                100 * result.shares[rank, at], abs=0.051
            )
            assert float(value) == pytest.approx(result.values[rank, at], abs=0.0051)
            assert float(loss) == pytest.approx(result.losses[rank, at], abs=0.00051)


@every_game
def test_the_table_is_sorted_by_what_the_strongest_type_visited(name):
    visits = [int(row[-1].split()[0]) for row in table_rows(found(name))]
    assert visits == sorted(visits, reverse=True)


def test_equally_visited_actions_keep_their_order():
    visits = np.array([[1, 2, 2, 2, 0, 9, 2]])
    result = replace(found("connect_four"), types=(2,), visits=visits, values=visits * 1.0)
    assert [row[0].strip() for row in table_rows(result)] == list("fbcdgae")


def test_the_table_says_where_and_how_it_was_searched():
    result = found("connect_four")
    first, second, blank, titles, names, *_ = root_table(result).splitlines()
    assert first == f"player 1 in {O_WINS}"
    assert second == f"300 iterations, {result.nodes} nodes, seed 3, complete"
    assert blank == ""
    assert titles.index("type 2") == names.index("visits")
    assert titles.index("type 4") == names.rindex("visits")


@pytest.mark.parametrize(("most", "end"), [(1, "and 6 more"), (6, "and 1 more")])
def test_a_long_table_is_cut(most, end):
    result = found("connect_four")
    assert len(table_rows(result, most=most)) == most
    assert root_table(result, most=most).splitlines()[-1] == end


def test_a_table_that_fits_is_not_cut():
    assert "more" not in root_table(found("connect_four"), most=7)


def test_lines_of_the_table_end_without_space():
    assert all(line == line.rstrip() for line in root_table(found("checkers")).splitlines())


def test_a_value_that_rounds_to_zero_has_no_sign():
    result = found("connect_four")
    assert "-0.00" not in root_table(replace(result, values=np.full_like(result.values, -1e-9)))


# A search that was stopped before it began


@cache
def stopped():
    cancel = Cancel()
    cancel.set()
    return search(connect_four, (2, 4), cancel=cancel)


def test_actions_never_tried_have_no_value():
    table = root_table(stopped())
    assert "0 iterations, 1 node, seed 3, stopped before its end" in table
    assert all(block.split()[2] == "-" for row in table_rows(stopped()) for block in row[1:])


def test_a_search_without_visits_has_no_tree_to_show():
    result = stopped()
    assert principal_variation(result) == ()
    assert explain(result).endswith("\n\ntype 2 has not searched\ntype 4 has not searched")
    assert tree_json(result)["children"] == []
    assert tree_text(result).splitlines()[1] == "seen by type 4, 0 visits"
    assert [box.words[0] for box in boxes_of(tree_svg(result))] == ["player 0"]


# The principal variation


@every_game
def test_the_principal_variation_is_legal_play_along_the_most_visits(name):
    result = found(name)
    tree = result.tree
    for slot, type_ in enumerate(result.types):
        state, node = result.state, 0
        for action in principal_variation(result, type_):
            children = nodes_below(tree, node)
            node = node_at_child(tree, node, action)
            assert tree.visits[slot, node] == max(tree.visits[slot, child] for child in children)
            assert tree.visits[slot, node] > 0
            state, _ = result.view.apply(state, action)
        assert not any(tree.visits[slot, child] for child in nodes_below(tree, node))


def node_at_child(tree, node, action):
    return next(child for child in nodes_below(tree, node) if tree.action[child] == action)


def test_the_principal_variation_passes_through_chance():
    result = found("harvest")
    state, actors = result.state, []
    for action in principal_variation(result):
        actors.append(result.view.actor(state))
        state, _ = result.view.apply(state, action)
    assert CHANCE in actors


def test_the_first_of_equally_visited_moves_is_principal():
    columns = range(7)
    tree = Snapshot(
        first=np.array([1] + [0] * 7, dtype=np.int32),
        children=np.array([7, 0, 0, -1, 0, 0, 0, 0], dtype=np.int32),
        action=np.array([0, *columns]),
        visits=np.array([[0, 1, 0, 4, 4, 0, 4, 1]], dtype=np.int32),
        mean=np.zeros((1, 8)),
    )
    result = replace(found("connect_four"), types=(2,), tree=tree)
    assert principal_variation(result) == (2,)
    shown = tree_json(result, most=2)
    assert [child["action"] for child in shown["children"]] == ["c", "d"]
    assert (shown["left_out"], shown["left_out_visits"]) == (3, 6)  # two were never visited
    assert tree_text(result, most=4).splitlines()[-1] == "└── ... 1 more move, 1 visit"


def test_types_differ_in_what_they_see():
    result = found("checkers")
    assert tree_json(result, as_type=2)["visits"] == result.visits[0].sum()
    assert tree_json(result)["visits"] == tree_json(result, as_type=5)["visits"]
    assert tree_json(result)["visits"] == result.visits[1].sum() > result.visits[0].sum()


# The cut tree


@every_game
def test_the_cut_tree_replays_and_holds_the_numbers_of_the_tree(name):
    result = found(name)
    view, tree = result.view, result.tree
    sign = 1 if view.teams[result.player] == 0 else -1
    for slot, type_ in enumerate(result.types):
        shown = tree_json(result, as_type=type_, depth=4, most=2)
        assert (shown["state"], shown["player"]) == (view.state_text(result.state), result.player)
        assert shown["type"] == type_
        for child, path, before in walk(shown, result.state, view):
            node = node_at(tree, path)
            assert child["actor"] == view.actor(before)
            assert child["visits"] == tree.visits[slot, node] > 0
            assert child["value"] == sign * tree.mean[slot, node]


@every_game
@pytest.mark.parametrize(("depth", "most"), [(1, 1), (2, 3), (4, 2), (3, 100)])
def test_shown_and_left_out_add_up(name, depth, most):
    result = found(name)
    tree = result.tree
    shown = tree_json(result, depth=depth, most=most)
    places = [(shown, ())]
    places += [(child, path) for child, path, _ in walk(shown, result.state, result.view)]
    for place, path in places:
        assert len(path) <= depth
        visits = tree.visits[-1, nodes_below(tree, node_at(tree, path))]
        inside = len(path) < depth
        assert place["left_out"] + len(place["children"]) == inside * np.count_nonzero(visits)
        kept = [child["visits"] for child in place["children"]]
        assert kept == sorted(visits, reverse=True)[: len(kept)]
        assert place["left_out_visits"] + sum(kept) == inside * visits.sum()
        assert len(kept) == most or not place["left_out"]
    assert shown["visits"] == result.visits[-1].sum()


def test_values_are_to_the_team_of_the_searching_player():
    result = found("connect_four")
    assert result.view.teams[result.player] == 1
    best, *_ = tree_json(result, most=1)["children"]
    at = result.actions.index(3)
    assert best["action"] == "d"
    assert best["value"] == result.values[-1, at] > 0 > result.tree.mean[-1, 1 + at]
    assert f"{best['value']:.2f}" in tree_text(result, depth=1, most=1).splitlines()[-2]


@every_game
def test_json_is_plain(name):
    shown = tree_json(found(name))
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert "-0.0," not in json.dumps(shown)


@every_game
def test_text_and_json_show_the_same_tree(name):
    result = found(name)
    where, seen, blank, head, *lines = tree_text(result, depth=3, most=2).splitlines()
    shown = tree_json(result, depth=3, most=2)
    assert where == f"player {result.player} in {shown['state']}"
    assert seen == f"seen by type {result.types[-1]}, {shown['visits']} visits"
    assert blank == ""
    assert head.split() == ["move", "by", "visits", "value"]
    assert [cells(line) for line in lines] == list(expected_cells(shown, 0))


def cells(line):
    """Level of a line, and its words."""
    words = line.lstrip("│├└─ ")
    return (len(line) - len(words)) // 4, *words.split()


def expected_cells(shown, level):
    for child in shown["children"]:
        who = ("chance",) if child["actor"] == CHANCE else ("player", str(child["actor"]))
        value = f"{child['value']:.2f}".replace("-0.00", "0.00")
        yield (level + 1, child["action"], *who, str(child["visits"]), value)
        yield from expected_cells(child, level + 1)
    if shown["left_out"]:
        moves, visits = shown["left_out"], shown["left_out_visits"]
        many = "move" if moves == 1 else "moves"
        spent = "visit" if visits == 1 else "visits"
        yield (level + 1, *f"... {moves} more {many}, {visits} {spent}".split())


def test_the_last_branch_closes_its_trunk():
    lines = tree_text(found("harvest"), depth=2, most=9).splitlines()[4:]
    roots = [line[0] for line in lines if not line.startswith(("│", " "))]
    assert set(roots[:-1]) <= {"├"}
    assert roots[-1] == "└"
    assert lines[-1].startswith("    └── ")


# The drawing


class Box:
    """A rectangle of a drawing with the words in it."""

    def __init__(self, rect):
        at = {key: float(rect.get(key)) for key in ("x", "y", "width", "height")}
        self.left, self.top = at["x"], at["y"]
        self.right, self.bottom = at["x"] + at["width"], at["y"] + at["height"]
        self.principal = rect.get("stroke") == BLUE
        self.words = []


def boxes_of(svg):
    boxes = []
    for element in ElementTree.fromstring(svg).find(f"{SVG}g"):
        if element.tag == f"{SVG}rect":
            boxes.append(Box(element))
        elif element.tag == f"{SVG}text" and float(element.get("y")) < boxes[-1].bottom:
            boxes[-1].words.append(element.text)
    return boxes


def apart(one, other):
    beside = one.right < other.left or other.right < one.left
    return beside or one.bottom < other.top or other.bottom < one.top


@every_game
def test_boxes_of_the_drawing_are_those_of_the_tree_and_do_not_overlap(name):
    result = found(name)
    svg = tree_svg(result, depth=3, most=2)
    root, *boxes = boxes_of(svg)
    shown = tree_json(result, depth=3, most=2)
    assert root.words == [f"player {result.player}", "to move", f"{shown['visits']} visits"]
    children = [child for child, *_ in walk(shown, result.state, result.view)]
    assert [box.words[0] for box in boxes] == [child["action"] for child in children]
    assert [int(box.words[2].split()[0]) for box in boxes] == [c["visits"] for c in children]
    assert [float(box.words[3]) for box in boxes] == [round(c["value"], 2) for c in children]
    assert all(apart(a, b) for n, a in enumerate(boxes) for b in [root, *boxes[:n]])


@every_game
def test_the_drawing_holds_all_its_boxes(name):
    svg = tree_svg(found(name))
    picture = ElementTree.fromstring(svg)
    moved = picture.find(f"{SVG}g").get("transform")
    margin, top = map(float, moved.removeprefix("translate(").removesuffix(")").split())
    _, _, width, height = map(float, picture.get("viewBox").split())
    for box in boxes_of(svg):
        assert box.left >= 0
        assert margin + box.right <= width
        assert top + box.bottom <= height


@every_game
def test_the_principal_variation_is_highlighted(name):
    result = found(name)
    root, *blue = [box for box in boxes_of(tree_svg(result, depth=3)) if box.principal]
    state, moves = result.state, []
    for action in principal_variation(result)[:3]:
        moves.append(result.view.action_text(state, action))
        state, _ = result.view.apply(state, action)
    assert root.words[0] == f"player {result.player}"
    assert [box.words[0] for box in blue] == moves


def test_edges_widen_with_the_share_of_all_visits():
    result = found("harvest")
    shown = tree_json(result, depth=2)
    visits = [child["visits"] for child, *_ in walk(shown, result.state, result.view)]
    svg = ElementTree.fromstring(tree_svg(result, depth=2))
    widths = [float(path.get("stroke-width")) for path in svg.iter(f"{SVG}path")]
    expected = 11 * np.sqrt(np.array(visits) / shown["visits"])
    assert sorted(widths) == pytest.approx(sorted(np.maximum(expected, 1)), abs=0.01)
    assert len(set(widths)) > 2


def test_lines_to_moves_left_out_are_dashed():
    svg = ElementTree.fromstring(tree_svg(found("connect_four"), depth=1, most=3))
    dashed = [path for path in svg.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    words = [text.text for text in svg.iter(f"{SVG}text")]
    assert len(dashed) == 1
    assert any(word.startswith("4 more moves, ") for word in words)


def test_long_words_are_broken_into_lines_that_fit():
    picture = ElementTree.fromstring(tree_svg(search(Spoken(connect_four), (2,))))
    lines = [text.text for text in picture.findall(f"{SVG}text")]
    assert max(len(line) for line in lines) * 7 < float(picture.get("width"))
    assert len(lines) >= 4


def test_the_drawing_escapes_what_it_writes_and_loads_nothing():
    result = search(Spoken(connect_four), (2,))
    svg = tree_svg(result)
    picture = ElementTree.fromstring(svg)
    state = result.view.state_text(result.state)
    assert (
        picture.find(f"{SVG}title").text == f"connect-four: player 0 searches as type 2, in {state}"
    )
    actions = [f"<{action}> & \"drop'" for action in principal_variation(result)]
    assert [box.words[0] for box in boxes_of(svg) if box.principal][1:] == actions
    assert "".join(text.text for text in picture.iter(f"{SVG}text")).count("a<b & ") == 40
    assert "href" not in svg
    assert svg.count("http") == 1  # the name of the SVG language


# All together


def test_an_explanation_is_the_table_and_every_types_variation():
    result = found("wall_of_fire")
    table, _, variations = explain(result, most=2).rpartition("\n\n")
    assert table == root_table(result, most=2)
    for line, type_ in zip(variations.splitlines(), result.types, strict=True):
        moves = "".join("NESW"[action] for action in principal_variation(result, type_))
        assert line == f"type {type_} plays {' '.join(moves)}"


def test_an_explanation_writes_each_move_where_it_is_made():
    words = explain(found("harvest")).splitlines()[-1].split()
    assert {"dry", "rain"} & set(words)
    assert {"sow", "rest", "reap"} & set(words)


def test_without_a_tree_an_explanation_is_the_table():
    result = replace(found("harvest"), tree=None)
    assert explain(result) == root_table(result)


@pytest.mark.parametrize("function", [principal_variation, tree_text, tree_json, tree_svg])
def test_without_a_tree_an_error_says_how_to_keep_it(function):
    with pytest.raises(InvalidInput, match="keep_tree=True"):
        function(search(connect_four, (2,), keep_tree=False))


@pytest.mark.parametrize("function", [principal_variation, tree_text, tree_json, tree_svg])
def test_an_unknown_type_is_an_error_that_names_the_types(function):
    with pytest.raises(InvalidInput, match=r"as_type = 3 .* \(2, 4\)"):
        function(found("connect_four"), as_type=3)


@pytest.mark.parametrize("function", [tree_text, tree_json, tree_svg])
@pytest.mark.parametrize("name", ["depth", "most"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3", None])
def test_a_cut_is_given_in_whole_numbers(function, name, value):
    with pytest.raises(InvalidInput, match=f"{name} must be a whole number of 1 or more, got"):
        function(found("connect_four"), **{name: value})


@pytest.mark.parametrize("function", [root_table, explain])
def test_a_table_is_cut_at_a_whole_number(function):
    with pytest.raises(InvalidInput, match="most must be a whole number of 1 or more, got 0"):
        function(found("connect_four"), most=0)


def test_a_result_explains_itself():
    searcher = Searcher(connect_four, (2, 3), SearchOptions(iterations=10))
    found = searcher.search(searcher.view.start(), keep_tree=True)
    assert found.explain(most=4) == explain(found, most=4)
    assert found.tree_text(2, depth=1) == tree_text(found, 2, depth=1)
    assert found.tree_json(2, most=1) == tree_json(found, 2, most=1)
    assert found.tree_svg(3, 2, 2) == tree_svg(found, 3, 2, 2)
