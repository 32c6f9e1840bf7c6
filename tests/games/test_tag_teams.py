"""Tag teams: whenever a team of several is to move, chance draws who of it does."""

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, foraging, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.check import check_game
from sizeup.games.contract import CHANCE, View, load_game, tag_team
from sizeup.games.seats import seat, teams_to_seat
from sizeup.planning import Planner
from sizeup.play import Record, play
from sizeup.play.replay import play_again, replay, view_of
from sizeup.play.table import seated_view
from sizeup.search import Searcher, SearchOptions

SMALL = wall_of_fire.board("..F\n.SF\n..C", most_turns=6)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 1), (2, 2), (4, 3)])
@pytest.mark.parametrize("name", ["checkers", "connect-four", "four-in-a-row"])
def test_tag_teams_keep_the_contract(name, first, second):
    seated = seat(load_game(f"tag:{name}"), first, second)
    assert seated.INFO.name == f"tag:{name} {first}v{second}"
    report = check_game(seated, games=5)
    assert (report.chance_moves > 0) == (first + second > 2)


@pytest.mark.slow
def test_one_team_can_be_a_tag_team():
    check_game(seat(tag_team(wall_of_fire), 3, 0), games=5)


def walk(view, seed, moves=200):
    """A random match: who acted and what was done, whoever acts."""
    rng, state, done = np.random.default_rng(seed), view.start(), []
    for _ in range(moves):
        if not (actions := view.actions(state)):
            break
        actor = view.actor(state)
        odds = view.probabilities(state) if actor == CHANCE else None
        action = actions[int(rng.choice(len(actions), p=odds))]
        done.append((actor, action, state))
        state, _ = view.apply(state, action)
    return done, state


@pytest.mark.parametrize("game", [checkers, connect_four])
def test_only_who_moves_is_drawn_and_the_rest_is_the_game(game):
    alone, view = View(game), View(seat(tag_team(game), 3, 2))
    drawn = np.zeros(5)
    for seed in range(40):
        done, _ = walk(view, seed)
        state = alone.start()
        for (before, chosen, _), (actor, action, at) in zip(done[::2], done[1::2], strict=False):
            assert before == CHANCE
            side = alone.actor(state)
            assert actor == chosen + 3 * side
            assert view.actions(at) == alone.actions(state)
            assert view.base_state(at) == state
            state, _ = alone.apply(state, action)
            drawn[actor] += 1
    for team in (drawn[:3], drawn[3:]):
        expected = team.sum() / len(team)
        assert abs(team - expected).max() < 5 * np.sqrt(expected)


def test_a_team_of_one_has_nothing_to_draw():
    done, _ = walk(View(seat(tag_team(connect_four), 1, 2)), seed=1)
    assert [actor == CHANCE for actor, _, _ in done[:6]] == [False, True, False] * 2
    assert all(actor != CHANCE for actor, _, _ in walk(seated_view("tag:checkers", [1, 1]), 1)[0])


def test_a_side_without_a_move_has_lost_whoever_is_drawn():
    view = View(seat(tag_team(checkers), 2, 2))
    state = view.state_from_text("B:W32:B28 next ?,?")
    while view.actions(state):
        state, _ = view.apply(state, view.actions(state)[0])
    assert view.winner(state, 0.0) == 1 - view.teams[view.acting(state)]


def test_texts_say_who_is_drawn():
    view = View(seat(tag_team(connect_four), 2, 2))
    state = view.start()
    text = "......./......./......./......./......./....... x next ?,?"
    assert view.state_text(state) == text
    assert view.state_from_text(text) == state
    assert view.probabilities(state) == (0.5, 0.5)
    assert [view.action_text(state, n) for n in (0, 1)] == [
        "player 0 is drawn",
        "player 1 is drawn",
    ]
    state, _ = view.apply(state, view.action_from_text(state, " Player 1 is drawn"))
    assert view.actor(state) == 1
    state, _ = view.apply(state, view.action_from_text(state, "d"))
    assert view.action_text(state, 0) == "player 2 is drawn"
    with pytest.raises(InvalidInput, match="these are player 2 is drawn, player 3 is drawn"):
        view.action_from_text(state, "player 1 is drawn")
    with pytest.raises(InvalidInput, match="first = 2, outside"):
        view.state_from_text(text.replace("?,", "2,"))
    in_turn = View(seat(connect_four, 2, 2))
    with pytest.raises(InvalidInput, match="first = -1, outside"):
        in_turn.state_from_text(text)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: load_game("tag:harvest"), r"harvest has teams \(0, 0, 0\): a tag team needs"),
        (lambda: load_game("tag:tag:checkers"), "is a game for tag teams already"),
        (lambda: load_game("tag:chekers"), "did you mean 'checkers'"),
        (lambda: tag_team(foraging), "a tag team needs"),
        (lambda: tag_team(narrow_tunnel), "a tag team needs"),
        (lambda: tag_team(harvest), "a tag team needs"),
    ],
)
def test_what_cannot_be_a_tag_team(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_games_for_tag_teams_are_made_once():
    assert load_game("tag:checkers") is load_game("tag:checkers")
    assert load_game("tag:checkers") is not checkers
    assert not checkers.INFO.drawn_turns
    assert teams_to_seat(load_game("tag:checkers")) == 2


def test_records_are_the_same_for_one_seed_and_read_back():
    teams = ["obl:2+random", "obl:1+obl:1"]
    record = play("tag:connect-four", teams, seed=4)
    again = play("tag:connect-four", teams, seed=4)
    assert record.game == "tag:connect-four 2v2"
    assert [m.action for m in record.moves] == [m.action for m in again.moves]
    assert {m.player for m in record.moves} == {CHANCE, 0, 1, 2, 3}
    other = play("tag:connect-four", teams, seed=5)
    assert [m.player for m in other.moves[1::2]] != [m.player for m in record.moves[1::2]]
    read = Record.from_json(record.to_json())
    assert len(list(replay(read))) == len(record.moves)
    assert view_of(read).game is seat(load_game("tag:connect-four"), 2, 2)
    assert [m.action for m in play_again(read).moves] == [m.action for m in record.moves]


def test_one_team_plays_by_lot():
    record = play("tag:wall-of-fire", ["random+random"], params=SMALL, seed=2)
    assert record.game == "tag:wall-of-fire 2v0"
    assert [m.player == CHANCE for m in record.moves] == [True, False] * 6


def test_planners_see_the_lot():
    """A partner that cannot look ahead may be drawn to take the fire; its share is in the value."""
    planner = Planner(seated_view("tag:wall-of-fire", [2], SMALL), (1, 4))
    chance = np.flatnonzero(planner.game.actor == CHANCE)
    assert len(chance) > 0
    assert np.all(np.sort(planner.game.chance[chance], axis=1)[:, -2:] == 0.5)
    in_turn = Planner(seated_view("wall-of-fire", [2], SMALL), (1, 4))
    assert in_turn.game.states < planner.game.states
    view = seated_view("tag:connect-four", [2, 1])
    state, _ = view.apply(view.start(), 1)
    quick = SearchOptions(iterations=50, rollouts=1)
    result = Searcher(view, (1, 3), quick).search(state, seed=1, beliefs={0: [0.5, 0.5]})
    assert result.action in view.actions(state)
