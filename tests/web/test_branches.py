"""A record goes on as the match would have: the same players, beliefs, options and seeds."""

import json
from dataclasses import replace

import numpy as np
import pytest

import sizeup
from sizeup.agents import AgentConfig, read_agent
from sizeup.agents.engine import SearchEngine
from sizeup.capability import Sampled, Tempered, TypeSet
from sizeup.errors import InvalidInput
from sizeup.games import connect_four
from sizeup.play.match import Match, play_at
from sizeup.play.record import Record, _seal
from sizeup.play.table import set_table
from sizeup.search import SearchOptions
from sizeup.search.searcher import Cancel
from sizeup.web.branch import WhatIfMatch, match_before, table_before
from sizeup.web.game import FreshSearcher
from sizeup.web.offers import Offer, Offers
from sizeup.web.records import keep, open_kept, read_record, record_data
from sizeup.web.settings import Settings
from tests.web.clients import OURS

QUICK = SearchOptions(iterations=20, rollouts=1)
MATES = SearchOptions(iterations=20, rollouts=1, teammate_iterations=5)


def searcher(*what):
    return FreshSearcher(Cancel(), *what)


def opened(record, offers=OURS):
    return open_kept(keep(record, offers.of_record(record), "uploaded", "Ada"), offers)


def agent(text, options=QUICK, **changes):
    return replace(read_agent(text, options), **{"accuracy": 0.1, **changes})


OPTIONS = {
    "plain": {},
    "teammates": {"options": MATES},
    "accuracy": {"accuracy": 0.05},
    "published": {"rule": "published", "temperature": 0.4, "clip": 0.2},
    "forget": {"forget": 0.3},
    "change": {"change": 0.05},
    "common": {"common_seed": True},
    "prior": {"prior": (0.7, 0.2, 0.1)},
    "rule": {"rule": Tempered(0.2, 0.3)},
    "sampled rule": {"rule": Sampled(0.1, none=0.2)},
    "named rule": {"rule": "sizeup.capability.updates:Exact"},
    "all": {"options": MATES, "forget": 0.2, "common_seed": True, "prior": (0.2, 0.3, 0.5)},
}


def custom_match(options, names=("ca:4@1,2,4", "ma:4@1,2,4"), seed=0):
    """Two who size each other up, against somebody simple."""
    team = [agent(name, **options) if options else agent(name) for name in names]
    return sizeup.play("connect-four", [team, [agent("obl:2")]], seed=seed)


def branched(record, ply, action, offers=OURS):
    branch = WhatIfMatch(opened(record, offers), offers, ply, action, searcher, most_plies=400)
    while not branch.finished:
        branch.step()
    return branch.record()


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_same_action_is_the_same_match(options):
    """Move for move and belief for belief, whatever agents are configured with."""
    record = custom_match(options)
    assert any(move.seen for move in record.moves)
    for ply in (1, len(record.moves) // 2, len(record.moves)):
        assert branched(record, ply, record.moves[ply - 1].action) == record


@pytest.mark.slow
def test_what_is_recalled_is_what_was_learnt():
    """Evidence, its error and what speaks for none of the depths, from the file alone."""
    team = [agent("ca:4@1,2,4", forget=0.1), agent("ma:4@1,2,4")]
    teams = [team, [agent("obl:2")]]
    record = sizeup.play("connect-four", teams, seed=0)
    told, live = opened(Record.from_json(record.to_json())), Match(set_table("connect-four", teams))
    learnt = 0
    for ply in range(1, len(record.moves) + 1):
        match = match_before(told, OURS.seated(record), ply, searcher)
        for seat, watcher in match.table.watchers.items():
            there = live.table.watchers[seat]
            assert watcher.beliefs == there.beliefs
            learnt += bool((there.beliefs.noise > 0).any() and there.beliefs.none_of_these().max())
        live.step()
    assert learnt > 10


@pytest.mark.slow
def test_a_game_with_chance_goes_on_as_it_did():
    record = sizeup.play("harvest", [[agent("ca:4"), agent("obl:1"), agent("ca:2@1,2")]], seed=2)
    lots = [at for at, move in enumerate(record.moves, 1) if move.player < 0]
    for ply in (2, lots[1], lots[1] + 1):
        assert branched(record, ply, record.moves[ply - 1].action) == record
    texts = [one["action"] for one in opened(record).story.states[lots[0] - 1]["legal"]]
    other = next(text for text in texts if text != record.moves[lots[0] - 1].action)
    assert branched(record, lots[0], other).moves[lots[0] - 1].action == other


THEIRS = Offers.of(Settings(games=("tag:connect-four",), agents=("plastic", "hba")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "teams"),
    [
        ("connect-four", [["plastic:2@1,2", "hba:2@1,2"], ["obl:2"]]),
        ("foraging", [["ca:3@1,3", "plastic:2@1,2"]]),
        ("foraging", [["ca:2@1,2", "obl:1", "obl:2"]]),
        ("tag:connect-four", [["ca:2@1,2", "obl:1"], ["obl:1"]]),
    ],
)
def test_any_agents_at_any_game_branch_into_the_same_match(game, teams):
    seated = [[agent(text) for text in team] for team in teams]
    record = sizeup.play(game, seated, seed=3)
    middle = len(record.moves) // 2
    for ply in (1, middle):
        assert branched(record, ply, record.moves[ply - 1].action, THEIRS) == record


def test_beliefs_from_earlier_games_are_carried_into_the_branch():
    teams = [[agent("ca:4@1,2,4"), agent("obl:2")], [agent("obl:2")]]
    table = set_table("connect-four", teams)
    play_at(table, seed=1)
    record = sizeup.play("connect-four", teams, seed=2, beliefs=table.beliefs)
    assert record.carried
    assert branched(record, 5, record.moves[4].action) == record


def test_a_silent_observer_watches_the_branch_too():
    teams = [[agent("obl:4"), agent("obl:1")], [agent("obl:2")]]
    table = set_table("connect-four", teams, observer=(0, agent("ca:4@1,4")))
    record = play_at(table, seed=1)
    assert branched(record, 6, record.moves[5].action) == record
    told = opened(record)
    assert told.story.data()["observer"]
    mine = [at for at, move in enumerate(record.moves, 1) if move.player == 1 and 0 in move.seen]
    for ply in mine:
        assert counts_of(told, ply) == counts_seen(record, ply, by=0)
    assert len(mine) > 2


def counts_of(told, ply, as_type=None):
    """In how many searches each depth plays the move that was played, by the table."""
    found = table_before(told, OURS, ply, as_type, searcher)["table"]
    (played,) = (line for line in found["actions"] if line["played"])
    # A watcher adds up batches, a table counts at once: parts of ties differ in the ninth digit.
    return [pytest.approx(one["played"]) for one in played["by_type"]], found["searches"]


def counts_seen(record, ply, by):
    """The same, by what somebody made of it in the match."""
    seen = record.moves[ply - 1].seen[by]
    return list(seen.played), seen.samples


@pytest.mark.slow
def test_a_branch_of_a_branch_remembers_what_was_believed():
    """With another seed, what was believed before would have to be the same all the same."""
    record = custom_match({})
    again = branched(record, 7, None)
    assert again.seed != record.seed
    third = branched(again, 9, again.moves[8].action)
    assert third == again
    assert [move.seen for move in third.moves[:6]] == [move.seen for move in record.moves[:6]]


def is_counted(options):
    return "sampled" in str(options.get("rule", "sampled")).lower()


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_table_agrees_with_the_sentence(options):
    """Each sizes the other up: what is told of a move is told by who watched it."""
    record = custom_match(options)
    told, checked = opened(record), 0
    for ply, move in enumerate(record.moves[:12], start=1):
        if move.player not in (0, 1) or not move.seen:
            continue
        found = table_before(told, OURS, ply, None, searcher)["table"]
        totals = np.sum(
            [[one["played"] for one in line["by_type"]] for line in found["actions"]], 0
        )
        assert totals == pytest.approx(found["searches"])  # each search comes to something
        checked += 1
        if is_counted(options):
            assert counts_of(told, ply) == counts_seen(record, ply, by=1 - move.player)
            said = told.story.moves[ply - 1]["sentence"]
            assert f"of {found['searches']} searches" in said or "tells nothing" in said
        else:
            assert found["searches"] == 8  # nobody counted: a few are enough to look at
    assert checked > 4


def person(view, state, seed):
    actions = view.actions(state)
    return actions[seed % len(actions)]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_person_s_table_is_of_the_search_that_sized_it_up(options):
    """Of the deepest who watched, with its options and random numbers, also if they are shared."""
    watching = [agent("ca:4@1,2,4", **options), agent("ca:2@1,2,4", **options), person]
    record = sizeup.play("wall-of-fire", [watching], seed=1)
    told, checked = opened(record), 0
    for ply, move in enumerate(record.moves, start=1):
        if move.player == 2 and 0 in move.seen:
            found = table_before(told, OURS, ply, None, searcher)["table"]
            assert table_before(told, OURS, ply, 4, searcher)["table"] == found
            if is_counted(options):
                assert counts_of(told, ply) == counts_seen(record, ply, by=0)
            reduced = table_before(told, OURS, ply, 2, searcher)["table"]
            assert reduced["types"] == [1, 2]
            for less, line in zip(reduced["actions"], found["actions"], strict=True):
                wanted = [one["played"] for one in line["by_type"][:2]]
                assert [one["played"] for one in less["by_type"]] == wanted
            checked += 1
    assert checked > 2


def test_a_table_of_the_published_rule_is_searched_with_what_was_believed():
    """Its beliefs are losses, which are sharp at its own temperature and flat at another."""
    team = [agent("ca:4@1,2,4", rule="published"), agent("obl:1")]
    record = sizeup.play("connect-four", [team, [agent("obl:2")]], seed=3)
    told, checked = opened(record), 0
    for ply, move in enumerate(record.moves, start=1):
        if move.player == 1 and 0 in move.seen:
            match = match_before(told, OURS.seated(record), ply, searcher)
            watcher = match.table.watchers[0]
            engine = SearchEngine(match.view, TypeSet((1, 2, 4)), team[0], searcher)
            seed = match.eyes(0, watcher)
            wanted = engine.counts(match.state, watcher.beliefs, seed, range(8))
            found = table_before(told, OURS, ply, None, searcher)["table"]
            rows = [[one["played"] for one in line["by_type"]] for line in found["actions"]]
            assert np.array(rows).T.tolist() == wanted.tolist()
            checked += 1
    assert checked > 3


def test_a_table_makes_no_more_searches_than_are_good_for_a_server():
    record = sizeup.play("connect-four", [[agent("ca:2@1,2"), person], [agent("obl:1")]], seed=1)
    at = next(at for at, move in enumerate(record.moves) if move.player == 1 and move.seen)
    move = record.moves[at]
    odd = replace(move, seen={0: replace(move.seen[0], samples=10**9)})
    changed = replace(record, moves=(*record.moves[:at], odd, *record.moves[at + 1 :]))
    found = table_before(opened(changed), OURS, at + 1, None, searcher)["table"]
    assert found["searches"] == 128


@pytest.mark.slow
def test_moves_before_it_are_not_searched_again():
    record = custom_match({})
    told, made = opened(record), []

    def counting(*what):
        made.append(what)
        return searcher(*what)

    match = match_before(told, OURS.seated(record), 9, counting)
    assert len(made) == 3  # one for each plan; nothing was inferred
    assert match.plies == 8
    for seat, watcher in match.table.watchers.items():
        assert watcher.probabilities().tolist() == [list(row) for row in told.story.held[8][seat]]


def version_1(record):
    """The record as the first version wrote it."""
    body = json.loads(record.to_json())
    for name in ("agents", "observer", "carried", "most_plies", "sha256"):
        del body[name]
    for move in body["moves"]:
        del move["note"]
        for seen in move["seen"].values():
            for name in ("played", "samples", "error"):
                del seen[name]
    body["schema"] = "sizeup-record/1"
    return json.dumps({**body, "sha256": _seal(body)})


def test_an_old_record_is_shown_with_what_it_lacks(visitor):
    published = replace(read_agent("ca:2@1,2"), rule="published")
    record = sizeup.play("connect-four", [[published, "obl:1"], "obl:1"], seed=3)
    text = version_1(record)
    kind = {"Content-Type": "application/json"}
    name = visitor.http.post("/api/records", content=text, headers=kind).json()["id"]
    shown = visitor.get(f"/api/records/{name}")
    assert "version 1" in shown["lacks"]
    assert [player["kind"] for player in shown["players"]] == ["ca", "obl", "obl"]
    assert visitor.http.get(f"/api/records/{name}/export/json").text == text
    said = [move["sentence"] for move in shown["moves"] if move["seat"] == 1]
    assert any("It fits players that look " in text or "tells nothing" in text for text in said)
    assert not any("searches" in text for text in said)
    found = visitor.get(f"/api/records/{name}/tables/2")
    assert (found["table"]["types"], found["table"]["searches"]) == ([1, 2], 8)
    data = {"ply": 4, "action": record.moves[3].action}
    branch = visitor.post(f"/api/records/{name}/what-if", data=data)
    found = visitor.get(f"/api/records/{branch['id']}")
    assert [m["action"] for m in found["moves"]] == [m["action"] for m in shown["moves"]]
    assert found["lacks"] == ""


def test_a_file_named_in_an_old_record_is_nobody_s(tmp_path):
    """Whether there is such a file is not told either."""
    (tmp_path / "x.py").write_text("raise SystemExit")
    record = sizeup.play("connect-four", [[person], "obl:1"], seed=1)
    for path in (tmp_path / "x.py", tmp_path / "y.py"):
        named = replace(record, players=(f"{path}:2", "obl:1"))
        assert read_record(version_1(named)).agents[0] is None


def hostile(record, **changes):
    """A record whose first agent was written by somebody who means harm."""
    data = {**record.agents[0].to_data(), **changes}
    return replace(record, agents=(AgentConfig.from_data(data), *record.agents[1:]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rule": "antigravity:fly"}, "antigravity:fly, which this server does not load"),
        ({"rule": "sizeup.capability_of_mine:Rule"}, "this server does not load"),
        ({"own": 60, "types": []}, "limited to depth 12 here, got 60"),
        ({"rule": "sampled", "accuracy": 0.005}, "searches for longer than this server allows"),
        ({"rule": {"class": "Sampled", "accuracy": 0.005}}, "searches for longer"),
        ({"options": {"iterations": 10**6}}, "searches for longer than this server allows"),
        ({"options": {"rollouts": 1000}}, "searches for longer"),
        ({"options": {"teammate_iterations": 1000}}, "searches for longer"),
        ({"options": {"max_nodes": 2**26}}, "searches for longer"),
        ({"options": {"teammate_statistics": "separate"}, "own": 12, "types": [2, 4, 12]},
         "searches for longer"),
        ({"options": {"axis": "iterations"}, "own": 10**6, "types": []}, "searches for longer"),
        ({"options": {"axis": "iterations", "depth": 40}}, "limited to depth 12 here, got 40"),
        ({"own": 9, "types": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, "at most 8 depths apart"),
    ],
)  # fmt: skip
def test_what_a_record_asks_for_is_no_reason_to_do_it(changes, message):
    record = sizeup.play("connect-four", ["obl:2", "obl:1"], seed=1)
    told = opened(hostile(record, **changes))  # looked at, it does no harm
    for ask in (
        lambda: WhatIfMatch(told, OURS, 1, None, searcher, most_plies=42),
        lambda: table_before(opened(bare(told.record)), OURS, 1, None, searcher),
    ):
        with pytest.raises(InvalidInput, match=message):
            ask()


def bare(record):
    return replace(record, moves=tuple(replace(move, search=None) for move in record.moves))


@pytest.mark.parametrize("name", [5, None, {}, ["ca"]])
def test_an_agent_has_a_name(name):
    record = sizeup.play("connect-four", ["obl:2", "obl:1"], seed=1)
    with pytest.raises(InvalidInput, match="is not the configuration of an agent"):
        hostile(record, name=name)


def test_an_agent_of_an_unknown_file_is_somebody_who_is_absent(tmp_path):
    (tmp_path / "my_agent.py").write_text("raise SystemExit('loaded')")
    record = sizeup.play("connect-four", ["obl:2", "obl:1"], seed=1)
    for name in (str(tmp_path / "my_agent.py"), "antigravity"):
        other = replace(hostile(record, name=name, model="plugin"), players=(f"{name}:2", "obl:1"))
        again = branched(Record.from_json(other.to_json()), 3, record.moves[2].action)
        assert again.players == ("obl:1", "obl:1")
        assert record_data(opened(other), OURS)["command"] == ""


@pytest.mark.parametrize(
    "change", [{"observer": (7, read_agent("ca:2"))}, {"carried": {9: {"energy": []}}}]
)
def test_seats_that_are_not_there_are_refused(change):
    record = sizeup.play("connect-four", ["obl:2", "obl:1"], seed=1)
    with pytest.raises(InvalidInput, match="a seat that is not there"):
        OURS.seated(replace(record, **change))


def test_who_searches_by_other_options_has_no_command():
    record = sizeup.play("connect-four", [[agent("obl:2")], "obl:1"], seed=1)
    assert record_data(opened(record), OURS)["command"] == ""
    named = Offer(connect_four, "connect-four")
    assert keep(record, named, "watched", "Ada").line["title"] == "Connect four"
