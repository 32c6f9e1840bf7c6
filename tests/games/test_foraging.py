"""Foraging, held to a slow reference that shares no code with it; its seats, texts and trap."""

from dataclasses import replace

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import foraging
from sizeup.games.check import check_game
from sizeup.games.contract import CHANCE, View
from sizeup.games.drawing import draw_svg, draw_text, seat_name
from sizeup.games.seats import seat, teams_to_seat
from sizeup.planning import Planner, play_episode
from sizeup.play import Record, play
from sizeup.play.replay import replay, view_of
from sizeup.play.table import seated_view

BOARDS = {
    "the game's own": (foraging.BOARD, 2),
    "the game's own, three": (foraging.BOARD, 3),
    "the game's own, four": (foraging.BOARD, 4),
    "levels": ("A3.B\n.1#.\nC.4D", 4),
    "crowded": ("1A2\nBC1", 3),
    "alone": ("1A.2", 1),
}


class Reference:
    """The rules once more: dictionaries of places, nothing compiled."""

    def __init__(self, text, players, growth):
        self.tiles = {
            (y, x): tile
            for y, row in enumerate(text.strip("\n").splitlines())
            for x, tile in enumerate(row)
        }
        self.bushes = [at for at, tile in self.tiles.items() if tile.isdigit()]
        starts = {tile: at for at, tile in self.tiles.items() if tile in "ABCD"}
        self.places = [starts[letter] for letter in "ABCD"[:players]]
        self.ripe, self.mover, self.chance, self.growth = {*self.bushes}, 0, False, growth

    def neighbours(self, at):
        y, x = at
        return {"N": (y - 1, x), "E": (y, x + 1), "S": (y + 1, x), "W": (y, x - 1)}

    def options(self):
        """Texts of what can be done, with what chance gives each."""
        if self.chance:
            bare = [at for at in self.bushes if at not in self.ripe]
            grow = {f"food grows in row {y + 1}, column {x + 1}": (y, x) for y, x in bare}
            return {"nothing grows": 1 - self.growth} | dict.fromkeys(grow, self.growth / len(bare))
        ways = self.neighbours(self.places[self.mover]).items()
        blocked = {*self.bushes, *self.places}
        free = [way for way, to in ways if self.tiles.get(to, "#") != "#" and to not in blocked]
        return dict.fromkeys([".", *free])

    def do(self, text):
        """Reward of doing it."""
        if self.chance:
            self.chance = False
            if text != "nothing grows":
                row, column = text.removeprefix("food grows in row ").split(", column ")
                self.ripe.add((int(row) - 1, int(column) - 1))
            return 0
        here = self.places[self.mover]
        self.places[self.mover] = here = self.neighbours(here).get(text, here)
        paid = 0
        for bush in [at for at in self.ripe if at in self.neighbours(here).values()]:
            around = self.neighbours(bush).values()
            level = int(self.tiles[bush])
            if sum(place in around for place in self.places) >= level:
                self.ripe.remove(bush)
                paid += level**2
        self.mover = (self.mover + 1) % len(self.places)
        self.chance = self.mover == 0 and len(self.ripe) < len(self.bushes) and self.growth > 0
        return paid


def params_of(text, players, **given):
    return foraging.with_players(foraging.board(text, **given), players)


@pytest.mark.parametrize("growth", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("name", BOARDS)
def test_the_rules_are_those_of_the_reference(name, growth):
    text, players = BOARDS[name]
    view = seated_view("foraging", [players], foraging.board(text, growth=growth))
    for seed in range(5):
        rng, state = np.random.default_rng(seed), view.start()
        slow = Reference(text, players, growth)
        for _ in range(60):
            assert view.actor(state) == (CHANCE if slow.chance else slow.mover)
            texts = [view.action_text(state, action) for action in view.actions(state)]
            assert texts == list(slow.options())
            if slow.chance:
                assert view.probabilities(state) == pytest.approx([*slow.options().values()])
            wanted = texts[rng.integers(len(texts))]
            state, reward = view.apply(state, view.action_from_text(state, wanted))
            assert reward == slow.do(wanted)
            assert view.state_from_text(view.state_text(state)) == state


def walk(view, texts):
    state, rewards = view.start(), []
    for text in texts:
        state, reward = view.apply(state, view.action_from_text(state, text))
        rewards.append(reward)
    return state, rewards


def test_food_waits_until_there_are_enough():
    view = View(foraging, foraging.board("A.2.B", growth=0.5))
    state, rewards = walk(view, ["E", ".", ".", "W"])
    assert rewards == [0, 0, 0, 4]
    assert view.state_text(state) == ".A-B. *"
    assert view.probabilities(state) == (0.5, 0.5)
    state, _ = view.apply(state, 1)
    assert view.state_text(state) == ".A2B. A"
    assert view.apply(state, foraging.STAY)[1] == 4  # both are still there


def test_a_forager_gathers_all_around_it_at_once():
    text = "A1.\n1.1\n.1."
    view = seated_view("foraging", [1], foraging.board(text, growth=0))
    _, rewards = walk(view, ["."])
    assert rewards == [2]


def test_totals_lie_within_the_bounds_and_reach_them():
    params = foraging.board("A2B", growth=1.0, most_turns=5)
    assert foraging.total_bounds(params) == (0.0, 12.0)
    view = View(foraging, params)
    grows = "food grows in row 1, column 2"
    assert sum(walk(view, [".", ".", grows, ".", ".", grows, "."])[1]) == 12.0
    unreachable = params_of("A3.B", 2, most_turns=5)
    assert foraging.total_bounds(unreachable) == (0.0, 0.0)
    assert foraging.total_bounds(params._replace(growth=0.0)) == (0.0, 4.0)
    assert foraging.adjourned(23, 0) is None
    assert foraging.adjourned(24, 0) == "24 turns played"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: foraging.board("A..B"), "has 1 to 12 bushes .* got 0"),
        (lambda: foraging.board("AB" + "1" * 13), "has 1 to 12 bushes .* got 13"),
        (lambda: foraging.board("A1C"), "needs foragers from A on, found A C"),
        (lambda: foraging.board("1.."), "needs foragers from A on, found none"),
        (lambda: foraging.board("A1A"), "needs exactly one 'A', found 2"),
        (lambda: foraging.board("A5"), "column 2 is '5'"),
        (lambda: foraging.board("A1", growth=1.5), "growth is a probability, got 1.5"),
        (lambda: foraging.board("A1", most_turns=-1), "most_turns is 0 or more, got -1"),
        (lambda: play("foraging", ["random"] * 2), "needs 1 team of 1 to 4 players, got 2"),
        (
            lambda: play("foraging", ["random+random+random"], params=foraging.board("A1B")),
            "has places for 2 foragers, got a team of 3; draw A to C on it",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["A.2.. A", "A.2.B C", "A.2.B *", "A.-.B D", "A.1.B A", "A.2.BC A", "A.2.B", "#.2.A B", ""],
)
def test_texts_of_no_state_are_refused(text):
    view = View(foraging, foraging.board("A.2.B"))
    with pytest.raises(InvalidInput, match="not a state of"):
        view.state_from_text(text)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 3, 4])
def test_as_many_foragers_play_as_the_team_has_members(players):
    assert teams_to_seat(foraging) == 1
    seated = seat(foraging, players, 0)
    assert teams_to_seat(seated) == 0
    assert check_game(seated, games=5).chance_moves > 10
    record = play("foraging", ["+".join(["random"] * players)], seed=1)
    movers = [move.player for move in record.moves if move.player != CHANCE]
    assert movers == [turn % players for turn in range(24)]
    assert record.params["base"]["foragers"] == players
    again = Record.from_json(record.to_json())
    assert len(list(replay(again))) == len(record.moves)
    assert view_of(again).base.params.foragers == players
    assert [seat_name(View(seated), player) for player in range(players)] == list("ABCD"[:players])


def test_a_record_with_other_foragers_than_players_is_refused():
    record = play("foraging", ["random+random"], seed=1)
    three = replace(record, params={**record.params, "foragers": 3})
    with pytest.raises(InvalidInput, match=r"params\.foragers is 3, expected 2 for a team of 2"):
        view_of(three)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("width", 0), ("wall", [0]), ("bush", [0, 0, -1, -1, -1]), ("level", [5]), ("level", []),
        ("starts", [2, 4]), ("starts", [0, 0]), ("starts", [0, 9]), ("foragers", 0),
        ("foragers", 3), ("growth", 1.5), ("growth", float("nan")), ("most_turns", -1),
    ],
)  # fmt: skip
def test_parameters_that_rules_would_trip_over_are_outside_the_limits(field, value):
    params = foraging.board("A.2.B")
    assert all(limit.holds for limit in foraging.LOOK.limits(params))
    wrong = np.array(value, dtype=np.int64) if isinstance(value, list) else value
    broken = params._replace(**{field: wrong})
    found = next(limit for limit in foraging.LOOK.limits(broken) if not limit.holds)
    assert found.field == field


def test_drawings_tell_ripe_from_bare():
    view = View(foraging, foraging.board("1A.2B"))
    state, _ = walk(view, [".", "."])
    text = draw_text(foraging, state, view.params).plain
    assert " w  A  .  2  B " in text
    assert "bare, grows food for 1" in text
    assert "chance decides what grows again" in text
    assert "food for 2" in draw_svg(foraging, state, view.params)


@pytest.mark.slow
def test_going_for_food_with_a_partner_who_does_not_come_costs_time():
    """One who takes a shallow partner for its equal waits for it beside food that takes two; one
    who sizes it up sees that it does not come, and gathers what it can alone."""
    planner = Planner(View(foraging, foraging.board(foraging.TRAP, growth=0)), (2, 12))

    def mean(own, plan):
        seeds = range(60)
        return np.mean(
            [play_episode(planner, own, turns=14, seed=s, plan=plan).total for s in seeds]
        )

    assert mean((12, 12), "oblivious") == 5.0
    assert mean((12, 2), "aware") == 2.0
    assert 1.0 <= mean((12, 2), "oblivious") < 1.5
