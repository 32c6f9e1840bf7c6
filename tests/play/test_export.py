"""Matches of checkers as PDN: read back by our own reader and another, with beliefs as comments."""

import io
import re
import sys
from dataclasses import replace

import pytest
from draughts import Board
from draughts import Move as DraughtsMove
from draughts.PDN import PDNReader

from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.notation import state_from_fen
from sizeup.games.checkers.pdn import read_pdn
from sizeup.games.contract import View
from sizeup.play import Record, play
from sizeup.play.export import to_pdn
from sizeup.play.infer import infer
from sizeup.play.replay import replay, view_of
from sizeup.search import SearchOptions
from tests.test_cli import run

QUICK = SearchOptions(iterations=10, rollouts=1)
RULES = View(checkers)
BRIEF = checkers.CheckersParams(most_plies=60)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


@pytest.fixture(scope="module")
def teams():
    return play("checkers", [quick("ma:4+ma:2"), quick("ca:3+obl:1")], seed=1, params=BRIEF)


@pytest.fixture(scope="module")
def pair():
    return play("checkers", [quick("obl:3"), quick("obl:1")], seed=2)


def final_position(record):
    before, move = list(replay(record))[-1]
    view = view_of(record)
    after, _ = view.apply(before, view.action_from_text(before, move.action))
    return getattr(after, "base", after)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["teams", "pair"])
def test_our_reader_reads_the_same_game(name, request):
    record = request.getfixturevalue(name)
    [game] = read_pdn(to_pdn(record))
    state, texts = game.start, []
    for action in game.actions:
        texts.append(RULES.action_text(state, action))
        state, _ = RULES.apply(state, action)
    assert texts == [move.action for move in record.moves]
    assert (game.start, state) == (RULES.start(), final_position(record))
    assert game.result == {0: "1-0", 1: "0-1", None: "1/2-1/2"}[record.winner]
    tags = dict(game.tags)
    assert (tags["Event"], tags["Seed"]) == (record.game, str(record.seed))
    assert (tags["Termination"], tags["Score"]) == (record.reason, f"{record.total:g}")


def test_sides_are_named_as_teams_are_written(teams):
    tags = dict(read_pdn(to_pdn(teams))[0].tags)
    assert (tags["Black"], tags["White"]) == ("ma:4+ma:2", "ca:3+obl:1")


@pytest.mark.parametrize("name", ["teams", "pair"])
def test_another_reader_reads_the_same_game(name, request):
    record = request.getfixturevalue(name)
    [game] = PDNReader(pdn_text=to_pdn(record)).games
    assert game.variant == "english"
    assert game.moves == [move.action for move in record.moves]
    assert game.game_ending == game.tags["Result"] == read_pdn(to_pdn(record))[0].result
    board = Board(variant="english")
    for move in game.moves:
        board.push(DraughtsMove(board, pdn_move=move))
    assert state_from_fen(board.fen) == final_position(record)


def test_comments_say_who_moved_and_what_that_changed(teams):
    [game] = read_pdn(to_pdn(teams))
    told = re.compile(r"seat (\d) on seat (\d): (.*)")
    held = {}
    for move, comment in zip(teams.moves, game.comments, strict=True):
        seat, *changes = comment.split(" | ")
        assert seat == f"seat {move.player}"
        for change in changes:
            holder, actor, belief = told.fullmatch(change).groups()
            assert actor == str(move.player) != holder
            assert held.get((holder, actor)) != belief
            held[holder, actor] = belief
        for player, seen in move.seen.items():
            if player == move.player or (str(player), str(move.player)) not in held:
                continue
            none = 1 - sum(seen.after)
            shares = dict(zip((*teams.types, "none"), (*seen.after, none), strict=True))
            expected = ", ".join(f"{c} {p:.0%}" for c, p in shares.items() if f"{p:.0%}" != "0%")
            assert held[str(player), str(move.player)] == expected
    assert set(held) >= {("0", "1"), ("2", "3")}  # seat 1 can tell no types apart, seat 3 does not


def test_no_line_is_lost_to_readers_that_skip_some(teams):
    """A line of PDN that opens with % is skipped, and so is what follows a semicolon."""
    lines = to_pdn(teams).splitlines()
    assert all(len(line) <= 80 and not line.startswith("%") for line in lines)
    assert not any(";" in line for line in lines)


def test_a_pair_needs_no_comments(pair):
    assert read_pdn(to_pdn(pair))[0].comments == ()


def test_a_game_that_starts_elsewhere_says_where(teams):
    state, _ = list(replay(teams))[7]
    text = view_of(teams).state_text(state)
    late = replace(teams, start=text, moves=teams.moves[7:])
    pdn = to_pdn(late)
    assert '[SetUp "1"]' in pdn
    assert " 1... " in f" {pdn.split(']')[-1].strip()}"
    [game] = read_pdn(pdn)
    assert game.start == state.base
    assert len(game.actions) == len(late.moves)


def test_names_are_kept_on_one_line():
    def odd(view, state, seed):
        return view.actions(state)[0]

    odd.__name__ = 'the "great"\nbot'
    record = play("checkers", [[odd], ["random"]], params=checkers.CheckersParams(most_plies=2))
    assert dict(read_pdn(to_pdn(record))[0].tags)["Black"] == 'the "great" bot'


@pytest.mark.slow
def test_inference_takes_it(pair):
    found = [infer(games, (1, 3), options=QUICK) for games in ([pair], read_pdn(to_pdn(pair)))]
    data = [[player.to_dict() for player in one.players] for one in found]  # None where it is NaN
    warnings = [[player.pop("mistrusted") for player in one] for one in data]
    assert data[0] == data[1]
    assert [player["name"] for player in data[0]] == ["obl:3", "obl:1"]
    # A record says that its players are searches; a PDN file does not.
    assert "not known to be a search" in warnings[1][0][0]
    assert not any("not known to be a search" in told for player in warnings[0] for told in player)


def test_what_cannot_be_pdn(teams):
    with pytest.raises(InvalidInput, match="PDN is for checkers, but this is a match of connect-"):
        to_pdn(play("connect-four", ["random", "random"]))
    move = replace(teams.moves[1], action="1-32")
    with pytest.raises(InvalidInput, match=r"ply 2 of the record: .*'1-32' is not legal"):
        to_pdn(replace(teams, moves=(teams.moves[0], move, *teams.moves[2:])))
    seen = replace(teams.moves[2].seen[0], after=(1.0,))
    move = replace(teams.moves[2], seen={0: seen})
    with pytest.raises(InvalidInput, match=r"beliefs \(1\.0,\) are not one for each of the types"):
        to_pdn(replace(teams, moves=(*teams.moves[:2], move)))


RANDOM = ["--team", "random+random", "--team", "random", "--seed", "2"]


@pytest.mark.slow
def test_watch_saves_what_the_name_says_and_replay_converts(tmp_path):
    pdn, record, other, copy = (
        tmp_path / name for name in ("a.pdn", "a.json", "record", "copy.PDN")
    )
    for path in (pdn, record, other):
        watched = run("watch", "checkers", *RANDOM, "--delay", "0", "--save", path)
        assert (watched.returncode, watched.stdout.splitlines()[-1]) == (0, f"wrote {path}")
    assert record.read_text() == other.read_text()
    assert to_pdn(Record.load(record)) == pdn.read_text()
    assert run("replay", record, "--delay", "0", "--save", copy).returncode == 0
    assert copy.read_text() == pdn.read_text()
    told = run("infer", pdn, "--types", "1,2")
    assert told.returncode == 0
    assert "random+random" in told.stdout


def test_a_person_saves_a_match(tmp_path, monkeypatch):
    def person(view, state, seed):
        return view.actions(state)[0]

    record = play("checkers", [[person, "random"], ["random"]], seed=2)
    typed = [f"{move.action}\n" for move in record.moves if move.player == 0]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(typed)))
    path = tmp_path / "mine.pdn"
    assert run("play", "checkers", *RANDOM, "--as", "0", "--save", path).returncode == 0
    assert path.read_text() == to_pdn(record)


@pytest.mark.parametrize("verb", ["watch", "play", "replay"])
def test_what_cannot_be_saved_is_refused_before_the_match(verb, tmp_path):
    record = tmp_path / "four.json"
    play("connect-four", ["random", "random"]).save(record)
    arguments = {
        "watch": ["watch", "connect-four", *RANDOM],
        "play": ["play", "connect-four", *RANDOM, "--as", "0"],
        "replay": ["replay", record],
    }[verb]
    failed = run(*arguments, "--save", "game.pdn")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith("sizeup: PDN is for checkers, but this is a match of connect-f")
    lost = run(*arguments, "--save", tmp_path / "no" / "game.json")
    assert (lost.returncode, lost.stdout) == (2, "")
    assert "there is no folder" in lost.stderr
