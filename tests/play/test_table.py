"""Who sits at a table: teams in any form, parameters, beliefs from earlier games, and refusals."""

import operator

import pytest

from sizeup.agents import Agent, Outsider, PluginAgent, read_agent
from sizeup.capability import Beliefs
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games import checkers, connect_four, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.play import play, set_table
from sizeup.play.table import members_of, seated_view
from tests.play.conftest import quick


def first(view, state, seed):
    return view.actions(state)[0]


class Picky:
    """A player that is an object."""

    def __call__(self, view, state, seed):
        """The last move."""
        return view.actions(state)[-1]


def test_teams_in_any_form_are_the_same_table():
    member = read_agent("ca:4")
    for team in ("ca:4+obl:2", ["ca:4", "obl:2"], ("ca:4", "obl:2"), [member, "obl:2"]):
        table = set_table("wall-of-fire", [team])
        assert (table.names, table.types, table.teams) == (("ca:4", "obl:2"), (2, 4), (0, 0))
    assert set_table("wall-of-fire", ("random+random",)).types == ()


def test_what_sits_at_a_table():
    watching = (1, read_agent("ca:8@2,8"))
    table = set_table("checkers", [["ca:4", "obl:2"], [first, Picky()]], observer=watching)
    assert [type(one) for one in table.seats] == [Agent, Agent, Outsider, Outsider]
    assert table.names == ("ca:4", "obl:2", "first", "Picky")
    assert sorted(table.agents) == [0, 1]
    assert sorted(table.watchers) == [0, 1]
    assert sorted(table.beliefs) == [0]
    assert [table.depth_of(p) for p in range(4)] == [4, 2, 0, 0]
    assert [table.types_of(p) for p in range(4)] == [(2, 4), (2, 8), (), ()]
    assert table.types == (2, 4)  # an observer is nobody's teammate
    assert set_table("checkers", ["random", "obl:2"]).depth_of(0) == 0


def test_an_observer_considers_the_types_of_the_match_if_it_names_none():
    table = set_table("wall-of-fire", ["obl:4+obl:2"], observer=(0, read_agent("ca:8")))
    assert table.types_of(0) == (2, 4, 8)
    with pytest.raises(InvalidInput, match="there is no seat 2 to watch from; seats are 0 to 1"):
        set_table("wall-of-fire", ["obl:4+obl:2"], observer=(2, read_agent("ca:8")))


@pytest.mark.parametrize(
    ("teams", "message"),
    [
        ("ca:8+obl:2", r"teams is a list with an entry for each team, .* got 'ca:8\+obl:2'$"),
        (None, "teams is a list with an entry for each team, .* got None$"),
        ({"a": "obl:2"}, "teams is a list with an entry for each team"),
        ([read_agent("ca:8")], "a team is a text like .* or a list of members, got AgentConfig"),
        ([None], "a team is a text like .* or a list of members, got None"),
        ([first], "a team is a text like .* or a list of members, got <function first"),
        ([[7, "obl:2"]], "7 is not a player; expected a text like ca:8 or a function"),
        ([[]], "a team needs a member, such as obl:2"),
        ([""], "'' is not an agent; expected a strategy and its type"),
        (["obl:2+"], "'' is not an agent"),
        ([[lambda view: 0, "obl:2"]], r"<lambda> cannot play: a player is called with \(view, st"),
        ([[lambda: 0, "obl:2"]], "<lambda> cannot play: .*; too many positional arguments$"),
        ([[operator.add, "obl:2"]], "add cannot play: .* returns a legal action; too many"),
        ([[Picky, "obl:2"]], r"(Picky|type) cannot play: .*called with \(view, state, seed\)"),
        ([["ca:8@2,4", "obl:2"]], r"8 is not among the types \(2, 4\); write ca:8@2,4,8"),
    ],
)
def test_teams_that_are_none_are_refused_in_a_sentence(teams, message):
    for call in (set_table, play):
        with pytest.raises(InvalidInput, match=message) as refused:
            call("wall-of-fire", teams)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("game", "teams", "message"),
    [
        ("narrow-tunnel", ["obl:2"], r"narrow-tunnel needs teams of 2, got teams of 1"),
        ("narrow-tunnel", ["obl:2+obl:2+obl:2"], "got teams of 3: for example obl:2\\+obl:2"),
        ("narrow-tunnel", [], "got teams of nobody"),
        ("wall-of-fire", ["+".join(["obl:2"] * 5)], "1 to 4 members, got 5"),
        ("wall-of-fire", ["obl:2+obl:2", "obl:2"], r"needs 1 team of 1 to 4 players, got 2"),
        ("wall-of-fire", [], r"needs 1 team of 1 to 4 players, got 0"),
        ("checkers", ["obl:2"], r"got 1: for example obl:2\+obl:4 and obl:2"),
        ("checkers", ["+".join(["obl:2"] * 5), "obl:2"], "1 to 4 members, got 5"),
        ("chekers", ["obl:2", "obl:2"], "there is no game 'chekers'"),
    ],
)
def test_games_that_have_no_such_teams(game, teams, message):
    with pytest.raises(InvalidInput, match=message):
        set_table(game, teams)


@pytest.mark.parametrize(
    "params", [{"most_plies": 60}, (60,), 60, wall_of_fire.INFO.params, checkers.CheckersParams]
)
def test_parameters_of_another_kind_are_refused_in_a_sentence(params):
    expected = (
        r"params of checkers are a CheckersParams with king_value, most_plies, most_quiet_plies, "
        r"got (dict|tuple|int|WallOfFireParams|type); sizeup.params_of\(game, \{\.\.\.\}\) makes "
        r"one from names"
    )
    for teams in (["random", "random"], ["random+random", "random"]):
        with pytest.raises(InvalidInput, match=expected):
            set_table("checkers", teams, params=params)


@pytest.mark.parametrize("name", ["ora", "public"])
def test_whoever_is_told_its_teammates_types_must_consider_them(name):
    with pytest.raises(
        InvalidInput,
        match=rf"{name}:4@4 is told that a teammate is of type 2, which is not among its types "
        rf"\(4,\); write {name}:4@2,4",
    ):
        set_table("wall-of-fire", [f"{name}:4@4+obl:2"])
    assert set_table("wall-of-fire", [f"{name}:4@4+obl:8"]).types == (4, 8)  # an equal, to it


def beliefs(types, own, players=2):
    return Beliefs.initial(types, own, players)


@pytest.mark.parametrize(
    ("held", "kind", "message"),
    [
        (beliefs((2, 4), 2), InfeasibleType, r"ca:4 cannot hold the beliefs of a player of type 2"),
        (
            beliefs((2, 4, 8), 4),
            InvalidInput,
            r"ca:4 considers the types \(2, 4\), but .*\(2, 4, 8",
        ),
    ],
)
def test_beliefs_that_an_agent_cannot_hold_are_refused(held, kind, message):
    with pytest.raises(kind, match=message):
        set_table("wall-of-fire", ["ca:4+obl:2"], beliefs={0: held})


def test_beliefs_of_a_stronger_player_are_refused_until_they_are_reduced():
    table = set_table("wall-of-fire", [quick("ca:4@2,4+ca:2@2,4")])
    with pytest.raises(
        InfeasibleType, match=r"ca:2@2,4 cannot hold the beliefs of a player of type 4: reduce them"
    ):
        set_table("wall-of-fire", [quick("ca:4@2,4+ca:2@2,4")], beliefs={1: table.beliefs[0]})
    reduced = table.beliefs[0].reduce(2)
    taken = set_table("wall-of-fire", [quick("ca:4@2,4+ca:2@2,4")], beliefs={1: reduced})
    assert taken.beliefs[1] == reduced


def test_beliefs_about_another_number_of_players_are_refused():
    for team, players in (("ca:4+obl:2", 3), ("ca:4+obl:2+obl:2", 2)):
        seats = team.count("+") + 1
        with pytest.raises(InvalidInput, match=f"game of {seats} players, .* are about {players}"):
            set_table("wall-of-fire", [team], beliefs={0: beliefs((2, 4), 4, players)})


def test_beliefs_that_nobody_would_use_are_refused():
    held = beliefs((2, 4), 4)
    for given in (7, None):
        with pytest.raises(InvalidInput, match=f"expected the Beliefs of seat 0, got {given}"):
            set_table("wall-of-fire", ["ca:4+obl:2"], beliefs={0: given})
    with pytest.raises(InvalidInput, match="beliefs are by seat"):
        set_table("wall-of-fire", ["ca:4+obl:2"], beliefs=[held])
    with pytest.raises(InvalidInput, match="beliefs for seat 2, but seats are 0 to 1"):
        set_table("wall-of-fire", ["ca:4+obl:2"], beliefs={2: held})
    with pytest.raises(
        InvalidInput, match="beliefs for first in seat 1, which cannot be given any"
    ):
        set_table("wall-of-fire", [["ca:4@2,4", first]], beliefs={1: held})


def test_a_table_is_set_on_any_form_of_a_game():
    view = View(connect_four, connect_four.ConnectFourParams(win=3.0))
    for game, params in (("connect-four", None), (connect_four, None), (view, view.params)):
        table = set_table(game, ["random", "random"])
        assert table.view.info.name == "connect-four"
        assert params is None or table.view.params is params
    assert set_table(view, ["random+random", "random"]).view.params.base is view.params
    seated = View(seat(connect_four, 2, 1))
    assert set_table(seated, ["random+random", "random"]).view.info.name == "connect-four 2v1"
    assert seated_view("wall-of-fire", [3]).info.name == "wall-of-fire 3v0"


def test_members_are_read_once_and_kept():
    config = read_agent("ca:4")
    [[kept, function], [read]] = members_of([[config, first], "random"])
    assert kept is config
    assert function is first
    assert read == read_agent("random")
    assert PluginAgent not in {type(one) for one in set_table("checkers", [[first], "obl:2"]).seats}
