"""Every game of ours keeps the contract; broken ones are told what is wrong."""

import importlib
import os
import subprocess
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest

from sizeup.errors import IllegalAction, InvalidGame, InvalidInput
from sizeup.games import connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.check import check_game
from sizeup.games.contract import (
    CHANCE,
    GAMES,
    TERMINAL,
    GameInfo,
    View,
    load_game,
    params_of,
)
from sizeup.games.seats import seat


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_our_games_keep_the_contract(name):
    assert check_game(load_game(name), games=20).moves > 100


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 2), (2, 1), (4, 3)])
@pytest.mark.parametrize("name", ["checkers", "connect_four", "four_in_a_row"])
def test_seated_games_keep_the_contract(name, first, second):
    seated = seat(load_game(name), first, second)
    assert seated.INFO.teams == (0,) * first + (1,) * second
    check_game(seated, games=5)


def test_members_of_a_side_take_turns():
    board = View(seat(connect_four, first=3, second=2))
    state, order = board.start(), []
    for column in (0, 1, 2, 3, 4, 5, 6):
        order.append(board.actor(state))
        state, _ = board.apply(state, column)
    assert order == [0, 3, 1, 4, 2, 3, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seat(narrow_tunnel, 3, 0), r"narrow-tunnel has teams \(0, 0\) and keeps its seat"),
        (lambda: seat(narrow_tunnel, 3, 0), "whose INFO says so with shared_turns=True"),
        (lambda: seat(wall_of_fire), "is a game of one team: expected second=0, got 2"),
        (lambda: seat(wall_of_fire, 3, False), "expected second=0, got False"),
        (lambda: seat(wall_of_fire, 0, 0), "1 to 4 members, got 0"),
        (lambda: seat(wall_of_fire, 5, 0), "1 to 4 members, got 5"),
        (lambda: seat(connect_four, first=0), "1 to 4 members, got 0"),
        (lambda: seat(connect_four, second=5), "1 to 4 members, got 5"),
        (lambda: seat(connect_four, second=True), "1 to 4 members, got True"),
    ],
)
def test_bad_seats(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.parametrize(
    "columns", [[0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]]
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_connect_four_is_won_in_every_direction(columns, mirrored):
    board = View(connect_four)
    state, total = board.start(), 0.0
    for column in columns:
        state, reward = board.apply(state, 6 - column if mirrored else column)
        total += reward
    assert total == 1.0
    assert board.actor(state) == TERMINAL


def test_a_full_column_is_not_legal():
    board = View(connect_four)
    state = board.start()
    for _ in range(6):
        state, _ = board.apply(state, 3)
    assert 3 not in board.actions(state)
    with pytest.raises(IllegalAction, match="action 3 is not legal here"):
        board.apply(state, 3)


def test_harvest_by_hand():
    field = View(harvest)
    state, _ = field.apply(field.start(), harvest.SOW)
    assert field.actor(state) == CHANCE
    assert field.probabilities(state) == pytest.approx((0.3, 0.7))
    state, _ = field.apply(state, harvest.RAIN)
    assert (field.actor(state), field.actions(state)) == (1, (0, 1, 2))
    assert field.apply(state, harvest.REAP) == (harvest.HarvestState(2, 0, 0), 1.0)
    with pytest.raises(InvalidInput, match="list of probabilities"):
        harvest.season([0.5, 1.5])


def walk(world, actions, params=None):
    view = View(world, params)
    state, total = view.start(), 0.0
    for action in actions:
        state, reward = view.apply(state, action)
        total += reward
    return state, total


def test_wall_of_fire_by_hand():
    east, west = wall_of_fire.EAST, wall_of_fire.WEST
    assert walk(wall_of_fire, [east, west] * 10)[1] == -20.0
    assert walk(wall_of_fire, [east] * 5)[1] == -10.0
    state, total = walk(wall_of_fire, [east] * 7 + [west] * 2 + [east] * 2)
    assert total == -10.0 + 200.0 - 2.0  # a coin pays once; one step back into the fire
    assert state.player == 1
    assert wall_of_fire.adjourned(20, 0) == "20 turns played"
    assert wall_of_fire.adjourned(19, 0) is None


def test_the_best_of_wall_of_fire_is_1490():
    """Five tiles of fire and fifteen coins in twenty moves."""
    path = [wall_of_fire.EAST] * 12 + [wall_of_fire.NORTH] + [wall_of_fire.WEST] * 6
    assert walk(wall_of_fire, [*path, wall_of_fire.NORTH])[1] == 1490.0


def test_narrow_tunnel_by_hand():
    east, west, stay = narrow_tunnel.EAST, narrow_tunnel.WEST, narrow_tunnel.STAY
    long = narrow_tunnel.board(narrow_tunnel.BOARD)
    view = View(narrow_tunnel, long)
    state, _ = walk(narrow_tunnel, [east, west], long)  # both in the tunnel, face to face
    assert east not in view.actions(state)
    assert walk(narrow_tunnel, [stay, east] * 2, long)[1] == 0.0  # red takes a blue coin: worthless
    assert walk(narrow_tunnel, [west, stay] * 5, long)[1] == 0.0  # and so is a red one to blue
    assert view.start().coins == 0b1111111
    assert narrow_tunnel.adjourned(20, 0) == "20 turns played"


def test_coins_of_ones_own_colour_pay():
    params = narrow_tunnel.board("bB.Rr")
    west, east = narrow_tunnel.WEST, narrow_tunnel.EAST
    assert walk(narrow_tunnel, [west, east], params)[1] == 31.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wall_of_fire.board(""), "is empty"),
        (lambda: wall_of_fire.board("S.\n..."), "line 2 has 3 tiles, expected 2 like line 1"),
        (lambda: wall_of_fire.board("S.x"), "line 1, column 3 is 'x', expected one of . S F C"),
        (lambda: wall_of_fire.board("..."), "needs exactly one 'S', found 0"),
        (lambda: wall_of_fire.board("S" + "C" * 63), "at most 62 coins, got 63"),
        (lambda: narrow_tunnel.board("B.."), "needs exactly one 'R', found 0"),
        (lambda: narrow_tunnel.board("BBR"), "needs exactly one 'B', found 2"),
        (lambda: narrow_tunnel.board("BR" + "b" * 63), "at most 62 coins, got 63"),
        (lambda: wall_of_fire.board("S.", most_turns=-3), "most_turns is 0 or more, got -3"),
        (lambda: narrow_tunnel.board("BR", most_turns=-3), "most_turns is 0 or more, got -3"),
    ],
)
def test_bad_boards(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


def test_a_new_board_needs_no_new_compilation():
    walk(wall_of_fire, [wall_of_fire.EAST], wall_of_fire.board("S.F\n..C"))
    steps = View(wall_of_fire)._steps
    before = len(steps.step.signatures)
    walk(wall_of_fire, [wall_of_fire.EAST], wall_of_fire.board("S....C", coin=7))
    assert len(steps.step.signatures) == before == 1


def test_loading_games(tmp_path):
    assert load_game("wall-of-fire") is load_game("wall_of_fire") is wall_of_fire
    assert load_game("sizeup.games.harvest") is harvest
    with pytest.raises(InvalidInput, match="no file"):
        load_game(str(tmp_path / "missing.py"))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("chekers", "; did you mean 'checkers'? Expected one of checkers, connect-four"),
        ("Checkers", "; did you mean 'checkers'? Expected"),
        ("connect4", "; did you mean 'connect-four'? Expected"),
        ("wall-of-fir", "; did you mean 'wall-of-fire'? Expected"),
        ("wall_of_fir", "; did you mean 'wall_of_fire'? Expected one of checkers, connect_four"),
        ("Wall of Fire", "; did you mean 'wall-of-fire'? Expected"),
        ("mine", "; did you mean 'mine.py'? Expected"),
        ("./mine", "; did you mean './mine.py'? Expected"),
        ("sizeup.games.chess", ". Expected one of checkers"),
        ("../yours", ". Expected one of"),
        ("games/yours.txt", ". Expected one of"),
        ("", ". Expected one of"),
        (".", ". Expected one of"),
        ("go", ". Expected one of"),
    ],
)
def test_a_game_that_is_not_there_gets_a_suggestion(tmp_path, monkeypatch, name, hint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("")
    with pytest.raises(InvalidInput) as refused:
        load_game(name)
    assert str(refused.value).startswith(f"there is no game {name!r}{hint}")
    assert str(refused.value).endswith(", a module's name, or a file that ends in .py")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import sys\nsys.exit(0)\n", "odd_module cannot be loaded: line 2: SystemExit: 0"),
        ("x = 1\ny = 1 / 0\n", "odd_module cannot be loaded: line 2: ZeroDivisionError: "),
        ("\nimport not_here\n", "odd_module cannot be loaded: line 2: ModuleNotFoundError: No"),
        ("x = 1\n", "odd_module is not a game: INFO is missing, a GameInfo that says its name"),
    ],
)
def test_a_module_that_is_no_game_says_why(tmp_path, monkeypatch, source, message):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "odd_module", raising=False)
    (tmp_path / "odd_module.py").write_text(source)
    importlib.invalidate_caches()
    with pytest.raises(InvalidGame, match=f"^{message}"):
        load_game("odd_module")
    with pytest.raises(InvalidGame, match=f"{message.partition(' ')[2]}"):
        load_game(str(tmp_path / "odd_module.py"))


GOOD = """
from typing import NamedTuple
from sizeup.games.contract import GameInfo
from sizeup.jit import jit

class State(NamedTuple):
    left: int
    player: int

class Params(NamedTuple):
    stones: int = 9

INFO = GameInfo("nim", (0, 1), 3, Params(), (1, 3), {"left": (0, 99), "player": (0, 1)}, (-1, 1))

@jit
def start(params):
    return State(params.stones, 0)

@jit
def actor(state, params):
    return state.player

@jit
def is_terminal(state, params):
    return state.left == 0

@jit
def legal_actions(state, params, out):
    count = min(3, state.left)
    for take in range(count):
        out[take] = take + 1
    return count

@jit
def apply(state, action, params):
    return State(state.left - action, 1 - state.player)

@jit
def reward(state, action, after, params):
    if after.left > 0:
        return 0.0
    return 1.0 if state.player == 0 else -1.0
"""

CHANCE_GAME = (
    GOOD.replace("return state.player\n", "return -1\n")
    + """
@jit
def probabilities(state, params, out):
    out[0] = 0.5
    out[1] = 0.25
    out[2] = 0.5
"""
)


def with_random_action(choice):
    return GOOD + f"\n@jit\ndef random_action(state, params, rng, out):\n    return {choice}\n"


def with_text(signature, value):
    return GOOD + f"\ndef {signature}:\n    return {value}\n"


def with_texts_of_states(written, read):
    """A state's text, and what is read from it."""
    writer = with_text("state_text(state, params)", written)
    return f"{writer}\n\ndef state_from_text(text, params):\n    return {read}\n"


def load(tmp_path, source):
    path = tmp_path / "nim_game.py"
    path.write_text(source)
    return load_game(str(path))


@pytest.mark.slow
def test_a_users_game_in_one_file(tmp_path):
    assert check_game(load(tmp_path, GOOD)).moves > 100


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("INFO = GameInfo(", "INFO = tuple, (", "INFO must be a GameInfo"),
        ("(0, 1), 3, Params()", "(0, 2), 3, Params()", r"teams .* got \(0, 2\)"),
        ("(0, 1), 3, Params()", "(0, 1), 0, Params()", "from 1 to 1,000,000, got 0"),
        ("(0, 1), 3, Params()", "(0, 1), 10**12, Params()", "1,000,000, got 1000000000000"),
        ('"nim"', '""', "nim_game: INFO.name must be a text of one line, got ''"),
        ('"nim"', "3", "INFO.name must be a text of one line, got 3"),
        ("(-1, 1))", "'x')", "INFO.reward_bounds must be two numbers.* got 'x'"),
        ("(1, 3)", "(3, 1)", r"INFO.action_bounds must be .* smaller one first; got \(3, 1\)"),
        ('"player": (0, 1)}', '"palyer": (0, 1)}', "'palyer'; fields are left, player"),
        ('"player": (0, 1)}', '"player": 1}', r"state_bounds\['player'\] must be two numbers"),
        ("(-1, 1))", "(-1, 1), float('nan'))", "INFO.exploration must be .* got nan"),
        ("(-1, 1))", "(-1, 1), discount=2.0)", "INFO.discount must be .* got 2.0"),
        ("(-1, 1))", "(-1, 1), value_scale='rnage')", "INFO.value_scale .* got 'rnage'"),
        (
            "return 0.0",
            "raise SystemExit(3)",
            r"reward.*failed at .*nim_game.py:\d+: SystemExit: 3",
        ),
        (
            "    return state.left == 0\n",
            "    global MET\n    MET = 1\n    return state.left == 0\n",
            r"is_terminal does not compile .*nim_game.py:\d+",
        ),
        ("3, Params(), (1", "3, 9, (1", "INFO.params must be a NamedTuple, got 9"),
        ("def reward", "def rewards", "the rule reward is missing"),
        ("@jit\ndef actor", "def actor", r"actor is not jitted.*nim_game.py:\d+"),
        ("min(3, ", "min(4, ", r"legal_actions.*failed at .*nim_game.py:\d+: IndexError"),
        ("return count\n", "return 7\n", "returned 7 .* from 0 to INFO.max_actions"),
        ("= take + 1", "= 1", "lists an action twice"),
        ("= take + 1", "= take", r"action 0 .* outside INFO.action_bounds \(1, 3\)"),
        ("left == 0", "left <= 3", "is terminal but has legal actions"),
        ("return state.player\n", "return 2\n", "actor returned 2"),
        ("return state.player\n", "return -1\n", "there is no rule probabilities"),
        ("1.0 if state", "5.0 if state", "is 5.0, outside INFO.reward_bounds"),
        ("1 - state.player)", "2 + state.player)", "player = 2, outside INFO.state_bounds"),
        ("left - action,", "left - action / 1,", "left = .*expected an integer"),
        ("return State(state", "return (state", "expected a state, a NamedTuple"),
        ("return 0.0", "return undefined", r"reward.*failed at .*nim_game.py:\d+: NameError"),
        (
            "return state.player\n",
            "return state.player if state.left else 'x'\n",
            r"the rule actor does not compile .*nim_game.py:\d+",
        ),
        (
            "return state.left == 0\n",
            "return sum([state.left]) == 0\n",
            "is_terminal does not compile .*rules cannot make arrays",
        ),
        (
            "count = min(3, state.left)\n",
            "count = min(3, (state.left << 62) >> 62)\n",
            "un-jitted but .* jitted",
        ),
    ],
)
def test_broken_games_are_told_what_is_wrong(tmp_path, old, new, message):
    assert old in GOOD
    assert_refused(load(tmp_path, GOOD.replace(old, new)), message)


def test_a_module_without_info_keeps_no_contract():
    assert_refused(types.ModuleType("empty"), "INFO is missing")


def assert_refused(game, message):
    with pytest.raises(InvalidGame, match=message) as caught:
        check_game(game)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (CHANCE_GAME, r"probabilities .* are \[0.5, 0.25, 0.5\].* sum to 1"),
        (with_random_action("7"), r"random_action gave \{7\}"),
        (with_random_action("1"), "random_action is not uniform"),
        (with_text("action_text(state, action, params)", "'x'"), "text that no other action has"),
        (with_text("action_text(state, action, params)", "1 / 0"), r"nim_game.py:\d+: ZeroDiv"),
        (with_text("action_text(state, action, params)", "exit(3)"), "SystemExit: 3"),
        (with_text("action_text(state, action, params)", "f'a\\n{action}'"), "text of one line"),
        (with_texts_of_states("'a\\nb'", "State(9, 0)"), "a text of one line"),
        (with_texts_of_states("'a'", "State(7, 0)"), "is 'a', which reads as State"),
        (with_text("state_text(state, params)", "'a'"), r"go together, got only \['state_text'\]"),
        (with_text("state_from_text(text, params)", "State(7, 0)"), "got only .'state_from_text'"),
        (
            with_text("action_from_text(state, text, params)", "1"),
            r"action_text\(.*, 2\) is '2', which reads as 1",
        ),
    ],
)
def test_broken_optional_rules_are_told_what_is_wrong(tmp_path, source, message):
    assert_refused(load(tmp_path, source), message)


def test_hidden_state_is_found(tmp_path):
    """Actions that change from one call to the next."""
    source = "import numpy as np\nCALLS = np.zeros(1, np.int64)\n" + GOOD.replace(
        "    count = min(3, state.left)\n",
        "    CALLS[0] += 1\n    count = min(1 + CALLS[0] % 2, state.left)\n",
    )
    assert_refused(load(tmp_path, source), "changes from one call to the next")


def test_writing_to_params_is_found(tmp_path):
    source = "import numpy as np\n" + GOOD
    for old, new in (
        ("stones: int = 9", "stones: object"),
        ("3, Params()", "3, Params(np.array([9]))"),
        ("params.stones, 0", "params.stones[0], 0"),
        ("    count = min", "    params.stones[0] = 8\n    count = min"),
    ):
        source = source.replace(old, new)
    assert_refused(load(tmp_path, source), "a rule writes to params")


def test_info_counts_players():
    assert GameInfo("x", (0, 1, 1), 1, ()).players == 3


PLAY = """
import numpy as np
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.rng import new_rng

for name in GAMES:
    view = View(load_game(name))
    out, lots = np.zeros(view.info.max_actions, np.int64), np.zeros(view.info.max_actions)
    with np.errstate(over="ignore"):
        first, rng = view.start(), new_rng(5)
        end, moves, total = view._steps.playout(first, view.params, rng, 60, out, lots)
    print(name, tuple(map(int, end)), int(moves), float(total))
"""


@pytest.mark.slow
def test_jitted_and_un_jitted_processes_play_the_same_games():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PLAY],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in ("0", "1")
    }
    assert len(outputs) == 1, outputs
    assert len(outputs.pop().splitlines()) == len(GAMES)


class Weather(NamedTuple):
    """Parameters with an array among them."""

    waves: np.ndarray
    wind: float = 0.5


def test_a_parameter_that_is_an_array_is_given_as_a_list():
    game = types.SimpleNamespace(INFO=types.SimpleNamespace(params=Weather(np.array([0.5, 0.3]))))
    given = params_of(game, {"waves": [1, 2, 3]})
    assert (given.waves.tolist(), given.waves.dtype, given.wind) == ([1.0, 2.0, 3.0], float, 0.5)
    for wrong in ([[1.0]], ["a"], [1.0, [2.0]], 3, [True]):
        with pytest.raises(
            InvalidInput, match=r"waves is a list of numbers \(float64\), such as \["
        ):
            params_of(game, {"waves": wrong})
