"""A game and an agent of one's own, in a folder that nothing else knows, through every verb."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SIZEUP = Path(sys.executable).with_name("sizeup")
EXPERIMENT = """
name = "mine"
title = "Mine beside an oblivious one"
question = "Does mine earn more?"
game = "my_heap.py"
types = [2, 4]
blocks = 2
balance = ["team"]

[params]
stones = 7

[arms.mine]
title = "Mine"
team = "my_agent.py:4+obl:2"

[arms.oblivious]
title = "Oblivious"
team = "obl:4+obl:2"

[[tables]]
title = "Reward"
measure = "reward"
"""

MATES = """
name = "mates"
title = "Mine among others"
question = "Who gets on with whom?"
game = "my_heap.py"
params = { stones = 7 }
types = [2, 4]
blocks = 2
balance = ["team"]

[teammates]
version = 1
agents = ["my_agent.py:4", "obl:2"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("own")
    (place / "mine.toml").write_text(EXPERIMENT)
    for verb, name in (("new-game", "my_heap"), ("new-agent", "my_agent")):
        assert f"wrote {name}.py" in sizeup(place, verb, name)
    return place


def sizeup(folder, *words, given="", code=0):
    done = subprocess.run(
        [str(SIZEUP), *map(str, words)], cwd=folder, input=given, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + (done.stderr if code else "")


def test_both_are_checked(folder):
    assert "my_heap: keeps the contract" in sizeup(folder, "check", "my_heap.py")
    assert "keeps the protocol" in sizeup(folder, "check", "my_agent.py:4")
    assert "keeps the protocol" in sizeup(folder, "check", "my_agent.py:4", "--on", "my_heap.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert "2 passed" in done.stdout, done.stdout


def test_a_match_is_watched_played_replayed_and_sized_up(folder):
    team = ("--team", "my_agent.py:4+obl:2")
    shown = sizeup(folder, "watch", "my_heap.py", *team, "--seed", 3, "--save", "match.json")
    assert "player 0 (my_agent.py:4) plays take" in shown
    assert "o coin" in shown  # as its look says
    saved = json.loads((folder / "match.json").read_text())
    assert [one["model"] for one in saved["agents"]] == ["plugin", "equals"]
    assert "it expects" in saved["moves"][0]["note"]
    again = sizeup(folder, "replay", "match.json", "--game", "my_heap.py", "--delay", 0)
    assert again.count(" plays take") == shown.count(" plays take")
    assert "not a game that comes with Sizeup" in sizeup(folder, "replay", "match.json", code=2)
    played = sizeup(folder, "play", "my_heap.py", *team, "--as", 1, given="take 1\n" * 12)
    assert "the game is over" in played
    found = sizeup(
        folder, "infer", "match.json", "--game", "my_heap.py", "--types", "2,4", "--json", "i.json"
    )
    assert "my_agent.py:4" in found
    assert json.loads((folder / "i.json").read_text())["types"] == [2, 4]


def test_an_experiment_is_planned_run_reported_exported_and_verified(folder):
    assert "8 games of my_heap.py" in sizeup(folder, "plan", "mine.toml")
    assert "all 8 games played" in sizeup(folder, "run", "mine.toml", "--workers", 1)
    assert "8 of 8 games" in sizeup(folder, "status", "mine-0.db")
    sizeup(folder, "report", "mine-0.db", "--html", "mine.html")
    assert "Mine beside an oblivious one" in (folder / "mine.html").read_text()
    sizeup(folder, "export", "mine-0.db", "--csv", "rows.csv", "--parquet", "rows.parquet")
    sizeup(folder, "export", "mine-0.db", "--records", "records", "--most", 2)
    assert len(list((folder / "records").glob("*.json"))) == 2
    sizeup(folder, "merge", "merged.db", "rows.parquet", "--experiment", "mine.toml")
    assert "8 games, all match" in sizeup(folder, "verify", "merged.db", "--games", 8)
    (folder / "elsewhere").mkdir()
    assert "all match" in sizeup(folder / "elsewhere", "verify", "../mine-0.db", "--games", 2)


def test_a_store_is_copied_and_made_whole(folder, tmp_path):
    for name in ("mine.toml", "my_heap.py", "my_agent.py"):
        shutil.copy(folder / name, tmp_path)
    sizeup(tmp_path, "run", "mine.toml", "--blocks", 1, "--workers", 1)
    assert "wrote copy.db: 4 games" in sizeup(tmp_path, "backup", "mine-0.db", "copy.db")
    sizeup(tmp_path, "repair", "copy.db")
    assert "4 games, all match" in sizeup(tmp_path, "verify", "copy.db")


def test_everybody_is_played_with_everybody(folder, tmp_path):
    for name in ("my_heap.py", "my_agent.py"):
        shutil.copy(folder / name, tmp_path)
    (tmp_path / "mates.toml").write_text(MATES)
    sizeup(tmp_path, "crossplay", "mates.toml", "--workers", 1, "--csv", "mates.csv")
    assert "my_agent.py:4" in (tmp_path / "mates.csv").read_text()


def test_an_agent_that_changed_is_told(folder, tmp_path):
    for name in ("mine.toml", "my_heap.py", "my_agent.py"):
        shutil.copy(folder / name, tmp_path)
    sizeup(tmp_path, "run", "mine.toml", "--blocks", 1, "--workers", 1)
    agent = tmp_path / "my_agent.py"
    agent.write_text(agent.read_text().replace("it expects", "mine expects"))
    told = sizeup(tmp_path, "run", "mine.toml", "--blocks", 3, "--workers", 1, code=2)
    assert "the agent my_agent.py" in told
