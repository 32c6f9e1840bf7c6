"""Records: sent in, listed, played back, searched again, branched off and exported."""

import asyncio
import json
import re
import threading
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import sizeup
from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import checkers, wall_of_fire
from sizeup.games.contract import View
from sizeup.play.export import to_pdn
from sizeup.play.record import Record
from sizeup.search import SearchOptions
from sizeup.search.searcher import Cancel
from sizeup.web.app import _branched, _sized
from sizeup.web.branch import WhatIfMatch
from sizeup.web.branch import table_before as table_here
from sizeup.web.game import Cancelled, FreshSearcher
from sizeup.web.messages import WhatIf
from sizeup.web.records import RecordShelf, command_of, keep, open_kept, record_data
from tests.web.clients import OURS, choice_by_ply, running, setup

FEN = "B:W21,22:B1,2"
BRIEF = checkers.CheckersParams(most_plies=16)


@pytest.fixture(scope="module")
def draughts():
    return sizeup.play("checkers", ["ca:4+obl:2", "obl:2"], seed=3, params=BRIEF)


@pytest.fixture(scope="module")
def fire():
    world = wall_of_fire.INFO.params._replace(most_turns=6)
    return sizeup.play("wall-of-fire", ["ca:6@2,6+obl:2"], seed=1, params=world)


@pytest.fixture(scope="module")
def field():
    return sizeup.play("harvest", ["ca:4+obl:1+ca:2"], seed=2)


@pytest.fixture
def searcher():
    return lambda *what: FreshSearcher(Cancel(), *what)


def kept_one(record, source="uploaded"):
    return keep(record, OURS.of_record(record), source, "Ada")


def opened(record, source="uploaded"):
    return open_kept(kept_one(record, source), OURS)


def table_before(told, ply, as_type, searcher):
    return table_here(told, OURS, ply, as_type, searcher)


def without(record, seat, name="person"):
    """A record with somebody in a seat of whom only the name is known."""
    players, agents = list(record.players), list(record.agents)
    players[seat], agents[seat] = name, None
    return replace(record, players=tuple(players), agents=tuple(agents))


def upload(visitor, record, code=200):
    text = record if isinstance(record, str) else record.to_json()
    answer = visitor.http.post(
        "/api/records", content=text, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == code, answer.text
    return answer.json()


def test_a_record_that_was_saved_is_sent_in_and_played_back(visitor, draughts):
    name = upload(visitor, draughts)["id"]
    shown = visitor.get(f"/api/records/{name}")
    assert (shown["id"], shown["game"], shown["source"]) == (name, "checkers", "uploaded")
    assert [p["name"] for p in shown["players"]] == ["ca:4", "obl:2", "obl:2"]
    assert [m["action"] for m in shown["moves"]] == [m.action for m in draughts.moves]
    assert [s["ply"] for s in shown["states"]] == list(range(17))
    assert [p["called"] for p in shown["players"]] == [
        "Capability-aware 4", "Oblivious 2 (seat 2)", "Oblivious 2 (seat 3)",
    ]  # fmt: skip
    assert shown["types"] == [2, 4]
    assert shown["result"]["reason"] == "16 plies played"
    assert (shown["states"][-1]["actor"], shown["states"][-1]["legal"]) == (None, [])
    last = [m.seen[0].after for m in draughts.moves if 0 in m.seen and m.player == 1][-1]
    assert shown["moves"][-1]["beliefs"] == [
        {"believer": 0, "about": 1, "types": [2, 4], "probabilities": list(last)}
    ]
    assert not shown["reproducible"]
    assert shown["command"] == ""  # no command takes these parameters
    again = visitor.http.get(f"/api/records/{name}/export/json")
    assert Record.from_json(again.text) == draughts
    line = {
        "id": name, "game": "checkers 2v1", "title": "Cooperative checkers", "plies": 16,
        "players": ["Capability-aware 4", "Oblivious 2", "Oblivious 2"],
        "result": shown_result(draughts), "source": "uploaded",
    }  # fmt: skip
    assert visitor.get("/api/records")["records"] == [line]


def shown_result(record):
    return "a draw" if record.winner is None else f"{('Black', 'White')[record.winner]} won"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-40], "cut off or no JSON"),
        (lambda text: "[]", "expected a record of schema"),
        (lambda text: text.replace('"seed": 3', '"seed": 4'), "the record was edited"),
        (lambda text: "\udcff", "cut off or no JSON"),
        (lambda _: '[Event "x"] 1. 11-15 22-19', "'22-19' is not legal here"),
        (lambda _: "1. 11-15 * 1. 11-15 *", "holds 2 games, .* sizeup infer FILE"),
        (lambda _: f'[SetUp "1"] [FEN "{FEN}"] 1. 1-5', "starts from a position of its own"),
    ],
)
def test_what_is_no_record_is_refused_with_the_library_s_sentence(
    visitor, draughts, change, message
):
    text = change(draughts.to_json()).encode(errors="replace").decode()
    assert re.search(message, upload(visitor, text, code=422)["error"])


@pytest.mark.slow
def test_a_game_of_other_programs_is_read_and_both_players_are_sized_up(visitor):
    played = sizeup.play("checkers", ["obl:4", "obl:2"], seed=2)
    text = to_pdn(played).replace("obl:4", "Ann").replace("obl:2", "?")
    name = upload(visitor, text)["id"]
    shown = visitor.get(f"/api/records/{name}")
    assert [(p["called"], p["kind"]) for p in shown["players"]] == [
        ("Ann", "other"), ("White", "other"),
    ]  # fmt: skip
    assert [m["action"] for m in shown["moves"]] == [m.action for m in played.moves]
    again = Record.from_json(visitor.http.get(f"/api/records/{name}/export/json").text)
    assert again.players == ("Ann", "White")
    ann, ben = visitor.post(f"/api/records/{name}/sizes")["players"]
    assert (ann["seat"], ann["depth"], ben["seat"], ben["depth"]) == (0, 4, 1, 2)
    assert ann["types"] == [2, 4, 6, 8]
    at, told = ann["telling"][0]["ply"], ann["telling"][0]
    assert shown["moves"][at - 1]["action"] == told["action"]
    assert "player who looks 4 ahead plays this in" in told["reason"]


def test_nobody_is_sized_up_for_somebody_who_went_away(server, visitor):
    name = upload(visitor, "1. 11-15 22-18 *")["id"]
    told = open_kept(server.hub.records.find(name), OURS)

    class Gone:
        async def is_disconnected(self):
            return True

    with pytest.raises(Cancelled, match="nobody is waiting"):
        asyncio.run(_sized(server.hub, told, Gone()))


def test_bytes_that_are_no_text_are_no_record(visitor):
    answer = visitor.http.post(
        "/api/records", content=b"\xff\xfe", headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert "this is not a match record" in answer.json()["error"]


def test_records_of_other_games_too_many_moves_or_wrong_moves_are_refused(visitor, draughts):
    elsewhere = replace(draughts, game="my-game")
    assert "not a game that this server offers" in upload(visitor, elsewhere, code=422)["error"]
    first = replace(draughts.moves[0], action="12-16")
    wrong = replace(draughts, moves=(first, *draughts.moves[1:]))
    assert "of the record" in upload(visitor, wrong, code=422)["error"]
    long = replace(draughts, moves=draughts.moves * 30)
    assert "480 moves; at most 400" in upload(visitor, long, code=422)["error"]
    seats = replace(draughts, teams=(0, 0, 0, 1), players=("a", "b", "c", "d"))
    assert upload(visitor, seats, code=422)["error"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"teams": range(40_000)}, "has players"),
        ({"teams": range(40_000), "players": ["x"] * 40_000}, "40000 players; at most 8"),
        ({"types": range(1, 40_000)}, "39999 types; at most 64"),
        ({"reason": "x" * 10**6}, "by the rules"),
        ({"game": "x" * 10**6}, "not a game that this server offers"),
    ],
)
def test_a_record_that_is_all_length_is_refused_in_a_short_sentence(
    visitor, draughts, changes, message
):
    given = {name: one if isinstance(one, str) else tuple(one) for name, one in changes.items()}
    if "players" in given:
        given["agents"] = (None,) * len(given["players"])
    error = upload(visitor, replace(draughts, **given), code=422)["error"]
    assert len(error) < 1000
    assert message in error or error.endswith(" ...")


def test_names_with_markup_stay_text(visitor):
    def player(view, state, seed):
        return view.actions(state)[0]

    player.__name__ = "<img src=x onerror=alert(1)>"
    record = sizeup.play("connect-four", [[player], "random"], seed=1)
    name = upload(visitor, record)["id"]
    shown = visitor.get(f"/api/records/{name}")
    assert shown["players"][0]["name"] == player.__name__
    assert shown["players"][0]["kind"] == "other"
    for kind in ("json", "svg"):
        answer = visitor.http.get(f"/api/records/{name}/export/{kind}?ply=1")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert kind == "json" or "<img" not in answer.text


def test_there_is_no_record_of_another_name(visitor):
    for path in ("", "/tables/1", "/export/json"):
        assert "no such record" in visitor.get(f"/api/records/nothing{path}", code=404)["error"]
    assert visitor.post("/api/records/nothing/what-if", 404, {"ply": 1, "action": None})["error"]


def test_a_table_counts_what_players_of_each_depth_play(visitor, draughts):
    name = upload(visitor, draughts)["id"]
    found = visitor.get(f"/api/records/{name}/tables/3")
    assert set(found) == {"table"}
    table, move = found["table"], draughts.moves[2]
    assert (move.player, table["types"]) == (1, [2, 4])
    legal = visitor.get(f"/api/records/{name}")["states"][2]["legal"]
    assert [line["action"] for line in table["actions"]] == [one["action"] for one in legal]
    assert [line["action"] for line in table["actions"] if line["played"]] == [move.action]
    counts = np.array([[one["played"] for one in line["by_type"]] for line in table["actions"]])
    assert counts.sum(axis=0) == pytest.approx(table["searches"])
    assert all(np.isfinite(one["value"]) for line in table["actions"] for one in line["by_type"])
    error = visitor.get(f"/api/records/{name}/tables/99", code=422)["error"]
    assert error == "the match has moves 1 to 16, got 99"
    assert visitor.get(f"/api/records/{name}/tables/x", code=422)["error"]


def without_searches(record):
    moves = tuple(replace(move, search=None) for move in record.moves)
    return replace(record, moves=moves)


@pytest.mark.parametrize(
    "search",
    [
        None, {}, {"types": [2], "visits": [[1]], "values": [[0.5]], "actions": ["11-15"]},
        {"types": "x", "visits": [], "values": [], "actions": []},
        {"types": [2], "visits": [[10**30]], "values": [[1]], "actions": []},
    ],
)  # fmt: skip
def test_what_a_record_says_of_searches_is_no_part_of_a_table(draughts, searcher, search):
    odd = replace(draughts.moves[0], search=search)
    record = replace(draughts, moves=(odd, *draughts.moves[1:]))
    found = table_before(opened(record), 1, None, searcher)
    assert found == table_before(opened(draughts), 1, None, searcher)


def test_the_same_table_is_found_each_time(draughts, searcher):
    told = opened(draughts)
    for ply in (1, 2, 3):  # aware, an opponent, and the partner who is sized up
        assert table_before(told, ply, None, searcher) == table_before(told, ply, None, searcher)


def test_a_search_as_another_type_believes_what_that_type_can(visitor, draughts):
    name = upload(visitor, draughts)["id"]
    believed = visitor.get(f"/api/records/{name}")["moves"][7]["beliefs"][0]["probabilities"]
    weak = visitor.get(f"/api/records/{name}/tables/11?as_type=2")
    assert draughts.moves[10].player == 1  # who is sized up, and believes what its partner thinks
    assert weak["table"]["types"] == [2]
    whole = visitor.get(f"/api/records/{name}/tables/11")["table"]
    assert weak["table"]["searches"] == whole["searches"]
    for less, line in zip(weak["table"]["actions"], whole["actions"], strict=True):
        assert less["by_type"][0]["played"] == pytest.approx(line["by_type"][0]["played"])
    (belief,) = weak["reduced"]
    assert (belief["believer"], belief["about"], belief["types"]) == (1, 0, [2])
    (odds,) = belief["probabilities"]
    assert 0.1 < odds < 0.99  # it has seen moves that nobody of its depth would make
    strong = visitor.get(f"/api/records/{name}/tables/9?as_type=4")
    assert draughts.moves[8].player == 0
    (belief,) = strong["reduced"]
    assert (belief["believer"], belief["about"], belief["types"]) == (0, 1, [2, 4])
    assert belief["probabilities"] == pytest.approx(believed)  # as it was before move 9
    error = visitor.get(f"/api/records/{name}/tables/9?as_type=3", code=422)["error"]
    assert error == "as_type must be one of [2, 4], got 3"


def test_beliefs_that_rule_out_all_that_is_left_are_even_again(fire, searcher):
    before = fire.first_beliefs[0]
    certain = {0: [before[0], [0.0, 1.0]]}
    record = replace(fire, first_beliefs=certain)
    found = table_before(opened(record), 1, 2, searcher)
    assert found["reduced"][0]["probabilities"] == [0.99]  # the rest is none of these


def test_where_nobody_believes_anything_the_depths_are_those_of_the_match(searcher):
    record = sizeup.play("connect-four", ["obl:2", "obl:1"], seed=1)
    found = table_before(opened(record), 1, 1, searcher)
    assert (found["table"]["types"], found["reduced"]) == ([1], [])
    drawn = sizeup.play("connect-four", ["random", "random"], seed=1)
    for as_type in (None, 2):
        assert table_before(opened(drawn), 1, as_type, searcher)["table"]["types"] == [2]


def test_a_table_has_every_depth_that_the_sentence_of_its_move_mentions(searcher):
    """Also that of an opponent whom nobody sizes up, and who looks further than they consider."""
    teams = ["ca:2@1,2+obl:1", "obl:4"]
    told = opened(sizeup.play("checkers", teams, seed=3, params=BRIEF._replace(most_plies=6)))
    mentioned = set()
    for move in told.story.moves:
        table = table_before(told, move["ply"], None, searcher)["table"]
        words = move["sentence"] + move["plain"]
        depths = set(map(int, re.findall(r"look(?:ing|s)? (\d+)(?: moves?)? ahead", words)))
        assert table is None or depths <= {*table["types"]}, words
        mentioned |= depths
    assert mentioned == {1, 2, 4}


def test_forced_moves_and_chance_have_no_table(field, searcher):
    told = opened(field)
    chance = next(at for at, move in enumerate(field.moves, 1) if move.player < 0)
    for as_type in (None, 2):
        found = table_before(told, chance, as_type, searcher)
        assert found["table"] is None
    assert found["reduced"] == []
    assert told.story.moves[chance - 1]["sentence"].startswith("Chance decides")
    assert [move["ply"] for move in told.story.moves] == list(range(1, len(field.moves) + 1))
    assert any("text" in tile for row in told.story.states[0]["rows"] for tile in row)


def test_agents_that_know_or_never_learn_are_asked(searcher):
    for name in ("ora:2", "nu:2@1,2", "min:2"):
        record = sizeup.play("connect-four", [f"{name}+obl:1", "obl:1"], seed=1)
        found = table_before(opened(record), 1, None, searcher)["table"]
        assert (found["types"][-1], found["searches"]) == (2, 8)


@pytest.mark.slow
def test_a_visitor_s_move_has_the_table_of_whoever_sized_it_up(talk, visitor):
    for partner in ("ca", "obl"):  # an oblivious one has a silent observer in its place
        talk.begin(setup("connect-four", partner=partner, partner_depth=4))
        _, ended = talk.play(choice_by_ply)
        name = ended["record_id"]
        text = visitor.http.get(f"/api/records/{name}/export/json").text
        record, checked = Record.from_json(text), 0
        for ply, move in enumerate(record.moves[:12], start=1):
            if move.player == 1 and move.seen:
                found = visitor.get(f"/api/records/{name}/tables/{ply}")["table"]
                assert (found["types"], found["searches"]) == ([2, 4], move.seen[0].samples)
                assert told_counts(found) == pytest.approx(move.seen[0].played)
                checked += 1
        assert checked > 2


def person(view, state, seed):
    """Plays this or that; a record calls it by its name, which is not an agent's."""
    actions = view.actions(state)
    return actions[seed % len(actions)]


def told_counts(table):
    """In how many searches each depth plays the move that was played."""
    (played,) = (line for line in table["actions"] if line["played"])
    return [cell["played"] for cell in played["by_type"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ca:4@2,4", "ca:4@2,4,6", "sa:4@2,4"])
def test_a_person_s_table_is_of_the_searches_behind_the_sentence(name, searcher):
    """Whoever reads both finds the same counts, however close the moves are."""
    record = sizeup.play("connect-four", [[name, person], "obl:1"], seed=1)
    told, checked = opened(record), 0
    for ply, move in enumerate(record.moves[:15], start=1):
        if move.player == 1 and 0 in move.seen:
            wanted = [count for count in move.seen[0].played if count is not None]
            found = table_before(told, ply, None, searcher)["table"]
            assert found["searches"] == move.seen[0].samples
            assert told_counts(found)[:2] == pytest.approx(wanted)  # it is no match for depth 6
            said = told.story.moves[ply - 1]["sentence"]
            for depth, count in zip((2, 4), wanted, strict=True):
                words = f"that looks {depth} ahead (plays this )?in {count:.0f}\\b"
                nobody = "Players of no depth play this in any" in said and not any(wanted)
                assert "tells nothing" in said or nobody or re.search(words, said)
            checked += 1
    assert checked > 3


def test_a_person_whom_nobody_watches_has_a_table_of_the_match_s_depths(searcher):
    record = sizeup.play("connect-four", [[person], "obl:2"], seed=1)
    found = table_before(opened(record), 1, None, searcher)["table"]
    assert (found["types"], found["searches"]) == ([2], 8)


def test_beliefs_that_no_agent_at_the_table_can_hold_are_refused(draughts, searcher):
    odd = without_searches(without(replace(draughts, types=(6, 8)), seat=1))
    message = "evidence must have one entry for each|expected a row of probabilities"
    with pytest.raises(InvalidInput, match=message):
        table_before(opened(odd), 9, None, searcher)


def test_a_branch_goes_another_way_from_its_move_on(visitor, draughts):
    name = upload(visitor, draughts)["id"]
    shown = visitor.get(f"/api/records/{name}")
    ply = next(move["ply"] for move in shown["moves"][6:] if not move["forced"])
    state, played = shown["states"][ply - 1], shown["moves"][ply - 1]["action"]
    other = next(one["action"] for one in state["legal"] if one["action"] != played)
    branch = visitor.post(f"/api/records/{name}/what-if", data={"ply": ply, "action": other})
    found = visitor.get(f"/api/records/{branch['id']}")
    assert found["source"] == "branch"
    past = shown["moves"][: ply - 1]
    assert [m["action"] for m in found["moves"][:ply]] == [*(m["action"] for m in past), other]
    assert [m["beliefs"] for m in found["moves"][: ply - 1]] == [m["beliefs"] for m in past]
    assert len(found["moves"]) == 16
    assert not found["reproducible"]
    assert found["command"] == ""
    assert shown["branch_of"] is None
    assert found["branch_of"] == {"id": name, "ply": ply, "result": shown["result"], "seats": []}
    again = visitor.post(f"/api/records/{name}/what-if", data={"ply": 16, "action": None})
    found = visitor.get(f"/api/records/{again['id']}")
    assert [m["action"] for m in found["moves"][:15]] == [m["action"] for m in shown["moves"][:15]]
    assert found["seed"] != shown["seed"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"ply": 0, "action": None}, "greater than or equal to 1"),
        ({"ply": 99, "action": None}, "moves 1 to 16, got 99"),
        ({"ply": 1, "action": "1-2"}, "not legal here"),
        ({"ply": 1, "action": "x" * 65}, "at most 64"),
        ({"ply": 1, "action": 3}, "valid string"),
        ({"ply": "1"}, "valid integer"),
        ({"ply": 1, "depth": 2}, "not permitted"),
        ({}, "required"),
        ([], "valid dictionary"),
    ],
)
def test_a_branch_that_cannot_be_is_refused(visitor, draughts, data, message):
    name = upload(visitor, draughts)["id"]
    assert message in visitor.post(f"/api/records/{name}/what-if", 422, data)["error"]


@pytest.mark.slow
def test_a_person_s_seat_in_a_branch_goes_to_an_agent_of_the_inferred_depth(talk, visitor):
    talk.begin(setup("connect-four", partner_depth=4, seed=6))
    _, ended = talk.play(choice_by_ply)
    branch = visitor.post(
        f"/api/records/{ended['record_id']}/what-if", data={"ply": 3, "action": None}
    )
    shown = visitor.get(f"/api/records/{branch['id']}")
    players, card = shown["players"], ended["card"]
    depth = card["types"][np.argmax(card["probabilities"])]  # also where it cannot be told
    assert [p["kind"] for p in players] == ["ca", "obl", "obl"]
    assert players[1]["depth"] == depth
    assert shown["branch_of"] == {
        "id": ended["record_id"], "ply": 3, "result": ended["result"],
        "seats": [{"seat": 1, "was": "You", "is": f"Oblivious {depth}"}],
    }  # fmt: skip


def test_a_person_nobody_sized_up_is_taken_for_the_weakest(searcher):
    record = sizeup.play("connect-four", [[person], "obl:2"], seed=1)
    branch = WhatIfMatch(opened(record), OURS, 1, "a", searcher, most_plies=42)
    while not branch.finished:
        branch.step()
    assert branch.record().players == ("obl:2", "obl:2")
    assert branch.record().moves[0].action == "a"


def test_searches_that_would_take_ages_are_refused(draughts, searcher):
    deep = replace(draughts, agents=(*draughts.agents[:2], read_agent("obl:99")))
    with pytest.raises(InvalidInput, match="limited to depth 12"):
        WhatIfMatch(opened(deep), OURS, 1, None, searcher, most_plies=400)
    with pytest.raises(InvalidInput, match="limited to depth 12"):
        table_before(opened(without_searches(deep)), 2, None, searcher)
    branch = WhatIfMatch(opened(draughts), OURS, 1, None, searcher, most_plies=3)
    for _ in range(3):
        branch.step()
    with pytest.raises(InvalidInput, match="did not end within 3 moves"):
        branch.step()


def test_a_server_that_stops_stops_searches_for_replays(draughts):
    stopped = Cancel()
    stopped.set()

    def searcher(*what):
        return FreshSearcher(stopped, *what)

    with pytest.raises(Cancelled):
        table_before(opened(draughts), 1, None, searcher)


def test_counting_choices_stops_when_it_is_told_to():
    """As often as asked, or not at all: some of the searches would be taken for all."""
    view, cancel = View(checkers), Cancel()
    fresh = FreshSearcher(cancel, view, (2, 4), SearchOptions(iterations=50, rollouts=1))
    assert fresh.choices(view.start(), range(3)).sum(axis=1) == pytest.approx([3, 3])
    assert fresh.choices(view.start(), range(3), 2).shape[0] == 1
    deep = FreshSearcher(cancel, view, (2, 12), SearchOptions())
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(Cancelled, match="stopped before it finished"):
        deep.choices(view.start(), range(10**6))
    timer.join()
    with pytest.raises(Cancelled):
        fresh.choices(view.start(), range(3))


def test_too_many_searches_are_asked_to_come_again(static, draughts):
    with running(static, branches=0) as server, server.visitor() as somebody:
        name = upload(somebody, draughts)["id"]
        assert "try again" in somebody.get(f"/api/records/{name}/tables/1", code=503)["error"]
        assert server.hub.refusals["busy"] == 1


def test_a_branch_that_nobody_waits_for_is_given_up(server, visitor):
    """The page went away while its branch was played."""
    record = sizeup.play("connect-four", ["obl:1", "obl:1"], seed=1)
    name = upload(visitor, record)["id"]
    kept = server.hub.records.find(name)
    told = open_kept(kept, OURS)

    class Gone:
        async def is_disconnected(self):
            return True

    with pytest.raises(Cancelled, match="nobody is waiting"):
        asyncio.run(_branched(server.hub, told, WhatIf(ply=1, action=None), Gone()))


def test_records_are_exported(visitor, draughts, fire):
    name = upload(visitor, draughts)["id"]
    pdn = visitor.http.get(f"/api/records/{name}/export/pdn")
    assert pdn.headers["content-disposition"] == f'attachment; filename="sizeup-{name}.pdn"'
    assert '[Event "checkers 2v1"]' in pdn.text
    svg = visitor.http.get(f"/api/records/{name}/export/svg?ply=16")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg")
    assert "the match is over: 16 plies played" in svg.text
    assert "to move" not in svg.text
    assert "to move" in visitor.http.get(f"/api/records/{name}/export/svg?ply=15").text
    assert svg.text != visitor.http.get(f"/api/records/{name}/export/svg").text
    error = visitor.get(f"/api/records/{name}/export/svg?ply=17", 422)["error"]
    assert error == "the match has positions 0 to 16, got 17"
    moving = visitor.http.get(f"/api/records/{name}/export/animation")
    assert moving.headers["content-disposition"] == f'attachment; filename="sizeup-{name}.svg"'
    assert moving.text.count(": score ") == 16  # a line for every move
    assert "Cooperative checkers: Capability-aware 4, Oblivious 2, Oblivious 2" in moving.text
    assert "pdn, json, svg" in visitor.get(f"/api/records/{name}/export/exe", code=404)["error"]
    name = upload(visitor, fire)["id"]
    assert "PDN is for checkers" in visitor.get(f"/api/records/{name}/export/pdn", 422)["error"]


def test_commands_name_who_sits_where():
    record = sizeup.play("connect-four", [["ca:2@1,2", person], "obl:1"], seed=4)
    assert command_of(opened(record), OURS) == (
        "sizeup play connect-four --team ca:2@1,2+obl:1 --team obl:1 --as 1 --seed 4"
    )
    record = sizeup.play("connect-four", [[person], [person]], seed=4)
    assert command_of(opened(record), OURS) == ""
    long = replace(record, seed=2**60)
    assert record_data(opened(long), OURS)["seed"] == str(2**60)


def test_only_the_last_records_are_kept():
    records = RecordShelf(most=2, most_open=1)
    games = [sizeup.play("connect-four", ["random", "random"], seed=seed) for seed in range(3)]
    kept = [kept_one(game, "watched") for game in games]
    records.add(kept[0])
    records.add(kept[1])
    records.add_opened(open_kept(kept[0], OURS))
    assert records.opened(kept[0].id) is not None
    assert records.find(kept[0].id) is kept[0]  # which makes it the newest
    records.add(kept[2])
    assert records.find(kept[1].id) is None
    records.add_opened(open_kept(kept[2], OURS))
    assert records.opened(kept[0].id) is None
    records.add_opened(open_kept(kept[1], OURS))  # gone while it was unpacked
    assert records.opened(kept[1].id) is None
    records.add(kept[1])
    assert records.find(kept[0].id) is None


def test_a_record_without_moves_is_a_board():
    world = wall_of_fire.board("SFC", most_turns=0)
    record = sizeup.play(wall_of_fire, ["obl:1+obl:1"], params=world)
    told = opened(record)
    assert len(told.story.states) == 1
    assert told.story.states[0]["actor"] is None


def test_a_large_game_is_read_in_one_answer(visitor):
    options = SearchOptions(iterations=2, rollouts=1)
    teams = [[read_agent("ca:2@1,2", options)], [read_agent("obl:1", options)]]
    record = sizeup.play("checkers", teams, seed=5)
    name = upload(visitor, record)["id"]
    shown = json.loads(visitor.http.get(f"/api/records/{name}").text)
    assert len(shown["states"]) == len(record.moves) + 1


class _Tags(HTMLParser):
    """What tags a page has, and what its scripts hold."""

    def __init__(self):
        super().__init__()
        self.tags, self.scripts = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script":
            self.scripts[-1] += data


def test_a_record_is_one_page_whose_text_stays_text(visitor, draughts):
    odd = "</script><script>alert(1)</script><!--"
    record = without(draughts, seat=1, name=odd)
    name = upload(visitor, record)["id"]
    answer = visitor.http.get(f"/api/records/{name}/export/html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="sizeup-{name}.html"'
    found = _Tags()
    found.feed(answer.text)
    assert found.tags.count("script") == 2
    data, script = found.scripts
    shown = json.loads(data)
    assert shown["record"]["moves"] == visitor.get(f"/api/records/{name}")["moves"]
    assert [game["name"] for game in shown["about"]["games"]] == ["checkers"]
    assert odd in shown["record"]["players"][1]["called"]
    assert script.strip() == "const close = '<\\/script>';"
    assert "default-src 'none'" in answer.text
