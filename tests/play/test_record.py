"""Records of version 1, which hold only the names of agents; short words about records."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from sizeup.agents import read_agent
from sizeup.capability import Beliefs
from sizeup.errors import InvalidInput
from sizeup.play import Record, play, set_table
from sizeup.play.match import play_at
from sizeup.play.record import _seal
from sizeup.play.replay import play_again, replay
from sizeup.play.show import MatchView
from tests.play.conftest import BRIEF, QUICK, SHORT, quick

OLD = Path(__file__).with_name("record_1.json")  # written by the code that wrote version 1
LACKS = "a record of version 1 holds the names of its agents only"


@pytest.fixture
def old():
    return Record.load(OLD)


def test_a_record_of_version_1_is_read_and_says_what_it_lacks(old):
    assert json.loads(OLD.read_text())["schema"] == "sizeup-record/1"
    assert old.players == ("ca:4", "obl:2", "random")
    named = tuple(replace(read_agent(name), rule="published") for name in old.players)
    assert old.agents == named  # there was no other rule
    assert (old.observer, old.carried) == (None, {})
    assert {move.note for move in old.moves} == {""}
    assert old.lacks.startswith(LACKS)


def test_a_record_of_version_1_is_played_back_and_again(old):
    assert [move for _, move in replay(old)] == list(old.moves)
    again = play_again(old)
    assert again.moves == old.moves
    assert again.first_beliefs == old.first_beliefs
    assert again.lacks == ""
    console = Console(file=io.StringIO(), width=60)
    MatchView(console).play_back(old)
    assert f"note: {LACKS}" in console.file.getvalue()


def test_a_record_of_version_1_stays_one(old, tmp_path):
    """Defaults are a guess, and saving a guess makes no knowledge of it."""
    assert old.to_json() == OLD.read_text()
    old.save(tmp_path / "copy.json")
    assert Record.load(tmp_path / "copy.json").lacks == old.lacks


@pytest.mark.slow
def test_a_record_of_version_1_with_other_options_is_not_played_again_as_it_was():
    """The reason for version 2."""
    match = play("wall-of-fire", [quick("ca:20+obl:2")], seed=1, params=SHORT)
    assert play_again(match).moves == match.moves
    named = replace(match, agents=tuple(map(read_agent, match.players)), lacks=LACKS)
    guessed = Record.from_json(named.to_json())
    assert guessed.agents[0].rule == "published" != match.agents[0].rule
    assert guessed.agents[0].options != match.agents[0].options == QUICK
    assert play_again(guessed).moves != match.moves


def test_players_of_version_1_that_are_no_agents_are_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trap.py").write_text("1 / 0")
    body = json.loads(OLD.read_text())
    body["players"] = ["ca:4", "Ada", "trap.py:2"]
    read = Record.from_json(json.dumps({**body, "sha256": _seal(body)}))
    assert read.agents[1:] == (None, None)
    again = play_again(read)
    assert again.players == read.players
    assert [move.action for move in again.moves] == [move.action for move in read.moves]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": []}, "the record has unknown fields: agents"),
        ({"schema": "sizeup-record/2"}, "the record has no 'agents'"),
        ({"seed": 5}, "the record was edited: its sha256 does not fit"),
    ],
)
def test_versions_are_not_mixed(change, message):
    with pytest.raises(InvalidInput, match=message):
        Record.from_json(json.dumps({**json.loads(OLD.read_text()), **change}))


AGENT = read_agent("ca:20").to_data()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": [AGENT]}, "the record has 1 agents for 2 players"),
        ({"agents": [AGENT, 7]}, "7 is not the configuration of an agent"),
        (
            {"agents": [AGENT, {"own": 2}]},
            "is not the configuration of an agent: its fields are own",
        ),
        (
            {"agents": [AGENT, {**AGENT, "hat": 1}]},
            "is not the configuration of an agent: its fiel",
        ),
        (
            {"agents": [AGENT, {**AGENT, "options": {"x": 1}}]},
            "not the configuration of an agent: ",
        ),
        ({"agents": [AGENT, {**AGENT, "options": 7}]}, "is not the configuration of an agent"),
        ({"agents": [AGENT, {**AGENT, "own": 0}]}, "an agent's type is 1 or more, got 0"),
        (
            {"agents": [AGENT, {**AGENT, "rule": 7}]},
            "a rule is .*, module:name or has a method evidence, got 7",
        ),
        ({"agents": [AGENT, {**AGENT, "rule": {"class": "os"}}]}, "is not an update rule"),
        ({"agents": [AGENT, {**AGENT, "rule": {"class": "phi"}}]}, "is not an update rule"),
        (
            {"agents": [AGENT, {**AGENT, "rule": {"class": "TypeSet", "values": [2]}}]},
            "a rule is .* got TypeSet",
        ),
        (
            {"agents": [AGENT, {**AGENT, "rule": {"clip": 1}}]},
            "is not the configuration of an agen",
        ),
        ({"observer": {"seat": 0}}, "observer = {'seat': 0}; expected a seat and an agent"),
        ({"observer": {"seat": "x", "agent": AGENT}}, "expected a seat and an agent"),
        ({"observer": {"seat": 7, "agent": AGENT}}, "there is no seat 7 to watch from"),
        ({"carried": {"me": {}}}, "the record has carried of me; expected numbers of seats"),
        ({"carried": {"0": {}}}, "carried beliefs that make no sense"),
        ({"carried": {"0": 7}}, "carried beliefs that make no sense"),
        ({"carried": {"7": {}}}, "carried beliefs of seat 7"),
        (
            {"carried": {"0": {"energy": [[0.0]], "updates": [0], "log_prior": [[0.0]]}}},
            "carried beliefs that make no sense",
        ),
    ],
)
def test_agents_that_make_no_sense_are_refused_in_one_line(fire, change, message):
    body = {**json.loads(fire.to_json()), **change}
    with pytest.raises(InvalidInput, match=message) as refused:
        play_again(Record.from_json(json.dumps({**body, "sha256": _seal(body)})))
    assert "\n" not in str(refused.value)


# -- what was counted, and what was carried -----------------------------------------------------


def resealed(record, change):
    """A record of which somebody has changed the data, and who knows how to seal it."""
    body = json.loads(record.to_json())
    change(body)
    return Record.from_json(json.dumps({**body, "sha256": _seal(body)}))


def test_counts_are_read_as_they_were_written(field):
    again = Record.from_json(field.to_json())
    assert again == field
    told = [seen for move in again.moves for seen in move.seen.values()]
    assert {seen.samples for seen in told} >= {4}
    assert all(len(seen.played) == len(seen.evidence) for seen in told)
    assert {None} < {count for seen in told for count in seen.played}  # above its own type
    assert [move for _, move in replay(again)] == list(field.moves)


def without_counts(body):
    for seen in (seen for move in body["moves"] for seen in move["seen"].values()):
        for name in ("played", "samples", "error"):
            del seen[name]


def test_a_record_from_before_anything_was_counted_is_read(field):
    read = resealed(field, without_counts)
    told = [seen for move in read.moves for seen in move.seen.values()]
    assert {(seen.played, seen.samples, seen.error) for seen in told} == {((), 0, 0.0)}
    assert len(list(replay(read))) == len(field.moves)


def test_an_agent_without_a_rule_had_the_published_one(field):
    def without_rules(body):
        for agent in body["agents"]:
            del agent["rule"]

    assert {agent.rule for agent in field.agents} == {"sampled"}
    assert {agent.rule for agent in resealed(field, without_rules).agents} == {"published"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"played": 7}, "seen = .*; expected actor, evidence, before and after"),
        ({"played": ["many"]}, "seen = .*; expected actor, evidence, before and after"),
        ({"samples": "many"}, "seen = .*; expected actor, evidence, before and after"),
        ({"samples": None}, "seen = .*; expected actor, evidence, before and after"),
        ({"samples": True}, "seen = .*; expected actor, evidence, before and after"),
        ({"error": None}, "seen = .*; expected actor, evidence, before and after"),
        ({"played": [1.0]}, "considers 3 types; expected a number for each, got \\[1.0\\]"),
        ({"played": []}, "considers 3 types; expected a number for each, got \\[\\]"),
        ({"played": [99.0] * 3}, "considers 3 types; expected a number for each, got \\[99"),
    ],
)
def test_counts_that_make_no_sense_are_refused_in_one_line(field, change, message):
    def counted(body):
        seen = next(move["seen"] for move in body["moves"] if move["seen"])
        next(iter(seen.values())).update(change)

    with pytest.raises(InvalidInput, match=message) as refused:
        list(replay(resealed(field, counted)))
    assert "\n" not in str(refused.value)


@pytest.fixture(scope="module")
def carried():
    """The second of two games between the same players, and what the first one left behind."""
    teams = [quick("ca:4@2,4,8+obl:2"), quick("obl:2")]
    table = set_table("checkers", teams, BRIEF)
    play_at(table, seed=3)
    return play("checkers", teams, seed=4, params=BRIEF, beliefs=table.beliefs), table.beliefs[0]


@pytest.mark.slow
def test_carried_beliefs_are_read_as_they_were_written(carried):
    record, held = carried
    assert held.none_prior == 0.01
    assert held.noise.max() > 0
    assert held.none.max() > 0
    again = Record.from_json(record.to_json())
    assert again.beliefs_carried() == {0: held}
    assert again.first_beliefs[0][1] == pytest.approx(held.probabilities()[1].tolist())
    assert play_again(again) == record


def test_beliefs_in_which_somebody_is_known_for_certain_are_carried():
    """Nothing speaks for none of these then: the evidence against it is infinite."""
    held = Beliefs.initial((2, 4), 4, 2, none=0.01).condition(1, on=2)
    team = [quick("ca:4@2,4+obl:2")]
    record = play("wall-of-fire", team, params=SHORT, beliefs={0: held})
    assert Record.from_json(record.to_json()).beliefs_carried() == {0: held}
    assert record.first_beliefs[0][1] == [1.0, 0.0]


def test_beliefs_that_were_carried_before_there_was_none_of_these(carried):
    def older(body):
        for name in ("noise", "none", "none_prior"):
            del body["carried"]["0"][name]

    (read,) = resealed(carried[0], older).beliefs_carried().values()
    assert (read.none_prior, read.noise.max(), read.none.max()) == (0.0, 0.0, 0.0)
    np.testing.assert_array_equal(read.energy, carried[1].energy)
    assert read.probabilities().sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "change",
    [
        {"noise": [[-1.0] * 3] * 3},
        {"energy": [["a"] * 3] * 3},
        {"updates": [10**30] * 3},
        {"updates": [0.5] * 3},
        {"none": 7},
        {"none": [-1.0] * 3},
        {"none_prior": 1.0},
        {"none_prior": "x"},
    ],
)
def test_carried_beliefs_that_make_no_sense(carried, change):
    read = resealed(carried[0], lambda body: body["carried"]["0"].update(change))
    with pytest.raises(InvalidInput):
        read.beliefs_carried()


def test_a_record_is_short_when_printed(fire, draughts):
    assert repr(fire) == "<Record of wall-of-fire: ca:20+obl:2, 6 moves, total −2>"
    assert repr(draughts).startswith(
        "<Record of checkers 2v1: ca:4+obl:2 against obl:2, 40 moves, w"
    )
    assert (fire.names, fire.depth_of(0), fire.types_of(1)) == (("ca:20", "obl:2"), 20, (2, 20))
