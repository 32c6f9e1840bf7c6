import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from typer.testing import CliRunner

import sizeup
from sizeup.cli import _from_here, app, main
from sizeup.play import Record, play

pytestmark = pytest.mark.slow


def test_version():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"sizeup {sizeup.__version__}\n")
    assert version("sizeup") == sizeup.__version__


def test_the_package_is_the_command():
    asked = [sys.executable, "-m", "sizeup", "--version"]
    shown = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert shown == f"sizeup {sizeup.__version__}\n"


def test_help_and_no_arguments_say_what_this_is():
    asked, bare = (CliRunner().invoke(app, arguments) for arguments in (["--help"], []))
    assert asked.exit_code == 0
    for output in (asked.output, bare.output):
        assert "size up their teammates" in output


def test_an_unknown_option_is_one_clear_error(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sizeup", "--nope"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "No such option: --nope" in error
    assert "Traceback" not in error


def run(*arguments):
    """Run the command here, as a shell would see it."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["sizeup", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
            signal.signal(signal.SIGINT, signal.default_int_handler)  # which an end by it turns off
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def test_a_new_game_keeps_the_contract_and_passes_its_own_test(tmp_path):
    written = run("new-game", "my_game", "--folder", tmp_path)
    assert (written.returncode, len(written.stdout.splitlines())) == (0, 3)
    checked = run("check", tmp_path / "my_game.py", "--games", 5)
    assert checked.returncode == 0
    assert checked.stdout.startswith("my_game: keeps the contract (5 random games")
    assert " moves of chance" in checked.stdout
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q", tmp_path], check=False)
    assert tested.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "chekers"], "there is no game 'chekers'"),
        (["check", "missing.py"], "there is no file 'missing.py'"),
        (["new-game", "2x"], "'2x' cannot be the name of a Python module"),
        (["new-game", "class"], "'class' cannot be the name"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, message):
    failed = run(*arguments)
    assert failed.returncode == 2
    assert failed.stderr.startswith(f"sizeup: {message}")
    assert len(failed.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["random", "numpy", "sizeup"])
def test_a_new_file_hides_no_module_of_others(tmp_path, name):
    """Beside a numpy.py of one's own, Python finds no other numpy."""
    for verb in ("new-game", "new-agent"):
        failed = run(verb, name, "--folder", tmp_path)
        assert (failed.returncode, list(tmp_path.iterdir())) == (2, [])
        assert failed.stderr.startswith(f"sizeup: {name!r} is the name of a Python module")


def test_nothing_is_overwritten(tmp_path):
    assert run("new-game", "mine", "--folder", tmp_path).returncode == 0
    again = run("new-game", "mine", "--folder", tmp_path)
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    (tmp_path / "file").write_text("")
    blocked = run("new-game", "mine", "--folder", tmp_path / "file" / "deeper")
    assert (blocked.returncode, "cannot write to" in blocked.stderr) == (2, True)


@pytest.mark.parametrize(
    ("source", "message"),
    [("x = 1\ny = (\n", "line 2: SyntaxError"), ("x = 1\ny = z\n", "line 2: NameError")],
)
def test_a_file_that_does_not_load_is_named_with_its_line(tmp_path, source, message):
    (tmp_path / "bad.py").write_text(source)
    failed = run("check", tmp_path / "bad.py")
    assert (failed.returncode, message in failed.stderr) == (2, True)
    assert len(failed.stderr.splitlines()) == 1


def test_the_command_starts_without_heavy_imports():
    """What makes a command slow to start is what it imports: hold it to a list, not a clock."""
    code = "import sys, sizeup.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "scipy", "numba", "matplotlib", "sizeup.capability"} & set(loaded)


def test_watch_saves_a_record_and_replay_shows_the_same(tmp_path):
    path = tmp_path / "match.json"
    team = ["--team", "random", "--team", "random", "--seed", "3", "--delay", "0"]
    watched = run("watch", "connect-four", *team, "--save", path)
    assert watched.returncode == 0
    assert watched.stdout.splitlines()[-1] == f"wrote {path}"
    replayed = run("replay", path, "--delay", "0")
    assert replayed.stdout.splitlines() == watched.stdout.splitlines()[:-1]


def test_what_cannot_be_saved_is_told_before_the_match(tmp_path, monkeypatch):
    """The name is longer than any file system takes, which no look at permissions finds."""
    monkeypatch.setattr("sizeup.play.play", None)
    long = tmp_path / f"{'x' * 300}.json"
    teams = ["--team", "random", "--team", "random"]
    for path, message in (
        (long, "File name too long"),
        (tmp_path / "no" / "match.json", f"there is no folder {tmp_path / 'no'}"),
        (tmp_path, "it is a folder"),
    ):
        for verb in (["watch"], ["play", "--as", "0"]):
            failed = run(verb[0], "connect-four", *teams, *verb[1:], "--save", path)
            assert failed.returncode == 2
            assert failed.stderr == f"sizeup: cannot write {path}: {message}\n"
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_touched_before_it_is_overwritten(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("sizeup.play.play", interrupted)
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text("what was there")
    for path in (old, new):
        stopped = run("watch", "connect-four", *["--team", "random"] * 2, "--save", path)
        assert stopped.returncode not in (0, 2)
    assert old.read_text() == "what was there"
    assert not new.exists()


def test_a_person_plays_and_leaves(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\nd\nquit\n"))
    left = run("play", "connect-four", "--team", "random", "--team", "random", "--as", "0")
    assert left.returncode == 0
    assert "plays d" in left.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "wall-of-ice"], "there is no experiment 'wall-of-ice'"),
        (
            ["bench", "--rounds", "1", "--beside", "nothing-like-this"],
            "--beside: the command failed",
        ),
        (["infer", "missing.pdn"], ""),
        (["replay", "missing.json"], "cannot read missing.json"),
        (
            ["watch", "checkers", "--team", "ca:8"],
            "checkers needs 2 teams of 1 to 4 players, got 1",
        ),
        (["watch", "checkers", "--team", "aa:8", "--team", "obl:2"], "there is no agent 'aa'"),
        (["play", "checkers", "--team", "obl:2", "--team", "obl:2", "--as", "5"], ""),
    ],
)
def test_bad_matches_are_one_line(arguments, message):
    failed = run(*arguments)
    assert failed.returncode == 2
    assert failed.stderr.splitlines()[-1].startswith(f"sizeup: {message}")
    assert "Traceback" not in failed.stderr


PDN = """[Black "Ann"]
[White "Ben"]
1. 11-15 23-19 2. 8-11 22-17 *

[Black "Ben"]
[White "Cid"]
1. 11-15 23-19 *
"""


@pytest.fixture
def pdn(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text(PDN)
    return path


def test_how_deep_a_player_thinks(tmp_path, pdn):
    posteriors, picture = tmp_path / "found.json", tmp_path / "found.svg"
    page = tmp_path / "found.html"
    told = run(
        "infer", pdn, "--types", "1,2", "--json", posteriors, "--plot", picture, "--html", page
    )
    assert told.returncode == 0
    assert [line.split()[0] for line in told.stdout.splitlines()[1:4]] == ["Ann", "Ben", "Cid"]
    wrote = [f"wrote {file}" for file in (posteriors, picture, page)]
    assert told.stdout.splitlines()[-3:] == wrote
    assert re.findall("<h2>(.*?)</h2>", page.read_text())[:3] == ["Ann", "Ben", "Cid"]
    assert [player["name"] for player in json.loads(posteriors.read_text())["players"]] == [
        *("Ann", "Ben", "Cid")
    ]
    (cid,) = json.loads(posteriors.read_text())["players"][2:]
    assert f"Cid: {cid['verdict']}" in picture.read_text()
    assert told.stdout.splitlines()[3].endswith(f" {cid['verdict']}")
    assert told.stderr.splitlines() == ["game 1 of 2: 1 of 6 moves", "game 2 of 2: 6 of 6 moves"]
    assert told.stderr.splitlines()[-1] == "game 2 of 2: 6 of 6 moves"


def test_options_of_infer(pdn):
    def players(*options):
        told = run("infer", pdn, "--types", "1,2", "--iterations", "20", *options)
        assert told.returncode == 0
        return told.stdout.partition("\n\n")[0].splitlines()[1:]

    every = players()
    assert [line[:3] for line in every] == ["Ann", "Ben", "Cid"]
    assert players("--player", "Cid", "--player", "Ann") == [every[0], every[2]]
    assert [line[:6] for line in players("--by", "seat")] == ["seat 0", "seat 1"]
    certain = players("--prior", "1,0", "--player", "Ann", "--rule", "published")
    assert certain[0].split()[2:8] == ["100", "%", "0", "%", "0", "%"]
    assert players("--rule", "published") != every
    assert players("--accuracy", "0.005", "--player", "Ann")[0] != every[0]
    assert players("--seed", "1") != every
    assert players("--iterations", "200") != every


def test_infer_takes_a_game_of_ones_own(tmp_path):
    assert run("new-game", "my_game", "--folder", tmp_path).returncode == 0
    record = tmp_path / "match.json"
    teams = ["--team", "random", "--team", "random"]
    assert run("watch", "connect-four", *teams, "--delay", 0, "--save", record).returncode == 0
    options = ["--types", "1,2", "--iterations", 10, "--game"]
    wrong = run("infer", record, *options, tmp_path / "my_game.py")
    assert wrong.returncode == 2
    assert "of 'connect-four', but the given game is 'my_game'" in wrong.stderr
    told = run("infer", record, *options, "connect-four")
    assert (told.returncode, told.stdout.splitlines()[1].split()[0]) == (0, "random")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--types", "2,x"], "--types takes numbers such as 2,4,6,8, got '2,x'"),
        (["--types", "4,2"], "capability types must ascend"),
        (["--rule", "best"], "there is no update rule 'best' ("),
        (["--accuracy", "0.9"], "the accuracy of a belief is a probability from 0.005 to 0.5, got"),
        (["--accuracy", "x"], "--accuracy takes numbers such as 0.05, got 'x'"),
        (["--prior", "a"], "--prior takes numbers such as 0.1,0.2,0.3,0.4, got 'a'"),
        (["--prior", ""], "--prior takes numbers such as 0.1,0.2,0.3,0.4, got ''"),
        (["--prior", "0.5,0.5"], "a prior has 4 probabilities that sum to 1"),
        (["--by", "hat"], "players are told apart by 'name' or by 'seat', got 'hat'"),
        (["--player", "Dan"], "there is no player 'Dan' in these games; players are Ann, Ben, Cid"),
        (["--iterations", "0"], "--iterations must be a whole number of 1 or more"),
        (["--iterations", "many"], "--iterations takes a whole number, got 'many'"),
        (["--seed", "-1"], "a seed is a whole number of 0 or more, got -1"),
        (["--seed", "x"], "--seed takes a whole number, got 'x'"),
        (["--game", "chekers"], "there is no game 'chekers'; did you mean 'checkers'?"),
        (["--plot", "found.pdf"], "a plot is written to a file that ends in .svg or .png, got"),
        (["--plot", "no/found.svg"], "cannot write no/found.svg: there is no folder no"),
        (["--html", "found.txt"], "--html writes a file that ends in .html or .htm, got found.txt"),
        (["--json", "no/found.json"], "cannot write no/found.json: there is no folder no"),
        (["--json", "."], "cannot write .: it is a folder"),
        (["--html", "no/found.html"], "cannot write no/found.html: there is no folder no"),
    ],
)
def test_bad_options_of_infer_are_one_line(pdn, monkeypatch, options, message):
    monkeypatch.setattr("sizeup.play.infer.SearchEngine", None)  # it is told before any search
    failed = run("infer", pdn, *options)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith(f"sizeup: {message}")
    assert len(failed.stderr.splitlines()) == 1


def test_infer_names_the_file_of_a_wrong_record_and_says_if_there_are_no_moves(tmp_path):
    record = play("connect-four", ["random", "random"], seed=1)
    last = replace(record.moves[-1], action="z")
    good, bad, empty = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "empty.pdn"
    good.write_text(record.to_json())
    bad.write_text(replace(record, moves=(*record.moves[:-1], last)).to_json())
    failed = run("infer", good, bad)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith(f"sizeup: {bad}: game 1, ply {last.ply}: 'z' is not a legal ")
    empty.write_text('[Black "Ann"]\n*\n')
    failed = run("infer", empty)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == (f"sizeup: there is no move in {empty}, so there is nothing to go by\n")


def test_an_interrupted_search_ends_infer(pdn, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("sizeup.search.Searcher.search", interrupted)
    stopped = run("infer", pdn)
    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (130, "", "sizeup: stopped\n")


def test_ctrl_c_ends_infer_with_what_was_found(pdn):
    """The process is stopped once it has looked at a move; it has a hundred games to go."""
    arguments = ["sizeup", "infer", *[str(pdn)] * 50]
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # whatever runs the tests does
        f"sys.argv = {arguments!r}\n"
        "from sizeup.cli import main\nmain()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr.readline() == "game 1 of 100: 1 of 300 moves\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert out.splitlines()[0].startswith("player ")
    assert re.fullmatch(
        r"sizeup: stopped: this is what the first \d+ moves say", err.splitlines()[-1]
    )
    assert "Traceback" not in err


def typed(text, *arguments):
    """Run the command with somebody at the keyboard."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return run(*arguments)


def test_no_summary_is_cut_off():
    verbs = run("--help").stdout.partition("Commands:")[2]
    assert "Replay a random sample of the stored games and compare\n" in verbs
    assert "..." not in verbs


def test_watch_takes_iterations_and_params(tmp_path):
    quick = ["watch", "checkers", "--team", "obl:2", "--team", "obl:2", "--delay", 0]
    saved = tmp_path / "match.json"
    done = run(*quick, "--iterations", 3, "--params", "most_plies=4", "--save", saved)
    assert done.returncode == 0
    record = Record.load(saved)
    agents = json.loads(saved.read_text())["agents"]
    assert [agent["options"]["iterations"] for agent in agents] == [3, 3]
    assert record.reason == "4 plies played"
    many = run(*quick, "--iterations", 2**31)
    assert (many.returncode, many.stderr.split(" must")[0]) == (2, "sizeup: --iterations")
    world = ["watch", "wall-of-fire", "--team", "obl:1+obl:1", "--delay", 0]
    assert run(*world, "--params", "text=SFC", "--params", "most_turns=1").returncode == 0
    for wrong, said in (
        ("most_plies", "--params takes NAME=VALUE, such as most_plies=60, got 'most_plies'"),
        ("most_plies=x", "most_plies is a whole number, such as 120; got 'x'"),
        ("plies=4", "there is no parameter 'plies'"),
    ):
        failed = run(*quick, "--params", wrong)
        assert failed.returncode == 2
        assert said in failed.stderr
        assert failed.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", [["watch", "--delay", 0], ["play", "--as", 0]])
def test_a_seed_below_0_is_one_line(verb):
    failed = run(*verb, "wall-of-fire", "--team", "obl:1+obl:1", "--seed", -1)
    assert failed.returncode == 2
    assert failed.stderr == "sizeup: a seed is a whole number of 0 or more, got -1\n"
    assert failed.stdout == ""


def test_a_match_that_is_left_is_saved_and_replayed(tmp_path):
    saved = tmp_path / "match.json"
    command = ["play", "connect-four", "--team", "obl:1", "--team", "obl:1", "--as", 0,
               "--iterations", 2, "--save", saved]  # fmt: skip
    left = typed("d\nquit\n", *command)
    assert left.returncode == 0
    assert f"wrote {saved}" in left.stdout
    record = Record.load(saved)
    assert (len(record.moves), record.reason) == (2, "2 moves made")
    assert run("replay", saved, "--delay", 0).returncode == 0
    saved.unlink()
    left = typed("quit\n", *command)
    assert left.returncode == 0
    assert f"{saved} is not written: no move was made" in left.stderr
    assert not saved.exists()


@pytest.mark.parametrize("verb", ["replay", "infer"])
def test_a_device_that_never_ends_is_refused(verb):
    failed = run(verb, "/dev/zero")
    assert (failed.returncode, failed.stderr) == (2, "sizeup: /dev/zero is a device: name a file\n")


@pytest.fixture
def piped(tmp_path):
    """A pipe that a program writes to, for ever or once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with contextlib.ExitStack() as writers:

        def into(command):
            writer = subprocess.Popen(f"{command} > {pipe}", shell=True, stderr=subprocess.DEVNULL)
            writers.callback(writer.wait)
            writers.callback(writer.kill)
            return pipe

        yield into


@pytest.mark.parametrize("verb", ["replay", "infer"])
def test_a_pipe_that_never_ends_is_refused(verb, piped):
    pipe = piped("exec yes")
    failed = run(verb, pipe)
    said = f"{pipe} is no file, and gave more than 256 MB: save what it gives to a file first"
    assert (failed.returncode, failed.stderr) == (2, f"sizeup: {said}\n")


def test_a_match_is_replayed_from_a_pipe(tmp_path, piped):
    saved = tmp_path / "match.json"
    sizeup.play("wall-of-fire", ["obl:2+obl:2"], seed=1).save(saved)
    done = run("replay", piped(f"cat {saved}"), "--delay", 0)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("replay", saved, "--delay", 0).stdout


def test_hints_work_in_a_clone_too():
    hint = "the web app needs uvicorn: install it with pip install 'sizeup[web]'"
    root = Path(sizeup.__file__).parents[2]
    assert (root / "pyproject.toml").is_file()
    assert _from_here(hint).endswith(f"install it with pip install -e '{root}[web]'")


def test_letters_that_an_encoding_lacks_are_printed_as_similar_ones(tmp_path):
    """A report sent to a file in a locale without Unicode: the numbers have true minus signs."""
    file = tmp_path / "odd.toml"
    file.write_text(
        'extends = "wall-of-fire"\nname = "odd"\ntitle = "\u22122 \u2013 \u2713"\n',
        encoding="utf-8",
    )
    environment = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    planned = subprocess.run(
        [sys.executable, "-m", "sizeup", "plan", file], env=environment, capture_output=True
    )
    assert planned.stdout.decode("cp1252").splitlines()[0] == "-2 \u2013 ?"
    assert (planned.returncode, planned.stderr) == (0, b"")
