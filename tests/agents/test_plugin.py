"""Agents of one's own: from a file or an installed package, in matches, checked, and told apart."""

import importlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from sizeup.agents import AgentConfig, PluginAgent, Seat, check_agent, config, read_agent
from sizeup.agents.plugin import write_new_agent
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games import connect_four, wall_of_fire
from sizeup.games.contract import View
from sizeup.play import Record, play
from sizeup.play.replay import play_again, replay
from sizeup.search import Searcher, SearchOptions

QUICK = SearchOptions(iterations=5, rollouts=1)
SHORT = wall_of_fire.board("..FC\n.SF.\n..FC", most_turns=6)
COUNTING = """
import numpy as np


class Agent:
    '''It counts what it sees, and leans towards the weakest type with every move of a partner.'''

    def __init__(self, seat):
        self.seat, self.seen = seat, []

    def choose(self, state, seed):
        self.last = len(self.seen)
        return self.seat.view.actions(state)[seed % len(self.seat.view.actions(state))]

    def observe(self, state, actor, action, seed):
        self.seen.append((actor, action))

    def probabilities(self):
        rows = np.ones((len(self.seat.view.teams), len(self.seat.types)))
        for actor, _ in self.seen:
            rows[actor, 0] += 1
        return rows / rows.sum(axis=1, keepdims=True)

    def explain(self):
        return f"it has seen {self.last} moves"
"""
SILENT = "class Agent:\n    def __init__(self, seat):\n        self.seat = seat\n\n"
FIRST = "    def choose(self, state, seed):\n        return self.seat.view.actions(state)[0]\n\n"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write an agent to a file of the current folder, which nothing else knows."""
    monkeypatch.chdir(tmp_path)
    number = iter(range(99))

    def write(source, name=None):
        name = name or f"agent_{next(number)}.py"
        (tmp_path / name).write_text(source)
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
        return name

    return write


# -- reading ------------------------------------------------------------------------------------


def test_a_file_is_read_like_any_agent(written, tmp_path):
    name = written(COUNTING)
    for text, own, types in (
        (f"{name}:8", 8, ()),
        (f" {name}:8@8,2 ", 8, (2, 8)),
        (name, None, ()),
    ):
        agent = read_agent(text)
        assert (agent.model, agent.depth, agent.types) == ("plugin", own, types)
        assert agent.source == str(tmp_path / name)
    assert [str(read_agent(text)) for text in (name, f"{name}:8@2,8")] == [name, f"{name}:8@2,8"]
    assert read_agent(f"{tmp_path / name}:4").source == str(tmp_path / name)
    assert read_agent(f"{name}:4", QUICK).options == QUICK


def test_files_are_found_in_a_folder_of_their_own(written, tmp_path, monkeypatch):
    name = written(COUNTING)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput, match=f"there is no file '{name}' with an agent in it"):
        check_agent(f"{name}:8")
    assert read_agent(f"{name}:8", folder=tmp_path).source == str(tmp_path / name)


def test_what_an_agent_is_does_not_depend_on_where_it_is(written):
    agent = read_agent(f"{written(COUNTING)}:8")
    again = AgentConfig.from_data(agent.to_data())
    assert again == agent
    assert (again.source, "source" in agent.to_data()) == ("", False)


def test_a_name_without_its_ending_gets_a_suggestion(written):
    name = written(COUNTING).removesuffix(".py")
    with pytest.raises(InvalidInput, match=rf"no agent '{name}'; did you mean '{name}\.py'"):
        read_agent(f"{name}:8")


# -- playing ------------------------------------------------------------------------------------


def test_it_plays_observes_believes_explains_and_is_played_again(written):
    name = written(COUNTING)
    record = play("wall-of-fire", [f"{name}:2+obl:4"], seed=1, params=SHORT)
    assert (record.players, record.types) == ((f"{name}:2", "obl:4"), (2, 4))
    assert record.first_beliefs == {0: [[0.5, 0.5], [0.5, 0.5]]}
    mine = [move for move in record.moves if move.player == 0]
    assert [move.note for move in mine] == [f"it has seen {at} moves" for at in (0, 2, 4)]
    believed = [move.seen[0] for move in record.moves if move.player == 1]
    assert [seen.before[0] for seen in believed] == pytest.approx([1 / 2, 2 / 3, 3 / 4])
    assert [seen.after[0] for seen in believed] == pytest.approx([2 / 3, 3 / 4, 4 / 5])
    assert {seen.evidence for seen in believed} == {(None, None)}
    again = Record.from_json(record.to_json())
    assert again == record
    assert [move for _, move in replay(again)] == list(record.moves)
    assert play_again(record) == play_again(again) == record


def test_it_is_told_of_the_moves_of_opponents_but_that_is_nobodys_evidence(written):
    record = play("connect-four", [f"{written(COUNTING)}:2+random", "random"], seed=1)
    mine = [move for move in record.moves if move.player == 0]
    assert [move.note for move in mine[:3]] == [f"it has seen {4 * at} moves" for at in range(3)]
    assert all(not move.seen for move in record.moves if move.player == 2)


def test_it_need_not_learn_or_explain(written):
    record = play("wall-of-fire", [f"{written(SILENT + FIRST)}+random"], seed=1, params=SHORT)
    assert (record.first_beliefs, record.types) == ({}, ())
    assert {move.note for move in record.moves} == {""}
    assert record.depth_of(0) == 0
    assert play_again(record) == record


def test_it_searches_with_the_options_of_its_match(written):
    searching = (
        SILENT
        + "    def choose(self, state, seed):\n        "
        + (
            "found = self.seat.search(state, seed)\n        self.did = found.iterations\n        "
            "return found.action\n\n    def explain(self):\n        return str(self.did)\n"
        )
    )
    name = written(searching)
    notes = []
    for iterations in (3, 7):
        team = [read_agent(f"{name}:2@1,2", SearchOptions(iterations=iterations)), "random"]
        record = play("wall-of-fire", [team], params=SHORT)
        assert play_again(Record.from_json(record.to_json())) == record
        notes.append(int(record.moves[0].note))
    assert notes[0] * 7 == notes[1] * 3


def test_a_record_whose_agent_is_gone_says_so(written, tmp_path):
    name = written(COUNTING)
    text = play("wall-of-fire", [f"{name}:2+random"], params=SHORT).to_json()
    (tmp_path / name).unlink()
    with pytest.raises(InvalidInput, match=f"there is no file '{name}' with an agent in it"):
        play_again(Record.from_json(text))


# -- what goes wrong ----------------------------------------------------------------------------


def method(name, *lines, arguments="state, seed"):
    body = "".join(f"        {line}\n" for line in lines)
    return f"    def {name}({', '.join(filter(None, ('self', arguments)))}):\n{body}\n"


def believing(value):
    return SILENT + FIRST + method("probabilities", f"return {value}", arguments="")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\n", r"agent_0\.py has no class Agent; sizeup new-agent writes one to start"),
        ("def Agent(seat):\n    return seat\n", r"agent_0\.py has no class Agent"),
        ("x = 1\ny = (\n", r"agent_0\.py cannot be loaded: line 2: SyntaxError: "),
        ("x = 1\n1 / 0\n", r"agent_0\.py cannot be loaded: line 2: ZeroDivisionError: "),
        (SILENT, r"agent_0\.py: its class Agent has no method choose\(state, seed\)"),
        ("class Agent:\n    choose = 1\n", r"Agent\(seat\) failed: .*takes no arguments"),
        (
            SILENT + method("choose", "return 99"),
            r"agent_0\.py:2@1,2 in seat 0 chose 99, which is not legal; legal are \(0, 1, 2, 3, ",
        ),
        (SILENT + method("choose", "return None"), "chose None, which is not legal"),
        (SILENT + method("choose", "return 'd'"), "chose 'd', which is not legal"),
        (
            "import numpy as np\n" + SILENT + method("choose", "return np.array([0, 1])"),
            r"chose array\(\[0, 1\]\), which is not legal",
        ),
        (
            SILENT + method("choose", "x = 1", "return {}[x]"),
            r"agent_0\.py: choose failed at agent_0\.py:7: KeyError: 1$",
        ),
        (SILENT + method("choose", "exit(3)"), r"failed at agent_0\.py:6: SystemExit: 3$"),
        (  # the line of the file, and not one of the library that it calls
            "import json\n" + SILENT + method("choose", "return json.loads('{')"),
            r"choose failed at agent_0\.py:7: JSONDecodeError: ",
        ),
        (
            SILENT + FIRST + method("observe", "1 / 0", arguments="state, actor, action, seed"),
            r"observe failed at agent_0\.py:9: ZeroDivisionError: division by zero$",
        ),
        (
            SILENT + FIRST + method("observe", "pass", arguments="state"),
            r"agent_0\.py: observe failed: TypeError: .*takes 2 positional arguments but 5 were",
        ),
        (
            SILENT + FIRST + method("explain", "return 1 / 0", arguments=""),
            r"explain failed at agent_0\.py:9: ZeroDivisionError",
        ),
        (believing("1 / 0"), r"probabilities failed at agent_0\.py:9: ZeroDivisionError"),
        (
            believing("[[1.0]]"),
            r"agent_0\.py:2@1,2: probabilities\(\) gave \[\[1.0\]\], expected 2 rows of "
            r"probabilities of the types \(1, 2\), each summing to 1",
        ),
        (believing("[[0.7, 0.7]] * 2"), r"gave \[\[0.7, 0.7\], \[0.7, 0.7\]\], .* summing to 1"),
        (believing("[[2.0, -1.0]] * 2"), r"gave \[\[2.0, -1.0\], .*, each summing to 1"),
        (believing("[[float('nan'), 1.0]] * 2"), r"gave \[\[nan, 1.0\], .*, each summing to 1"),
        (believing("'odd'"), "gave 'odd', expected 2 rows of probabilities"),
        (believing("[[1], [1, 2]]"), r"gave \[\[1\], \[1, 2\]\], expected 2 rows"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(written, source, message):
    name = written(source)
    with pytest.raises(InvalidInput, match=message) as refused:
        play("connect-four", [f"{name}:2@1,2", "random"])
    assert "\n" not in str(refused.value)


# -- the check ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_template_keeps_the_protocol(tmp_path, monkeypatch):
    module, beside = write_new_agent("my_own", tmp_path)
    monkeypatch.delitem(sys.modules, "my_own", raising=False)
    report = check_agent(f"{module}:2", games=1)
    assert (report.name, report.games) == (f"{module}:2", 1)
    assert report.moves > 2
    assert "check_agent" in beside.read_text()
    record = play("wall-of-fire", [f"{module}:2+obl:1"], params=SHORT)
    assert record.moves[0].note.startswith("it expects ")
    with pytest.raises(InvalidInput, match=r"my_own\.py is there already"):
        write_new_agent("my_own", tmp_path)


@pytest.mark.slow
def test_every_strategy_of_ours_passes_the_check():
    for name in config.STRATEGIES:
        agent = read_agent(name if name == "random" else f"{name}:2@1,2", QUICK)
        assert check_agent(agent, games=1).moves > 2


def test_an_agent_with_a_mind_of_its_own_is_found(written):
    moody = (
        "import itertools\n\nMOODS = itertools.count()\n\n\n"
        + SILENT
        + method(
            "choose", "actions = self.seat.view.actions(state)", "return actions[next(MOODS) % 3]"
        )
    )
    with pytest.raises(
        InvalidInput,
        match=r"agent_0.py:2 is not determined by its seed: at its move 1 .* played \d first",
    ):
        check_agent(f"{written(moody)}:2")
    wavering = believing("[[0.5, 0.5]] * 2 if next(MOODS) % 7 else [[0.4, 0.6]] * 2")
    moods = "import itertools\n\nMOODS = itertools.count()\n\n\n"
    with pytest.raises(
        InvalidInput, match=r"at its move 1 .* believed \[\[0.4.* first and \[\[0.5"
    ):
        check_agent(f"{written(moods + wavering)}:2@1,2")


PEEKS = [
    method("choose", "return self.seat.search(state, seed, own=9).action"),
    "    def choose(self, state, seed):\n        from sizeup.search import Searcher\n\n"
    "        return Searcher(self.seat.view, (2, 9)).search(state, seed=seed).action\n",
]


def test_an_agent_that_peeks_is_found(written):
    by_seat, by_itself = (f"{written(SILENT + peek)}:2" for peek in PEEKS)
    with pytest.raises(InfeasibleType, match="an agent of type 2 cannot search as type 9"):
        check_agent(by_seat)
    with pytest.raises(InfeasibleType, match="searches as type 9, above its own type 2"):
        check_agent(by_itself)
    made = Searcher.__init__
    assert "guarded" not in made.__qualname__  # searches are free again
    assert play("connect-four", [by_itself, "random"]).moves


def test_an_agent_that_plays_what_is_not_legal_fails_the_check(written):
    with pytest.raises(InvalidInput, match="chose 7, which is not legal"):
        check_agent(f"{written(SILENT + method('choose', 'return 7'))}:2")


# -- a seat -------------------------------------------------------------------------------------


def test_a_seat_searches_as_types_up_to_its_own():
    made = []

    def searcher(view, types, options):
        made.append(types)
        return Searcher(view, types, options)

    board = View(connect_four)
    seat = Seat(board, 0, 4, (1, 4, 9), QUICK, searcher)
    state = board.start()
    assert seat.search(state, seed=1).types == (1, 4)
    assert seat.search(state, seed=1, own=2).types == (1, 2)
    np.testing.assert_array_equal(
        seat.search(state, seed=1).visits,
        Searcher(board, (1, 4), QUICK).search(state, seed=1).visits,
    )
    assert made == [(1, 4), (1, 2)]  # what it searches with is made once
    with pytest.raises(InfeasibleType, match=r"type 4 cannot search as type 9; .* of \(1, 4\)"):
        seat.search(state, seed=1, own=9)
    for own in ("9", 2.5, True, 0, [2]):
        with pytest.raises(InvalidInput, match="the type of a search must be"):
            seat.search(state, seed=1, own=own)
    with pytest.raises(InfeasibleType, match=r"without a type cannot search; .* my_agent.py:4"):
        Seat(board, 0, None, (1, 4)).search(state, seed=1)
    assert (Seat(board, 1, 4, (4,)).team, PluginAgent.beliefs) == ([1], None)


# -- installed packages -------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package that offers agents, as pip would leave it."""
    (tmp_path / "offering.py").write_text(COUNTING)
    info = tmp_path / "offering-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[sizeup.agents]\ncounting = offering\nca = offering\nlost = not_here_at_all\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    config._offered.cache_clear()
    yield
    config._offered.cache_clear()
    sys.modules.pop("offering", None)


@pytest.mark.usefixtures("installed")
def test_a_package_offers_an_agent():
    agent = read_agent("counting:2@1,2")
    assert (agent.model, agent.source) == ("plugin", "offering")
    record = play("wall-of-fire", ["counting:2+obl:1"], params=SHORT)
    assert record.moves[2].note == "it has seen 2 moves"
    assert play_again(Record.from_json(record.to_json())) == record
    assert check_agent("counting:2", games=1).moves > 2


@pytest.mark.usefixtures("installed")
def test_what_a_package_offers_takes_no_name_of_ours_and_is_listed():
    assert read_agent("ca:8").model == "believed"
    with pytest.raises(InvalidInput, match="did you mean 'counting'"):
        read_agent("countin:8")
    with pytest.raises(
        InvalidInput, match="'not_here_at_all' of an agent cannot be loaded: Module"
    ):
        play("wall-of-fire", ["lost:2+obl:1"])


def test_a_package_that_is_gone_is_missed(monkeypatch):
    offered = [SimpleNamespace(name="gone", value="offering")]
    monkeypatch.setattr(config.metadata, "entry_points", lambda group: offered)
    config._offered.cache_clear()
    data = read_agent("gone:2").to_data()
    monkeypatch.undo()
    config._offered.cache_clear()
    with pytest.raises(InvalidInput, match="there is no agent 'gone'; no installed package offers"):
        PluginAgent(AgentConfig.from_data(data), View(connect_four), 0)
