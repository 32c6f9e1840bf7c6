"""Pictures: every state of every game can be drawn, and the drawing says what the state says."""

import io
import random
import types
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import pytest
from rich.console import Console

from sizeup.errors import InvalidInput
from sizeup.games import (
    checkers,
    connect_four,
    drawing,
    harvest,
    narrow_tunnel,
    wall_of_fire,
)
from sizeup.games.contract import GAMES, TERMINAL, View, load_game
from sizeup.games.drawing import Picture, draw_svg, draw_text, tile_svg
from sizeup.games.look import GREY, Ground, Look, Piece, Tile, look_of, scene_of
from sizeup.games.seats import seat

SVG = "{http://www.w3.org/2000/svg}"


@cache
def users_game(name):
    """Harvest's rules as a user's own file ``harvest.py``, under any name, without a look."""
    module = types.ModuleType("harvest")
    module.__dict__.update({k: v for k, v in vars(harvest).items() if not k.startswith("__")})
    del module.LOOK
    module.INFO = replace(harvest.INFO, name=name)
    return module


@cache
def game_of(name):
    if name == "a user's":
        return users_game("mine")
    first, _, seats = name.partition(" ")
    game = load_game(first)
    return seat(game, *map(int, seats.split("v"))) if seats else game


NAMES = [*GAMES, "connect_four 2v1", "a user's"]


@cache
def states_of(name):
    """States of three random games."""
    view, rng, states = View(game_of(name)), random.Random(7), []
    for _ in range(3):
        state = view.start()
        states.append(state)
        for _ in range(60):
            actions = view.actions(state)
            if not actions:
                break
            state, _ = view.apply(state, rng.choice(actions))
            states.append(state)
    return states[::2] + states[-1:]


def lines_of(game, state, params=None):
    return draw_text(game, state, params).plain.split("\n")


def middles(line):
    """The middle of each cell of three letters."""
    return line[1::3]


@pytest.mark.parametrize("name", GAMES)
def test_each_of_our_games_has_a_look_of_its_own(name):
    look = look_of(load_game(name))
    assert look.scene is not None
    assert look.title != load_game(name).INFO.name
    assert min(map(len, (look.title, look.about, look.rules))) > 0


@pytest.mark.parametrize("name", NAMES)
def test_svg_is_well_formed_and_says_what_it_shows(name):
    game = game_of(name)
    for state in states_of(name):
        root = ElementTree.fromstring(draw_svg(game, state))
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert len(root.get("viewBox").split()) == 4
        assert root.find(f"{SVG}title").text.startswith(game.INFO.name)
        assert root.find(f"{SVG}rect") is not None  # a background of its own


@pytest.mark.parametrize("name", NAMES)
def test_text_has_lines_of_equal_width_in_plain_letters(name):
    for state in states_of(name):
        lines = lines_of(game_of(name), state)
        assert len({len(line) for line in lines}) == 1
        assert all(line.isascii() and line.isprintable() for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_caption_says_whose_turn_it_is(name):
    view = View(game_of(name))
    for state in states_of(name):
        actor = view.actor(state)
        if actor >= 0:
            text = draw_text(view.game, state).plain
            assert f"player {actor} to move" in text or f"(player {actor}) to move" in text


def squares_of(game, state):
    """Row, column and mark of every numbered square in the text of a checkers board."""
    rows = lines_of(game, state)[1:9]
    cells = [(row, at // 5, rows[row][at : at + 5]) for row in range(8) for at in range(0, 40, 5)]
    return {int(cell[2:]): (row, column, cell[1]) for row, column, cell in cells if cell.strip()}


def test_checkers_text_holds_every_piece_on_its_square():
    for state in states_of("checkers"):
        squares = squares_of(checkers, state)
        assert sorted(squares) == list(range(1, 33))
        for bits, letters in ((state.black, "bB"), (state.white, "wW"), (state.kings, "BW")):
            assert bits == checkers.board_of(
                n for n, (_, _, mark) in squares.items() if mark in letters
            )


def test_checkers_board_lies_as_in_the_books():
    squares = squares_of(checkers, View(checkers).start())
    assert squares[1] == (0, 1, "b")
    assert squares[29] == (7, 0, "w")  # a dark square at white's left hand


def test_neighbours_in_the_picture_are_neighbours_in_the_rules():
    king = checkers.board_of([18])
    state = checkers.CheckersState(black=king, white=1, kings=king, side=0)
    moves = View(checkers).actions(state)
    reached = {square for move in moves for square in checkers.squares_of(move ^ king)}
    squares = squares_of(checkers, state)
    row, column, _ = squares[18]
    diagonals = {(row + down, column + right) for down in (-1, 1) for right in (-1, 1)}
    assert {squares[n][:2] for n in reached} == diagonals


def test_kings_differ_from_men_without_colour():
    men = checkers.CheckersState(checkers.board_of([14]), checkers.board_of([19]), 0, 0)
    kings = men._replace(kings=men.black | men.white)
    assert "b14" in draw_text(checkers, men).plain
    assert "w19" in draw_text(checkers, men).plain
    assert "B14" in draw_text(checkers, kings).plain
    assert "W19" in draw_text(checkers, kings).plain
    crown = drawing._SHAPES["king"].split("<path d=")[1].split('"')[1]
    assert draw_svg(checkers, kings).count(crown) == 2
    assert crown not in draw_svg(checkers, men)


def test_square_numbers_stand_in_the_svg():
    root = ElementTree.fromstring(draw_svg(checkers, View(checkers).start()))
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert [word for word in words if word.isdigit()] == [str(n) for n in range(1, 33)]


def test_connect_four_text_is_what_was_played():
    view = View(connect_four)
    state, columns = view.start(), [""] * 7
    for ply, column in enumerate((3, 3, 2, 4, 4, 6, 0, 3, 6)):
        state, _ = view.apply(state, column)
        columns[column] += "XO"[ply % 2]
    rows = [middles(line)[:7] for line in lines_of(connect_four, state)[1:8]]
    assert rows[0] == "abcdefg"
    assert ["".join(column).rstrip(".") for column in zip(*rows[:0:-1], strict=True)] == columns


def test_four_in_a_row_is_marked():
    state = connect_four.FourInARowState(first=0b1111 << 14, second=0b111, side=1)
    text = draw_text(connect_four, state).plain
    assert text.count("[X]") == 4
    assert "[O]" not in text
    assert "X has won" in text


@pytest.mark.parametrize("name", ["checkers", "connect_four"])
def test_the_winner_is_the_side_that_made_the_last_move(name):
    view, seen = View(game_of(name)), 0
    for state in states_of(name):
        if view.actor(state) == TERMINAL:
            seen += 1
            winner = {"checkers": ("white", "black"), "connect_four": ("O", "X")}[name][state.side]
            assert f"{winner} has won" in draw_text(view.game, state).plain
    assert seen


def test_a_full_board_without_four_is_a_draw():
    columns = [0b001100, 0b110011, 0b001100, 0b110011, 0b001100, 0b110011, 0b001100]
    first = sum(bits << 7 * column for column, bits in enumerate(columns))
    full = sum(0x3F << 7 * column for column in range(7))
    assert (
        "a draw"
        in draw_text(connect_four, connect_four.FourInARowState(first, full ^ first, 0)).plain
    )


def test_wall_of_fire_is_drawn_as_its_board():
    params = wall_of_fire.board("S.FFC\nCFF.C")
    start = View(wall_of_fire, params).start()
    rows = [middles(line)[:5] for line in lines_of(wall_of_fire, start, params)[1:3]]
    assert rows == ["A.^^o", "o^^.o"]


def test_avatar_in_fire_and_coins_that_are_gone():
    params = wall_of_fire.board("S.FFC\nCFF.C")
    state = wall_of_fire.WallOfFireState(at=2, coins=0b010, player=1)
    lines = lines_of(wall_of_fire, state, params)
    assert lines[1].startswith(" .  . ^A^^^^ . ")
    assert middles(lines[2]).startswith("o^^..")
    assert "1 coin left" in lines[4]
    svg = draw_svg(wall_of_fire, state, params)
    assert svg.count(drawing._SHAPES["flame"]) == 4
    assert ">avatar, fire<" in svg
    assert ">A<" in svg
    assert svg.count(">c<") == 1


def test_narrow_tunnel_is_drawn_as_its_board():
    params = narrow_tunnel.board("r#b\nB.R\n.#b")
    state = View(narrow_tunnel, params).start()
    rows = [middles(line)[:3] for line in lines_of(narrow_tunnel, state, params)[1:4]]
    assert rows == ["r#b", "B.R", ".#b"]
    moved = state._replace(blue=4, coins=0b100)
    lines = lines_of(narrow_tunnel, moved, params)
    assert [middles(line)[:3] for line in lines[1:4]] == [".#.", ".BR", ".#b"]
    assert "0 red coins left, 1 blue coin left" in lines[5]


def test_harvest_shows_growth_seed_and_the_turn_whose_rain_counts():
    params = harvest.season([0.1, 0.2, 0.3])
    lines = lines_of(harvest, harvest.HarvestState(turn=2, growth=2, sown=1), params)
    assert lines[1].split() == ["turn", "1", "2", "3"]
    assert lines[2].split() == ["rain", "10%", "[20%]", "30%"]
    assert lines[4].split() == ["field", "Y", "Y", "s", "."]
    assert lines[5].startswith("the weather decides")


def test_a_long_season_is_shown_around_its_turn():
    params = harvest.season([0.5] * 100)
    for turn in (0, 50, 99, 100):
        lines = lines_of(harvest, harvest.HarvestState(turn, 0, 0), params)
        assert len(lines[1].split()) == 13
        assert str(min(turn + 1, 100)) in lines[1].split()


def test_a_users_game_is_drawn_as_a_table():
    lines = lines_of(users_game("mine"), harvest.HarvestState(2, 1, 0))
    assert [line.split() for line in lines[1:4]] == [["turn", "2"], ["growth", "1"], ["sown", "0"]]
    assert lines[4].startswith("player 2 to move")


def test_a_piece_of_an_unknown_shape_is_drawn_as_a_disc():
    pieces = (Piece("die", "d", shape, GREY, sign="6") for shape in ("cube", "disc", "coin"))
    cube, disc, coin = ("".join(tile_svg(Tile(Ground("free"), one), 48, 48)) for one in pieces)
    assert cube == disc != coin


def test_a_look_belongs_to_a_game_and_not_to_its_name():
    lines = lines_of(users_game("harvest"), harvest.HarvestState(2, 1, 0))
    assert lines[1].split() == ["turn", "2"]
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(users_game("mine")), LOOK=harvest.LOOK)
    assert (
        lines_of(mine, harvest.HarvestState(2, 1, 0))[1:]
        == lines_of(harvest, harvest.HarvestState(2, 1, 0))[1:]
    )


def test_a_table_names_fields_within_fields():
    seated = game_of("connect_four 2v1")
    scene = scene_of(Look(), seated.SeatedState(connect_four.FourInARowState(1, 2, 0), 1, 0), None)
    assert [[tile.label for tile in row] for row in scene.rows] == [
        ["base.first", "1"], ["base.second", "2"], ["base.side", "0"],
        ["first", "1"], ["second", "0"],
    ]  # fmt: skip


def test_names_are_escaped_and_kept_to_one_line():
    game = users_game("a <b>\n& \x00 'c\"")
    root = ElementTree.fromstring(draw_svg(game, harvest.HarvestState(0, 0, 0)))
    assert root.find(f"{SVG}title").text.startswith("a <b> &  'c\"")
    assert lines_of(game, harvest.HarvestState(0, 0, 0))[0].startswith("a <b> &  'c\"")


def test_picture_shows_svg_text_and_colour():
    state = View(narrow_tunnel).start()
    picture = Picture(narrow_tunnel, state)
    assert picture._repr_svg_() == draw_svg(narrow_tunnel, state)
    assert str(picture) == draw_text(narrow_tunnel, state).plain
    for colours in (None, "truecolor"):
        out = io.StringIO()
        Console(file=out, color_system=colours, force_terminal=bool(colours), width=200).print(
            picture
        )
        assert ("\x1b[" in out.getvalue()) == bool(colours)
    assert picture.__rich__() == draw_text(narrow_tunnel, state)


def test_a_seated_game_is_drawn_as_the_game_beneath_it():
    seated, base = game_of("connect_four 2v1"), connect_four.FourInARowState(0b1, 0b10, 0)
    lines = lines_of(seated, seated.SeatedState(base, 1, 0), seated.INFO.params)
    plain = lines_of(connect_four, base)
    assert lines[0].startswith("connect-four 2v1")
    assert lines[1:8] == plain[1:8]
    assert lines[8].startswith("X (player 1) to move")


@pytest.mark.parametrize("state", [connect_four.FourInARowState(0, 0, 0), 7])
def test_a_state_of_another_game_is_refused(state):
    with pytest.raises(InvalidInput, match="a state of checkers has the fields black, white"):
        draw_text(checkers, state)
