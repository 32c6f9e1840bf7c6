"""A crowd: games and other tasks side by side do what they do alone."""

import dataclasses
import sys
import threading
from functools import partial

import numpy as np
import pytest

from sizeup.agents import read_agent
from sizeup.device import Cpu, DeviceError
from sizeup.games import connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.play.match import play_at
from sizeup.play.table import set_table
from sizeup.search import Searcher
from sizeup.search import crowd as crowds
from sizeup.search.batch import Answers, Batch
from sizeup.search.crowd import Crowd, Machines, Order
from sizeup.search.lanes import FAILED, Asked
from tests.search.cases import options
from tests.search.side_by_side import assert_same

pytest.importorskip("greenlet")
TYPES, QUICK = (1, 2), options(iterations=4, rollouts=1)


class Desk(Machines):
    """A desk that notes how many searches it is handed at once, kind by kind."""

    def __init__(self, machines=1):
        super().__init__([Cpu] * machines)
        self.handed_in = []

    def hand_in(self, orders, owner):
        self.handed_in.append([len(order.tickets) for order in orders])
        super().hand_in(orders, owner)


def crowd_of(machines):
    return Crowd(Desk(machines))


# -- games --------------------------------------------------------------------------------------


def members(text, rule="sampled"):
    agents = (read_agent(one, options=QUICK) for one in text.split("+"))
    return [dataclasses.replace(agent, rule=rule) for agent in agents]


GAMES = [
    ("wall-of-fire", [members("ca:2+obl:1")]),
    ("wall-of-fire", [members("ca:2+obl:1", "published")]),
    ("wall-of-fire", [members("sa:2+nu:2")]),
    ("wall-of-fire", [members("ca:3+sa:2", "published")]),
    ("connect-four", [members("ora:2+obl:1"), members("min:2+random")]),
    ("connect-four", [members("min:2+nu:1"), members("obl:1")]),
]


def game(number, searcher, records):
    """A task: the game of this number, from its setting to its record."""
    name, teams = GAMES[number % len(GAMES)]
    table = set_table(name, teams, searcher=searcher)
    records[number] = play_at(table, seed=number)


@pytest.mark.slow
@pytest.mark.parametrize(("machines", "at_once"), [(1, 3), (2, 6), (1, 100), (3, 1)])
def test_games_side_by_side_are_those_that_are_played_alone(machines, at_once):
    alone, together, games = {}, {}, range(len(GAMES))
    for number in games:
        game(number, Searcher, alone)
    crowd = crowd_of(machines)
    crowd.run([partial(game, number, crowd.searcher, together) for number in games], at_once)
    for number in games:
        assert together[number] == alone[number]
        assert together[number].to_json() == alone[number].to_json()


@pytest.mark.slow
def test_searches_of_many_games_are_made_together():
    crowd, records = crowd_of(1), {}
    same = [partial(game, number * len(GAMES), crowd.searcher, records) for number in range(4)]
    crowd.run(same, at_once=3)
    assert len(records) == 4
    assert max(max(orders) for orders in crowd.desk.handed_in) >= 3


# -- tasks --------------------------------------------------------------------------------------


def search(crowd, found, seed, game=connect_four):
    """A task: one search."""
    searcher = crowd.searcher(View(game), TYPES, QUICK)
    found[seed] = searcher.search(searcher.view.start(), seed=seed)


def alone(seed, game=connect_four):
    searcher = Searcher(game, TYPES, QUICK)
    return searcher.search(searcher.view.start(), seed=seed)


def test_tasks_of_different_games_go_on_side_by_side():
    crowd, found = crowd_of(1), {}
    games = [connect_four, wall_of_fire, connect_four, wall_of_fire]
    crowd.run([partial(search, crowd, found, *task) for task in enumerate(games)], at_once=4)
    assert crowd.desk.handed_in == [[2, 2]]  # searches of one kind in one order
    for seed, each in enumerate(games):
        assert_same(found[seed], alone(seed, each))


def test_where_there_is_no_task_at_the_moment_there_may_be_one_later():
    """A task that has none to follow it until it is done itself."""
    crowd, found = crowd_of(2), {}

    def tasks():
        for seed in range(3):
            yield None
            yield partial(search, crowd, found, seed)
            while seed not in found:
                yield None

    crowd.run(tasks(), at_once=4)
    assert list(found) == [0, 1, 2]


def test_a_task_that_never_searches():
    crowd, done = crowd_of(2), []
    crowd.run([partial(done.append, number) for number in range(5)], at_once=2)
    assert done == [0, 1, 2, 3, 4]
    crowd.run([], at_once=2)


def test_an_error_in_a_task_is_raised():
    crowd, found = crowd_of(2), {}

    def broken():
        search(crowd, found, 1)
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        crowd.run([broken, *(partial(search, crowd, found, seed) for seed in (2, 3))], at_once=4)
    found.clear()
    crowd.run([partial(search, crowd, found, 7)], at_once=4)
    assert list(found) == [7]  # and nobody of those who were left goes on


def test_an_error_of_a_rule_is_raised_in_the_task_that_met_it(monkeypatch):
    """So that whoever plays many games can tell which of them is broken, as if it were alone."""
    crowd, found = crowd_of(1), {}
    end, answer = Batch.end, Searcher.answer

    def failing(batch):
        answers = end(batch)
        answers.told.ended[answers.tickets % 2**40 == 1] = FAILED
        return answers

    def raising(searcher, ask):
        raise ValueError(f"a broken rule, met with seed {ask.seed}")

    def careful(seed):
        try:
            search(crowd, found, seed)
        except ValueError as error:
            found[seed] = str(error)

    monkeypatch.setattr(Batch, "end", failing)
    monkeypatch.setattr(Searcher, "answer", raising)
    crowd.run([partial(careful, seed) for seed in range(3)], at_once=3)
    monkeypatch.setattr(Searcher, "answer", answer)
    assert found[1] == "a broken rule, met with seed 1"
    for seed in (0, 2):
        assert_same(found[seed], alone(seed))


def test_memory_that_is_too_small_is_told():
    class Tiny(Cpu):
        memory = 1000

    crowd = Crowd(Machines([Tiny]))
    with pytest.raises(DeviceError, match="125 bytes are too few for a search of connect-four"):
        crowd.run([partial(search, crowd, {}, 1)], at_once=1)


# -- machines -----------------------------------------------------------------------------------


def test_there_is_a_machine_for_every_gpu(monkeypatch):
    monkeypatch.setattr(crowds, "gpus", lambda: [(0, 1000), (3, 500)])
    assert [make.keywords for make in crowds.makers("cuda")] == [{"number": 0}, {"number": 3}]


def test_searches_go_to_the_machine_that_has_least_to_do():
    made = []

    def make(number):
        made.append(number)
        return Cpu()

    crowd, found = Crowd(Machines([partial(make, number) for number in range(2)])), {}
    games = [connect_four, wall_of_fire]
    crowd.run([partial(search, crowd, found, seed, games[seed % 2]) for seed in range(4)], 4)
    assert sorted(made) == [0, 1]
    for seed in range(4):
        assert_same(found[seed], alone(seed, games[seed % 2]))


def test_batches_that_have_nothing_to_do_make_room_for_others(monkeypatch):
    """Searches of one kind after another, where there is no memory for three kinds at a time."""
    monkeypatch.setattr(crowds, "_MANY", 2)
    crowd, found = Crowd(Machines([Cpu])), {}
    games = (connect_four, wall_of_fire, narrow_tunnel, harvest) * 2
    for seed, game in enumerate(games):
        crowd.run([partial(search, crowd, found, seed, game)], at_once=1)
    together = {}
    tasks = [partial(search, crowd, together, seed, game) for seed, game in enumerate(games)]
    crowd.run(tasks, at_once=8)  # of which some wait until others are done
    for seed, game in enumerate(games):
        assert_same(found[seed], alone(seed, game))
        assert_same(together[seed], found[seed])


def test_a_crowd_on_the_gpus_that_there_are(monkeypatch):
    monkeypatch.setattr(crowds, "gpus", lambda: [(3, 1000)])
    monkeypatch.setattr(crowds, "Gpu", lambda **_: Cpu())
    for device in ("cuda", "lanes"):
        crowd, found = crowds.open_crowd(device), {}
        crowd.run([partial(search, crowd, found, seed) for seed in range(4)], at_once=2)
        assert_same(found[3], alone(3))


def test_a_machine_that_could_not_be_made_may_be_later():
    failures = [DeviceError("no memory yet")]

    def make():
        if failures:
            raise failures.pop()
        return Cpu()

    crowd, found = Crowd(Machines([make])), {}
    with pytest.raises(DeviceError, match="no memory yet"):
        crowd.run([partial(search, crowd, found, 1)], at_once=1)
    crowd.run([partial(search, crowd, found, 1)], at_once=1)
    assert_same(found[1], alone(1))


# -- orders -------------------------------------------------------------------------------------


class Slow(Desk):
    """A desk that answers when it is told to."""

    def __init__(self):
        super().__init__()
        self.waiting = []

    def hand_in(self, orders, owner):
        self.waiting += [(order, owner) for order in orders]

    def answer(self, at):
        (searcher, asked, tickets), owner = self.waiting.pop(at)
        owner(Answers(tickets, Batch(searcher).run(asked)))


def test_quick_searches_do_not_wait_for_slow_ones(monkeypatch):
    """Whoever has its answer goes on, though what was handed in before is not answered."""
    crowd, order = Crowd(desk := Slow()), []

    def twice(name, game):
        for _ in range(2):
            search(crowd, {}, 1, game)
            order.append(name)

    answers = crowd._answers

    def answer_the_last():
        if desk.waiting:
            desk.answer(-1)
        return answers()

    monkeypatch.setattr(crowd, "_answers", answer_the_last)
    crowd.run([partial(twice, "slow", connect_four), partial(twice, "quick", wall_of_fire)], 2)
    assert order == ["quick", "quick", "slow", "slow"]


def test_a_task_that_asks_for_many_waits_for_all_of_them(monkeypatch):
    crowd, found = Crowd(desk := Slow()), []
    state = View(wall_of_fire).start()

    def count():
        searcher = crowd.searcher(View(wall_of_fire), TYPES, QUICK)
        found.append(searcher.choices(state, range(4)))

    def one_by_one(orders, owner):
        for searcher, asked, tickets in orders:
            for at in reversed(range(len(tickets))):
                part = Asked(*(array[at : at + 1] for array in asked))
                desk.waiting.append((Order(searcher, part, tickets[at : at + 1]), owner))
        while desk.waiting:
            desk.answer(0)

    monkeypatch.setattr(desk, "hand_in", one_by_one)
    crowd.run([count], at_once=1)
    expected = Searcher(wall_of_fire, TYPES, QUICK).choices(state, range(4))
    np.testing.assert_array_equal(found[0], expected)


def test_who_asks_for_nothing_goes_on_at_once():
    crowd, found = crowd_of(1), []
    state = View(wall_of_fire).start()

    def none():
        searcher = crowd.searcher(View(wall_of_fire), TYPES, QUICK)
        found.append(searcher.choices(state, []))

    crowd.run([none], at_once=1)
    np.testing.assert_array_equal(found[0], np.zeros((2, len(View(wall_of_fire).actions(state)))))


def test_what_nobody_waits_for_any_more_is_not_made():
    crowd, found = Crowd(machines := Machines([Cpu])), {}
    deep = options(iterations=2**15)

    def endless():
        searcher = crowd.searcher(View(wall_of_fire), (1, 8), deep)
        searcher.search(searcher.view.start())

    def broken():
        search(crowd, found, 1)
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        crowd.run([endless, broken], at_once=2)
    crowd.run([partial(search, crowd, found, 2)], at_once=1)
    assert_same(found[2], alone(2))
    (worker,) = machines._workers
    assert (worker.load, len(worker._numbers)) == (0, 0)


# -- searchers ----------------------------------------------------------------------------------


def test_equal_questions_share_a_searcher():
    crowd = crowd_of(1)
    one = crowd.searcher(View(connect_four), TYPES, QUICK)
    assert crowd.searcher(View(connect_four), TYPES, QUICK) is one
    assert crowd.searcher(View(connect_four), TYPES, options(iterations=5)) is not one
    assert crowd.searcher(View(wall_of_fire), TYPES, QUICK) is not one


def test_outside_of_a_run_searches_are_made_at_once():
    crowd, found = crowd_of(1), {}
    search(crowd, found, 1)
    crowd.run([partial(search, crowd, found, 2)], at_once=1)
    search(crowd, found, 3)
    elsewhere = threading.Thread(target=search, args=(crowd, found, 4))
    elsewhere.start()
    elsewhere.join()
    assert crowd.desk.handed_in == [[1]]
    for seed in (1, 2, 3, 4):
        assert_same(found[seed], alone(seed))


def test_choices_in_a_crowd():
    crowd, found = crowd_of(1), {}
    state = View(wall_of_fire).start()
    beliefs = {1: [0.5, 0.5]}

    def count(number):
        searcher = crowd.searcher(View(wall_of_fire), TYPES, QUICK)
        found[number] = searcher.choices(state, range(5), 2, beliefs)

    crowd.run([partial(count, number) for number in range(2)], at_once=2)
    expected = Searcher(wall_of_fire, TYPES, QUICK).choices(state, range(5), 2, beliefs)
    assert crowd.desk.handed_in == [[10]]
    for number in range(2):
        np.testing.assert_array_equal(found[number], expected)


def test_without_greenlet_a_crowd_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "greenlet", None)
    with pytest.raises(DeviceError, match=r"need greenlet .* pip install 'sizeup\[gpu\]'"):
        Crowd(Machines([Cpu]))
