"""A game's face: ours pass the check, broken ones are told, a user's own is drawn like ours."""

import types
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from sizeup.errors import InvalidGame
from sizeup.games import checkers, connect_four, narrow_tunnel, wall_of_fire
from sizeup.games.check import check_game
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.drawing import check_look, draw_svg, draw_text, seat_name
from sizeup.games.look import STOCK, Ground, Limit, Look, Scene, Start, Tile, look_of, scene_of
from sizeup.games.seats import seat
from sizeup.games.template import write_new_game

SVG = "{http://www.w3.org/2000/svg}"


def with_look(look, game=connect_four):
    """A user's game that has the rules of one of ours."""
    mine = types.ModuleType("mine")
    mine.__dict__.update(vars(game), LOOK=look)
    mine.INFO = replace(game.INFO, name="mine")
    return mine


def played(game, *actions):
    view = View(game)
    state = view.start()
    for action in actions:
        state, _ = view.apply(state, action)
    return state


# -- ours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_our_looks_know_our_games(name):
    """What check_game does not: texts of actions, keys and where a visitor starts."""
    view = View(load_game(name))
    look, state = look_of(view.game), view.start()
    written = {view.action_text(state, action) for action in view.actions(state)}
    assert set(look.keys) >= written or not look.keys
    assert set(look.phrases) >= written or not look.phrases
    assert set(look.keys.values()) <= {"up", "right", "down", "left", "stay"}
    assert look.start.partner in look.start.types
    assert max(look.start.partner, look.start.opponent, *look.start.types) <= look.start.deepest


@pytest.mark.parametrize("game", [checkers, connect_four, narrow_tunnel, wall_of_fire])
def test_moves_touch_the_squares_that_change(game):
    """What stands elsewhere stays as it was."""
    view, look = View(game), look_of(game)
    state = view.start()
    for turn in range(12):
        action = view.actions(state)[turn % len(view.actions(state))]
        squares = set(look.squares(state, action, view.params))
        after, _ = view.apply(state, action)
        before, then = (scene_of(look, s, view.params).rows for s in (state, after))
        changed = {
            (row, column)
            for row, tiles in enumerate(before)
            for column, tile in enumerate(tiles)
            if replace(tile, marked=False) != replace(then[row][column], marked=False)
        }
        taken = checkers.captured(action).bit_count() if game is checkers else 0
        assert len(changed - squares) == taken  # which lie between the squares of a jump
        assert squares & changed or action == narrow_tunnel.STAY
        state = after


def test_captures_pass_over_the_squares_between():
    view = View(checkers)
    state = view.state_from_text("B:W18,26:B14")
    [action] = view.actions(state)
    route = checkers.LOOK.squares(state, action, view.params)
    assert route == [(3, 2), (5, 4), (7, 2)]
    assert checkers.LOOK.standing(state, view.params) == "black 1, white 2"
    assert checkers.LOOK.hint(state, view.params) == "a capture is mandatory"
    assert checkers.LOOK.hint(view.start(), view.params) == ""


# -- what is wrong is told ----------------------------------------------------------------------


def broken_scene(state, params):
    return Scene(((1 / 0,),))


def row_of(*tiles):
    return lambda state, params: Scene((tiles,))


TILE = Tile(Ground("grass"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "message"),
    [
        ("a drawing", r"mine: LOOK must be a Look \(from sizeup.games.look\), got 'a drawing'"),
        (Look, "mine: LOOK must be a Look"),
        (Look(title=3), "mine: LOOK.title must be a text, got 3"),
        (Look(start=Start(types=(4, 2))), r"LOOK.start is .*types=\(4, 2\).*, expected whole num"),
        (Look(start=Start(partner=0)), "LOOK.start is .*partner=0.*, expected whole numbers of 1"),
        (Look(sides=("black",)), r"mine: LOOK.sides needs 2 names, got \('black',\)"),
        (Look(sides=("a", "b", "c")), r"LOOK.sides needs 2 names, got \('a', 'b', 'c'\)"),
        (Look(seats=("a", "b", "c")), r"LOOK.seats needs 2 names, got \('a', 'b', 'c'\)"),
        (
            Look(scene=broken_scene),
            r"its look failed at .*test_look.py:\d+: ZeroDivisionError: div",
        ),
        (Look(scene=row_of("x")), "the scene of .*State.* has .*'x'.*, expected rows of tiles"),
        (Look(scene=lambda state: Scene(())), r"its look failed at .*TypeError: .*takes 1 pos"),
        (Look(grid=lambda state, params: [7]), "its look failed at .*TypeError: 'int' object"),
        (
            Look(scene=row_of(TILE), squares=lambda state, action, params: [(0, action)]),
            r"LOOK.squares\(FourInARowState\(.*\), 1\) names row 0, column 1, which is not on",
        ),
        (
            Look(scene=row_of(TILE), squares=lambda state, action, params: [(-1, 0)]),
            "names row -1, column 0, which is not on the board",
        ),
        (
            Look(scene=row_of(TILE), squares=lambda state, action, params: [action]),
            "its look failed at .*TypeError: cannot unpack non-iterable int",
        ),
        (Look(standing=lambda state, params: 7), "7 is told of .*State.*, expected a text"),
        (Look(hint=lambda state, params: None), "None is told of .*State.*, expected a text"),
        (
            Look(limits=lambda params: [Limit("win", False, "more")]),
            "LOOK.limits refuse INFO.params: win, expected more",
        ),
    ],
)
def test_a_look_that_is_wrong_is_told(look, message):
    with pytest.raises(InvalidGame, match=message) as refused:
        check_game(with_look(look), games=2)
    assert "\n" not in str(refused.value)


def test_a_match_that_is_adjourned_without_a_word_is_told():
    mine = with_look(Look())
    mine.adjourned = lambda plies, quiet, params: plies >= 0
    with pytest.raises(
        InvalidGame, match=r"adjourned\(0, 0, params\) is True, expected a text, or"
    ):
        check_game(mine, games=2)


@pytest.mark.parametrize("name", ["NO_MOVE_LOSES", "SHARED_TURNS"])
def test_what_has_moved_to_info_is_told(name):
    mine = with_look(Look())
    setattr(mine, name, True)
    with pytest.raises(InvalidGame, match=rf"{name} belongs in INFO: GameInfo\({name.lower()}="):
        check_game(mine, games=2)
    mine = with_look(Look())
    mine.INFO = replace(mine.INFO, **{name.lower(): "yes"})
    with pytest.raises(InvalidGame, match=rf"INFO.{name.lower()} must be a .*, got 'yes'"):
        check_game(mine, games=2)


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        (
            "adjourned",
            lambda plies: None,
            "adjourned is called with plies, quiet_plies, params, but",
        ),
        ("board", lambda text: None, "board is called with nothing, but missing a required arg"),
        ("action_text", lambda state: "", "action_text is called with state, action, params, but"),
    ],
)
def test_what_a_game_may_offer_has_its_arguments(name, function, message):
    mine = with_look(Look())
    setattr(mine, name, function)
    with pytest.raises(InvalidGame, match=message):
        check_game(mine, games=2)


# -- a user's own -------------------------------------------------------------------------------


def grid(state, params):
    """Columns as rows of letters, stones from the left."""
    rows = [["."] * 6 for _ in range(7)]
    for letter, stones in (("X", state.first), ("o", state.second)):
        for column in range(7):
            for level in range(6):
                if stones >> 7 * column + level & 1:
                    rows[column][level] = letter
    return ["".join(row) for row in rows]


MINE = with_look(
    Look(
        title="Sideways",
        sides=("crosses", "noughts"),
        grid=grid,
        legend={"X": "cross", "o": "coin", ".": "water"},
    )
)


def test_a_users_grid_is_drawn_as_text_and_svg():
    check_game(MINE, games=2)
    state = played(MINE, 3, 3, 2)
    lines = [line.rstrip() for line in draw_text(MINE, state).plain.splitlines()]
    assert lines[0] == "mine"
    assert [line[1::3] for line in lines[1:8]] == [
        "......", "......", "X.....", "Xo....", "......", "......", "......",
    ]  # fmt: skip
    assert lines[8:] == ["noughts (player 1) to move", ". water  X cross  o coin"]
    root = ElementTree.fromstring(draw_svg(MINE, state))
    names = [title.text for title in root.iter(f"{SVG}title")]
    assert names.count("cross, free") == 2
    assert names.count("coin, free") == 1
    assert names.count("water") == 39
    signs = [text.text for text in root.iter(f"{SVG}text")]
    assert signs.count("X") == 2  # a piece of one's own has its letter, whatever its colour


def test_every_name_of_the_stock_can_be_drawn():
    letters = dict(zip("abcdefghijklmnopqrstuvwxyz", STOCK, strict=False))
    look = Look(grid=lambda state, params: ["".join(letters)], legend=letters)
    mine = with_look(look)
    text = draw_text(mine, played(mine)).plain
    assert all(f"{letter} {name}" in text for letter, name in letters.items() if name != "free")
    assert ElementTree.fromstring(draw_svg(mine, played(mine))) is not None


def test_a_look_without_a_title_has_the_games_name():
    assert look_of(with_look(Look())).title == "mine"
    assert look_of(MINE).title == look_of(seat(MINE)).title == "Sideways"
    nameless = types.ModuleType("nameless")
    nameless.INFO = replace(connect_four.INFO, name="two\nlines")
    assert look_of(nameless).title == "two lines"


@pytest.mark.slow
def test_the_template_has_a_look_that_passes(tmp_path):
    module, _ = write_new_game("my_pile", tmp_path)
    game = load_game(str(module))
    assert check_game(game, games=5).chance_moves > 0
    assert "o  o  o  o  o  o  o  o  o  o" in draw_text(game, played(game)).plain
    seated = seat(game, 3, 0)
    check_look(seated, [View(seated).start()])


# -- the game beneath ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "levels"),
    [
        (lambda: connect_four, 0),
        (lambda: seat(connect_four, 2, 1), 1),
        (lambda: seat(seat(connect_four, 1, 1), 2, 3), 2),
    ],
)
def test_the_game_beneath_any_number_of_seats(make, levels):
    view = View(make())
    state, below = view.start(), view.params
    for _ in range(levels):
        below = below.base
    assert view.base.game is connect_four
    assert view.base.params is below
    assert view.base_state(state) == View(connect_four).start()
    assert view.base.base is view.base
    assert (view.base is view) == (levels == 0)
    after, _ = view.apply(state, 3)
    assert view.base_state(after) == played(connect_four, 3)
    assert look_of(view.game) is connect_four.LOOK
    assert draw_text(view.game, after).plain.count("X") == draw_text(
        connect_four, view.base_state(after)
    ).plain.count("X")


def test_parameters_of_the_game_beneath_are_those_of_the_table():
    params = wall_of_fire.board("SFC")
    view = View(seat(wall_of_fire, 3, 0, params=params))
    assert view.base.params is params
    assert "3v0" in view.info.name
    check_look(view.game, [view.start()])


def test_what_a_seat_is_called():
    four, tunnel = View(seat(connect_four, 2, 1)), View(narrow_tunnel)
    assert [seat_name(four, player) for player in range(3)] == ["X", "X", "O"]
    assert [seat_name(tunnel, player) for player in range(2)] == ["blue", "red"]
    assert seat_name(View(wall_of_fire), 0) == ""
    assert seat_name(View(with_look(Look())), 1) == ""
