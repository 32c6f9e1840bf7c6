"""Many searches at once: each finds what it finds alone, whatever runs beside it."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizeup.device import Cpu, DeviceError
from sizeup.games import checkers, connect_four, foraging, wall_of_fire
from sizeup.games.contract import View, load_game
from sizeup.games.seats import seat
from sizeup.jit import plain
from sizeup.search import Searcher, batch
from sizeup.search.batch import Batch, pack, room, unpack
from sizeup.search.lanes import DONE, FAILED
from tests.search.cases import CASES, EVEN, options
from tests.search.side_by_side import (
    MEMORY,
    asks_of,
    assert_as_alone,
    assert_same,
    node_bytes,
)

ROPE = Path(__file__).parents[2] / "benchmarks" / "rope.py"
rope = load_game(str(ROPE))  # a user's own game, of three players and chance


OWN = {
    "checkers 2v1": (seat(checkers, 2, 1), (1, 2, 3), options(), {"beliefs": {1: [0.2, 0.8, 0]}}),
    "rope": (rope, (1, 2, 5), options(), {"beliefs": {1: [0.5, 0, 0.5], 2: [1, 0, 0]}}),
    "rope, minimised": (rope, (2, 4), options(), {"minimise": True}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *OWN])
def test_each_search_finds_what_it_finds_alone(name):
    game, types, chosen, request = {**CASES, **OWN}[name]
    searcher = Searcher(game, types, chosen)
    assert_as_alone(searcher, asks_of(searcher, request))


@pytest.mark.parametrize("request_", [{}, {"beliefs": {1: EVEN, 2: [1, 0]}}])
def test_a_game_in_plain_python(tmp_path, monkeypatch, request_):
    """Also where pages are small and soon used up."""
    path = tmp_path / "plain_rope.py"
    path.write_text(ROPE.read_text().replace("@jit\n", ""))
    searcher = Searcher(load_game(str(path)), (2, 3), options(iterations=5))
    asks = asks_of(searcher, request_)
    assert_as_alone(searcher, asks)
    monkeypatch.setattr(batch, "_PAGE", 4)
    most = max(searcher.answer(ask).nodes for ask in asks)
    memory = 2 * most * node_bytes(searcher)
    assert_as_alone(searcher, asks, memory=memory, lanes=5)
    memory = (most + 4) * node_bytes(searcher)  # of which the first may take all
    assert_as_alone(searcher, asks, memory=memory, lanes=12, turn=10)
    replicas = options(iterations=5, teammate_rule="replicas", teammate_iterations=6)
    searcher = Searcher(searcher.view, (2, 3), replicas)
    assert_as_alone(searcher, asks_of(searcher, request_))


@settings(max_examples=30)
@given(
    st.builds(
        options,
        iterations=st.integers(1, 15),
        rollouts=st.integers(1, 3),
        axis=st.sampled_from(["depth", "iterations"]),
        depth=st.integers(1, 4),
        progressive=st.booleans(),
        value_scale=st.sampled_from(["raw", "range"]),
        teammate_iterations=st.integers(0, 2),
        teammate_rule=st.sampled_from(["mean", "visits", "ucb", "replicas"]),
        teammate_statistics=st.sampled_from(["shared", "separate"]),
        beyond=st.sampled_from(["cap", "zero"]),
        copy=st.sampled_from(["all", "some", "values", "none"]),
        max_nodes=st.sampled_from([9, 60, 2**16]),  # of which the first two are soon full
    ),
    st.sampled_from([{"beliefs": {1: [0.5, 0.3, 0.2]}}, {"minimise": True}]),
)
def test_whatever_is_asked_of_a_search(chosen, request_):
    searcher = Searcher(wall_of_fire, (1, 3, 4), chosen)
    assert_as_alone(searcher, asks_of(searcher, request_))


@pytest.mark.parametrize("lanes", [1, 2, 50])
def test_any_number_of_lanes(lanes):
    searcher = Searcher(connect_four, (1, 3), options())
    assert_as_alone(searcher, asks_of(searcher, {}), lanes=lanes)


def test_results_come_in_the_order_of_the_asks():
    searcher = Searcher(connect_four, (1, 3), options())
    asks = asks_of(searcher, {})
    found = Batch(searcher, memory=MEMORY).search_many(asks)
    assert [(one.state, one.seed) for one in found] == [(ask.state, ask.seed) for ask in asks]


def test_searches_join_and_leave_while_others_go_on():
    """One of another kind, too, with other types and options and with room for the same."""
    deep = Searcher(connect_four, (1, 6), options(iterations=40))
    quick = Searcher(connect_four, (2, 6), options(iterations=40, exploration=0.5))
    assert room(deep) == room(quick)
    start, many, found = deep.view.start(), Batch(deep, memory=MEMORY, lanes=4, turn=0), {}
    slow, later = deep.ask(start, seed=1), [quick.ask(start, 2, seed=seed) for seed in range(9)]
    many.hand_in(deep, pack(deep, [slow]), np.array([100]))
    order = []
    for number, ask in enumerate(later):
        many.hand_in(quick, pack(quick, [ask]), np.array([number]))
        for _ in range(4):
            tickets, told = many.turn()
            order += tickets.tolist()
            found.update((ticket, (told, at)) for at, ticket in enumerate(tickets.tolist()))
    while many.is_busy:
        tickets, told = many.turn()
        order += tickets.tolist()
        found.update((ticket, (told, at)) for at, ticket in enumerate(tickets.tolist()))
    assert order.index(100) > order.index(0)
    assert sorted(order) == [*range(9), 100]
    assert_same(unpack(deep, slow, *found[100]), deep.answer(slow))
    for number, ask in enumerate(later):
        assert_same(unpack(quick, ask, *found[number]), quick.answer(ask))


def test_searches_that_differ_in_what_they_need_do_not_fit_together():
    base = Searcher(connect_four, (1, 3), options())
    for types, chosen in (((1, 2, 3, 4), options()), ((2,), options(iterations=99))):
        assert room(base) == room(Searcher(connect_four, types, chosen))
    for game, types, chosen in (
        (connect_four, (1, 2, 3, 4, 5), options()),
        (connect_four, (1, 3), options(iterations=10**6)),
        (connect_four, (2, 5, 6), options(teammate_statistics="separate")),
        (seat(connect_four, 2, 1), (1, 3), options()),
    ):
        assert room(base) != room(Searcher(game, types, chosen))


def test_games_with_other_parameters_do_not_fit_together():
    """Also where one tile of many differs, more than NumPy writes out of an array."""
    rows = ["A" + "." * 38 + "B", *["." * 40] * 38, "." * 39 + "1"]
    with_a_wall = [*rows[:20], "." * 20 + "#" + "." * 19, *rows[21:]]
    views = [View(foraging, foraging.board("\n".join(one))) for one in (rows, with_a_wall, rows)]
    rooms = [room(Searcher(view, (1, 2), options())) for view in views]
    assert rooms[0] == rooms[2] != rooms[1]
    assert len(set(rooms)) == 2  # they are keys


def test_a_searcher_makes_many_searches_side_by_side():
    searcher = Searcher(connect_four, (1, 3), options())
    asks = asks_of(searcher, {})
    one_by_one = searcher.search_many(asks)
    for found, expected in zip(searcher.search_many(asks, device="lanes"), one_by_one, strict=True):
        assert_same(found, expected)


def test_nothing_asked_is_nothing_found():
    assert Batch(Searcher(connect_four, (1,)), memory=MEMORY).search_many([]) == []


CHAIN = """
from typing import NamedTuple
from sizeup.games.contract import GameInfo
from sizeup.jit import jit

class State(NamedTuple):
    step: int

class Params(NamedTuple):
    pass

INFO = GameInfo("chain", (0,), 2, Params())

@jit
def start(params):
    return State(0)

@jit
def actor(state, params):
    return 0 if state.step == 0 or state.step > 300 else -1

@jit
def is_terminal(state, params):
    return state.step > 310

@jit
def legal_actions(state, params, out):
    if state.step > 310:
        return 0
    out[0], out[1] = 0, 1
    return 2 if state.step == 0 or state.step > 300 else 1

@jit
def probabilities(state, params, out):
    out[0] = 1.0

@jit
def apply(state, action, params):
    return State(state.step + 1)

@jit
def reward(state, action, after, params):
    return float(action)
"""


def chain(tmp_path, *change):
    (tmp_path / "chain.py").write_text(CHAIN.replace(*change) if change else CHAIN)
    return load_game(str(tmp_path / "chain.py"))


def test_lines_end_where_they_end_alone(tmp_path):
    """Chance takes no depth, so that only the longest line there is room for ends such a one."""
    searcher = Searcher(chain(tmp_path), (2,), options(iterations=400, rollouts=1))
    start = searcher.view.start()
    asks = [searcher.ask(start, seed=seed) for seed in range(2)]
    assert searcher.answer(asks[0]).nodes < 200  # of 300 and more
    assert_as_alone(searcher, asks)


def test_an_error_that_is_not_a_games_is_raised(tmp_path):
    """As where rules cannot be compiled: tried again, it would be the same."""
    game = chain(tmp_path, "state.step + 1)", "state.step + [1, 'a'])")
    searcher = Searcher(game, (2,), options())
    many = Batch(searcher, memory=MEMORY)
    many.hand_in(searcher, pack(searcher, [searcher.ask(game.State(0))]), np.array([0]))
    with pytest.raises(Exception, match="nopython"):
        many.turn()


@pytest.mark.parametrize("error", [KeyboardInterrupt, DeviceError])
def test_after_an_error_searches_begin_anew(monkeypatch, error):
    """Nothing of what was under way is taken for what is asked next."""
    searcher = Searcher(connect_four, (1, 3), options(iterations=40))
    start, turns = searcher.view.start(), iter(range(3))
    many = Batch(searcher, memory=MEMORY, lanes=3, turn=0)

    def end():
        if next(turns, None) is None:
            raise error
        return Batch.end(many)

    monkeypatch.setattr(many, "end", end)
    with pytest.raises(error):
        many.search_many([searcher.ask(start, seed=seed) for seed in range(5)])
    assert not many.is_busy
    monkeypatch.undo()
    asks = [searcher.ask(start, 1, seed=seed) for seed in (7, 8)]
    for found, ask in zip(many.search_many(asks), asks, strict=True):
        assert_same(found, searcher.answer(ask))


def test_more_visits_than_tables_can_hold_are_refused():
    chosen = options(iterations=7200, teammate_iterations=2**20)
    with pytest.raises(DeviceError, match=r"connect-four may count up to .*teammate_iterations"):
        Batch(Searcher(connect_four, (1, 8), chosen), memory=MEMORY).search_many(
            [Searcher(connect_four, (1, 8), chosen).ask(View(connect_four).start())]
        )


# -- pages --------------------------------------------------------------------------------------


class Watched(Batch):
    """A batch that notes on how many lanes it runs, turn after turn."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.launches = []

    def _go_on(self, there):
        self.launches.append(len(self._active))
        super()._go_on(there)


def pages(searcher, count):
    """Bytes of so many pages."""
    return count * 512 * node_bytes(searcher)


def large_searches():
    """Each needs three pages, and is in its second when it comes to the second type."""
    searcher = Searcher(wall_of_fire, (5, 6), options(iterations=18))
    start = searcher.view.start()
    asks = [searcher.ask(start, seed=seed, beliefs={1: EVEN}) for seed in range(5)]
    return searcher, asks, [searcher.answer(ask) for ask in asks]


def test_trees_go_on_in_other_pages():
    searcher, asks, alone = large_searches()
    assert min(found.nodes for found in alone) > 2 * 512
    many = Watched(searcher, memory=pages(searcher, 9), lanes=3)
    for found, expected in zip(many.search_many(asks), alone, strict=True):
        assert_same(found, expected)
    assert max(many.launches) == 3


def test_searches_that_find_no_page_are_made_again_with_fewer_beside_them():
    searcher, asks, alone = large_searches()
    many = Watched(searcher, memory=pages(searcher, 7), lanes=5)
    for found, expected in zip(many.search_many(asks), alone, strict=True):
        assert_same(found, expected)
    assert many.launches[0] == 5
    assert many.launches[-1] < 4  # 7 pages are too few for three such searches


@pytest.mark.parametrize("statistics", ["shared", "separate"])
@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_no_search_counts_further_than_a_gpus_tables_reach(statistics, iterations):
    """There they are read without a look at how long they are."""
    chosen = options(teammate_statistics=statistics, teammate_iterations=iterations)
    searcher = Searcher(wall_of_fire, (1, 2, 4), chosen)
    limit, tree = len(Batch(searcher, memory=MEMORY)._allocate().tables.sqrt_log), searcher._tree
    for beliefs in ([1, 0, 0], [0, 0, 1], [0.5, 0.5, 0]):
        found = searcher.search(searcher.view.start(), beliefs={1: beliefs})
        visits = tree.visits.reshape(searcher.shape.slots, -1)[:, : found.nodes]
        for node in np.flatnonzero(tree.children[: found.nodes] > 0):
            children = slice(tree.first[node], tree.first[node] + tree.children[node])
            assert visits[:, children].sum(axis=1).max() < limit


def test_pages_that_searches_gave_back_are_taken_again():
    """What an earlier search left in them plays no part, however often they went round."""
    searcher, asks, alone = large_searches()
    many = Batch(searcher, memory=pages(searcher, 9), lanes=3)
    for some in (slice(3), slice(3, 4), slice(1, 5), slice(5), slice(5)):
        for found, expected in zip(many.search_many(asks[some]), alone[some], strict=True):
            assert_same(found, expected)
        pool = many._there.pool
        assert pool.given[0] - pool.taken[0] == 9
        assert 0 <= pool.taken[0] < 9


def test_a_search_that_no_memory_is_large_enough_for_is_named():
    searcher, asks, _ = large_searches()
    small = Batch(searcher, memory=pages(searcher, 2), lanes=2)
    with pytest.raises(DeviceError, match=r"wall-of-fire needs more than .* lower .*max_nodes"):
        small.search_many(asks)


def test_memory_for_less_than_a_page_is_refused():
    searcher = Searcher(connect_four, (1, 3), options())
    page = pages(searcher, 1)
    with pytest.raises(DeviceError, match=rf"{page - 1} bytes .* connect-four.* takes {page}"):
        Batch(searcher, memory=page - 1)
    Batch(searcher, memory=page)
    with pytest.raises(DeviceError, match=r"bytes for trees are more than the \d+ there are"):
        Batch(searcher, memory=2**60)


# -- what a GPU's threads run -------------------------------------------------------------------


class Threads(Cpu):
    """A GPU's threads one after the other, in plain Python, some of them idle."""

    def __init__(self, apart):
        self.apart = apart

    def launcher(self, module, kernel_of, key):
        kernel = kernel_of(getattr(plain(module), key[0]))
        names = kernel.__globals__

        def launch(count, *arguments):
            local = SimpleNamespace(array=lambda size, kind: np.empty(size, str(kind)))
            known = names["cuda"]
            for thread in range(count * self.apart + 2):  # as many as fill a block
                names["cuda"] = SimpleNamespace(grid=lambda axes, at=thread: at, local=local)
                with np.errstate(over="ignore"):
                    kernel(count, self.apart, *arguments)
            names["cuda"] = known

        return launch


@pytest.mark.parametrize(("request_", "apart"), [({}, 1), ({"beliefs": {1: EVEN}}, 3)])
def test_the_threads_of_a_gpu_make_all_searches(request_, apart):
    pytest.importorskip("numba_cuda")
    searcher = Searcher(wall_of_fire, (1, 3), options(iterations=3))
    assert_as_alone(searcher, asks_of(searcher, request_), machine=Threads(apart), lanes=4)


# -- rules that raise ---------------------------------------------------------------------------

LADDER = """
from typing import NamedTuple
from sizeup.games.contract import GameInfo
from sizeup.jit import jit

class State(NamedTuple):
    step: int

class Params(NamedTuple):
    rotten: int = 20

INFO = GameInfo("ladder", (0, 0), 32, Params())

@jit
def start(params):
    return State(0)

@jit
def actor(state, params):
    return state.step % 2

@jit
def is_terminal(state, params):
    return state.step > 30

@jit
def legal_actions(state, params, out):
    for action in range(32):
        out[action] = action
    return 0 if is_terminal(state, params) else 32

@jit
def apply(state, action, params):
    if state.step == params.rotten:
        raise ValueError("the step is rotten")
    return State(state.step + 1)

@jit
def reward(state, action, after, params):
    return action / 31
"""


@pytest.fixture
def ladder(tmp_path):
    path = tmp_path / "ladder.py"
    path.write_text(LADDER)
    return load_game(str(path))


@pytest.mark.parametrize("beliefs", [None, {1: EVEN}])
def test_an_error_of_a_rule_is_told_and_other_searches_are_made(ladder, beliefs):
    """Step 20 is rotten, and a search of depth 3 looks six steps ahead at most."""
    searcher = Searcher(ladder, (1, 3), options())
    asks = [searcher.ask(ladder.State(2 * step), beliefs=beliefs) for step in (0, 9, 3, 10, 11)]
    with pytest.raises(ValueError, match="the step is rotten"):
        searcher.answer(asks[1])
    many = Batch(searcher, memory=MEMORY, lanes=2)
    with pytest.raises(ValueError, match="the step is rotten"):
        many.search_many(asks)
    packed = pack(searcher, asks)
    told = many.run(packed)
    assert told.ended.tolist() == [DONE, FAILED, DONE, FAILED, DONE]
    for at in (0, 2, 4):
        alone = searcher.answer(asks[at])
        np.testing.assert_array_equal(told.nodes[at], alone.nodes)
    well = [asks[at] for at in (0, 2, 4)]
    for found, ask in zip(many.search_many(well), well, strict=True):
        assert_same(found, searcher.answer(ask))


def test_a_rule_that_raises_after_memory_ran_out_is_told_too(ladder):
    """The second search finds no page, and meets the rotten step when it has them all."""
    searcher = Searcher(View(ladder, ladder.Params(rotten=4)), (2, 3), options(iterations=40))
    asks = [searcher.ask(ladder.State(0), seed=seed) for seed in range(2)]
    many = Watched(searcher, memory=pages(searcher, 4), lanes=2)
    with pytest.raises(ValueError, match="the step is rotten"):
        many.search_many(asks)
    assert (many.launches[0], many.launches[-1]) == (2, 1)
