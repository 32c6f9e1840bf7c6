"""Matches at games of OpenSpiel: agents, beliefs, records, the command line."""

import pytest
from typer.testing import CliRunner

from sizeup.adapters.open_spiel_game import open_spiel_game
from sizeup.agents import read_agent
from sizeup.cli import app
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.games.drawing import draw_text
from sizeup.play import Record, play
from sizeup.play.replay import replay
from sizeup.search import SearchOptions
from tests.adapters import rope  # noqa: F401  signs on with OpenSpiel

QUICK = SearchOptions(iterations=10, rollouts=1)


def quick(text, options=QUICK):
    return [read_agent(part, options) for part in text.split("+")]


def test_search_beats_random_play_at_tic_tac_toe():
    game, results = open_spiel_game("tic_tac_toe"), []
    for seed in range(4):
        results.append(play(game, [quick("obl:5"), ["random"]], seed=seed).total)
        results.append(-play(game, [["random"], quick("obl:5")], seed=seed).total)
    assert min(results) >= 0
    assert sum(results) >= 6


@pytest.mark.slow
def test_a_match_with_beliefs_is_the_one_over_our_own_rules():
    teams = [quick("ca:4@1,2,4+obl:1"), quick("obl:1")]
    theirs = play(open_spiel_game("connect_four"), teams, seed=4)
    ours = play("connect-four", teams, seed=4)
    assert theirs.game == "open_spiel:connect_four 2v1"
    assert ["abcdefg"["0123456".index(move.action[1])] for move in theirs.moves] == [
        move.action for move in ours.moves
    ]
    assert [move.seen for move in theirs.moves] == [move.seen for move in ours.moves]
    assert (theirs.total, theirs.winner, theirs.reason) == (ours.total, ours.winner, ours.reason)
    told = [move.seen[0] for move in theirs.moves if move.player == 1 and 0 in move.seen]
    assert len(told) >= 2
    assert any(seen.before != seen.after for seen in told)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "teams"),
    [
        ("breakthrough(rows=6,columns=4)", ["ca:2@1,2+random", "obl:1"]),
        ("pig(winscore=15)", ["obl:2", "ca:2@1,2+obl:1"]),
        ("checkers", ["obl:1", "random"]),
        ("catch", ["ca:2@1,2+obl:1"]),
        ("sizeup_rope(players=3,slips=True)", ["ca:2@1,2+obl:1+random"]),
        ("2048(max_tile=16)", ["obl:2+random"]),
    ],
)
def test_matches_are_recorded_and_played_back(game, teams):
    module = open_spiel_game(game)
    record = play(module, [quick(team) for team in teams], seed=3)
    assert record == play(module, [quick(team) for team in teams], seed=3)
    again = Record.from_json(record.to_json())
    assert again == record
    assert len(list(replay(again, module))) == len(record.moves) > 3
    assert (record.first_beliefs != {}) == any("ca" in team for team in teams)
    with pytest.raises(
        InvalidInput, match="is not a game that comes with Sizeup; pass the game's module"
    ):
        replay(record)


def test_a_team_pulls_together():
    """To pull pays from the second time on, so whoever begins has to trust the next one."""
    game = open_spiel_game("sizeup_rope(players=3)")
    options = SearchOptions(iterations=40, rollouts=2)
    assert play(game, [quick("obl:3+obl:3+obl:3", options)], seed=1).total == 5 * 3 - 3
    assert play(game, [quick("obl:1+obl:1+obl:1", options)], seed=1).total < 5 * 3 - 3


def test_catch_is_won_by_whoever_looks_to_its_end():
    game = open_spiel_game("catch(rows=5,columns=3)")
    options = SearchOptions(iterations=40, rollouts=1)
    assert [play(game, [quick("obl:5+obl:5", options)], seed=s).total for s in range(3)] == [
        1.0
    ] * 3


def test_a_picture_holds_openspiels_own():
    view = View(open_spiel_game("tic_tac_toe", teams=(2, 1)))
    state, _ = view.apply(view.start(), 4)
    drawn = draw_text(view.game, state, view.params).plain
    assert "... .x. ..." in drawn
    assert "player 2 to move" in drawn


@pytest.mark.slow
def test_the_command_line_takes_a_file_of_two_lines(tmp_path):
    path = tmp_path / "noughts.py"
    path.write_text(
        "from sizeup.adapters.open_spiel_game import open_spiel_game\n"
        'globals().update(vars(open_spiel_game("tic_tac_toe")))\n'
    )
    record = tmp_path / "match.json"
    teams = ["--team", "ca:2@1,2+obl:1", "--team", "random"]
    shown = CliRunner().invoke(app, ["watch", str(path), *teams, "--save", str(record)])
    assert shown.exit_code == 0, shown.output
    assert "open_spiel:tic_tac_toe 2v1" in shown.output
    again = CliRunner().invoke(app, ["replay", str(record), "--game", str(path)])
    assert again.exit_code == 0, again.output
