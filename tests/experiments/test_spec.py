"""Experiments as files: what ships says what was published, and bad files say line and key."""

import re
from pathlib import Path

import pytest

from sizeup.agents.config import BASELINES, PRESETS
from sizeup.capability import Tempered
from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Comparison, stored_settings
from sizeup.experiments.members import read_member
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment, shipped
from sizeup.games import connect_four
from sizeup.games.contract import load_game

SMALL = """\
name = "small"
title = "A small experiment"
question = "Does it work?"
game = "checkers"
types = [2, 4, 8]
games = 8
balance = ["sides", "team"]
against = "obl:{opponent}"
comparisons = ["aware", "aware - plain"]

[grid]
"novice < expert" = [2, 4, 8]
opponent = ["novice", "expert"]
delta = "expert - novice"

[search]
iterations = 5
rollouts = 1

[arms.aware]
title = "Aware"
team = "ca:{expert}+obl:{novice}"
search = { teammate_iterations = 5 }
agents = { forget = 0.1, prior = [0.5, 0.25, 0.25], common_seed = true }

[arms.plain]
team = "obl:{expert}+obl:{novice}"

[[tables]]
by = "opponent"
published.aware = { novice = 26, expert = -21.2, total = 2.4 }
published.plain = -1

[[tables]]
title = "Beliefs"
by = "update"
measure = "deviation"
about = 1
"""


def write(folder, text=SMALL, name="small.toml"):
    path = folder / name
    path.write_text(text)
    return path


def changed(old, new):
    assert SMALL.count(old) == 1, f"{old!r} is not there once"
    return SMALL.replace(old, new)


def line_of(text, part):
    return next(n for n, line in enumerate(text.splitlines(), start=1) if part in line)


def test_a_file_is_read(tmp_path):
    small = read_experiment(write(tmp_path))
    assert small.name == "small"
    assert small.games == 3 * 2 * 2 * 8
    assert small.blocks == 2
    assert small.balance == ("sides", "team")
    assert [point.label for point in small.points][:3] == ["2<4 novice", "2<4 expert", "2<8 novice"]
    assert small.points[3].derived == {"delta": 6}
    assert [cell.label for cell in small.cells][:2] == ["aware 2<4 novice", "plain 2<4 novice"]
    aware = small.cell("aware 2<8 expert")
    assert aware.team.members == ("ca:8@2,4,8", "obl:2")
    assert aware.against.members == ("obl:8",)
    assert aware.team.search == {"iterations": 5, "rollouts": 1, "teammate_iterations": 5}
    assert aware.team.agents["forget"] == 0.1
    assert aware.against.search == {"iterations": 5, "rollouts": 1}
    assert aware.against.agents == {}
    settings = {"forget": 0.1, "prior": [0.5, 0.25, 0.25], "common_seed": True}
    assert aware.team.config["agents"] == {"rule": "sampled", **settings}
    assert aware.against.config["agents"] == {"rule": "sampled"}
    assert aware.slots == (
        (0, (0, 1), (0,)), (0, (1, 0), (0,)), (1, (0, 1), (0,)), (1, (1, 0), (0,)),
    )  # fmt: skip
    assert [aware.group(by) for by in ("opponent", "delta", "")] == ["expert", "6", "total"]
    assert small.comparisons == (Comparison("aware"), Comparison("aware", "plain"))
    assert list(map(str, small.comparisons)) == ["aware", "aware - plain"]
    score, beliefs = small.tables
    assert (score.title, score.measure) == ("score by opponent", "score")
    assert score.published["aware"] == {"novice": 26.0, "expert": -21.2, "total": 2.4}
    assert score.published["plain"] == {"total": -1.0}
    assert (beliefs.title, beliefs.by, beliefs.member, beliefs.about) == ("Beliefs", "update", 0, 1)
    assert small.arms[1].title == "plain"


@pytest.mark.parametrize(
    ("agents", "stored"),
    [
        ("", {"rule": "sampled"}),
        ('rule = "sampled"', {"rule": "sampled"}),
        ('rule = "published"', {}),
        ('rule = "published", clip = 1', {"clip": 1}),
        ("accuracy = 0.1", {"rule": "sampled", "accuracy": 0.1}),
        ("top_up = true", {"rule": "sampled", "top_up": True}),
        ("change = 0.02", {"rule": "sampled", "change": 0.02}),
        ('rule = "sizeup.capability:Exact"', {"rule": "sizeup.capability:Exact"}),
    ],
)
def test_the_rule_is_stored_unless_it_is_the_published_one(tmp_path, agents, stored):
    """A stored game without a rule is from before there was any other."""
    text = changed("forget = 0.1, prior = [0.5, 0.25, 0.25], common_seed = true", agents)
    team = read_experiment(write(tmp_path, text)).cell("aware 2<8 expert").team
    assert team.config["agents"] == stored == stored_settings(team.agents)
    member = read_member(team.members[0], agents=team.config["agents"]).first
    meant = {"rule": team.agents.get("rule", "sampled"), **team.agents}
    assert {name: getattr(member, name) for name in meant} == meant


def test_a_preset_is_for_everybody_and_what_is_written_comes_on_top(tmp_path):
    text = changed("types = [2, 4, 8]", 'types = [2, 4, 8]\npreset = "published"')
    aware = read_experiment(write(tmp_path, text)).cell("aware 2<8 expert")
    preset = PRESETS["published"]
    small = {"iterations": 5, "rollouts": 1}
    assert aware.against.search == {**preset["search"], **small}
    assert aware.team.search == {**preset["search"], **small, "teammate_iterations": 5}
    assert aware.team.agents == {
        **preset["agents"], "forget": 0.1, "prior": [0.5, 0.25, 0.25], "common_seed": True,
    }  # fmt: skip
    config = read_member(
        aware.team.members[0], agents=aware.team.config["agents"], search=aware.team.search
    ).first
    assert config.update_rule() == Tempered(0.1, 0.5, relative=True)
    assert config.options.value_scale == "total"
    wrong = changed("types = [2, 4, 8]", 'types = [2, 4, 8]\npreset = "paper"')
    with pytest.raises(
        InvalidInput, match=r"line 6: preset: expected .*default.*published.* 'paper'"
    ):
        read_experiment(write(tmp_path, wrong))


def test_rows_of_tables_are_in_order(tmp_path):
    small = read_experiment(write(tmp_path, changed("games = 8", "blocks = 1\nrounds = 3")))
    assert small.rows("delta") == ("2", "4", "6")
    assert small.rows("opponent") == ("novice", "expert")
    assert small.rows("round") == ("1", "2", "3")
    assert small.rows("update") == small.rows("") == ()
    with pytest.raises(InvalidInput, match=r"small has no cell 'x'; its cells are aware 2<4 novic"):
        small.cell("x")


def test_blocks_count_orders_that_differ(tmp_path):
    text = SMALL.replace("obl:{expert}+obl:{novice}", "obl:{expert}+obl:{expert}")
    with pytest.raises(InvalidInput, match=r"line 6: games: blocks of 'aware 2<4 novice' and "):
        read_experiment(write(tmp_path, text))
    alike = read_experiment(write(tmp_path, text.replace("games = 8", "blocks = 3")))
    assert len(alike.cell("plain 2<4 novice").slots) == 2
    assert alike.games == 3 * 6 * (4 + 2)


def test_both_teams_orders_and_values_that_belong_together(tmp_path):
    text = """
        name = "two"
        title = "Two"
        question = "?"
        game = "connect-four"
        params = { win = 2 }
        types = [2, 8]
        outsiders = [3]
        blocks = 2
        balance = ["against", "sides", "team"]
        [grid]
        "before, after" = [[2, 8], [8, 2], [2, 8]]
        partner = ["random", "obl:3"]
        [arms.a]
        team = "ca:8+obl:{before} until 10 then obl:{after}+{partner}"
        against = "ora:8+obl:2"
    """
    two = read_experiment(write(tmp_path, text))
    assert two.balance == ("sides", "team", "against")
    assert [cell.label for cell in two.cells] == [
        "a 2,8 random", "a 2,8 obl:3", "a 8,2 random", "a 8,2 obl:3",
    ]  # fmt: skip
    cell = two.cells[1]
    assert cell.team.members == ("ca:8@2,8", "obl:2 until 10 then obl:8", "obl:3")
    assert cell.against.members == ("ora:8@2,8", "obl:2")
    assert len(cell.slots) == len(set(cell.slots)) == 2 * 6 * 2
    assert two.params == {"win": 2}
    assert two.tables == two.comparisons == ()


def test_one_team(tmp_path):
    text = """
        name = "one"
        title = "One"
        question = "?"
        game = "wall-of-fire"
        params = { most_turns = 4, fire = -1 }
        types = [2, 8]
        blocks = 2
        balance = ["team"]
        arms.a.team = "ca:8+obl:2"
        [[tables]]
        published.a = 3
    """
    one = read_experiment(write(tmp_path, text))
    (cell,) = one.cells
    assert cell.label == "a"
    assert cell.against is None
    assert cell.slots == ((0, (0, 1), ()), (0, (1, 0), ()))
    assert one.tables[0].measure == one.tables[0].title == "reward"


def test_an_experiment_can_extend_another(tmp_path):
    write(tmp_path)
    write(
        tmp_path,
        'extends = "small.toml"\nname = "more"\nblocks = 7\nsearch.iterations = 9\n'
        "[arms.aware]\nsearch.teammate_iterations = 1\n[arms.eq]\nteam = 'eq:{expert}+obl:2'\n",
        "more.toml",
    )
    more = read_experiment(tmp_path / "more.toml")
    assert (more.name, more.title, more.blocks) == ("more", "A small experiment", 7)
    assert [arm.name for arm in more.arms] == ["aware", "plain", "eq"]
    assert more.arms[0].search == {"iterations": 9, "rollouts": 1, "teammate_iterations": 1}
    assert more.tables == read_experiment(tmp_path / "small.toml").tables


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('extends = "small.toml"', "more.toml: line 1: name is missing; expected at most"),
        (
            "extends = 3\nname = 'x'",
            "more.toml: line 1: extends: expected a non-empty string, got 3",
        ),
        (
            "name = 'x'\nextends = 'more.toml'",
            "more.toml: line 2: extends: 'more.toml' extends itself, by way of more.toml",
        ),
        ("name = 'x'\nextends = 'no.toml'", "more.toml: line 2: extends: cannot read "),
        (
            "name = 'x'\nextends = 'checkers'",
            "more.toml: line 2: extends: there is no experiment 'checkers'; ",
        ),
        (
            "name = 'x'\nextends = 'small.toml'\narms.aware.agents.prior = [1.0]",
            "small.toml: line 22: arms.aware.team: a prior has one probability for each",
        ),
        (
            "name = 'x'\nextends = 'small.toml'\n[arms.aware.agents]\nforget = 2",
            "more.toml: line 4: arms.aware.agents.forget: forget is a share of at least 0",
        ),
    ],
)
def test_what_is_wrong_with_an_extension_is_said_where_it_stands(tmp_path, text, problem):
    write(tmp_path)
    path = write(tmp_path, text, "more.toml")
    with pytest.raises(InvalidInput) as error:
        read_experiment(path)
    assert str(error.value).replace(f"{tmp_path}/", "").startswith(problem)


BAD = [
    # one line of the small file, what it becomes, the key, and what is said about it
    ('title = "A small', 'tilte = "A small', "tilte", "unknown; did you mean 'title'?"),
    ('title = "A small', 'TITLE = "A small', "TITLE", "unknown; did you mean 'title'?"),
    ("[search]", "[serach]", "serach", "unknown; did you mean 'search'?"),
    ("iterations = 5\nrol", "itertions = 5\nrol", "search.itertions", "did you mean 'iterations'?"),
    ("forget", "forgets", "arms.aware.agents.forgets", "did you mean 'forget'? settings are"),
    ("novice = 26", "novise = 26", "tables[0].published.aware.novise", "rows are novice, expert,"),
    ("published.plain", "published.plane", "tables[0].published.plane", "did you mean 'plain'?"),
    ("published.plain = -1", 'published.plain = "x"', "tables[0].published.plain",
     "expected a percentage from -100 to 100, got 'x'"),
    ('name = "small"', 'name = "so small"', "name", "digits and hyphens, not starting with a"),
    ('name = "small"', 'name = "-rf"', "name", "not starting with a hyphen, got '-rf'"),
    ('name = "small"', f'name = "{"a" * 101}"', "name", "expected at most 100 letters"),
    ("games = 8", "games = 4000004", "games", "expected at most 4,000,000, got 4,000,004"),
    ("games = 8", "blocks = 1000001", "blocks", "expected at most 1,000,000, got 1,000,001"),
    ("types = [2, 4, 8]", "types = [2, 4, 1000001]", "types", "expected different depths"),
    ('opponent = ["novice", "expert"]', f"x = {list(range(101))}\ny = {list(range(100))}",
     "grid.y", "the grid has more than 10,000 points; expected fewer values"),
    ('"novice < expert" = [2, 4, 8]', f'"a < b < c < d < e < f" = {list(range(1, 60))}',
     "grid.a < b < c < d < e < f", "the grid has more than 10,000 points"),
    ("teammate_iterations = 5", "iterations = 2147483648", "arms.aware.search.iterations",
     "must be less than 2147483648, got 2147483648"),
    ('question = "Does it work?"', 'question = " "', "question",
     "expected a non-empty string, got ' '"),
    ("types = [2, 4, 8]", "types = [4, 2]", "types", "expected different depths in ascending"),
    ('"novice < expert" = [2, 4, 8]', '"novice < expert" = [2, 4, 9]', "grid.novice < expert",
     "depth 9 is not among types = [2, 4, 8]; expected one of them, or outsiders = [9]"),
    ("types = [2, 4, 8]", "types = [2, 4, 8, 9]", "arms.aware.team", "for each of the types (2, 4"),
    ("team = \"obl:{expert}+", 'team = "obl:6+', "arms.plain.team", "outsiders = [6]"),
    ("games = 8", "games = 6", "games", "6 games are not whole blocks of 4; expected 4 or 8"),
    ("games = 8", "games = 3", "games", "3 games are not whole blocks of 4; expected 4"),
    ("games = 8", "games = 8.0", "games", "expected a whole number of 1 or more, got 8.0"),
    ("games = 8", "games = 8\nblocks = 2", "games", "expected games or blocks, not both"),
    ("games = 8", "blocks = 0", "blocks", "expected a whole number of 1 or more, got 0"),
    ("games = 8", "games = 8\nrounds = true", "rounds", "whole number from 1 to 10,000, got True"),
    ('["sides", "team"]', '["side"]', "balance", "some of sides, team, against, each once"),
    ('game = "checkers"', 'game = "chequers"', "game", "there is no game 'chequers'"),
    ('game = "checkers"', 'game = 3', "game", "expected a non-empty string, got 3"),
    ('game = "checkers"', 'game = "checkers"\nparams = { most_ply = 1 }', "params.most_ply",
     "parameters are king_value, most_plies"),
    ('game = "checkers"', 'game = "checkers"\nparams = { most_plies = 1.5 }', "params.most_plies",
     "most_plies is a whole number, such as 120; got 1.5"),
    ('game = "checkers"', 'game = "checkers"\nparams = 7', "params", "expected a table, got 7"),
    ('opponent = ["novice", "expert"]', "opponent = []", "grid.opponent", "a list of different"),
    ('opponent = ["novice", "expert"]', 'opponent = ["novice"]\nx = [1]', "grid.x", "no arm uses"),
    ('opponent = ["novice", "expert"]', 'total = [1]', "grid.total", "expected new variable names"),
    ('"novice < expert" = [2, 4, 8]', '"novice < expert" = [2]', "grid.novice < expert",
     "expected 2 depths or more, got [2]"),
    ('"novice < expert" = [2, 4, 8]', '"novice, expert" = [[2]]', "grid.novice, expert",
     "a list of lists of 2 values"),
    ('"expert - novice"', '"expert - rookie"', "grid.delta", "the difference of two variables"),
    ('"expert - novice"', '"expert - opponent"', "grid.delta", "two variables that are numbers"),
    ("ca:{expert}", "ca:{export}", "arms.aware.team", "{export} is not in the grid; did you mean"),
    ("ca:{expert}", "ka:{expert}", "arms.aware.team", "there is no agent 'ka'; did you mean"),
    ("ca:{expert}", "ca", "arms.aware.team", "'ca' has no type"),
    ("ca:{expert}", "ca:{expert} until 3 then obl:2", "arms.aware.team", "cannot become another"),
    ("ca:{expert}", "obl:8 until 0 then obl:2", "arms.aware.team", "after 1 move of the team"),
    ("ca:{expert}", "+".join(["obl:2"] * 4), "arms.aware.team", "1 to 4 members, got 5"),
    ("ca:{expert}", "random+ora:{expert}", "arms.aware.team", "cannot be told how deep random"),
    ('"obl:{expert}+obl:{novice}"', '"ora:8@2,8+obl:4"', "arms.plain.team",
     "expected 4 among its types, as in ora:8@2,8,4"),
    ('"obl:{expert}+obl:{novice}"', '"obl:{opponent}"', "arms.plain.team",
     "'obl:{opponent}' plays against itself, so its score is always 0"),
    ('against = "obl:{opponent}"', 'against = "{who}"', "against", "{who} is not in the grid"),
    ('against = "obl:{opponent}"\n', "", "arms.aware",
     "against is missing; expected the opponents"),
    ("teammate_iterations = 5", "iterations = 0", "arms.aware.search.iterations",
     "must be a whole number of 1 or more, got 0"),
    ("forget = 0.1", "forget = true", "arms.aware.agents.forget", "expected a number, got True"),
    ("forget = 0.1", "accuracy = 2", "arms.aware.agents.accuracy",
     "the accuracy of a belief is a probability from 0.005 to 0.5, got 2"),
    ("forget = 0.1", 'accuracy = "x"', "arms.aware.agents.accuracy", "a number, got 'x'"),
    ("forget = 0.1", "rule = 7", "arms.aware.agents.rule", "expected a non-empty string, got 7"),
    ("forget = 0.1", 'rule = "best"', "arms.aware.agents.rule", "there is no update rule 'best'"),
    ("forget = 0.1", 'rule = "os:path"', "arms.aware.agents.rule", "has no method evidence"),
    ("forget = 0.1", "temperature = 0", "arms.aware.agents.temperature", "must be above 0, got 0"),
    ("common_seed = true", "common_seed = 1", "arms.aware.agents.common_seed", "true or false"),
    ("[0.5, 0.25, 0.25]", "[0.5, 0.25, 0.5]", "arms.aware.team", "probabilities must sum to 1"),
    ('["aware", "aware - plain"]', '["aware - dull"]', "comparisons", "there is no arm 'dull'"),
    ('["aware", "aware - plain"]', '["aware - aware"]', "comparisons",
     "compares an arm with itself"),
    ('["aware", "aware - plain"]', '["aware", "aware"]', "comparisons", "is listed twice"),
    ('opponent = ["novice", "expert"]', 'opponent = ["novice", "2"]\nx = [1, "1"]', "grid.x",
     "would both be called"),
    ("published.plain = -1", "published.plain = 101", "tables[0].published.plain",
     "percentage from -100 to 100"),
    ('["aware", "aware - plain"]', '"aware"', "comparisons",
     "expected a list of non-empty strings"),
    ('measure = "deviation"', 'measure = "score"', "tables[1].by", "one of novice, expert, oppon"),
    ('measure = "deviation"', 'measure = "luck"', "tables[1].measure", "one of score, reward, dev"),
    ("about = 1", "about = 2", "tables[1].about", "teams have members 0 to 1, got 2"),
    ("about = 1", "about = 0", "tables[1].about", "a player has no belief about itself"),
    ("about = 1", "member = 1", "tables[1].member", "member 1 learns nothing in any arm"),
    ("about = 1", "member = -1", "tables[1].member", "expected a whole number of 0 or more"),
]  # fmt: skip


def test_a_game_without_a_rule_is_refused_before_anything_is_played(tmp_path):
    rules = Path(connect_four.rules.__file__).read_text()
    game = tmp_path / "lame.py"
    game.write_text(rules.replace("def reward(", "def rewards("))
    text = changed('game = "checkers"', f'game = "{game}"')
    with pytest.raises(
        InvalidInput, match=r"game: .*lame\.py has no rule reward; see `sizeup check"
    ):
        read_experiment(write(tmp_path, text))


def test_a_game_lies_beside_its_experiment_wherever_one_stands(tmp_path, monkeypatch):
    """Equal games have equal names, whatever folder they are played from."""
    game = tmp_path / "own.py"
    game.write_text(Path(connect_four.rules.__file__).read_text())
    file = write(tmp_path, changed('game = "checkers"', 'game = "own.py"'))
    absolute = plan(read_experiment(file))
    for folder, path in ((tmp_path, file.name), (tmp_path.parent, f"{tmp_path.name}/{file.name}")):
        monkeypatch.chdir(folder)
        here = plan(read_experiment(path))
        assert [job.job_id for job in here] == [job.job_id for job in absolute]
        assert here.origin == absolute.origin
        assert Path(load_game(here[0].game).__file__).samefile(game)
        assert here[0].config["game"] == "own.py"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "more.toml").write_text('extends = "../small.toml"\nname = "more"\n')
    more = read_experiment(elsewhere / "more.toml")
    assert (more.game, Path(more.home).samefile(game)) == ("own.py", True)


def test_a_game_where_one_stands_is_found_too(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(Path(connect_four.rules.__file__).read_text())
    folder = tmp_path / "experiments"
    folder.mkdir()
    file = write(folder, changed('game = "checkers"', 'game = "own.py"'))
    monkeypatch.chdir(tmp_path)
    assert read_experiment(file).home == "own.py"
    (tmp_path / "own.py").unlink()
    with pytest.raises(InvalidInput, match=r"game: .*experiments/own\.py"):
        read_experiment(file)


@pytest.mark.parametrize(("old", "new", "key", "problem"), BAD)
def test_bad_files_say_line_key_and_what_was_expected(tmp_path, old, new, key, problem):
    text = changed(old, new)
    with pytest.raises(InvalidInput) as error:
        read_experiment(write(tmp_path, text))
    message = str(error.value)
    assert "\n" not in message
    found = re.fullmatch(rf"{re.escape(str(tmp_path))}/small\.toml: line (\d+): (.*)", message)
    assert found is not None, message
    assert found[2].startswith(f"{key}: "), message
    assert problem in found[2]
    assert message.count("line ") == 1
    last = re.split(r"[.\]]", key)[-1]
    line = text.splitlines()[int(found[1]) - 1]
    assert last in line or line.startswith("[["), f"{line!r} has no {last!r}"
    assert list(tmp_path.iterdir()) == [tmp_path / "small.toml"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name = ?", "line 1, column 8: invalid value"),
        ("name = 'x'\n[grid\n", "line 2, column 6: expected ']' at the end of a table declaration"),
        ("name = 'x", "line 1: expected "),
        ("name = 'x'\nname = 'y'", "line 2: cannot overwrite a value"),
        (SMALL.split("[arms", maxsplit=1)[0], "line 1: arms are missing; expected tables such as"),
        (changed("[arms.plain]", "[[arms.plain]]"), "line 26: arms.plain: expected a table, got "),
        (changed("games = 8\n", ""), "line 1: blocks is missing; expected a whole number"),
        (SMALL.replace("[[tables]]\nby", "[tables]\nby").split("[[tables]]")[0],
         "tables: expected tables that start with [[tables]], got {'by'"),
    ],
)  # fmt: skip
def test_files_that_are_no_experiment(tmp_path, text, problem):
    with pytest.raises(InvalidInput) as error:
        read_experiment(write(tmp_path, text))
    message = str(error.value)
    assert problem in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("arms.a.team", "against = 'obl:2'\narms.a.team"), "line 8: against: wall-of-fire is a"),
        (("arms.a.team", "arms.a.against = 'obl:2'\narms.a.team"), "line 8: arms.a.against: wal"),
        (("[]", '["sides"]'), "line 7: balance: expected a list of some of team, each once"),
        (("[[tables]]", "[[tables]]\nmeasure = 'score'"), "tables[0].measure: expected one of rew"),
        (
            ("wall-of-fire", "narrow-tunnel"),
            "arms.a.team: narrow-tunnel needs teams of 2, got",
        ),
    ],
)
def test_a_game_of_one_team_has_no_opponents(tmp_path, change, problem):
    text = (
        "name = 'one'\ntitle = 'One'\nquestion = '?'\ngame = 'wall-of-fire'\ntypes = [2]\n"
        "blocks = 1\nbalance = []\narms.a.team = 'obl:2+obl:2+obl:2'\n[[tables]]\n"
    )
    read_experiment(write(tmp_path, text))
    with pytest.raises(InvalidInput, match=re.escape(problem)):
        read_experiment(write(tmp_path, text.replace(*change)))


def test_names_that_are_not_there(tmp_path):
    with pytest.raises(
        InvalidInput, match="no experiment 'checkers-awar'; did you mean 'checkers-"
    ):
        read_experiment("checkers-awar")
    with pytest.raises(
        InvalidInput, match="no experiment 'zzz'; expected one of checkers-ablation"
    ):
        read_experiment("zzz")
    with pytest.raises(InvalidInput, match=r"cannot read .*none\.toml"):
        read_experiment(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(InvalidInput, match=r"cannot read .*latin\.toml"):
        read_experiment(tmp_path / "latin.toml")


PAPER = {
    "wall-of-fire": (20, {"novices": 0, "experts": 1490, "oblivious": -20, "aware": -2}),
    "narrow-tunnel": (20, {"novices": 4, "experts": 90, "oblivious": 0, "aware": 4}),
    "checkers-aware": (960, {"ca": 3.3}),
    "checkers-multi": (2400, {"ma": 3.7, "sa": -0.4}),
    "checkers-ablation": (7200, {"ca": 2.4, "ora": 5.4, "obl": -2.4, "nu": 0.3, "min": -1.3}),
}


@pytest.mark.parametrize("name", PAPER)
def test_published_counts_and_totals(name):
    games, totals = PAPER[name]
    read = read_experiment(name)
    assert read.games == games
    assert {arm: rows["total"] for arm, rows in read.tables[0].published.items()} == totals


def test_every_shipped_experiment_is_sound():
    for name in shipped():
        read = read_experiment(name)
        assert read.name == name
        assert len({cell.label for cell in read.cells}) == len(read.cells)
        if read.teammates is not None:
            continue  # equal members have fewer orders of seats
        per_arm = {
            arm.name: sum(len(c.slots) for c in read.cells if c.arm == arm.name)
            for arm in read.arms
        }
        assert len(set(per_arm.values())) == 1, "arms are of equal size"


@pytest.mark.parametrize("name", [name for name in shipped() if name.endswith("-teammates")])
def test_a_shipped_set_of_teammates_has_all_baselines_and_a_bound(name):
    read = read_experiment(name)
    assert name == f"{read.game}-teammates"
    assert read.teammates.version == 1
    assert len(read.teammates.agents) >= 10
    kinds = {agent.partition(":")[0] for agent in read.teammates.agents}
    assert {"ca", "obl", *BASELINES} <= kinds
    assert read.teammates.bound.startswith("tenfold:")


def test_a_set_may_name_its_bound(tmp_path):
    base = 'extends = "harvest-teammates"\nname = "mine"\n[teammates]\nbound = "{}"\n'
    path = tmp_path / "mine.toml"
    path.write_text(base.format("obl:4"))
    assert read_experiment(path).teammates.bound == "obl:4"
    path.write_text(base.format("obl:3"))
    with pytest.raises(InvalidInput, match=r"line 4: teammates.bound: expected one of the agents"):
        read_experiment(path)


@pytest.mark.parametrize("name", ["checkers-aware", "checkers-multi", "checkers-ablation"])
def test_the_variants_differ_in_teammate_iterations_only(name):
    one, five = read_experiment(name), read_experiment(f"{name}-5")
    assert five.title != one.title
    assert five.games == one.games
    assert five.tables == one.tables
    for a, b in zip(one.cells, five.cells, strict=True):
        assert a.team.members == b.team.members
        assert b.team.search == b.against.search == {"teammate_iterations": 5}


def test_the_files_are_where_the_package_is():
    import sizeup.experiments

    folder = Path(sizeup.experiments.__file__).parent / "data"
    assert tuple(sorted(path.stem for path in folder.glob("*.toml"))) == shipped()
