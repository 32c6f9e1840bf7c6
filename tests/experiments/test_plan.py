"""Plans: whole blocks in turn, seeds that arms share, and names that depend on the game alone."""

import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import sizeup
from sizeup.errors import InvalidInput
from sizeup.experiments.job import canonical, fingerprint
from sizeup.experiments.plan import code_parts, plan
from sizeup.experiments.spec import read_experiment, shipped

TEXT = """
name = "small"
title = "Small"
question = "?"
game = "connect-four"
types = [2, 4, 8]
blocks = 3
balance = ["sides", "team"]
against = "obl:2"
[grid]
"novice < expert" = [2, 4, 8]
[arms.ca]
team = "ca:{expert}+obl:{novice}"
[arms.obl]
team = "obl:{expert}+obl:{novice}"
"""


def experiment(folder, text=TEXT):
    path = folder / "small.toml"
    path.write_text(text)
    return read_experiment(path)


@pytest.fixture
def small(tmp_path):
    return experiment(tmp_path)


GOLDEN = json.loads(Path(__file__).with_name("golden_plans.json").read_text())


@pytest.mark.parametrize("name", shipped())
def test_plans_of_shipped_experiments_are_what_they_were(name):
    """Stores go on only with the plan that they were begun with."""
    planned = plan(read_experiment(name))
    digest = hashlib.sha256()
    for job in planned:
        whole = [job.job_id, job.index, job.cell, job.block, job.slot, job.seed, dict(job.config)]
        digest.update(canonical(whole).encode())
    assert GOLDEN[name] == {
        "jobs": len(planned),
        "config": fingerprint(planned.experiment.config),
        "plan": digest.hexdigest()[:32],
    }


def test_each_round_of_the_plan_is_a_whole_block_of_every_cell(small):
    jobs = list(plan(small))
    assert len(jobs) == plan(small).games == small.games == 3 * 6 * 4
    for block in range(3):
        turn = jobs[24 * block : 24 * (block + 1)]
        assert {job.block for job in turn} == {block}
        assert Counter((job.cell, job.slot) for job in turn) == Counter(
            {(cell.label, slot): 1 for cell in small.cells for slot in range(4)}
        )
    assert [job.index for job in jobs] == list(range(72))
    assert [job.cell for job in jobs[:9:4]] == ["ca 2<4", "obl 2<4", "ca 2<8"]


def test_configurations_are_complete(small):
    job = plan(small).job("ca 2<8", block=1, slot=3)
    assert job.config == {
        "game": "connect-four",
        "params": {},
        "rounds": 1,
        "side": 1,
        "team": {
            "members": ["ca:8@2,4,8", "obl:2"],
            "order": [1, 0],
            "agents": {"rule": "sampled"},
            "search": {},
        },
        "against": {
            "members": ["obl:2"],
            "order": [0],
            "agents": {"rule": "sampled"},
            "search": {},
        },
    }
    assert (job.block, job.slot, job.rounds) == (1, 3, 1)


def test_games_by_the_published_rule_are_named_as_before_there_was_another(small, tmp_path):
    """What a job says, and so its name, has no rule in it if it is the published one."""
    text = TEXT.replace('against = "obl:2"', 'against = "obl:2"\nagents = { rule = "published" }')
    old, new = (list(plan(one, seed=5)) for one in (experiment(tmp_path, text), small))
    assert {
        json.dumps(job.config[side]["agents"]) for job in old for side in ("team", "against")
    } == {"{}"}
    assert [job.seed for job in old] == [job.seed for job in new]
    assert not {job.job_id for job in old} & {job.job_id for job in new}
    said = TEXT.replace('against = "obl:2"', 'against = "obl:2"\nagents = { rule = "sampled" }')
    assert list(plan(experiment(tmp_path, said), seed=5)) == new


def test_arms_share_seeds_and_nothing_else_does(small):
    jobs = list(plan(small, seed=5))
    seeds = {}
    for job in jobs:
        arm, point = job.cell.split()
        seeds.setdefault((point, job.block), set()).add(job.seed)
        assert arm in ("ca", "obl")
    assert all(len(found) == 1 for found in seeds.values())
    assert len(set().union(*seeds.values())) == len(seeds) == 9
    assert not {job.seed for job in jobs} & {job.seed for job in plan(small, seed=6)}


def test_a_longer_plan_begins_with_the_shorter_one(small):
    assert list(plan(small, blocks=50))[:72] == list(plan(small))


def test_games_keep_their_names_and_seeds_whatever_is_planned_beside_them(small, tmp_path):
    text = TEXT.replace("[2, 4, 8]\n[arms", "[2, 8]\n[arms") + '[arms.nu]\nteam = "nu:8+obl:2"\n'
    other = experiment(tmp_path, text.replace('title = "Small"', 'title = "Other"'))
    for slot in range(4):
        mine, theirs = (plan(e, 1).job("obl 2<8", 2, slot) for e in (small, other))
        assert (mine.job_id, mine.seed) == (theirs.job_id, theirs.seed)
        assert mine.index != theirs.index


def test_names_tell_games_apart(small, tmp_path):
    names = {job.job_id for job in plan(small)}
    assert len(names) == 72
    assert not names & {job.job_id for job in plan(small, seed=1)}
    for old, new in (
        ("connect-four", "checkers"),
        ("blocks = 3", "blocks = 3\nrounds = 2"),
        ("blocks = 3", "blocks = 3\nparams = { win = 2.0 }"),
        ("blocks = 3", "blocks = 3\nsearch = { rollouts = 1 }"),
        ("obl:2", "obl:4"),
        ("[arms.", "[arms.x"),
    ):
        assert not names & {
            job.job_id for job in plan(experiment(tmp_path, TEXT.replace(old, new)))
        }


def test_names_and_seeds_are_the_same_for_everybody_for_ever():
    first, last = plan(read_experiment("checkers-aware"), seed=0)[:: 960 - 1]
    assert (first.cell, first.seed, first.job_id) == FIRST
    assert (last.cell, last.seed, last.job_id) == LAST


FIRST = ("ca 2<4", 15067456662431389917, "b2cf77c9156db367")
LAST = ("ca 6<8", 17526387075434932391, "b48faf03736c8a81")


CODE = """
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
print(*(f"{job.job_id} {job.seed}" for job in plan(read_experiment("checkers-multi"), 3, 1)))
"""


@pytest.mark.slow
def test_another_process_makes_the_same_plan():
    here = " ".join(
        f"{job.job_id} {job.seed}" for job in plan(read_experiment("checkers-multi"), 3, 1)
    )
    there = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )  # fmt: skip
    assert there.stdout.strip() == here


def test_a_plan_is_a_sequence(small):
    jobs, listed = plan(small), list(plan(small))
    assert jobs[7] == listed[7]
    assert jobs[-1] == listed[-1]
    assert jobs[5:50:9] == listed[5:50:9]
    assert jobs.index(listed[40]) == 40
    with pytest.raises(IndexError):
        jobs[72]
    assert all(jobs.job(job.cell, job.block, job.slot) == job for job in listed)


def test_what_cannot_be_planned(small):
    for seed in (-1, 1.0, True):
        with pytest.raises(
            InvalidInput, match=f"a seed is a whole number of 0 or more, got {seed}"
        ):
            plan(small, seed)
    for blocks in (0, 2.0):
        with pytest.raises(InvalidInput, match=f"whole number from 1 to 1,000,000, got {blocks}"):
            plan(small, blocks=blocks)
    for block, slot in ((3, 0), (-1, 0), (0, 4), (0, -1)):
        with pytest.raises(InvalidInput, match="'ca 2<4' has blocks 0 to 2 of slots 0 to 3, got "):
            plan(small).job("ca 2<4", block, slot)
    with pytest.raises(InvalidInput, match="small has no cell 'ca 4<2'"):
        plan(small).job("ca 4<2", 0, 0)


def test_series_count_all_their_games(small):
    series = plan(replace(small, rounds=4))
    assert series.games == 4 * len(series)
    assert series[0].rounds == 4


def test_the_configuration_is_what_is_played(small, tmp_path):
    mark = plan(small).origin.config_fingerprint
    same = TEXT.replace("Small", "Large").replace("blocks = 3", "blocks = 9")
    assert plan(experiment(tmp_path, same)).origin.config_fingerprint == mark
    other = experiment(tmp_path, TEXT.replace('against = "obl:2"', 'against = "obl:4"'))
    assert plan(other).origin.config_fingerprint != mark
    assert other.config["cells"]["ca 2<4"]["against"]["members"] == ["obl:4"]
    old, new = plan(small).origin, plan(other, seed=2).origin
    changes = new.changes_since(old)
    assert changes[0] == "seed: 0 -> 2"
    assert changes[1] == 'config cells.ca 2<4.against.members.0: "obl:2" -> "obl:4"'
    assert read_experiment("wall-of-fire").config["cells"]["aware"]["against"] is None


@pytest.fixture
def package(tmp_path):
    root = tmp_path / "sizeup"
    shutil.copytree(
        Path(sizeup.__file__).parent, root, ignore=shutil.ignore_patterns("__pycache__", "data")
    )
    return root


def test_the_code_is_what_decides_games(package):
    before = code_parts("checkers", root=package)
    assert before == code_parts("checkers")
    assert {"agents", "capability", "games", "planning", "play", "search", "jit"} <= set(before)
    assert before["numba"].count(".") >= 1

    def add(file, text):
        path = package / file
        path.write_text(path.read_text() + text)

    add("search/kernel.py", "\n\n# a remark\n")
    add("play/show.py", "\n\nSHOWN = 1\n")
    add("games/checkers/look.py", "\n\nSHOWN = 1\n")
    add("games/drawing.py", "\n\nSHOWN = 1\n")
    add("games/wall_of_fire/rules.py", "\n\nMORE = 1\n")
    assert code_parts("checkers", root=package) == before
    for file, room in (
        ("search/kernel.py", "search"),
        ("games/seated.py", "games"),
        ("games/checkers/rules.py", "games"),
        ("experiments/members.py", "experiments"),
        ("capability/energy.py", "capability"),
    ):
        old = code_parts("checkers", root=package)
        add(file, "\n\nNEW = 1\n")
        new = code_parts("checkers", root=package)
        assert [name for name in new if new[name] != old[name]] == [room]


def test_a_game_of_ones_own_counts(tmp_path):
    source = Path(sizeup.__file__).parent / "games" / "connect_four" / "rules.py"
    game = tmp_path / "own_connect_four.py"
    game.write_text(source.read_text())
    before = code_parts(str(game))
    game.write_text(source.read_text() + "\n\nNEW = 1\n")
    after = code_parts(str(game))
    assert [part for part in after if after[part] != before[part]] == ["the game"]
    assert after != code_parts("connect-four")


def test_an_agent_of_ones_own_counts(tmp_path):
    agent, helper = tmp_path / "agent_of_mine.py", tmp_path / "help_of_agent.py"
    agent.write_text("from help_of_agent import FIRST\n\n\nclass Agent:\n    pass\n")
    helper.write_text("FIRST = 1\n")
    members = ["agent_of_mine.py:2", "obl:2"]
    before = code_parts("checkers", members, str(tmp_path))
    assert "the agent agent_of_mine.py" in before
    helper.write_text("FIRST = 2\n")
    after = code_parts("checkers", members, str(tmp_path))
    changed = [part for part in after if after[part] != before[part]]
    assert changed == ["the agent agent_of_mine.py"]


def test_what_a_game_of_ones_own_imports_counts(tmp_path):
    source = (Path(sizeup.__file__).parent / "games" / "connect_four" / "rules.py").read_text()
    game, helper, deeper = (tmp_path / f"{name}_of_mine.py" for name in ("game", "help", "deep"))
    game.write_text(f"{source}\nimport json, numpy\nfrom help_of_mine import MOST\n")
    helper.write_text("import deep_of_mine\nfrom deep_of_mine import MORE\nMOST = MORE\n")
    deeper.write_text("import help_of_mine\nMORE = 1\n")
    before = code_parts(str(game))
    deeper.write_text("import help_of_mine\nMORE = 2  # one more\n")
    after = code_parts(str(game))
    assert [part for part in after if after[part] != before[part]] == ["the game"]
    deeper.write_text("import help_of_mine\n\n\nMORE = 2\n")
    assert code_parts(str(game)) == after


def test_what_was_imported_before_makes_no_difference(tmp_path, monkeypatch):
    source = (Path(sizeup.__file__).parent / "games" / "connect_four" / "rules.py").read_text()
    game = tmp_path / "lazy_game_of_mine.py"
    game.write_text(f"{source}\n\ndef later():\n    import later_of_mine\n")
    (tmp_path / "later_of_mine.py").write_text("MORE = 1\n")
    before = code_parts(str(game))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("later_of_mine")
    assert code_parts(str(game)) == before
    (tmp_path / "later_of_mine.py").write_text("MORE = 2\n")
    assert code_parts(str(game)) != before


def test_the_package_of_a_game_counts(tmp_path, monkeypatch):
    source = (Path(sizeup.__file__).parent / "games" / "connect_four" / "rules.py").read_text()
    site = tmp_path / "site-packages"  # where other packages do not count
    package = site / "games_of_mine"
    package.mkdir(parents=True)
    (site / "another.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "four.py").write_text(
        f"{source}\nfrom . import rules\nfrom .rules import MOST\nimport another\n"
    )
    (package / "rules.py").write_text("MOST = 1\n")
    monkeypatch.syspath_prepend(site)
    before = code_parts("games_of_mine.four")
    (site / "another.py").write_text("MORE = 1\n")
    assert code_parts("games_of_mine.four") == before
    (package / "rules.py").write_text("MOST = 2\n")
    after = code_parts("games_of_mine.four")
    assert [part for part in after if after[part] != before[part]] == ["the game"]
