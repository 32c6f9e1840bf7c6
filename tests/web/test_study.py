"""A study with people: balanced, resumed after crashes, and kept to the last move."""

import pytest

from sizeup.experiments.study import read_study
from tests.web.clients import running, setup
from tests.web.studying import check_study, run_study, study_of


@pytest.mark.slow
def test_a_whole_study_survives_crashes(tmp_path):
    study = study_of(tmp_path, 4)
    people, store = run_study(study, tmp_path, 4, kills=2)
    check_study(study, people, store)


@pytest.fixture(scope="module")
def desk(static, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    study = read_study(study_of(folder, 8))
    with running(static, study=study, study_store=folder / "study.db") as server:
        yield server


@pytest.fixture
def participant(desk):
    """Somebody whose first game is about to begin."""
    with desk.visitor() as one:
        one.post("/api/study", data={"agree": True})
        step = one.get("/api/study")["step"]
        answers = {q["name"]: q["options"][0] for q in step["questions"]}
        one.post("/api/study", data={"step": step["number"], "answers": answers})
        yield one


def test_nothing_is_kept_before_consent(desk):
    people = len(desk.hub.study._log.people)
    with desk.visitor() as one:
        assert one.get("/api/study")["step"]["kind"] == "consent"
        for says in ({"step": 0, "answers": {}}, {"leave": True}):
            assert "do not take part" in one.post("/api/study", code=422, data=says)["error"]
        with one.socket() as talk:
            assert talk.refused(type="study") == "bad_message"
    assert len(desk.hub.study._log.people) == people


def test_participants_reach_nothing_but_the_study(desk, participant):
    for path in ("/api/records", "/api/results", "/api/results/partners"):
        participant.get(path, code=404)
    with participant.socket() as talk:
        assert talk.refused(type="new", setup=setup()) == "bad_message"
        talk.send(type="study")
        game = talk.until("game")
        for message in ({"type": "stop"}, {"type": "back", "ply": 0}, {"type": "step", "ply": 0}):
            assert talk.refused(game_id=game["game_id"], **message) == "bad_message"


def test_a_page_that_shows_the_board_is_told_nothing_else(participant):
    with participant.socket() as talk:
        talk.send(type="study")
        game = talk.game = talk.until("game")
        assert game["setup"] == {"mode": "study", "game": "wall-of-fire"}
        assert (game["first_beliefs"], game["types"], game["observer"]) == ([], [], False)
        kinds = [(player["kind"], player["depth"]) for player in game["players"]]
        assert kinds == [("agent", None), ("you", None)]
        state = talk.my_turn()
        told = talk.move(state, state["legal"][0]["action"])["move"]
        assert (told["plain"], told["sentence"], told["beliefs"]) == ("", "", [])


def test_two_windows_cannot_play_two_games_in_one(participant):
    with participant.socket() as one, participant.socket() as other:
        for talk in (one, other):
            talk.send(type="study")
            talk.game = talk.until("game")
        state = one.my_turn()
        other.my_turn()
        first, second = (legal["action"] for legal in state["legal"][:2])
        one.move(state, first)
        asked = {"game_id": other.id, "ply": state["ply"], "action": second}
        assert other.refused(type="move", **asked) == "bad_message"
        other.send(type="study")
        actions = [move["action"] for move in other.until("game")["moves"]]
        assert actions[state["ply"]] == first


def test_an_answer_may_be_long_but_not_endless(participant):
    says = {"step": 0, "answers": {"q1": "x" * 2001}}
    assert "2000" in participant.post("/api/study", code=422, data=says)["error"]
    says = {"step": 0, "answers": {"q1": "x"}, "more": 1}
    participant.post("/api/study", code=422, data=says)


def test_no_study_is_played_where_none_is_run(visitor, talk):
    assert talk.refused(type="study") == "bad_message"
    visitor.get("/api/study", code=404)


@pytest.mark.slow
def test_somebody_who_does_not_pay_attention_does_not_count(tmp_path):
    study = study_of(tmp_path, 3)
    people, store = run_study(study, tmp_path, 3, inattentive=(0,), kills=0, seed=5)
    check_study(study, people, store, inattentive=(0,))
